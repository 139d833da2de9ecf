import type { Refuse } from "../../types.ts";
import { isAddressLiteral } from "../addresses.ts";
import { entryText } from "../entry.ts";
import type { ReachPolicy } from "../policy.ts";
import type { CanonicalUrl } from "../sites.ts";
import { refuse } from "../verdict.ts";

/** `host`: of a list, or the place's own. */
export function mustBeNamed(host: string, place: CanonicalUrl): Refuse {
  return refuse("reach.sensitive", {
    reason: "This is a place for money, mail, health or sign-in, which the operator must name itself.",
    remedy: "Tell the operator that this site is needed.",
    operator: `--allow ${host}`,
    site: place.site,
  });
}

export function outOfScope(policy: ReachPolicy, place: CanonicalUrl, what: "site" | "socket" | "undecided"): Refuse {
  const others = policy.scopeGiven ? [] : policy.scope.map((entry) => `--allow ${entryText(entry)}`);
  return refuse(what === "undecided" ? "reach.undecided" : "reach.site", {
    reason: what === "socket" ? "Sockets go to sites in scope only, and this site is not." : "This site is not in scope.",
    remedy: "Stay on the sites in scope, or tell the operator that this one is needed.",
    operator: [...others, allowOption(place)].join(" "),
    site: place.site,
  });
}

/** The site rather than the host, which may be a page's words. */
export function allowOption(place: CanonicalUrl): string {
  return `--allow ${isAddressLiteral(place.host) || place.site === null ? place.host : place.site}`;
}

export function notAnAddress(reason: string): Refuse {
  return refuse("reach.address", { reason, remedy: "Give a complete http or https address.", operator: null, site: null });
}
