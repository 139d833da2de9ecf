import type { ServerResponse } from "node:http";

type Headers = Readonly<Record<string, string>>;

/** On every answer. */
const ALWAYS: Headers = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};
const NOTHING_ALLOWED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The same whatever was wrong. */
const FORBIDDEN = "Forbidden. `chaperone console` opens the console.\n";

/** For a page whose only script and style have this nonce, and which asks nobody but us. */
function pagePolicy(nonce: string): string {
  return `${NOTHING_ALLOWED}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`;
}

export function sendPage(response: ServerResponse, page: string, nonce: string, headers: Headers = {}): void {
  send(response, 200, "text/html; charset=utf-8", page, { ...headers, "content-security-policy": pagePolicy(nonce) });
}

export function sendJson(response: ServerResponse, status: number, value: unknown, headers: Headers = {}): void {
  send(response, status, "application/json", JSON.stringify(value), headers);
}

/** What more would come over this connection is not read. */
export function refuse(response: ServerResponse, status = 403): void {
  send(response, status, "text/plain; charset=utf-8", FORBIDDEN, { connection: "close" });
}

/** One JSON value a line, as long as both sides want. */
export function beginLines(response: ServerResponse): void {
  response.writeHead(200, {
    ...ALWAYS,
    "content-security-policy": NOTHING_ALLOWED,
    "content-type": "application/x-ndjson",
  });
  response.flushHeaders();
}

function send(response: ServerResponse, status: number, contentType: string, content: string, headers: Headers): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...ALWAYS,
    "content-security-policy": NOTHING_ALLOWED,
    "content-type": contentType,
    "content-length": Buffer.byteLength(content),
    ...headers,
  });
  response.end(content);
}
