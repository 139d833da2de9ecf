import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** RFC 6455, section 1.3. */
const WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const DEFAULT_WAIT_MS = 30_000;

/** One request as it arrived. It is listed as soon as its head is there; `body` fills until `complete`. */
export interface Hit {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  body: string;
  /** Milliseconds since the epoch when the head was there. */
  readonly at: number;
  complete: boolean;
  /** A WebSocket handshake. */
  readonly upgrade: boolean;
}

export interface ConnectionCounts {
  /** All that were accepted. */
  readonly total: number;
  /** Those over which no request has arrived: preconnects, half-made and broken ones. */
  readonly silent: number;
  /** Those that spoke something else than HTTP, for instance TLS. */
  readonly malformed: number;
}

export type Handler = (request: IncomingMessage, response: ServerResponse, hit: Hit) => void;

export interface RecordingServer extends AsyncDisposable {
  /** Origin without a slash at the end. */
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  readonly port: number;
  readonly hits: readonly Hit[];
  readonly connections: ConnectionCounts;
  /** Serves an HTML page at the path, with any query. */
  html(path: string, body: string, headers?: Record<string, string>): void;
  /** Serves the path, with any query. The last one given for a path counts. */
  on(path: string, handler: Handler): void;
  /** Hits of the path; without a query in it, those with any query. */
  hitsTo(path: string): readonly Hit[];
  /** Resolves with the `count`-th (default first) whole hit of the path; rejects with a list of what did arrive. */
  waitForHit(path: string, options?: { readonly timeoutMs?: number; readonly count?: number }): Promise<Hit>;
  /** Forgets hits and counts, keeps the pages. */
  clear(): void;
  close(): Promise<void>;
}

/**
 * A server on a free loopback port that keeps everything that arrives. Paths without a page go to `fallback`, by
 * default 404. WebSocket handshakes are accepted.
 */
export async function recordingServer(fallback: Handler = notFound): Promise<RecordingServer> {
  const hits: Hit[] = [];
  const handlers = new Map<string, Handler>();
  const arrivals = new EventEmitter();
  arrivals.setMaxListeners(0);
  const connections = countConnections();

  const record = (request: IncomingMessage, upgrade: boolean): Hit => {
    connections.spoke(request.socket);
    const hit: Hit = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: "",
      at: Date.now(),
      complete: upgrade,
      upgrade,
    };
    hits.push(hit);
    return hit;
  };

  const server = createServer((request, response) => {
    const hit = record(request, false);
    request.setEncoding("utf8");
    request.on("data", (text: string) => {
      hit.body += text;
    });
    request.on("error", () => response.destroy());
    request.on("end", () => {
      hit.complete = true;
      arrivals.emit("hit");
      const handler = handlers.get(pathname(hit.path)) ?? fallback;
      handler(request, response, hit);
    });
  });
  server.on("connection", connections.opened);
  server.on("clientError", (_error, socket) => {
    connections.failed(socket as Socket);
    socket.destroy();
  });
  server.on("upgrade", (request, socket) => {
    record(request, true);
    arrivals.emit("hit");
    acceptWebSocket(request, socket as Socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;

  const hitsTo = (path: string) =>
    hits.filter((hit) => hit.path === path || (!path.includes("?") && pathname(hit.path) === path));
  const close = () => closeServer(server, connections.sockets);
  return {
    url: `http://${host}`,
    host,
    port,
    hits,
    connections: connections.counts,
    html: (path, body, headers = {}) => {
      handlers.set(path, (_request, response) => {
        response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
        response.end(body);
      });
    },
    on: (path, handler) => {
      handlers.set(path, handler);
    },
    hitsTo,
    waitForHit: (path, { timeoutMs = DEFAULT_WAIT_MS, count = 1 } = {}) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const hit = hitsTo(path).filter((candidate) => candidate.complete)[count - 1];
          if (hit === undefined) return;
          stop();
          resolve(hit);
        };
        const timer = setTimeout(() => {
          stop();
          const arrived = hits.map((hit) => `${hit.method} ${hit.path}`).join(", ");
          reject(
            new Error(
              `No hit ${count} of ${path} at ${host} within ${timeoutMs} ms. Arrived: ${arrived || "nothing"}.`,
            ),
          );
        }, timeoutMs);
        const stop = () => {
          clearTimeout(timer);
          arrivals.off("hit", look);
        };
        arrivals.on("hit", look);
        look();
      }),
    clear: () => {
      hits.length = 0;
      connections.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { "content-type": "text/plain" });
  response.end("not found");
}

function pathname(path: string): string {
  return path.split("?")[0] ?? path;
}

function countConnections() {
  const sockets = new Set<Socket>();
  const counted = new WeakSet<Socket>();
  const spoken = new WeakSet<Socket>();
  const counts = { total: 0, silent: 0, malformed: 0 };
  const spoke = (socket: Socket) => {
    if (counted.has(socket) && !spoken.has(socket)) counts.silent -= 1;
    spoken.add(socket);
  };
  return {
    sockets,
    counts: counts as ConnectionCounts,
    opened: (socket: Socket) => {
      sockets.add(socket);
      counted.add(socket);
      counts.total += 1;
      counts.silent += 1;
      socket.on("close", () => sockets.delete(socket));
    },
    spoke,
    failed: (socket: Socket) => {
      if (socket.bytesRead > 0) counts.malformed += 1;
    },
    clear: () => {
      for (const socket of sockets) counted.delete(socket);
      Object.assign(counts, { total: 0, silent: 0, malformed: 0 });
    },
  };
}

/** Completes the handshake and ignores what is sent later. */
function acceptWebSocket(request: IncomingMessage, socket: Socket): void {
  const accept = createHash("sha1")
    .update(`${request.headers["sec-websocket-key"] ?? ""}${WEBSOCKET_GUID}`)
    .digest("base64");
  socket.on("error", () => socket.destroy());
  socket.resume();
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
