import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ProxyLimits } from "./limits.ts";
import type { Door } from "./options.ts";

/** What happens at the doors. A rejection of `request` and `connect` ends the connection. */
export interface DoorHandlers {
  accept(socket: Socket, door: Door): void;
  request(request: IncomingMessage, response: ServerResponse): Promise<void>;
  connect(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>;
  /** It came to something that is no HTTP; the connection ends afterwards. */
  malformed(socket: Socket, door: Door): void;
}

/** The two listeners of a proxy, on free loopback ports. */
export class Doors {
  readonly #servers: Readonly<Record<Door, Server>>;
  #ports: Readonly<Record<Door, number>> = { requests: 0, sockets: 0 };

  constructor(limits: ProxyLimits, handlers: DoorHandlers) {
    this.#servers = {
      requests: serverAt("requests", limits, handlers),
      sockets: serverAt("sockets", limits, handlers),
    };
  }

  portOf(door: Door): number {
    return this.#ports[door];
  }

  /** Rejects, and nothing listens, when a port cannot be had. */
  async open(host: string): Promise<void> {
    const { requests, sockets } = this.#servers;
    const port = await listening(requests, host);
    try {
      this.#ports = { requests: port, sockets: await listening(sockets, host) };
    } catch (error) {
      requests.close();
      throw error;
    }
  }

  /** Resolves when the last connection has ended. */
  async close(): Promise<void> {
    await Promise.all(
      Object.values(this.#servers).map((server) => {
        const end = once(server, "close");
        server.close();
        return end;
      }),
    );
  }
}

async function listening(server: Server, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function serverAt(door: Door, limits: ProxyLimits, handlers: DoorHandlers): Server {
  const server = createServer({
    insecureHTTPParser: false,
    maxHeaderSize: limits.headBytes,
    headersTimeout: limits.headMs,
    // A large upload may take long; standing still is what ends it.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(limits.headMs, 1_000),
    // Ours asks for exactly one.
    requireHostHeader: false,
  });
  server.timeout = limits.idleMs;
  server.maxConnections = limits.connections;
  // Those beyond would be dropped from the list, not refused; their bytes are limited already.
  server.maxHeadersCount = 0;
  server.on("connection", (socket) => handlers.accept(socket, door));
  server.on(
    "request",
    (request, response) => void handlers.request(request, response).catch(() => request.socket.destroy()),
  );
  server.on("connect", (request, socket, head) => {
    void handlers.connect(request, socket as Socket, head).catch(() => socket.destroy());
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code?.startsWith("HPE_")) handlers.malformed(socket as Socket, door);
    socket.destroy();
  });
  return server;
}
