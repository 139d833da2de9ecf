import type { Cause, RuleId } from "../../types.ts";
import type { Described, Slot } from "./facts.ts";
import { isDraft, isRead, isTokenRefresh, isUpkeep } from "./kinds.ts";
import { type EffectsPolicy, isReadLike } from "./policy.ts";
import { isSeriousSlot, seriousVerbOf } from "./signs.ts";
import { holdsWord, isBrief, isExempt, mayHoldTyped, type TypedText } from "./typed.ts";

/** What of the session bears on one request. */
export interface EffectState {
  readonly mode: "read" | "act";
  readonly by: Cause["by"];
  /** Every site counts as private, and only reads pass. */
  readonly isStrict: boolean;
  /** The site that is asked holds something of a person. */
  readonly isPrivate: boolean;
  /** The site of the document that asks holds something of a person. */
  readonly isPrivateDocument: boolean;
  /** The agent's input went to one of the two, or it is not known where it went. */
  readonly isTouched: boolean;
  /** An input of the agent's led to it, as far as is known. */
  readonly isByInput: boolean;
  /** Reach allows the place by the operator's choice, not because any may be read. */
  readonly isChosen: boolean;
  /** The document's host is one that the operator named, or where somebody signed in. */
  readonly isNamedHost: boolean;
  /** Somebody said no to this very thing. */
  readonly isClosed: boolean;
  /** What the agent put in so far. */
  readonly typed: readonly TypedText[];
  /** Something was put into that site that cannot be recognised: single keys. */
  readonly hasUnseen: boolean;
  /** Pages of the site sent this by themselves, in these values, before anybody touched it. */
  readonly isLearned: boolean;
  /** Pages of the site sent something of that form by themselves, before anybody touched it. */
  readonly isKnownForm: boolean;
  readonly knowsSlot: (slot: Slot) => boolean;
  /** Pages of the site sent GraphQL there by themselves, or the operator lists it. */
  readonly isGraphqlPlace: boolean;
  /** It follows from an answered input: within its time and number, at its place, with no id that was not in it. */
  readonly isFollowing: boolean;
  /** It takes away a draft that this session has left there. */
  readonly isOwnDraft: boolean;
  /** It is a step of a sign-in that was answered with yes. */
  readonly isSigningIn: boolean;
  /** How many more requests without a stake pass. */
  readonly freeLeft: number;
  /** Id of a grant that permits it. */
  readonly grant: string | null;
}

export type EffectDecision =
  /** Changes nothing: a matter of reach only. */
  | { readonly is: "none" }
  /** `free`: takes one of those that are left. */
  | { readonly is: "pass"; readonly rule: RuleId; readonly free?: true }
  /** Nothing leaves, and its sender does not mind. */
  | { readonly is: "quiet"; readonly rule: "effects.report" | "effects.ahead" }
  | { readonly is: "ask"; readonly rule: RuleId }
  | { readonly is: "refuse"; readonly rule: RuleId };

const pass = (rule: RuleId): EffectDecision => ({ is: "pass", rule });
const ask = (rule: RuleId): EffectDecision => ({ is: "ask", rule });
const refuse = (rule: RuleId): EffectDecision => ({ is: "refuse", rule });
const quiet = (rule: "effects.report" | "effects.ahead"): EffectDecision => ({ is: "quiet", rule });

/**
 * Decides about one request, or one redirect hop of it: by its cause and by what is at stake. Total: what cannot be
 * judged is refused (`effects.failed`). The rules and their order stand in `src/rules/effects.ts`. (EF-1, EF-6, EF-7)
 */
export function decideEffect(policy: EffectsPolicy, described: Described, state: EffectState): EffectDecision {
  try {
    return decide(policy, described, state);
  } catch {
    return refuse("effects.failed");
  }
}

function decide(policy: EffectsPolicy, described: Described, state: EffectState): EffectDecision {
  if (!described.isUnsafe && !described.isGetEffect) return { is: "none" };
  if (described.isReport) return quiet("effects.report");
  if (state.isClosed) return refuse("effects.denied");
  const kind = kindOf(described, state);
  const isListed = described.isUnsafe && isReadLike(policy, described);
  if (state.mode !== "act") {
    if (isListed) return pass("effects.readLike");
    if (described.crossSite || state.typed.some(({ isSecret }) => isSecret)) return refuse("effects.readMode");
    return kind === "read"
      ? pass("effects.reads")
      : kind === "upkeep"
        ? pass("effects.upkeep")
        : refuse("effects.readMode");
  }
  if (state.by === "code") return pass("effects.code");
  if (state.grant !== null) return pass("effects.grant");
  if (isListed) return pass("effects.readLike");
  if (!described.isUnsafe) return isAhead(described, state) ? quiet("effects.ahead") : ask("effects.get");
  if (described.kind === "prefetch") return quiet("effects.ahead");
  if (state.isSigningIn) return pass("effects.signIn");
  return stakeOf(described, state, kind);
}

type Kind = "read" | "upkeep" | "refresh" | "draft" | null;

