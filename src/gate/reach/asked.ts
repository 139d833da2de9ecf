import type { RequestKind, Verdict } from "../../types.ts";
import { covers, coversHost, type SiteEntry } from "../entry.ts";
import type { ReachKind, ReachPolicy } from "../policy.ts";
import { isOpened } from "../private.ts";
import { type CanonicalUrl, canonicalUrl, sameSite } from "../sites.ts";
import type { ReachFacts } from "./facts.ts";

/** What a rule is asked with: the place is parsed once. */
export interface Asked {
  readonly policy: ReachPolicy;
  readonly facts: ReachFacts;
  readonly place: CanonicalUrl;
}

/** One rule of reach: decides, or leaves it to the next (null). */
export type Rule = (asked: Asked) => Verdict | null;

/**
 * Which word of the option `reach` binds a kind. What is not known counts as navigation and data at once, and is always
 * bound.
 */
export function reachKindOf(kind: RequestKind): ReachKind | "unknown" {
  switch (kind) {
    case "navigation":
    case "subframe":
    case "subresource":
      return kind;
    case "data":
    case "worker":
    case "prefetch":
    case "socket":
      return "data";
    case "unknown":
      return "unknown";
    default:
      kind satisfies never;
      return "unknown";
  }
}

/** The agent's way, data and sockets: not what a page only adorns itself with. */
export function isChoice(policy: ReachPolicy, facts: ReachFacts): boolean {
  if (facts.kind === "subframe") return facts.shown !== null || policy.kinds.has("subframe");
  return facts.kind !== "subresource";
}

export function inScope(policy: ReachPolicy, entry: SiteEntry, place: CanonicalUrl): boolean {
  // A mapped name is served from one place, whatever the port.
  if (policy.mapped.has(place.host) && entry.port === null && entry.scheme === null)
    return coversHost(entry, place.host);
  return covers(entry, place);
}

/** Whether a document there is in scope, a helper, or opened: those that may use helpers. */
export function isInReach(policy: ReachPolicy, address: string): boolean {
  const place = canonicalUrl(address);
  if (!place.ok || place.origin === null) return false;
  return (
    isOpened(policy.private, place) ||
    [...policy.scope, ...policy.helpers].some((entry) => inScope(policy, entry, place))
  );
}

export function sameMain(policy: ReachPolicy, facts: ReachFacts, place: CanonicalUrl): boolean {
  if (facts.mainUrl === null) return false;
  const main = canonicalUrl(facts.mainUrl);
  if (!main.ok || main.origin === null) return false;
  return policy.subdomains ? sameSite(main.site, place.site) : main.host === place.host;
}
