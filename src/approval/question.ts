import type { CallId, Choice, EffectClass, Question, QuestionId } from "../types.ts";
import { oneLine, plainOr, quoted, several } from "./escape.ts";
import { fitted } from "./fit.ts";
import { hostShown } from "./place.ts";
import { type AskedRequest, repeatedLine, repeatedNames, requestFacts, type ValueSource } from "./request-facts.ts";

/**
 * Characters of a value in a line: the longest at which all fits and nothing is cut, else the longest of the others at
 * which all lines fit.
 */
const WHOLE_CHARS = 2_000;
const CUT_CHARS = [500, 120] as const;
const SHORTEST_CHARS = 120;
const MAX_REASON_CHARS = 200;
const MAX_NAME_CHARS = 120;
const MAX_REPEATED_LINES = 5;
const MAX_ACTS = 20;
const MAX_DIFFERENCES = 6;
const MAX_DIFFERENCE_CHARS = 250;
const DIGEST_CHARS = 12;
const WORD = /^[a-z][a-z_]{0,39}$/;
const HEX = /^[0-9a-f]+$/;

/** What every question has. */
export interface Asked {
  readonly id: QuestionId;
  readonly call: CallId | null;
  /** Milliseconds since 1970. */
  readonly expires: number;
  readonly code: string | null;
  readonly choices: readonly Choice[];
  readonly means: Readonly<Partial<Record<Choice, string>>>;
  /** `questionDigest` of what is asked. */
  readonly digest: string;
  /** What it is made of; none where a place is asked about. */
  readonly requestDigests: readonly string[];
  /** The model's own words. */
  readonly reason: string | null;
}

export interface EffectAsked extends Asked {
  readonly effect: EffectClass;
  /** All that wait together; at least one. */
  readonly requests: readonly AskedRequest[];
  /** A sign-in: at which host, as whom. Null: it is none. */
  readonly lead: { readonly host: string; readonly as: string | null } | null;
  /** What the agent did, each act of it. */
  readonly acts: readonly {
    readonly tool: string;
    readonly element: {
      readonly role: string;
      readonly name: string;
      readonly site: string | null;
      readonly form?: { readonly button?: string } | null;
    } | null;
  }[];
  /** So many drafts of it have left already. */
  readonly drafts: number;
  readonly sourceOf: (value: string) => ValueSource;
  /** Lines of what was asked before that do not hold any more (`differingLines`). */
  readonly difference: string | null;
}

/**
 * What somebody is asked about held requests. At most 60 lines and 8,000 characters. When a value, a file or a request
 * is cut, left out or cannot be inspected, the lines say so, the effect is at least "unknown", and only "once" and "no"
 * are offered. (AP-1, AP-2)
 */
export function effectQuestion(asked: EffectAsked): Question {
  const repeated = repeatedNames(asked.requests);
  const counts = [
    ...(asked.requests.length === 1 ? [] : [several(asked.requests.length, "request")]),
    ...repeated.slice(0, MAX_REPEATED_LINES).map(([name, times]) => repeatedLine(name, times)),
    ...(repeated.length > MAX_REPEATED_LINES
      ? [`${several(repeated.length - MAX_REPEATED_LINES, "more repeated name")}`]
      : []),
  ];
  const before = [...leadLines(asked), ...didLines(asked), ...differences(asked.difference)];
  const after = [...counts, CLASS_LINES.unknown, ...lastLines(asked)];

  const renderedAt = (limit: number) => {
    const shown = asked.requests.map((request, index) =>
      requestFacts(request, { number: index + 1, of: asked.requests.length }, asked.sourceOf, limit),
    );
    const cuts = shown.reduce((sum, one) => sum + one.cuts, 0);
    const facts = shown.flatMap((one) => one.facts);
    const { lines, leftOut } = fitted(facts, [...before, ...after]);
    return { lines, leftOut, cuts, isInspected: shown.length > 0 && shown.every((one) => one.isInspected) };
  };
  const whole = renderedAt(WHOLE_CHARS);
  const isAll = whole.leftOut === null && whole.cuts === 0;
  const cut = isAll
    ? whole
    : (CUT_CHARS.map(renderedAt).find((one) => one.leftOut === null) ?? renderedAt(SHORTEST_CHARS));

  const effect = cut.isInspected && isAll ? asked.effect : atLeastUnknown(asked.effect);
  const missing = [
    ...(cut.leftOut === null ? [] : [`left out: ${cut.leftOut}`]),
    ...(cut.cuts === 0 ? [] : [`cut: ${several(cut.cuts, "text")}`]),
  ];
  const lines = [
    ...before,
    ...cut.lines,
    ...(missing.length === 0 ? [] : [`${NOT_WHOLE}; ${missing.join("; ")}`]),
    ...counts,
    CLASS_LINES[effect],
    ...lastLines(asked),
  ];
  const isNarrow = !isAll || !cut.isInspected || effect === "irreversible";
  return questionOf(asked, "effect", lines, effect, isNarrow ? ["once", "no"] : ["once", "form", "task", "no"]);
}

