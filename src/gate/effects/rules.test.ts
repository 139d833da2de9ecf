import { describe, expect, test } from "vitest";
import { decideEffect } from "./decide.ts";
import { describeEffect } from "./describe.ts";
import { effectsPolicy } from "./policy.ts";
import { effectRules, effectRulesPart, PLAIN_EFFECT, PLAIN_STATE } from "./rules.ts";

const cases = effectRules.flatMap(({ id, examples }) => examples.map((example) => [id, example.what, example] as const));

test.each(cases)("%s: %s", (id, _what, { facts, state, settings, is, by = id }) => {
  const decision = decideEffect(effectsPolicy(settings), describeEffect({ ...PLAIN_EFFECT, isPrivateSite: state.isPrivate ?? true, ...facts }), { ...PLAIN_STATE, ...state });
  expect(decision).toEqual(is === "none" ? { is } : { is, rule: by, ...(by === "effects.plain" && is === "pass" ? { free: true } : {}) });
});

describe("the rules", () => {
  test.each(effectRules)("$id has an example that it decides", ({ examples }) =>
    expect(examples.some(({ by, is }) => by === undefined && is !== "none")).toBe(true),
  );
  test("each stands there once", () => expect(new Set(effectRules.map(({ id }) => id)).size).toBe(effectRules.length));
  test("their page names each example", () => {
    const page = effectRulesPart();
    for (const { id } of effectRules) expect(page).toContain(`## ${id}\n`);
    for (const [, what] of cases) expect(page).toContain(`: ${what}: `);
  });
});
