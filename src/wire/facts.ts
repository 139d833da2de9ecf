import { createHash } from "node:crypto";
import type { Protocol } from "devtools-protocol";
import type { Body, CallId, Cause, RequestFacts, RequestFrom, RequestKind } from "../types.ts";
import { cutBytes } from "./long-message.ts";

export type Paused = Protocol.Fetch.RequestPausedEvent;

/** Which kind a request is. What is not known is `unknown`, which is judged as strictly as the strictest. */
export function kindOf(paused: Paused, from: RequestFrom): RequestKind {
  const destination = headerOf(paused.request.headers, "sec-fetch-dest");
  if (headerOf(paused.request.headers, "service-worker") === "script") return "worker";
  if (destination === "worker" || destination === "sharedworker" || destination === "serviceworker") return "worker";
  // Ahead of its time, whatever it is: links say it so, and speculation rules. Scripts cannot write it.
  if (headerOf(paused.request.headers, "sec-purpose")?.startsWith("prefetch") === true) return "prefetch";
  switch (paused.resourceType) {
    case "Document":
      return from.page !== null && from.frame !== from.page ? "subframe" : "navigation";
    case "XHR":
    case "Fetch":
    case "EventSource":
    case "Ping":
    case "CSPViolationReport":
    case "Preflight":
      return "data";
    case "Stylesheet":
    case "Image":
    case "Media":
    case "Font":
    case "Script":
    case "TextTrack":
    case "Manifest":
      return "subresource";
    case "Prefetch":
      return "prefetch";
    case "WebSocket":
      return "socket";
    default:
      return "unknown";
  }
}

/** The exact bytes of a request's body, or `opaque` when one part came without them (a file, a stream). */
function bodyOf(request: Protocol.Network.Request): Body {
  if (request.hasPostData !== true && request.postDataEntries === undefined) return { kind: "none" };
  const contentType = headerOf(request.headers, "content-type") ?? "";
  const parts: Buffer[] = [];
  let whole = request.postDataEntries !== undefined;
  let cut = 0;
  for (const { bytes } of request.postDataEntries ?? []) {
    const missing = bytes === undefined ? 0 : cutBytes(bytes);
    if (bytes !== undefined && missing === null) parts.push(Buffer.from(bytes, "base64"));
    else whole = false;
    cut += missing ?? 0;
  }
  const bytes = Buffer.concat(parts);
  if (!whole) return { kind: "opaque", contentType, knownBytes: bytes.length + cut };
  return { kind: "bytes", contentType, bytes, digest: createHash("sha256").update(bytes).digest("hex") };
}

export function factsOf(
  paused: Paused,
  from: RequestFrom,
  hop: { readonly count: number; readonly before: string | null },
  causes: { readonly cause: Cause; readonly input: CallId | null; readonly isLater?: boolean },
): RequestFacts {
  return {
    id: paused.requestId,
    kind: kindOf(paused, from),
    resourceType: paused.resourceType,
    method: paused.request.method,
    url: paused.request.url + (paused.request.urlFragment ?? ""),
    headers: paused.request.headers,
    body: bodyOf(paused.request),
    from,
    hop: hop.count,
    redirectedFrom: hop.before,
    ...causes,
  };
}

export function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  for (const [key, value] of Object.entries(headers)) if (key.toLowerCase() === name) return value;
  return undefined;
}

/** Null where there is none that could be read. */
export function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null;
}
