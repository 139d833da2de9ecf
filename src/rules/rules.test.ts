import { describe, expect, test } from "vitest";
import { filled, isAskable, isHard, offersOf, RULES, type Rule, type RuleId, ruleOf, said, UNASKED } from "./index.ts";

const rules: readonly Rule[] = RULES;

describe("every literal", () => {
  test("has an id of its own", () => expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length));

  test.each(rules)("$id is complete", ({ id, says, decides, hard, offers, words }) => {
    expect(id).toMatch(/^[a-z]+\.[a-zA-Z_]+$/);
    expect(says).toMatch(/^[A-Z].{20,330}[^.]$/);
    expect(new Set(decides).size).toBe(decides.length);
    const canRefuse = decides.some((decision) => decision !== "pass");
    expect(Object.keys(words).length > 0).toBe(canRefuse);
    // What is asked about can be answered, and what only passes has nothing to answer.
    if (decides.some((decision) => decision === "ask")) expect(offers).toHaveProperty("once");
    if (!canRefuse) expect([hard, offers]).toEqual([true, {}]);
    for (const { reason, remedy, operator } of Object.values(words)) {
      if (reason !== "{said}") expect(reason).toMatch(/^[\x20-\x7e]{20,200}\.$/);
      expect(remedy).toMatch(/^[\x20-\x7e]{10,200}\.$/);
      if (operator !== null) expect(operator).toMatch(/^[\x20-\x7e]{5,100}$/);
    }
    for (const means of Object.values(offers)) expect(means).toMatch(/^[\x20-\x7e]{5,60}$/);
  });

  test("which a person's no, the mode or a fault decides by is hard", () => {
    const hard = [
      "effects.failed",
      "effects.denied",
      "effects.readMode",
      "guard.error",
      "guard.log",
      "wire.judge",
      "reach.private",
      "reach.block",
    ];
    expect(hard.filter((id) => !isHard(id))).toEqual([]);
  });
});

describe("what is not in the table", () => {
  test.each(["effects.other", "reach.", "", "toString", "__proto__"])(
    "%j is hard, and nobody is asked about it",
    (id) => expect([ruleOf(id), isHard(id), isAskable(id), offersOf(id)]).toEqual([null, true, false, {}]),
  );

  test("is no id for the compiler", () => {
    // @ts-expect-error no such rule
    const id: RuleId = "effects.other";
    // @ts-expect-error no such case
    expect(() => said("reach.port", "other", { place: "", port: 1 })).toThrow("no words");
    expect(isHard(id)).toBe(true);
  });
});

describe("words", () => {
  test("are filled in one pass", () =>
    expect(said("reach.lookalike", "imitates", { real: "{place}", place: "sh0p.test" })).toEqual({
      reason: "The host looks like {place} and is another one.",
      remedy: "Use {place} itself, or check the address with the operator.",
      operator: "--allow sh0p.test",
    }));

  test("leave no hole: the compiler asks for what is missing", () => {
    // @ts-expect-error no port
    expect(said("reach.port", "plain", { place: "shop.test" }).operator).toBe("--allow shop.test:{port}");
    // @ts-expect-error no operation
    expect(filled(UNASKED.nobody).operator).toContain("{operation}");
    expect(said("effects.typed", "nobody", { operation: "POST https://shop.test/x" }).operator).toBe(
      '--allow-effect "POST https://shop.test/x"',
    );
  });
});
