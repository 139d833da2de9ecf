import { describe, expect, test } from "vitest";
import { runs } from "../runs.ts";
import { type Clause, sentOf } from "./chain.ts";
import { runInProcess } from "./in-process.ts";
import { chainOf } from "./make.ts";

/** `npm run fuzz` gives more of them, and another seed each time. */
const CHAINS = Number(process.env.EFFECT_CHAINS ?? runs(250, 5_000));
const SEED = Number(process.env.EFFECT_SEED ?? 20_261_201);
const MS_A_CHAIN = 60;
const MOST_SHOWN = 30;

const seeds = Array.from({ length: CHAINS }, (_, at) => SEED + at);

describe("chains of requests", () => {
  test("are the same for the same seed, and of every kind", () => {
    expect(chainOf(SEED)).toEqual(chainOf(SEED));
    const clauses = new Map<Clause, number>();
    for (const { clause } of seeds.flatMap((seed) => sentOf(chainOf(seed))))
      clauses.set(clause, (clauses.get(clause) ?? 0) + 1);
    console.log([...clauses].map(([clause, times]) => `${clause} ${times}`).join(", "));
    for (const clause of CLAUSES)
      expect(clauses.get(clause) ?? 0, clause).toBeGreaterThanOrEqual(Math.floor(CHAINS / 100));
  });

  test(`${CHAINS} of them before a guard: what has a stake is asked about, and nothing else (seed ${SEED})`, {
    timeout: 60_000 + CHAINS * MS_A_CHAIN,
  }, async () => {
    const wrong: string[] = [];
    const kinds = new Map<string, number>();
    for (const seed of seeds) {
      for (const { kind, text } of await runInProcess(chainOf(seed))) {
        wrong.push(`chain ${seed}: ${kind}: ${text}`);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
    const tally = [...kinds].sort(([, a], [, b]) => b - a).map(([kind, times]) => `${times} × ${kind}`);
    expect(wrong.slice(0, MOST_SHOWN), tally.join("\n")).toEqual([]);
  });
});

const CLAUSES: readonly Clause[] = [
  "read",
  "graphql read",
  "safe verb",
  "upkeep",
  "draft",
  "own",
  "learned",
  "plain",
  "search",
  "digits",
  "harmless address",
  "private",
  "fixed slot",
  "header",
  "graphql change",
  "typed",
  "rewritten",
  "file",
  "opaque",
  "serious verb",
  "serious slot",
  "cross site",
  "corner",
  "address",
  "one-time",
  "born touched",
  "outbox",
];
