import { describe, expect, test } from "vitest";
import { reachPolicy } from "./policy.ts";
import { isHard, PLAIN_FACTS, reach } from "./reach/index.ts";
import { reachRules } from "./rules.ts";

const cases = reachRules.flatMap(({ id, examples }) => examples.map((example) => [id, example.what, example] as const));

test.each(cases)("%s: %s", (id, _what, { settings, facts, verdict }) =>
  expect(reach(reachPolicy(settings), { ...PLAIN_FACTS, ...facts })).toMatchObject({ verdict, rule: id }),
);

describe("what refusals say", () => {
  const refusals = cases.filter(([, , { verdict }]) => verdict === "refuse");
  test.each(refusals)("%s: %s: the option that it names allows it", (_id, _what, { settings, facts }) => {
    const verdict = reach(reachPolicy(settings), { ...PLAIN_FACTS, ...facts });
    if (verdict.verdict !== "refuse") throw new Error("allowed");
    expect(`${verdict.reason} ${verdict.remedy}`).toMatch(/^[\x20-\x7e]{20,300}$/);
    const named = [...(verdict.operator ?? "").matchAll(/--allow (\S+)/g)].map(([, site = ""]) => site);
    if (named.length === 0) return expect(isHard(verdict)).toBe(true);
    const widened = reach(reachPolicy({ ...settings, allow: [...(settings.allow ?? []), ...named], includeSubdomains: true }), { ...PLAIN_FACTS, ...facts });
    expect(widened).toMatchObject({ verdict: "allow", rule: "reach.scope" });
  });
});
