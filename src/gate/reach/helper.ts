import type { Verdict } from "../../types.ts";
import { allow, refuse } from "../verdict.ts";
import { type Asked, inScope, isInReach } from "./asked.ts";
import { allowOption } from "./words.ts";

const HELPER_WORDS = {
  reason: "This place is there for the pages in scope to sign in and pay, not for the agent.",
  remedy: "Let the page in scope lead there.",
} as const;

/** OS-6: places for signing in and paying, for pages in scope and never for the agent's own addresses. */
export function byHelper({ policy, facts, place }: Asked): Verdict | null {
  if (!policy.helpers.some((entry) => inScope(policy, entry, place))) return null;
  if (facts.shown === "main") return allow("reach.helper");
  if (facts.shown === "frame") return refuse("reach.helper", { ...HELPER_WORDS, operator: allowOption(place), site: place.site });
  const asks = [facts.requester, facts.mainUrl, facts.redirectedFrom].some((address) => address !== null && isInReach(policy, address));
  return asks && !facts.agentChose ? allow("reach.helper") : refuse("reach.helper", { ...HELPER_WORDS, operator: allowOption(place), site: place.site });
}
