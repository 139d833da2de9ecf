import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { listen } from "../listener.ts";
import type { Asked, Reply, Row, Sites } from "./row.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);
/** Of a WebSocket's handshake (RFC 6455). */
const SOCKET_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT_FRAME = 0x81;

/** The sites of one row after another, with all that arrived at those of the last one. */
export interface World {
  readonly port: number;
  /** `host:port` by host name. */
  readonly hostMap: Readonly<Record<string, string>>;
  /** Unsafe ones, `METHOD host/path body`. */
  readonly changes: readonly string[];
  /** The others, `METHOD host/path`. */
  readonly reads: readonly string[];
  /** In place of the sites that were there; what had arrived is forgotten. */
  serve(sites: Sites): void;
  close(): Promise<void>;
}

export function hostsOf(sites: Sites): readonly string[] {
  return [...new Set(Object.keys(sites).map((key) => (key.replace(/^[A-Z]+ /, "").split("/")[0] ?? "").toLowerCase()))];
}

/** A world for all hosts of these rows, with nothing at them yet. */
export async function openWorld(
  rows: readonly Row[],
  certificate: { readonly cert: string; readonly key: string },
): Promise<World> {
  const changes: string[] = [];
  const reads: string[] = [];
  let sites: Sites = {};
  const asked = (request: IncomingMessage, line: string, body: string): Asked => {
    const { method = "", headers } = request;
    (SAFE.has(method) ? reads : changes).push(body === "" ? line : `${line} ${body}`);
    const url = new URL(request.url ?? "/", `http://${headers.host ?? "none"}`);
    const plain = Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !name.startsWith(":"))
        .map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
    );
    return { method, host: url.hostname, url, headers: plain, body, changes: changes.length };
  };
  const answer = (request: IncomingMessage, response: ServerResponse, line: string): void => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const facts = asked(request, line, Buffer.concat(parts).toString());
      const { status = 200, headers, body = "", afterMs = 0 } = replyOf(sites, facts);
      setTimeout(() => {
        response.writeHead(status, { ...crossOrigin(facts), "cache-control": "no-store", ...headers });
        response.end(facts.method === "HEAD" ? "" : body);
      }, afterMs);
    });
  };
  const upgrade = (request: IncomingMessage, socket: Duplex, line: string): void => {
    const facts = asked(request, line, "");
    const key = facts.headers["sec-websocket-key"] ?? "";
    const accept = createHash("sha1").update(`${key}${SOCKET_KEY}`).digest("base64");
    const message = Buffer.from(replyOf(sites, facts).message ?? "");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.write(Buffer.concat([Buffer.from([TEXT_FRAME, message.length]), message]));
  };
  const { port, close } = await listen({ ...certificate, both: true, answer, upgrade });
  const isOnly6 = (host: string): boolean => rows.some(({ only6 }) => only6?.includes(host) === true);
  const named = rows.flatMap((row) => hostsOf(row.sites)).filter((host) => host !== "localhost");
  const serve = (next: Sites): void => {
    sites = next;
    changes.length = 0;
    reads.length = 0;
  };
  return {
    port,
    hostMap: Object.fromEntries(named.map((host) => [host, isOnly6(host) ? `[::1]:${port}` : `127.0.0.1:${port}`])),
    changes,
    reads,
    serve,
    close,
  };
}

function replyOf(sites: Sites, asked: Asked): Reply {
  const place = `${asked.host}${asked.url.pathname}`;
  const key =
    [`${asked.method} ${place}`, place].find((exact) => sites[exact] !== undefined) ??
    Object.keys(sites).find((each) => fits(each, asked, place));
  const found = key === undefined ? undefined : sites[key];
  if (asked.method === "OPTIONS") return { status: 204 };
  return typeof found === "function" ? found(asked) : (found ?? { status: 404, body: "not found" });
}

function fits(key: string, { method }: Asked, place: string): boolean {
  const [, only, path = ""] = /^(?:([A-Z]+) )?(.*)$/.exec(key) ?? [];
  return path.endsWith("*") && place.startsWith(path.slice(0, -1)) && (only === undefined || only === method);
}

/** Whoever asks may read, with cookies too. */
function crossOrigin({ headers }: Asked): Record<string, string> {
  const { origin } = headers;
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-headers": headers["access-control-request-headers"] ?? "content-type",
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "cross-origin-resource-policy": "cross-origin",
  };
}
