import type { Cause, Refuse, RequestFacts, RequestKind, Site, Verdict } from "../types.ts";
import { classifyHost, isAddressLiteral } from "./addresses.ts";
import { isOpened, isOpenedAddress, type PrivateEntry } from "./private.ts";
import { type CanonicalUrl, canonicalUrl } from "./sites.ts";
import { allow, refuse } from "./verdict.ts";

/** What the operator decided about where requests may go. */
export interface ReachPolicy {
  readonly private: readonly PrivateEntry[];
}

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
}

/** Rule ids: `reach.address`, `reach.scheme`, `reach.userinfo`, `reach.metadata`, `reach.private`, `reach.public`. */
export function reach(policy: ReachPolicy, facts: ReachFacts): Verdict {
  const parsed = canonicalUrl(facts.url);
  if (!parsed.ok)
    return refuse("reach.address", {
      reason: "This is not an address that can be opened.",
      remedy: "Give a complete http or https address.",
      operator: null,
      site: null,
    });
  const scheme = judgeScheme(parsed, facts.kind);
  if (scheme !== null) return scheme;
  if (parsed.url.username !== "" || parsed.url.password !== "") {
    return refuse("reach.userinfo", {
      reason: "The address has a user name or password in front of the host.",
      remedy: "Leave out the part before the @, after checking which host follows it.",
      operator: null,
      site: parsed.site,
    });
  }
  const found = classifyHost(parsed.host);
  switch (found.is) {
    case "unparsable":
      return refuse("reach.address", {
        reason: "The host is not an address that can be judged.",
        remedy: "Give a complete http or https address.",
        operator: null,
        site: null,
      });
    case "metadata":
      return refuse("reach.metadata", {
        reason: "This is the metadata service of a cloud machine.",
        remedy: "Go on without it; it is never opened.",
        operator: null,
        site: parsed.site,
      });
    case "private":
      return isOpened(policy.private, parsed) ? judgeOpened(policy, facts, parsed) : closed(parsed);
    case "name":
      // A name that the operator opened as private is guarded against public pages like an address.
      return isOpened(policy.private, parsed) ? judgeOpened(policy, facts, parsed) : allow("reach.public");
    case "public":
      return allow("reach.public");
    default:
      return found satisfies never;
  }
}

/** Whether a committed document may be shown to the model. Frames may also be made by their page (about:srcdoc). */
export function reachShown(policy: ReachPolicy, url: string, place: "main" | "frame"): Verdict {
  const parsed = canonicalUrl(url);
  if (place === "frame" && parsed.ok && isAbout(parsed, "srcdoc")) return allow("reach.scheme");
  return reach(policy, { url, kind: "navigation", method: "GET", requester: null, mainUrl: null, hop: 0, redirectedFrom: null, by: "call", agentChose: true });
}

/**
 * Who asks, by what the browser says of it: the document, else the headers that scripts cannot write. A document without an address of its own
 * (about:, data:) may have been made by any page of the tab, so the top document is no answer for it.
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

/** The address without its fragment, for comparison; null when it does not parse. */
export function withoutFragment(url: string): string | null {
  const parsed = canonicalUrl(url);
  if (!parsed.ok) return null;
  parsed.url.hash = "";
  return parsed.url.href;
}

function judgeScheme(parsed: CanonicalUrl, kind: RequestKind): Verdict | null {
  switch (parsed.url.protocol) {
    case "http:":
    case "https:":
      return null;
    case "ws:":
    case "wss:":
      if (kind === "socket") return null;
      break;
    case "about:":
      if (isAbout(parsed, "blank")) return allow("reach.scheme");
      break;
    case "data:":
    case "blob:":
      // Bytes that the page already has: nothing leaves. As a document they are refused.
      if (kind === "subresource" || kind === "data" || kind === "worker") return allow("reach.scheme");
      break;
  }
  return refuse("reach.scheme", { reason: "Only http and https addresses are opened.", remedy: "Use an http or https address.", operator: null, site: null });
}

/** The place is private and the operator opened it: to the agent's navigation and to its own documents, never to public pages (EG-4). */
function judgeOpened(policy: ReachPolicy, facts: ReachFacts, place: CanonicalUrl): Verdict {
  const isOpen = (address: string | null): boolean => address !== null && isOpenedAddress(policy.private, address);
  // The place that sent it on was judged before; only an opened one may send on to an opened one.
  if (facts.hop !== 0 && !isOpen(facts.redirectedFrom)) return fromPublic(place.site);
  if (isOpen(facts.requester)) {
    const top = facts.kind === "navigation" || facts.mainUrl === null ? null : canonicalUrl(facts.mainUrl);
    const isUnderPublic = top?.ok === true && top.origin !== null && !isOpened(policy.private, top);
    return isUnderPublic ? fromPublic(place.site) : allow("reach.private");
  }
  if (facts.kind !== "navigation") return fromPublic(place.site);
  return facts.hop !== 0 || isChosen(facts) ? allow("reach.private") : fromPublic(place.site);
}

/** Whether somebody who may open private places, and not a page, chose this navigation. */
function isChosen(facts: ReachFacts): boolean {
  switch (facts.by) {
    case "call":
      return facts.agentChose;
    case "person":
    case "signIn":
    case "code":
      return true;
    case "page":
    case "browser":
      return false;
    default:
      facts.by satisfies never;
      return false;
  }
}

function closed(place: CanonicalUrl): Refuse {
  // Other names may be a page's words, so only an address or the plain word is written out.
  const isPlain = isAddressLiteral(place.host) || place.host === "localhost";
  return refuse("reach.private", {
    reason: "The address is on this machine or in a private network, which is closed.",
    remedy: "Use a public address, or tell the operator that this one is needed.",
    operator: `--private ${isPlain && place.origin !== null ? place.origin.replace(/^ws/, "http") : "ORIGIN"}`,
    site: place.site,
  });
}

function fromPublic(site: Site | null): Refuse {
  return refuse("reach.private", {
    reason: "A private address is opened to the agent's own navigation and to its own pages, not to other pages.",
    remedy: "If the task needs it, open it with navigate and its address.",
    operator: null,
    site,
  });
}

function isAbout(parsed: CanonicalUrl, what: "blank" | "srcdoc"): boolean {
  return parsed.url.protocol === "about:" && parsed.url.pathname === what;
}

function header(headers: Readonly<Record<string, string>>, name: string): string | null {
  for (const [key, value] of Object.entries(headers)) if (key.toLowerCase() === name) return value;
  return null;
}
