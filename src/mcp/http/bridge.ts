import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal } from "./admit.ts";

/** What the protocol needs of a request's headers; a token is none of it. */
const TAKEN_IN = [
  "accept",
  "content-type",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
];
const HANDED_OUT = ["allow", "content-type", "mcp-session-id"];
const ALWAYS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/**
 * The request as the SDK takes it, without its body. Its signal aborts when the client goes before its answer is
 * complete.
 */
export function webRequest(request: IncomingMessage, response: ServerResponse, host: string): Request {
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const name of TAKEN_IN) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Request(`http://${host}${request.url ?? "/"}`, {
    method: request.method ?? "GET",
    headers,
    signal: gone.signal,
  });
}

/** Sends an answer of the SDK's. Resolves when it is sent, or the client is gone. */
export async function sendResponse(answer: Response, response: ServerResponse): Promise<void> {
  const reader = answer.body?.getReader();
  if (response.destroyed) return reader?.cancel();
  const headers = HANDED_OUT.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(answer.status, { ...Object.fromEntries(headers), ...ALWAYS });
  if (reader === undefined) return void response.end();
  // A stream without a word yet: the client waits for its head.
  response.flushHeaders();
  response.on("close", () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    if (!response.write(value)) await Promise.race([once(response, "drain"), once(response, "close")]).catch(() => {});
  }
  response.end();
}

export function sendRefusal({ status, reason, headers }: Refusal, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...ALWAYS, ...headers }).end(`${reason}\n`);
}
