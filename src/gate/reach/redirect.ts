import type { Verdict } from "../../types.ts";
import { canonicalUrl, sameSite } from "../sites.ts";
import { refuseBy } from "../verdict.ts";
import type { Asked } from "./asked.ts";
import { isSafe } from "./facts.ts";

/** OS-10: what changes something is not sent on to another site. */
export function byRedirect({ facts, place }: Asked): Verdict | null {
  if (facts.hop === 0 || isSafe(facts.method)) return null;
  const before = facts.redirectedFrom === null ? null : canonicalUrl(facts.redirectedFrom);
  if (before?.ok === true && sameSite(before.site, place.site)) return null;
  return refuseBy("reach.redirect", "plain", place.site);
}
