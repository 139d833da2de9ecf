import type { Refuse, Site, Verdict } from "../../types.ts";
import { classifyHost, isAddressLiteral } from "../addresses.ts";
import type { ReachPolicy } from "../policy.ts";
import { isOpened, isOpenedAddress } from "../private.ts";
import { type CanonicalUrl, canonicalUrl } from "../sites.ts";
import { allow, refuseBy } from "../verdict.ts";
import type { Asked } from "./asked.ts";
import type { ReachFacts } from "./facts.ts";

/** EG-4. A name that the operator opened as private is guarded against public pages like an address. */
export function byPrivate({ policy, facts, place }: Asked): Verdict | null {
  if (isOpened(policy.private, place)) return judgeOpened(policy, facts, place);
  if (policy.mapped.has(place.host)) return null;
  return classifyHost(place.host).is === "private" ? closed(place) : null;
}

/**
 * The place is private and the operator opened it: to the agent's navigation and to its own documents, never to public
 * pages (EG-4).
 */
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
  const origin = isPlain && place.origin !== null ? place.origin.replace(/^ws/, "http") : "ORIGIN";
  return refuseBy("reach.private", "closed", place.site, { origin });
}

function fromPublic(site: Site | null): Refuse {
  return refuseBy("reach.private", "fromPublic", site);
}
