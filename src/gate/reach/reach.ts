import type { RuleId, Verdict } from "../../types.ts";
import type { ReachPolicy } from "../policy.ts";
import { canonicalUrl } from "../sites.ts";
import { allow } from "../verdict.ts";
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
import { notAnAddress, outOfScope } from "./words.ts";

/** In this order; the first that decides counts. What nobody decides is refused. */
const RULES: readonly (readonly [name: string, rule: Rule])[] = [
  ["scheme", byScheme],
  ["serviceWorker", byServiceWorker],
  ["userinfo", byUserInfo],
  ["address", byAddress],
  ["block", byBlock],
  ["private", byPrivate],
  ["redirect", byRedirect],
  ["port", byPort],
  ["scope", byScope],
  ["helper", byHelper],
  ["lookalike", byLookalike],
  ["sensitive", bySensitive],
  ["own", byOwn],
  ["asset", byAsset],
  ["frame", byFrame],
  ["data", byData],
  ["reading", byReading],
];

/** Refusals that a widening rule of the operator, or the profile observe, cannot lift: addresses, schemes, Service Workers, the block list, methods sent across sites. */
const HARD: ReadonlySet<RuleId> = new Set([
  "reach.address",
  "reach.scheme",
  "reach.serviceWorker",
  "reach.userinfo",
  "reach.metadata",
  "reach.private",
  "reach.block",
  "reach.rule",
  "reach.redirect",
]);

export function isHard(verdict: Verdict): boolean {
  return !verdict.rule.startsWith("reach.") || HARD.has(verdict.rule);
}

/** Decides where one request, or one redirect hop of it, may go. The rules are listed in `reachRules`. */
export function reach(policy: ReachPolicy, facts: ReachFacts): Verdict {
  return reachSteps(policy, facts).verdict;
}

export interface ReachSteps {
  readonly verdict: Verdict;
  /** The rules that were asked and left it to the next, in their order. */
  readonly passed: readonly string[];
}

/** The same with the way to it, for `chaperone explain`. */
export function reachSteps(policy: ReachPolicy, facts: ReachFacts): ReachSteps {
  const place = canonicalUrl(facts.url);
  const passed: string[] = [];
  if (!place.ok) return { passed, verdict: notAnAddress("This is not an address that can be opened.") };
  for (const [name, rule] of RULES) {
    const verdict = rule({ policy, facts, place });
    if (verdict !== null) return { verdict, passed };
    passed.push(name);
  }
  return { passed, verdict: outOfScope(policy, place, "undecided") };
}

/** Whether a committed document may be shown to the model. Frames may also be made by their page (about:srcdoc). */
export function reachShown(policy: ReachPolicy, url: string, place: "main" | "frame"): Verdict {
  const parsed = canonicalUrl(url);
  if (place === "frame" && parsed.ok && isAbout(parsed, "srcdoc")) return allow("reach.scheme");
  return reach(policy, { ...PLAIN_FACTS, url, shown: place });
}
