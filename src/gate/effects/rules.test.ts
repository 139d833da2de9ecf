import { describe, expect, test } from "vitest";
import { decideEffect } from "./decide.ts";
import { describeEffect } from "./describe.ts";
import { effectsPolicy } from "./policy.ts";
import { effectExamples, PLAIN_EFFECT, PLAIN_STATE } from "./rules.ts";

const cases = effectExamples.flatMap(({ id, examples }) => examples.map((example) => [id, example.what, example] as const));

test.each(cases)("%s: %s", (id, _what, { facts, state, settings, is, by = id }) => {
  const decision = decideEffect(effectsPolicy(settings), describeEffect({ ...PLAIN_EFFECT, ...facts }), { ...PLAIN_STATE, ...state });
  expect(decision).toEqual(is === "none" ? { is } : { is, rule: by, ...(by === "effects.free" && is === "pass" ? { free: true } : {}) });
});

describe("the rules", () => {
  test.each(effectExamples)("$id has an example that it decides", ({ examples }) =>
    expect(examples.some(({ by, is }) => by === undefined && is !== "none")).toBe(true),
  );
  test("each stands there once", () => expect(new Set(effectExamples.map(({ id }) => id)).size).toBe(effectExamples.length));
});
