import {
  CALL_RULES,
  type Decision,
  EFFECT_RULES,
  EFFECTS_BESIDE,
  PROXY_RULES,
  REACH_BESIDE,
  REACH_RULES,
  type Rule,
  type RuleWords,
  SELF_TEST_RULES,
  WIRE_RULES,
} from "../rules/index.ts";
import { effectExampleLine, effectExamples } from "./effects/rules.ts";
import type { ReachSettings } from "./policy.ts";
import type { ReachFacts } from "./reach/index.ts";

/** An example of the table in the terms of reach itself: what does not fit them does not compile. */
export interface ReachCase {
  readonly what: string;
  readonly settings: ReachSettings;
  readonly facts: Partial<ReachFacts> & Pick<ReachFacts, "url">;
  readonly verdict: "allow" | "refuse";
}

/** Of the rules of reach, in their order. */
export const reachCases: readonly { readonly id: Rule["id"]; readonly examples: readonly ReachCase[] }[] = REACH_RULES;

const DECISIONS: Readonly<Record<Decision, string>> = {
  pass: "passes",
  ask: "is asked about",
  refuse: "is refused",
  quiet: "is refused quietly",
};

/** The page `docs/rules.md`. */
export function rulesPage(): string {
  return [
    "# Rules",
    "",
    "Generated from `src/rules/` by `npm run docs`; do not edit. Every example is a test.",
    "",
    "Each rule that a refusal, an event or the record can name, in the order in which they are asked; of reach and of effects the first that decides counts. `chaperone explain` shows the way of a request through them.",
    "",
    "Under each rule: what can come of it. A *hard* refusal stands whatever the profile; a *soft* one is only recorded with the profile `observe`, and in reach the library's `rule` can lift it. Where something may be answered, somebody is asked before it is refused; no is always among the answers. `{words}` in braces depend on the case.",
    "",
    "## Calls",
    "",
    "Asked before a call does anything.",
    "",
    ...parts(CALL_RULES),
    "## Reach",
    "",
    "Where a request may go.",
    "",
    ...parts(REACH_RULES, new Map(reachCases.map(({ id, examples }) => [id, examples.map(reachExampleLine)]))),
    "## Beside reach",
    "",
    ...parts(REACH_BESIDE),
    "## Effects",
    "",
    "What a request may change, asked after reach. What changes nothing, by its method and its address, is left to reach (`none`). In the examples, where nothing else is said, the agent has acted on the page of shop.test that sends the request, which holds something of a person, in the mode `act`.",
    "",
    "A request is an operation (method, place, and where the application puts its verb) with slots (values). Names can lie: an address or an operation with a harmless name is not found out by its name ([what was given up](decisions/0017-effects-by-cause-and-stake.md)). Lists of verbs otherwise only make more be asked. What a request changes is `irreversible` by any sign of it, `reversible` where it is plainly so, else `unknown`; nothing passes for being reversible.",
    "",
    ...parts(EFFECT_RULES, exampleLinesOfEffects),
    "## Beside effects",
    "",
    ...parts(EFFECTS_BESIDE, exampleLinesOfEffects),
    "## The wire",
    "",
    ...parts(WIRE_RULES),
    "## The proxy",
    "",
    "What the browser tries past the wire, and connections that come to nothing.",
    "",
    ...parts(PROXY_RULES),
    "## The self-test",
    "",
    ...parts(SELF_TEST_RULES),
  ].join("\n");
}

const exampleLinesOfEffects: ReadonlyMap<string, readonly string[]> = new Map(
  effectExamples.map(({ id, examples }) => [id, examples.map((one) => effectExampleLine(id, one))]),
);

function parts(
  rules: readonly Rule[],
  examples: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly string[] {
  return rules.flatMap((rule) => [
    `### ${rule.id}`,
    "",
    `${rule.says}.`,
    "",
    outcomeLine(rule),
    ...Object.values(rule.words).map(wordsLine),
    ...(examples.get(rule.id) ?? []),
    "",
  ]);
}

function outcomeLine({ decides, hard, offers }: Rule): string {
  const answers = Object.entries(offers).map(([offer, means]) => `\`${offer}\` (${means})`);
  const canRefuse = decides.some((decision) => decision !== "pass");
  return `- ${[
    decides.map((decision) => DECISIONS[decision]).join(", or "),
    ...(canRefuse ? [hard ? "hard" : "soft"] : []),
    ...(answers.length > 0 ? [`to answer: ${answers.join(", ")}`] : []),
  ].join("; ")}`;
}

function wordsLine({ reason, remedy, operator }: RuleWords): string {
  return `- says: "${reason}" ${remedy}${operator === null ? "" : ` To allow it: \`${operator}\``}`;
}

function reachExampleLine({ what, settings, facts, verdict }: ReachCase): string {
  const { url, kind = "navigation", method = "GET" } = facts;
  return `- ${verdict}: ${what}: \`${method} ${kind} ${url}\` with \`${JSON.stringify(settings)}\``;
}
