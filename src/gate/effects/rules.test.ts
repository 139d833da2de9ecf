import { describe, expect, test } from "vitest";
import { EFFECT_RULES } from "../../rules/index.ts";
import { decideEffect } from "./decide.ts";
import { describeEffect } from "./describe.ts";
import { effectsPolicy } from "./policy.ts";
import { effectExamples, PLAIN_EFFECT, PLAIN_STATE } from "./rules.ts";

const cases = effectExamples.flatMap(({ id, examples }) =>
  examples.map((example) => [id, example.what, example] as const),
);

test.each(cases)("%s: %s", (id, _what, { facts, state, settings, is, by = id }) => {
  const decision = decideEffect(
    effectsPolicy(settings),
    describeEffect({ ...PLAIN_EFFECT, isPrivateSite: state.isPrivate ?? true, ...facts }),
    {
      ...PLAIN_STATE,
      ...state,
    },
  );
  expect(decision).toEqual(
    is === "none" ? { is } : { is, rule: by, ...(by === "effects.plain" && is === "pass" ? { free: true } : {}) },
  );
});

describe("the rules", () => {
  test.each(effectExamples)("$id has an example that it decides", ({ examples }) =>
    expect(examples.some(({ by, is }) => by === undefined && is !== "none")).toBe(true),
  );
  test("stand in the order of the table", () => {
    const order: readonly string[] = EFFECT_RULES.map(({ id }) => id);
    const at = effectExamples.map(({ id }) => order.indexOf(id));
    expect(at).toEqual([...at].sort((one, other) => one - other));
    expect(at).not.toContain(-1);
  });
  test("each stands there once", () =>
    expect(new Set(effectExamples.map(({ id }) => id)).size).toBe(effectExamples.length));
});
