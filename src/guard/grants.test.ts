import { describe, expect, test } from "vitest";
import { reachPolicy } from "../gate/index.ts";
import { Grants, type Permits } from "./grants.ts";

const PERMITS: Permits = { kind: "request", same: "d", document: "D" };
const any = (): boolean => true;

describe("a grant", () => {
  test("holds until its time is over, and not at that time", () => {
    const grants = new Grants(reachPolicy({}), []);
    const { id } = grants.add({ source: "answer", permits: PERMITS, until: 1_000 });
    expect([0, 999, 1_000, 2_000].map((now) => grants.find(any, now)?.id ?? null)).toEqual([id, id, null, null]);
    expect([grants.consume(id, 1_000), grants.consume(id, 999)]).toEqual([false, true]);
  });

  test("holds as often as it says", () => {
    const grants = new Grants(reachPolicy({}), []);
    const { id } = grants.add({ source: "answer", permits: PERMITS, left: 2 });
    expect([1, 2, 3].map(() => grants.consume(id, 0))).toEqual([true, true, false]);
    expect(grants.find(any, 0)).toBeNull();
  });

  test("without either holds to the end", () => {
    const grants = new Grants(reachPolicy({}), []);
    const { id } = grants.add({ source: "answer", permits: PERMITS });
    expect([1, 2, 3].map(() => grants.consume(id, Number.MAX_SAFE_INTEGER))).toEqual([true, true, true]);
  });

  test("permits nothing that it does not fit, and nothing once it is unknown", () => {
    const grants = new Grants(reachPolicy({}), []);
    grants.add({ source: "answer", permits: PERMITS });
    expect(grants.find(({ kind }) => kind === "sort", 0)).toBeNull();
    expect(grants.consume("g99", 0)).toBe(false);
  });
});
