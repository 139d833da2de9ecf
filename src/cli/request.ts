import type { RequestKind } from "../types.ts";

/** The kinds of requests that can be asked about. */
const KINDS = ["navigation", "subframe", "data", "subresource", "worker", "prefetch", "socket"] as const;

/** Understands `URL`, `POST URL`, `data URL` and `POST data URL`. Null when it is none of these. */
export function requestOf(
  text: string,
): { readonly method: string; readonly kind: RequestKind; readonly url: string } | null {
  const [, first = "", second = "", url = ""] = /^\s*(?:(\S+)\s+)?(?:(\S+)\s+)?(\S+)\s*$/.exec(text) ?? [];
  const words = [first, second].filter((word) => word !== "");
  const method = words[0] !== undefined && /^[A-Z]{1,20}$/.test(words[0]) ? words.shift() : "GET";
  const kind = KINDS.find((candidate) => candidate === (words[0] ?? "navigation"));
  return url === "" || words.length > 1 || kind === undefined || method === undefined ? null : { method, kind, url };
}
