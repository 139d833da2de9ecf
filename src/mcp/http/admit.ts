import type { Tokens } from "./tokens.ts";

/** Where the one thing served here is. */
export const MCP_PATH = "/mcp";
const METHODS = ["POST", "GET", "DELETE"];
const JSON_TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i;
/** The scheme's name has no case, its argument is one word. */
const BEARER = /^Bearer +([!-~]+)$/i;

/** What is known of a request before its body is read. `rawHeaders` as node:http has them: name, value, name, value. */
export interface RequestHead {
  readonly method: string;
  /** The request target as it came. */
  readonly target: string;
  readonly rawHeaders: readonly string[];
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 503;
  /** Fixed words, nothing of the request in them. */
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Admitted {
  /** Which token it bears: its place in the list. */
  readonly token: number;
}

/**
 * Whether a request may go further (MC-1). Nothing of the SDK has seen it yet. In this order: exactly one Host, which
 * names us; nothing that browsers add; our path; a token; a method; JSON in one piece. Pure.
 */
export function admit(head: RequestHead, hosts: ReadonlySet<string>, tokens: Tokens): Admitted | Refusal {
  const headers = collected(head.rawHeaders);
  const only = (name: string): string | null => {
    const values = headers.get(name) ?? [];
    return values.length === 1 ? (values[0] ?? null) : null;
  };
  const host = only("host");
  // A name that an attacker's DNS points here would be another Host.
  if (host === null || !hosts.has(host.toLowerCase()))
    return { status: 403, reason: "Host must be the one address that this server has." };
  // Web pages cannot leave these out, and no page has anything to ask here.
  if (headers.has("origin") || headers.has("sec-fetch-site"))
    return { status: 403, reason: "Requests of web pages are refused." };
  if (head.target !== MCP_PATH) return { status: 404, reason: `Only ${MCP_PATH} is here.` };
  const token = tokens.placeOf(BEARER.exec(only("authorization") ?? "")?.[1] ?? null);
  if (token === null)
    return { status: 401, reason: "A bearer token is needed.", headers: { "www-authenticate": "Bearer" } };
  if (!METHODS.includes(head.method))
    return { status: 405, reason: "Only POST, GET and DELETE are known.", headers: { allow: METHODS.join(", ") } };
  if (head.method !== "POST") return { token };
  if (!JSON_TYPE.test(only("content-type") ?? "") || headers.has("content-encoding"))
    return { status: 415, reason: "The body must be application/json, as it is." };
  return { token };
}

function collected(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const values = headers.get(name) ?? [];
    values.push(rawHeaders[index + 1] ?? "");
    headers.set(name, values);
  }
  return headers;
}
