import { expect, test } from "vitest";
import { Floods } from "./flood.ts";

const line = (type: string): string =>
  `{"method":"Runtime.consoleAPICalled","params":{"type":"${type}","args":[{"type":"string"`;
const THROWN = '{"method":"Runtime.exceptionThrown","params":{"timestamp":1';

test("five thousand lines at once, then two hundred a second; errors have a bound of their own", () => {
  let now = 5;
  const lost = { error: 0, log: 0 };
  const floods = new Floods(
    () => now,
    (level) => (lost[level] += 1),
  );
  const taken = (head: string, count: number, bytes = 300): number =>
    Array.from({ length: count }, () => floods.skips(head, bytes)).filter((skips) => !skips).length;
  expect(taken(line("log"), 100_000)).toBe(5_000);
  expect([taken(THROWN, 3_000), taken(line("error"), 3_000)]).toEqual([3_000, 2_000]);
  expect(lost).toEqual({ error: 1_000, log: 95_000 });
  now += 1_000;
  expect(taken(line("warning"), 100_000)).toBe(200);
  now += 3_600_000;
  expect(taken(line("log"), 100_000)).toBe(5_000);
  now += 3_600_000;
  // A line of a megabyte is as much as 250.
  expect(taken(line("log"), 1_000, 1_024_000)).toBe(20);
  expect(taken('{"method":"Fetch.requestPaused","params":{"type":"log"', 9_000)).toBe(9_000);
});
