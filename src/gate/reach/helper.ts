import type { Verdict } from "../../types.ts";
import { allow, refuseBy } from "../verdict.ts";
import { type Asked, inScope, isInReach } from "./asked.ts";
import { toAllow } from "./words.ts";

/** OS-6: places for signing in and paying, for pages in scope and never for the agent's own addresses. */
export function byHelper({ policy, facts, place }: Asked): Verdict | null {
  if (!policy.helpers.some((entry) => inScope(policy, entry, place))) return null;
  if (facts.shown === "main") return allow("reach.helper");
  const asks = [facts.requester, facts.mainUrl, facts.redirectedFrom].some(
    (address) => address !== null && isInReach(policy, address),
  );
  if (facts.shown !== "frame" && asks && !facts.agentChose) return allow("reach.helper");
  return refuseBy("reach.helper", "plain", place.site, { place: toAllow(place) });
}
