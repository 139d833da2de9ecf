import type { Cause, RuleId } from "../../types.ts";
import type { Described } from "./facts.ts";
import { type EffectsPolicy, isReadLike } from "./policy.ts";
import { mayHoldTyped } from "./typed.ts";

/** What of the session bears on one request. */
export interface EffectState {
  readonly mode: "read" | "act";
  readonly by: Cause["by"];
  /** It may follow from an input of the agent. */
  readonly hasInput: boolean;
  /** The site that is asked holds something of a person. */
  readonly isPrivateSite: boolean;
  /** The site that is asked is a public one out of the operator's scope. */
  readonly isOpenSite: boolean;
  /** The page sent this shape by itself before the agent's first input. */
  readonly ownShape: boolean;
  /** This place was asked about, refused or denied before in this session. */
  readonly wasAsked: boolean;
  /** What the agent put in so far. */
  readonly typedValues: readonly string[];
  /** How many more requests may pass as free. */
  readonly freeLeft: number;
  /** Id of a grant that permits it. */
  readonly grant: string | null;
}

export type EffectDecision =
  /** Changes nothing: a matter of reach only. */
  | { readonly is: "none" }
  /** `free`: takes one of those that are left. */
  | { readonly is: "pass"; readonly rule: RuleId; readonly free?: true }
  /** Answered 204: nothing leaves, and its sender does not mind. */
  | { readonly is: "quiet"; readonly rule: "effects.report" }
  | { readonly is: "ask"; readonly rule: RuleId }
  | { readonly is: "refuse"; readonly rule: RuleId };

/**
 * Decides about one request, or one redirect hop of it. What no rule lets pass is asked; what cannot be judged is refused (`effects.failed`).
 * In their order, the first counts: report, read, code, grant, readLike, query, own, repeat, free, then the questions. (EF-1, EF-6, EF-7)
 */
export function decideEffect(policy: EffectsPolicy, described: Described, state: EffectState): EffectDecision {
  try {
    return decide(policy, described, state);
  } catch {
    return { is: "refuse", rule: "effects.failed" };
  }
}

function decide(policy: EffectsPolicy, described: Described, state: EffectState): EffectDecision {
  if (!described.isUnsafe && !described.isGetEffect) return { is: "none" };
  if (described.isReport) return { is: "quiet", rule: "effects.report" };
  const readLike = described.isUnsafe && isReadLike(policy, described);
  const query = described.isUnsafe && described.readOnly && !described.crossSite;
  if (state.mode !== "act") {
    if (readLike) return { is: "pass", rule: "effects.readLike" };
    return query ? { is: "pass", rule: "effects.query" } : { is: "refuse", rule: "effects.read" };
  }
  if (state.by === "code") return { is: "pass", rule: "effects.code" };
  if (state.grant !== null) return { is: "pass", rule: "effects.grant" };
  if (readLike) return { is: "pass", rule: "effects.readLike" };
  if (query) return { is: "pass", rule: "effects.query" };
  // Nobody is asked about what a page only loads ahead.
  if (described.kind === "prefetch") return { is: "refuse", rule: described.isUnsafe ? "effects.unsafe" : "effects.get" };
  if (isPassing(described, state)) {
    if (isOwn(described, state)) return { is: "pass", rule: "effects.own" };
    if (isRepeat(described, state)) return { is: "pass", rule: "effects.repeat" };
    if (isFree(described, state)) return { is: "pass", rule: "effects.free", free: true };
  }
  if (!described.isUnsafe) return { is: "ask", rule: "effects.get" };
  return { is: "ask", rule: described.crossSite ? "effects.crossSite" : "effects.unsafe" };
}

/** What holds for everything that passes because of who sent it. */
function isPassing(described: Described, state: EffectState): boolean {
  if (!described.firstParty || described.kind === "unknown" || described.kind === "socket") return false;
  if (state.by !== "page" && state.by !== "call") return false;
  if (described.override !== null) return false;
  return !mayHoldTyped(described, state.typedValues);
}

/** The page's own doing. A document that the agent's call went to is not, and neither is a form that sends itself off for good. */
function isOwn(described: Described, state: EffectState): boolean {
  if (state.hasInput || state.wasAsked) return false;
  if (described.kind === "navigation" && state.by === "call") return false;
  return described.kind === "data" || !described.irreversibleByItself;
}

function isRepeat(described: Described, state: EffectState): boolean {
  return state.ownShape && !described.irreversibleByItself;
}

/** A missing verb lets nothing pass that the other conditions would not: the list only takes away. */
function isFree(described: Described, state: EffectState): boolean {
  if (!state.isOpenSite || state.isPrivateSite || state.wasAsked || state.freeLeft <= 0) return false;
  return described.isUnsafe && described.effect !== "irreversible" && described.parts.whole;
}
