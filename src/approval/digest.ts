import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** SHA-256 in hex over canonical JSON (RFC 8785). */
function digestOf(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("there is no canonical JSON of that");
  return createHash("sha256").update(text).digest("hex");
}

/** What makes a held request this very one. */
export interface RequestIdentity {
  readonly sessionId: string;
  readonly method: string;
  readonly url: string;
  /** SHA-256 in hex over its exact bytes; null when there is no body, or it cannot be inspected. */
  readonly bodyDigest: string | null;
  readonly contentType: string | null;
  readonly documentUrl: string | null;
  /** Headers that the page wrote: servers take them for a method, an amount, an account. */
  readonly written?: readonly (readonly [name: string, value: string])[];
}

/** SHA-256 in hex. An answer for a request holds for requests of the same digest and for no other. (AP-3) */
export function requestDigest(request: RequestIdentity): string {
  const { sessionId, method, url, bodyDigest, contentType, documentUrl, written = [] } = request;
  const headers = written
    .map(([name, value]) => [name.toLowerCase(), value])
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return digestOf({
    is: "request",
    sessionId,
    method,
    url,
    bodyDigest,
    contentType,
    documentUrl,
    ...(headers.length > 0 && { headers }),
  });
}

/**
 * SHA-256 in hex of all that one question asks for; the order in which its requests came does not matter, how many are
 * the same does.
 */
export function questionDigest(requestDigests: readonly string[]): string {
  return digestOf({ is: "question", requests: [...requestDigests].sort() });
}