function kindOf(described: Described, state: EffectState): Kind {
  if (!described.isUnsafe || described.kind === "unknown" || described.kind === "socket") return null;
  if (isRead(described, state.isGraphqlPlace)) return "read";
  // A form that leads to another page keeps nothing up.
  if (described.kind === "data" && isUpkeep(described, state.knowsSlot)) return "upkeep";
  if (described.kind === "data" && isTokenRefresh(described)) return "refresh";
  return isDraft(described) || (state.isOwnDraft && described.method === "DELETE" && described.override === null)
    ? "draft"
    : null;
}

/** Loaded without anybody having asked for it. */
function isAhead({ kind }: Described, { isByInput }: EffectState): boolean {
  return kind === "subresource" || kind === "prefetch" || kind === "worker" || (kind === "subframe" && !isByInput);
}

function stakeOf(described: Described, state: EffectState, kind: Kind): EffectDecision {
  const { isPrivate, isPrivateDocument, isTouched, isByInput, isStrict } = state;
  const isPlainKind =
    described.kind !== "unknown" && described.kind !== "socket" && (state.by === "page" || state.by === "call");
  const isForeign = described.crossSite || (!described.firstParty && (isPrivate || isPrivateDocument));
  const isLookup = (kind === "read" || kind === "upkeep") && !described.crossSite;
  const isTyped = carriesTyped(described, state, kind, isLookup);
  const isSerious = described.override === "DELETE" || hasSign(described, state);
  if (isForeign) {
    // Without a sign-in and without anything of a person's it is like any other request of a public page.
    const isHarmless =
      isPlainKind &&
      !isPrivate &&
      !isPrivateDocument &&
      !described.hasCredentials &&
      !isSerious &&
      (kind !== null || !isTyped);
    if (isHarmless) return free(state);
    if (isPlainKind && kind === "refresh" && state.isChosen && !isTyped && !isSerious && !isStrict)
      return pass("effects.upkeep");
    return state.isChosen ? ask("effects.crossSite") : refuse("effects.elsewhere");
  }
  if (isPrivate && !state.isNamedHost) return ask("effects.host");
  if (isTyped || (isUnseen(described, state) && !isLookup)) return ask("effects.typed");
  if (isPlainKind && kind === "read") return pass("effects.reads");
  if (isStrict) return ask(isSerious ? "effects.serious" : "effects.private");
  if (isPlainKind && (kind === "upkeep" || kind === "refresh")) return pass("effects.upkeep");
  if (isPlainKind && kind === "draft") return pass("effects.draft");
  if (isSerious) return ask("effects.serious");
  // A document that sends a form off by itself was led there.
  const isOfDocument = described.kind === "data" || described.kind === "worker";
  if (isPlainKind && isOfDocument && !isTouched && !isByInput) return pass("effects.own");
  if (isPlainKind && isOfDocument && state.isLearned) return pass("effects.learned");
  if (isPlainKind && state.isFollowing) return pass("effects.follows");
  if (isPrivate || !isPlainKind) return ask("effects.private");
  return free(state);
}

function free({ freeLeft }: EffectState): EffectDecision {
  return freeLeft > 0 ? { is: "pass", rule: "effects.plain", free: true } : ask("effects.counted");
}

function hasSign(described: Described, { knowsSlot }: EffectState): boolean {
  return (
    seriousVerbOf(described, described.operation) !== null ||
    described.operation.slots.some((slot) => isSeriousSlot(slot, knowsSlot(slot)))
  );
}

/** It cannot be inspected, and nothing of its form was sent before the first input. */
function isUnseen(
  { parts }: Described,
  { isTouched, isByInput, isPrivate, isLearned, isKnownForm }: EffectState,
): boolean {
  return !parts.whole && (isTouched || isByInput) && !isLearned && (isPrivate || !isKnownForm);
}

/**
 * Typed text, a file, or what may hold it: what cannot be inspected, and what an app sends next for it in its own
 * words.
 */
function carriesTyped(described: Described, state: EffectState, kind: Kind, isLookup: boolean): boolean {
  const { typed, isPrivate, isByInput, hasUnseen, isLearned } = state;
  if (described.parts.files.length > 0) return true;
  const counted = typed.filter((one) => !isExempt(one, { isLookup, isPrivate }));
  // A draft is text that is being written; what nobody may see is none.
  const looked = kind === "draft" ? counted.filter(({ isSecret }) => isSecret) : counted;
  if (!described.parts.whole) {
    if (isLearned || isLookup) return looked.some(({ isSecret }) => isSecret);
    return looked.some(({ isSearch }) => !isSearch) || hasUnseen;
  }
  const textsOf = (some: readonly TypedText[]): readonly string[] => some.map(({ text }) => text);
  // A letter stands in every request: it counts as a word of its own.
  const brief = looked.filter(isBrief);
  if (mayHoldTyped(described, textsOf(looked.filter((one) => !isBrief(one)))) || holdsWord(described, textsOf(brief)))
    return true;
  if (kind !== null || !isByInput || isLearned) return false;
  // What was typed and has not been seen leaves with the next thing that an input causes: apps rewrite text.
  return (
    hasUnseen ||
    typed.some(
      (one) =>
        !one.isSearch &&
        !one.isShown &&
        one.text !== "" &&
        !isExempt(one, { isLookup, isPrivate }) &&
        (one.site === null || one.site === described.site),
    )
  );
}
