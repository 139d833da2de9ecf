import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";

const TLS_HANDSHAKE = 0x16;
const LOOPBACK = "127.0.0.1";
const LOOPBACK_6 = "::1";

/** Everything that came to a port. Requests as `METHOD host/path`. */
export interface Arrivals {
  readonly requests: readonly string[];
  readonly connections: number;
  readonly packets: number;
}

/** Plain and TLS on one TCP port (HTTP/2 for a browser that speaks it), and UDP on the same number. */
export interface Listener {
  readonly port: number;
  readonly arrived: Arrivals;
  clear(): void;
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly cert: string;
  readonly key: string;
  /** On [::1], too. */
  readonly both: boolean;
  readonly answer: (request: IncomingMessage, response: ServerResponse, line: string) => void;
  /** Without it a request for a WebSocket is cut. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, line: string) => void;
}

export async function listen(options: ListenerOptions): Promise<Listener> {
  const arrived = { requests: [] as string[], connections: 0, packets: 0 };
  const sockets = new Set<Socket>();
  const record = (request: IncomingMessage): string => {
    const line = `${request.method ?? ""} ${(request.headers.host ?? "").replace(/:\d+$/, "")}${request.url ?? ""}`;
    arrived.requests.push(line);
    return line;
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    request.on("error", () => response.destroy());
    response.on("error", () => {});
    options.answer(request, response, record(request));
  };
  const upgrade = (request: IncomingMessage, socket: Duplex): void => {
    const line = record(request);
    if (options.upgrade === undefined) socket.destroy();
    else options.upgrade(request, socket, line);
  };
  const http = createHttpServer(take);
  http.on("clientError", (_error, socket) => socket.destroy());
  http.on("upgrade", upgrade);
  const tls = createSecureServer({ key: options.key, cert: options.cert, allowHTTP1: true }, (request, response) => {
    const { ":authority": host } = request.headers;
    if (host !== undefined) request.headers.host = host;
    // Alike in all that is used of them here.
    take(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
  tls.on("tlsClientError", (_error, socket) => socket.destroy());
  tls.on("sessionError", () => {});
  tls.on("upgrade", upgrade);

  const server = (): Server =>
    createServer((socket) => {
      arrived.connections += 1;
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
      socket.once("readable", () => {
        const first: Buffer | null = socket.read(1);
        if (first === null) return;
        socket.unshift(first);
        (first[0] === TLS_HANDSHAKE ? tls : http).emit("connection", socket);
      });
    });
  const servers = [server()];
  const port = await open(servers[0] as Server, LOOPBACK, 0);
  if (options.both) {
    const second = server();
    servers.push(second);
    await open(second, LOOPBACK_6, port);
  }
  const udp = await openUdp(port, () => {
    arrived.packets += 1;
  });
  return {
    port,
    arrived,
    clear: () => {
      arrived.requests.length = 0;
      arrived.connections = 0;
      arrived.packets = 0;
    },
    async close() {
      for (const each of servers) each.close();
      for (const socket of sockets) socket.destroy();
      http.closeAllConnections();
      await new Promise<void>((done) => udp.close(done));
    },
  };
}

async function open(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function openUdp(port: number, onPacket: () => void): Promise<UdpSocket> {
  const socket = createSocket("udp4", onPacket);
  socket.bind(port, LOOPBACK);
  await once(socket, "listening");
  return socket;
}
