import type { Cause, RequestFacts, RequestKind } from "../../types.ts";
import { canonicalUrl } from "../sites.ts";

/** What is known of one request, or of one that a call would cause. */
export interface ReachFacts {
  readonly url: string;
  readonly kind: RequestKind;
  readonly method: string;
  /** Address of the document that asks (`requesterOf`); null when it is not known. */
  readonly requester: string | null;
  /** Address of the top document of that tab. */
  readonly mainUrl: string | null;
  /** 0 for a first request, n for its n-th redirect hop. */
  readonly hop: number;
  readonly redirectedFrom: string | null;
  readonly by: Cause["by"];
  /** True when the agent's call named exactly this address, or acted in a place that the operator opened. */
  readonly agentChose: boolean;
  /** It is the script of a Service Worker (`isServiceWorkerScript`). */
  readonly serviceWorker: boolean;
  /** The request carries a cookie or another credential. */
  readonly credentials: boolean;
  /** Whether the top document's HTML, as it came, names this host; null where nobody looked. */
  readonly namedByDocument: boolean | null;
  /** A document of this host came over https in this session. */
  readonly wasSecure: boolean;
  /** Not a request: a document that is there, and what of the tab it is. */
  readonly shown: "main" | "frame" | null;
}

/** Facts of a navigation about which nothing else is known. */
export const PLAIN_FACTS: Omit<ReachFacts, "url"> = {
  kind: "navigation",
  method: "GET",
  requester: null,
  mainUrl: null,
  hop: 0,
  redirectedFrom: null,
  by: "call",
  agentChose: true,
  serviceWorker: false,
  credentials: false,
  namedByDocument: null,
  wasSecure: false,
  shown: null,
};

/**
 * Who asks, by what the browser says of it: the document, else the headers that scripts cannot write. A document
 * without an address of its own (about:, data:) may have been made by any page of the tab, so the top document is no
 * answer for it.
 */
export function requesterOf(facts: Pick<RequestFacts, "headers" | "from">): string | null {
  for (const candidate of [facts.from.documentUrl, header(facts.headers, "origin"), header(facts.headers, "referer")]) {
    if (candidate === null) continue;
    const parsed = canonicalUrl(candidate);
    if (!parsed.ok) continue;
    if (parsed.origin !== null) return parsed.url.href;
    if (parsed.url.protocol === "blob:" && parsed.url.origin !== "null") return parsed.url.origin;
  }
  return null;
}

/**
 * Whether the request shows a credential. Cookies stand in what the wire holds; a header of that name, too, when it is
 * empty.
 */
export function hasCredentials(headers: Readonly<Record<string, string>>): boolean {
  return ["cookie", "authorization", "proxy-authorization"].some((name) => header(headers, name) !== null);
}

/** A page that writes such a header itself is taken at its word. */
export function isServiceWorkerScript(headers: Readonly<Record<string, string>>): boolean {
  return header(headers, "service-worker") !== null || header(headers, "sec-fetch-dest") === "serviceworker";
}

/** The address without its fragment, for comparison; null when it does not parse. */
export function withoutFragment(url: string): string | null {
  const parsed = canonicalUrl(url);
  if (!parsed.ok) return null;
  parsed.url.hash = "";
  return parsed.url.href;
}

export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function header(headers: Readonly<Record<string, string>>, name: string): string | null {
  for (const [key, value] of Object.entries(headers)) if (key.toLowerCase() === name) return value;
  return null;
}
