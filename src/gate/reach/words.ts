import type { Refuse } from "../../types.ts";
import { isAddressLiteral } from "../addresses.ts";
import { entryText } from "../entry.ts";
import type { ReachPolicy } from "../policy.ts";
import type { CanonicalUrl } from "../sites.ts";
import { refuseBy } from "../verdict.ts";

/** `host`: of a list, or the place's own. */
export function mustBeNamed(host: string, place: CanonicalUrl): Refuse {
  return refuseBy("reach.sensitive", "plain", place.site, { host });
}

export function outOfScope(policy: ReachPolicy, place: CanonicalUrl, what: "site" | "socket"): Refuse {
  const before = policy.scopeGiven ? [] : policy.scope.map((entry) => `--allow ${entryText(entry)} `);
  return refuseBy("reach.site", what, place.site, { before: before.join(""), place: toAllow(place) });
}

/** The site rather than the host, which may be a page's words. */
export function toAllow(place: CanonicalUrl): string {
  return isAddressLiteral(place.host) || place.site === null ? place.host : place.site;
}
