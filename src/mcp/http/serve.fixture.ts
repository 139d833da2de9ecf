import { once } from "node:events";
import { createServer } from "node:http";
import { connect as connectSocket } from "node:net";
import { onTestFinished } from "vitest";
import { AskingSession } from "../asking.fixture.ts";
import { sendResponse, webRequest } from "./bridge.ts";
import { type HttpFace, type HttpSettings, serveHttp } from "./serve.ts";
import { Tenant } from "./tenant.ts";

export const TOKENS = ["first-token-of-the-test", "second-token-of-the-test"] as const;

export interface Served {
  readonly face: HttpFace;
  readonly url: URL;
  /** Of each token, every session that it had. */
  readonly sessions: readonly AskingSession[][];
  readonly log: string[];
  readonly clock: { ms: number };
  /** Calls that reached any session. */
  calls(): number;
}

/** The face with a scripted session a token: what reaches a tool is counted. */
export async function served(settings: Partial<HttpSettings> = {}): Promise<Served> {
  const sessions: AskingSession[][] = TOKENS.map(() => []);
  const log: string[] = [];
  const clock = { ms: 0 };
  let calls = 0;
  const face = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    tokens: TOKENS,
    info: { name: "chaperone", version: "9" },
    idleMs: null,
    now: () => clock.ms,
    openSession(token) {
      const session = new AskingSession();
      const call = session.call.bind(session);
      session.call = (...args) => {
        calls += 1;
        return call(...args);
      };
      sessions[token]?.push(session);
      return session;
    },
    log: (line) => log.push(line),
    ...settings,
  });
  onTestFinished(() => face.close());
  return { face, url: new URL(`http://127.0.0.1:${face.port}/mcp`), sessions, log, clock, calls: () => calls };
}

/**
 * The same without any check of ours: the SDK's handlers, on every path, for everybody. What gets through here is what
 * the checks are for.
 */
export async function naked(): Promise<Omit<Served, "face" | "log"> & { readonly port: number }> {
  const session = new AskingSession();
  let calls = 0;
  const call = session.call.bind(session);
  session.call = (...args) => {
    calls += 1;
    return call(...args);
  };
  const tenant = new Tenant(session, { info: { name: "chaperone", version: "9" }, failed: () => {} });
  const server = createServer({ requireHostHeader: false }, (incoming, response) => {
    const answer = async (): Promise<void> => {
      const chunks = await incoming.toArray();
      const read: unknown = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
      const body = typeof read === "object" && read !== null ? read : undefined;
      await sendResponse(await tenant.handle(webRequest(incoming, response, "naked"), body), response);
    };
    answer().catch(() => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await tenant.close();
  });
  return {
    port,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    sessions: [[session]],
    clock: { ms: 0 },
    calls: () => calls,
  };
}

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Sends these bytes, as they are, and reads the answer: all of it when its length is told, else what has come by the
 * end of its head.
 */
export function raw(port: number, text: string, host = "127.0.0.1"): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, host);
    let read = "";
    const look = (): void => {
      const end = read.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = read.slice(0, end).toLowerCase();
      const body = read.slice(end + 4);
      const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
      const isWhole = head.includes("transfer-encoding: chunked") ? body.endsWith("0\r\n\r\n") : body.length >= length;
      if (!isWhole) return;
      resolve({ status: Number(read.slice(9, 12)), head, body });
      socket.destroy();
    };
    socket.on("data", (chunk) => {
      read += chunk.toString();
      look();
    });
    socket.on("end", () => {
      look();
      reject(new Error(`no whole answer: ${JSON.stringify(read)}`));
    });
    socket.on("error", reject);
    socket.write(text);
  });
}

export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  /** In place of the right ones; null leaves one out. A list repeats it. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body?: string;
}

/** A raw request to a server on that port that calls a tool, right in all that `change` does not change. */
export function request(port: number, change: RawRequest = {}): string {
  const { method = "POST", target = "/mcp", body = method === "POST" ? toolCall() : "" } = change;
  const headers: Record<string, string | readonly string[] | null> = {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${TOKENS[0]}`,
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "MCP-Method": "tools/call",
    "MCP-Name": "snapshot",
    ...(method === "POST"
      ? { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }
      : {}),
    ...change.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
  return `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** What a 2026-07-28 client posts to call a tool. */
export function toolCall(name = "snapshot", args: object = {}): string {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args, _meta: meta },
  });
}
