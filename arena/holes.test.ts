import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Lane, type Outcome } from "./effects/guarded.ts";
import { reachOf } from "./effects/holes.ts";
import { PlainLane } from "./effects/plain.ts";
import { type HoleRow, holeRows } from "./effects/rows/holes.ts";
import { getHoleRows } from "./effects/rows/holes-get.ts";
import { authority } from "./effects/sites.ts";

const ROW_MS = 120_000;
const rows: readonly HoleRow[] = [...holeRows, ...getHoleRows];

let directory: string;
let plain: PlainLane;
let lanes: Record<"deny" | "none" | "stamp" | "reads", Lane>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arena-"));
  const ca = join(directory, "authority.pem");
  await writeFile(ca, authority.cert);
  const reach = reachOf(rows);
  plain = await PlainLane.open(reach.hosts);
  lanes = {
    deny: await Lane.open("deny-all", ca, reach),
    none: await Lane.open("none", ca, reach),
    stamp: await Lane.open("rubber-stamp", ca, reach),
    reads: await Lane.open("none", ca, reach, { mode: "read", profile: "strict" }),
  };
});
afterAll(async () => {
  await Promise.all([plain?.close(), ...Object.values(lanes ?? {}).map((lane) => lane.close())]);
  await rm(directory, { recursive: true, force: true });
});

describe.each(rows.map((row, at) => [`${row.id}.${at} ${row.title}`, row] as const))("%s", (_name, row) => {
  const { notCounted, own = 0 } = row;

  test("happens in plain Chromium", { timeout: ROW_MS }, async () => {
    const effects = await plain.effects(row);
    if (notCounted === undefined) expect(effects).toBeGreaterThanOrEqual(row.without ?? 1);
    else expect(effects).toBeLessThan(row.without ?? 1);
  });

  test("does not happen without a yes", { timeout: ROW_MS }, async () => {
    const [denied, unasked, reading] = await Promise.all([lanes.deny.run(row), lanes.none.run(row), row.alsoReading === true ? lanes.reads.run(row) : null]);
    for (const outcome of [denied, unasked, ...(reading === null ? [] : [reading])]) {
      expect(outcome, told(outcome)).toMatchObject({ effects: 0, evil: [], wrong: [], untried: [] });
      if (notCounted === undefined && row.untold !== true) expect(outcome.refused, told(outcome)).not.toEqual([]);
    }
    if (row.questions === undefined) expect(denied.asked.length, told(denied)).toBeGreaterThan(0);
    else expect(denied.asked.length, told(denied)).toBe(row.questions);
  });

  test.runIf(row.isDeniedOnly !== true)("happens as it was shown, with a yes to everything", { timeout: ROW_MS }, async () => {
    const stamped = await lanes.stamp.run(row);
    expect(stamped, told(stamped)).toMatchObject({ evil: [], wrong: [], untried: [] });
    expect(stamped.unshown, told(stamped)).toHaveLength(own);
    expect(stamped.effects, told(stamped)).toBeGreaterThanOrEqual(row.least ?? 1);
    expect(stamped.effects, told(stamped)).toBeLessThanOrEqual(row.most ?? Number.POSITIVE_INFINITY);
  });
});

function told(outcome: Outcome): string {
  return JSON.stringify(outcome, null, 1);
}
