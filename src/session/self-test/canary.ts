import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createSecureServer } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Certificate } from "./certificate.ts";
import { channelsOver, type SelfTestChannel } from "./channels.ts";
import { servePages } from "./pages.ts";

const LOOPBACK = "127.0.0.1";
/** A request or a socket's handshake; anything else (TURN, TLS, nothing at all) carries no token. */
const HTTP_HEAD = /^[A-Z]+ \S+ HTTP\/1\.[01]\r\n/;

/** Listeners on loopback that nothing may reach, each channel with a port of its own, and the pages that try. */
export interface Canary {
  /** Of the page to open. */
  readonly address: string;
  /** Of the page that is opened when the first one is left. */
  readonly nextAddress: string;
  /** The pages' own port and the port where one image must arrive. */
  readonly allowed: ReadonlySet<number>;
  readonly pagePort: number;
  portOf(channel: SelfTestChannel): number;
  /** Whether anything came to that channel's port. */
  reached(channel: SelfTestChannel): boolean;
  /** Whether the image that was allowed arrived: without it the silence of the others proves nothing. */
  controlReached(): boolean;
  close(): Promise<void>;
}

/**
 * `token`: letters and digits that nobody can guess; it is in every address. With a certificate the pages are served
 * over TLS, in HTTP/2 to whoever speaks it. Rejects when no loopback port can be had.
 */
export async function startCanary(token: string, certificate: Certificate | null = null): Promise<Canary> {
  const scheme = certificate === null ? "http" : "https";
  const channels = channelsOver(scheme);
  const open: { close(): Promise<void> }[] = [];
  const tcp = async (): Promise<TcpListener> => kept(open, await listenTcp(token));
  try {
    const control = await tcp();
    const listeners: Listener[] = [];
    for (const { over } of channels) listeners.push(over === "tcp" ? await tcp() : kept(open, await listenUdp()));
    const ports = listeners.map(({ port }) => port);
    // Whether it arrives is seen by its token, which nobody reads in TLS.
    const pages = kept(
      open,
      await listenPages(
        servePages({ scheme, ports, token, control: `http://${LOOPBACK}:${control.port}/${token}` }),
        certificate,
      ),
    );
    const of = (channel: SelfTestChannel): Listener => {
      const listener = listeners[channels.indexOf(channel)];
      if (listener === undefined) throw new Error("not a channel of the self-test");
      return listener;
    };
    return {
      address: `${scheme}://${LOOPBACK}:${pages.port}/${token}`,
      nextAddress: `${scheme}://${LOOPBACK}:${pages.port}/next`,
      allowed: new Set([pages.port, control.port]),
      pagePort: pages.port,
      portOf: (channel) => of(channel).port,
      reached: (channel) => of(channel).reached(),
      controlReached: () => control.tokenSeen(),
      close: () => closeAll(open),
    };
  } catch (error) {
    await closeAll(open);
    throw error;
  }
}

interface Listener {
  readonly port: number;
  reached(): boolean;
  close(): Promise<void>;
}

interface TcpListener extends Listener {
  tokenSeen(): boolean;
}

/** A bare connection counts, too. What speaks HTTP without the token is another program that tries ports. */
async function listenTcp(token: string): Promise<TcpListener> {
  const arrivals = new Set<Socket>();
  let seen = false;
  const server = createServer((socket) => {
    arrivals.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", (bytes) => {
      const head = bytes.toString("latin1");
      if (head.includes(token)) seen = true;
      else if (HTTP_HEAD.test(head)) arrivals.delete(socket);
      socket.destroy();
    });
  });
  const { port, close } = await listening(server);
  return { port, close, reached: () => arrivals.size > 0, tokenSeen: () => seen };
}

async function listenUdp(): Promise<Listener> {
  const socket: UdpSocket = createSocket("udp4");
  let reached = false;
  socket.on("message", () => {
    reached = true;
  });
  socket.bind(0, LOOPBACK);
  await once(socket, "listening");
  return {
    port: socket.address().port,
    reached: () => reached,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

async function listenPages(
  serve: ReturnType<typeof servePages>,
  certificate: Certificate | null,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  if (certificate === null) return listening(createHttpServer({ keepAlive: false }, serve));
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, serve);
  server.on("sessionError", () => {});
  return listening(server);
}

async function listening(server: Server): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

function kept<T extends { close(): Promise<void> }>(open: { close(): Promise<void> }[], listener: T): T {
  open.push(listener);
  return listener;
}

async function closeAll(open: readonly { close(): Promise<void> }[]): Promise<void> {
  await Promise.all(open.map((listener) => listener.close()));
}
