/**
 * Every rule that a user can meet, each as one literal: its words, its weight, what may be answered. Docs, `explain`
 * and all refusals come from here.
 */
import { CALL_RULES, PROXY_RULES, SELF_TEST_RULES, WIRE_RULES } from "./beside.ts";
import { EFFECT_RULES, EFFECTS_BESIDE } from "./effects.ts";
import { REACH_BESIDE, REACH_RULES } from "./reach.ts";
import type { Offer, Rule, RuleWords } from "./rule.ts";
import { type Filling, fill } from "./words.ts";

export { CALL_RULES, PROXY_RULES, SELF_TEST_RULES, WIRE_RULES } from "./beside.ts";
export { EFFECT_OFFERS, EFFECT_RULES, EFFECTS_BESIDE, READ_LIKE, UNASKED } from "./effects.ts";
export { REACH_BESIDE, REACH_RULES } from "./reach.ts";
export type {
  Decision,
  EffectRule,
  EffectSubject,
  ExampleFacts,
  ExampleSettings,
  Offer,
  ReachExample,
  ReachRule,
  Rule,
  RuleWords,
} from "./rule.ts";
export { type Filling, filled } from "./words.ts";

/** In the order in which they are asked, room by room. */
export const RULES = [
  ...CALL_RULES,
  ...REACH_RULES,
  ...REACH_BESIDE,
  ...EFFECT_RULES,
  ...EFFECTS_BESIDE,
  ...WIRE_RULES,
  ...PROXY_RULES,
  ...SELF_TEST_RULES,
] as const satisfies readonly Rule[];

type Literals = { readonly [Literal in (typeof RULES)[number] as Literal["id"]]: Literal };
/** What decided: each id stands in the table. */
export type RuleId = keyof Literals;
/** Rules of one room: `IdOf<"proxy">`. */
export type IdOf<Room extends string> = Extract<RuleId, `${Room}.${string}`>;
/** The cases in which a rule has words. */
export type CaseOf<Id extends RuleId> = keyof Literals[Id]["words"] & string;
export type WordsOf<Id extends RuleId, Case extends CaseOf<Id>> = Literals[Id]["words"][Case] & RuleWords;

const byId: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

/** Null for what no rule of ours says. */
export function ruleOf(id: string): Rule | null {
  return byId.get(id) ?? null;
}

/** Whether neither the profile observe nor the library's rule lifts its refusal. What is unknown is hard. */
export function isHard(id: string): boolean {
  return byId.get(id)?.hard ?? true;
}

/** What may be answered beside no, and what each means here. Nothing for what is unknown. */
export function offersOf(id: string): Readonly<Partial<Record<Offer, string>>> {
  return byId.get(id)?.offers ?? {};
}

export function isAskable(id: string): boolean {
  return Object.keys(offersOf(id)).length > 0;
}

/** The words of that rule for that case. */
export function said<Id extends RuleId, const Case extends CaseOf<Id>>(
  id: Id,
  of: Case,
  ...[holes]: Filling<WordsOf<Id, Case>>
): RuleWords {
  const words = byId.get(id)?.words[of];
  if (words === undefined) throw new Error(`${id} has no words for ${of}`);
  return fill(words, holes);
}
