import type { Verdict } from "../../types.ts";
import { allow, refuseBy } from "../verdict.ts";
import { type Asked, reachKindOf, sameMain } from "./asked.ts";
import { isSafe } from "./facts.ts";
import { toAllow } from "./words.ts";

/** A page and the other hosts of its own site (OS-2), where the page itself may be there. */
export function byOwn({ policy, facts, place }: Asked): Verdict | null {
  if (facts.shown !== null || facts.kind === "navigation" || facts.kind === "socket") return null;
  return sameMain(policy, facts, place) ? allow("reach.own") : null;
}

/** OS-7: pictures, styles, scripts and fonts. */
export function byAsset({ policy, facts, place }: Asked): Verdict | null {
  if (facts.kind !== "subresource") return null;
  const isClosed = policy.assets === "closed" || policy.kinds.has("subresource");
  if (!isClosed && isSafe(facts.method) && (policy.assets === "open" || facts.namedByDocument === true))
    return allow("reach.asset");
  return refuseBy("reach.asset", isClosed ? "closed" : "unnamed", place.site, { place: toAllow(place) });
}

/** Frames of other sites load, and are neither shown nor clicked (OS-5), unless `reach` binds them. */
export function byFrame({ policy, facts }: Asked): Verdict | null {
  if (facts.kind !== "subframe" || facts.shown !== null || policy.kinds.has("subframe")) return null;
  return allow("reach.frame");
}

/**
 * Data to other sites: without credentials where `reach` does not bind data or any public site may be read. Sockets go
 * to sites in scope only.
 */
export function byData({ policy, facts, place }: Asked): Verdict | null {
  if (reachKindOf(facts.kind) !== "data") return null;
  const isFree = !policy.kinds.has("data") || policy.reading === "open";
  if (!isFree || facts.kind === "socket") return null;
  if (!facts.credentials) return allow("reach.data");
  return refuseBy("reach.credentials", "plain", place.site, { place: toAllow(place) });
}
