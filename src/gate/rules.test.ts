import { describe, expect, test } from "vitest";
import { isHard, REACH_RULES, RULES } from "../rules/index.ts";
import { reachPolicy } from "./policy.ts";
import { PLAIN_FACTS, REACH_STEPS, reach } from "./reach/index.ts";
import { reachCases, rulesPage } from "./rules.ts";

const cases = reachCases.flatMap(({ id, examples }) => examples.map((example) => [id, example.what, example] as const));

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
    if (named.length === 0) return expect(isHard(verdict.rule)).toBe(true);
    const widened = reach(
      reachPolicy({ ...settings, allow: [...(settings.allow ?? []), ...named], includeSubdomains: true }),
      { ...PLAIN_FACTS, ...facts },
    );
    expect(widened).toMatchObject({ verdict: "allow", rule: "reach.scope" });
  });
});

describe("the order of the table", () => {
  const order: readonly string[] = REACH_RULES.map(({ id }) => id);
  const steps = REACH_STEPS.map(({ id }) => order.indexOf(id));

  test("is that of the steps", () => expect(steps).toEqual([...steps].sort((one, other) => one - other)));

  test("what has no step of its own stands behind one that decides by it, or is the address before all of them", () => {
    for (const [at, id] of order.entries()) {
      const owner =
        REACH_STEPS.find((step) => step.id === id) ??
        REACH_STEPS.filter(({ also }) => also.some((other) => other === id))[0];
      const ownerAt = order.indexOf(owner?.id ?? "");
      if (id === "reach.address") expect(at).toBe(0);
      else expect([id, ownerAt === at || ownerAt === at - 1]).toEqual([id, true]);
    }
  });
});

test("the page names every rule and example", () => {
  const page = rulesPage();
  for (const { id, says } of RULES) expect(page).toContain(`### ${id}\n\n${says}.\n`);
  for (const [, what] of cases) expect(page).toContain(`: ${what}: `);
});