/** Whether all that is asked about can be shown, every value of it. */
export function isShownWhole(asked: EffectAsked): boolean {
  return !effectQuestion(asked).lines.some((line) => line.startsWith(NOT_WHOLE));
}

/** The lines of an earlier question that a later one does not have, for its `difference`; null when there are none. */
export function differingLines(earlier: readonly string[], later: readonly string[]): string | null {
  const same = new Set(later);
  const gone = earlier.filter((line) => !same.has(line) && !LAST.test(line) && !line.startsWith(BEFORE));
  return gone.length === 0 ? null : gone.join("\n");
}

const NOT_WHOLE = "this cannot be shown whole";
const BEFORE = "not as asked before, then it was: ";
const LAST = /^(digest|the agent says): /;

const CLASS_LINES: Readonly<Record<EffectClass, string>> = {
  reversible: "class: reversible",
  irreversible: "class: irreversible, it cannot be taken back",
  unknown: "class: unknown, perhaps it cannot be taken back",
};

function atLeastUnknown(effect: EffectClass): EffectClass {
  return effect === "irreversible" ? "irreversible" : "unknown";
}

function leadLines({ lead, drafts }: EffectAsked): readonly string[] {
  const as = lead?.as == null ? "" : ` as ${quoted(lead.as, MAX_NAME_CHARS).line}`;
  return [
    ...(lead === null ? [] : [`sign in at ${hostShown(lead.host)}${as}: one yes is for all its steps`]),
    ...(drafts === 0 ? [] : [`${several(drafts, "draft")} of this site left before`]),
  ];
}

function didLines({ acts }: EffectAsked): readonly string[] {
  if (acts.length === 0) return ["the agent did: nothing that is known to cause this"];
  const shown = acts.slice(0, MAX_ACTS).map((act) => `the agent did: ${didWords(act)}`);
  return acts.length <= MAX_ACTS ? shown : [...shown, `the agent did: ${several(acts.length - MAX_ACTS, "more act")}`];
}

function didWords({ tool, element }: EffectAsked["acts"][number]): string {
  const act = plainOr(tool, WORD, MAX_NAME_CHARS);
  if (element === null) return act;
  const site = element.site === null ? "no site" : hostShown(element.site);
  const button = element.form?.button;
  const pressed = button === undefined ? "" : `, whose form has the button ${quoted(button, MAX_NAME_CHARS).line}`;
  return `${act} on ${plainOr(element.role, WORD, MAX_NAME_CHARS)} ${quoted(element.name, MAX_NAME_CHARS).line}${pressed} (words of a page of ${site})`;
}

function differences(difference: string | null): readonly string[] {
  if (difference === null) return [];
  const lines = difference.split("\n");
  const shown = lines.slice(0, MAX_DIFFERENCES).map((line) => `${BEFORE}${oneLine(line, MAX_DIFFERENCE_CHARS)}`);
  return lines.length <= MAX_DIFFERENCES
    ? shown
    : [...shown, `${BEFORE}${several(lines.length - MAX_DIFFERENCES, "more line")}`];
}

/** What ends every question. */
export function lastLines({ digest, reason }: Asked): readonly string[] {
  const end = [`digest: ${plainOr(digest.slice(0, DIGEST_CHARS), HEX, DIGEST_CHARS)}`];
  return reason === null ? end : [...end, `the agent says: ${quoted(reason, MAX_REASON_CHARS).line}`];
}

/** Choices are those asked for that may be offered, and always "no". */
export function questionOf(
  asked: Asked,
  about: Question["about"],
  lines: readonly string[],
  effect: Question["effect"],
  offered: readonly Choice[],
): Question {
  const choices = offered.filter((choice) => choice === "no" || asked.choices.includes(choice));
  const means: Partial<Record<Choice, string>> = {};
  for (const choice of choices) {
    const words = asked.means[choice];
    if (words !== undefined) means[choice] = words;
  }
  const { id, call, digest, requestDigests, code, expires } = asked;
  return Object.freeze({
    id,
    call,
    about,
    lines: Object.freeze(lines),
    digest,
    requests: Object.freeze([...requestDigests]),
    effect,
    choices: Object.freeze(choices),
    means: Object.freeze(means),
    code,
    expires,
  });
}
