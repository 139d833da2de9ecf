import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { WebSocketServer } from "ws";
import { selfSigned } from "../../src/session/self-test/certificate.ts";

/** Sites with something of a person on them. */
export const PERSONS = ["git.test", "shop.test", "mail.test", "desk.test"] as const;
/** Read only, and by https. */
const READ = "docs.test";
/** In nobody's scope. */
export const FOREIGN = ["evil.test", "sh0p.test", "thief.test"] as const;
export const HOSTS: readonly string[] = [...PERSONS, READ, ...FOREIGN];

/** The certificate that all of them show. */
export const authority = selfSigned(HOSTS[0] ?? "", ...HOSTS.slice(1));

const TLS_HANDSHAKE = 0x16;
const ARRIVAL_MS = 8_000;

/**
 * One request as it arrived, listed as soon as its head is there; what comes over a socket is a request of method
 * SOCKET.
 */
export interface Hit {
  readonly method: string;
  readonly host: string;
  /** Path and query. */
  readonly path: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  body: Buffer;
  complete: boolean;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Pages by `host/path`, with any query. */
export type Served = Readonly<Record<string, string | ((hit: Hit) => Answer)>>;

/** One copy of all sites, with every byte that came to them. */
export interface Sites {
  /** `127.0.0.1:port` by host name. */
  readonly hostMap: Readonly<Record<string, string>>;
  readonly hits: readonly Hit[];
  /** In place of the pages that were there; what had arrived is forgotten. */
  serve(pages: Served): void;
  /** To all sockets that are open. */
  tell(words: string): void;
  /** Resolves to whether it is so, or becomes so in time. */
  when(is: (hits: readonly Hit[]) => boolean, withinMs?: number): Promise<boolean>;
  close(): Promise<void>;
}

/** `more`: hosts beside those that are always there, by http only. */
export async function openSites(more: readonly string[] = []): Promise<Sites> {
  const hits: Hit[] = [];
  const sockets = new Set<Socket>();
  const watchers = new Set<() => void>();
  let pages: Served = {};
  const arrived = (): void => {
    for (const look of [...watchers]) look();
  };
  const note = (request: IncomingMessage, method: string, body: Buffer | null): Hit => {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const path = request.url ?? "";
    const scheme = "encrypted" in request.socket ? "https" : "http";
    const hit: Hit = {
      method,
      host,
      path,
      url: `${scheme}://${host}${path}`,
      headers: request.headers,
      body: body ?? Buffer.alloc(0),
      complete: body !== null,
    };
    hits.push(hit);
    arrived();
    return hit;
  };
  const http = createHttpServer((request, response) => {
    const hit = note(request, request.method ?? "", null);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => response.destroy());
    request.on("end", () => {
      hit.body = Buffer.concat(chunks);
      hit.complete = true;
      answer(pages, hit, response);
      arrived();
    });
  });
  http.on("clientError", (_error, socket) => socket.destroy());
  const webSockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, socket, head) =>
    webSockets.handleUpgrade(request, socket, head, (opened) =>
      opened.on("message", (data: Buffer) => void note(request, "SOCKET", data)),
    ),
  );
  const tls = createTlsServer(
    { key: authority.key, cert: authority.cert, ALPNProtocols: ["http/1.1"] },
    (socket) => void http.emit("connection", socket),
  );
  tls.on("tlsClientError", (_error, socket) => socket.destroy());
  const server = createServer((socket) => {
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    hostMap: Object.fromEntries([...HOSTS, ...more].map((host) => [host, `127.0.0.1:${port}`])),
    hits,
    serve: (given) => {
      pages = given;
      hits.length = 0;
    },
    tell: (words) => {
      for (const socket of webSockets.clients) socket.send(words);
    },
    when: (is, withinMs = ARRIVAL_MS) =>
      new Promise((resolve) => {
        const end = (was: boolean): void => {
          clearTimeout(timer);
          watchers.delete(look);
          resolve(was);
        };
        const look = (): void => {
          if (is(hits)) end(true);
        };
        const timer = setTimeout(() => end(false), withinMs);
        watchers.add(look);
        look();
      }),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      webSockets.close();
      http.closeAllConnections();
      await once(server, "close");
    },
  };
}

function answer(pages: Served, hit: Hit, response: ServerResponse): void {
  const found = pages[`${hit.host}${hit.path.split("?")[0] ?? ""}`];
  const page = typeof found === "function" ? found(hit) : { body: found ?? document(`<p>at ${hit.host}</p>`) };
  response.writeHead(page.status ?? 200, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...page.headers,
  });
  response.end(page.body ?? "");
}

/** An answer that its page does not read is never over for the browser, and whoever waits for it waits long. */
const READS = `{ const send = fetch; window.fetch = async (...all) => { const answer = await send(...all); void answer.clone().text(); return answer; }; }`;

export function document(markup: string, script = ""): string {
  return `<!doctype html><title>page</title><link rel="icon" href="data:,"><script>${READS}</script>${markup}<script>${script}</script>`;
}
