import type { RuleWords } from "./rule.ts";

/** `"a" | "b"` of "{a} and {b}". */
type Holes<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;
type HolesOf<Words extends RuleWords> = Holes<Words["reason"]> | Holes<Words["remedy"]> | Holes<Words["operator"]>;
/** What is to be given with words, so that no hole is left. */
export type Filling<Words extends RuleWords> = [HolesOf<Words>] extends [never]
  ? []
  : [holes: Readonly<Record<HolesOf<Words>, string | number>>];

const HOLE = /\{([a-zA-Z]+)\}/g;

/** The words of a rule with what is known about the case. */
export function filled<const Words extends RuleWords>(words: Words, ...[holes]: Filling<Words>): RuleWords {
  return fill(words, holes);
}

/** The same for words of which the compiler does not know what is missing. */
export function fill(
  { reason, remedy, operator }: RuleWords,
  holes: Readonly<Record<string, string | number>> = {},
): RuleWords {
  const known = new Map(Object.entries(holes));
  // In one pass: what is filled in may hold braces of its own.
  const whole = (text: string): string => text.replace(HOLE, (hole, name: string) => String(known.get(name) ?? hole));
  return { reason: whole(reason), remedy: whole(remedy), operator: operator === null ? null : whole(operator) };
}
