import type { IdOf } from "../../rules/index.ts";
import type { Verdict } from "../../types.ts";
import type { ReachPolicy } from "../policy.ts";
import { canonicalUrl } from "../sites.ts";
import { allow, refuseBy } from "../verdict.ts";
import type { Rule } from "./asked.ts";
import { byAddress, byBlock, byPort } from "./closed-places.ts";
import { PLAIN_FACTS, type ReachFacts } from "./facts.ts";
import { byScheme, byUserInfo, isAbout } from "./form.ts";
import { byHelper } from "./helper.ts";
import { byAsset, byData, byFrame, byOwn } from "./parts.ts";
import { byPrivate } from "./private-places.ts";
import { byRedirect } from "./redirect.ts";
import { byLookalike, bySensitive } from "./risky-names.ts";
import { byReading, byScope } from "./scope.ts";
import { byServiceWorker } from "./service-worker.ts";

/** One step of the way: the rule of the table that it stands for, and others by which it may decide on the way. */
interface Step {
  readonly id: IdOf<"reach">;
  readonly also: readonly IdOf<"reach">[];
  readonly rule: Rule;
}

function step(id: IdOf<"reach">, rule: Rule, ...also: readonly IdOf<"reach">[]): Step {
  return { id, rule, also };
}

/** In this order; the first that decides counts. What nobody decides is refused. */
export const REACH_STEPS: readonly Step[] = [
  step("reach.scheme", byScheme),
  step("reach.serviceWorker", byServiceWorker),
  step("reach.userinfo", byUserInfo),
  step("reach.metadata", byAddress, "reach.address"),
  step("reach.block", byBlock),
  step("reach.private", byPrivate),
  step("reach.redirect", byRedirect),
  step("reach.port", byPort),
  step("reach.scope", byScope, "reach.downgrade", "reach.sensitive"),
  step("reach.helper", byHelper),
  step("reach.lookalike", byLookalike),
  step("reach.sensitive", bySensitive),
  step("reach.own", byOwn),
  step("reach.asset", byAsset),
  step("reach.frame", byFrame),
  step("reach.data", byData, "reach.credentials"),
  step("reach.open", byReading, "reach.downgrade", "reach.site"),
];

/**
 * Decides where one request, or one redirect hop of it, may go. The rules stand in the table of rules (`REACH_RULES`).
 */
export function reach(policy: ReachPolicy, facts: ReachFacts): Verdict {
  return reachSteps(policy, facts).verdict;
}

export interface ReachSteps {
  readonly verdict: Verdict;
  /** The rules that were asked and left it to the next, in their order. */
  readonly passed: readonly IdOf<"reach">[];
}

/** The same with the way to it, for `chaperone explain`. */
export function reachSteps(policy: ReachPolicy, facts: ReachFacts): ReachSteps {
  const place = canonicalUrl(facts.url);
  const passed: IdOf<"reach">[] = [];
  if (!place.ok) return { passed, verdict: refuseBy("reach.address", "text", null) };
  for (const { id, rule } of REACH_STEPS) {
    const verdict = rule({ policy, facts, place });
    if (verdict !== null) return { verdict, passed };
    passed.push(id);
  }
  return { passed, verdict: refuseBy("reach.undecided", "plain", place.site) };
}

/** Whether a committed document may be shown to the model. Frames may also be made by their page (about:srcdoc). */
export function reachShown(policy: ReachPolicy, url: string, place: "main" | "frame"): Verdict {
  const parsed = canonicalUrl(url);
  if (place === "frame" && parsed.ok && isAbout(parsed, "srcdoc")) return allow("reach.scheme");
  return reach(policy, { ...PLAIN_FACTS, url, shown: place });
}
