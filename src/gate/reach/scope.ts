import type { Refuse, Verdict } from "../../types.ts";
import { type SiteEntry, schemeOf } from "../entry.ts";
import { namesIt, sensitive } from "../sensitive.ts";
import { canonicalUrl, sameSite } from "../sites.ts";
import { allow, refuseBy } from "../verdict.ts";
import { type Asked, inScope, isChoice } from "./asked.ts";
import { mustBeNamed, outOfScope, toAllow } from "./words.ts";

/**
 * In scope, unless the step there gives up https, or the entry only happens to cover a place that must be named itself.
 */
export function byScope(asked: Asked): Verdict | null {
  const { policy, facts, place } = asked;
  const entries = policy.scope.filter((entry) => inScope(policy, entry, place));
  if (entries.length === 0) return null;
  const found = sensitive(place.host, policy.sensitive.add, policy.sensitive.remove);
  if (found !== null && !entries.some((entry) => namesIt(entry, found)))
    return isChoice(policy, facts) ? mustBeNamed(found.host, place) : null;
  return downgraded(asked, entries) ?? allow("reach.scope");
}

export function byReading({ policy, facts, place }: Asked): Verdict | null {
  const isReading = facts.kind === "navigation" || facts.kind === "subframe";
  if (facts.kind === "navigation" && !policy.kinds.has("navigation")) return allow("reach.open");
  if (policy.reading === "open" && isReading) return downgraded({ policy, facts, place }, []) ?? allow("reach.open");
  return outOfScope(policy, place, facts.kind === "socket" ? "socket" : "site");
}

/**
 * The step from https down to http, within a host (design.md, "Words"). An entry that says http:// is the operator's
 * yes.
 */
function downgraded({ facts, place }: Asked, entries: readonly SiteEntry[]): Refuse | null {
  if (facts.shown !== null || schemeOf(place) === "https" || (facts.kind !== "navigation" && facts.kind !== "subframe"))
    return null;
  if (entries.some((entry) => entry.scheme === "http")) return null;
  const isSecure = (address: string | null): boolean => {
    const other = address === null ? null : canonicalUrl(address);
    return other?.ok === true && other.url.protocol === "https:" && sameSite(other.site, place.site);
  };
  if (!facts.wasSecure && !isSecure(facts.requester) && !isSecure(facts.redirectedFrom)) return null;
  return refuseBy("reach.downgrade", "plain", place.site, { place: toAllow(place) });
}
