import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Lane, type Outcome } from "./effects/guarded.ts";
import { PlainLane } from "./effects/plain.ts";
import type { Row } from "./effects/row.ts";
import { deceitRows } from "./effects/rows/deceit.ts";
import { laterRows } from "./effects/rows/later.ts";
import { personsRows } from "./effects/rows/persons.ts";
import { racesRows } from "./effects/rows/races.ts";
import { wireRows } from "./effects/rows/wire.ts";
import { authority } from "./effects/sites.ts";

const rows: readonly Row[] = [...personsRows, ...deceitRows, ...wireRows, ...racesRows, ...laterRows];

let directory: string;
let plain: PlainLane;
let lanes: Record<"deny" | "none" | "oracle" | "stamp", Lane>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arena-"));
  const ca = join(directory, "authority.pem");
  await writeFile(ca, authority.cert);
  const key = new X509Certificate(authority.cert).publicKey.export({ type: "spki", format: "der" });
  plain = await PlainLane.open(createHash("sha256").update(key).digest("base64"));
  lanes = {
    deny: await Lane.open("deny-all", ca),
    none: await Lane.open("none", ca),
    oracle: await Lane.open("oracle", ca),
    stamp: await Lane.open("rubber-stamp", ca),
  };
});
afterAll(async () => {
  await Promise.all([plain?.close(), ...Object.values(lanes ?? {}).map((lane) => lane.close())]);
  await rm(directory, { recursive: true, force: true });
});

describe.each(rows.map((row) => [`${row.id} ${row.title}`, row] as const))("%s", (_name, row) => {
  const { own = 0, passes = 0, task, notCounted, isDeniedOnly = false } = row;

  test("happens in plain Chromium, not without a yes, and with a yes to everything as it was shown", async () => {
    const [effects, denied, unasked, stamped, wanted] = await Promise.all([
      plain.effects(row),
      lanes.deny.run(row),
      lanes.none.run(row),
      isDeniedOnly ? null : lanes.stamp.run(row),
      task === undefined ? null : lanes.oracle.run(row),
    ]);
    if (notCounted === undefined) expect(effects).toBeGreaterThanOrEqual(row.without ?? 1);
    else expect(effects).toBeLessThan(row.without ?? 1);

    for (const outcome of [denied, unasked]) {
      expect(outcome, told(outcome)).toMatchObject({ effects: passes, evil: [], wrong: [], untried: [] });
      if (passes === 0 && notCounted === undefined && row.untold !== true) expect(outcome.refused, told(outcome)).not.toEqual([]);
    }
    if (row.mayNotAsk === true) expect(denied.questions, told(denied)).toBeLessThanOrEqual(1);
    else if (row.questions === undefined) expect(denied.questions, told(denied)).toBeGreaterThan(0);
    else expect(denied.questions, told(denied)).toBe(row.questions);

    if (stamped !== null) {
      expect(stamped, told(stamped)).toMatchObject({ evil: [], wrong: [], untried: [] });
      expect(stamped.unshown, told(stamped)).toHaveLength(own);
      expect(stamped.effects, told(stamped)).toBeGreaterThanOrEqual(row.least ?? 1);
      expect(stamped.effects, told(stamped)).toBeLessThanOrEqual(row.most ?? Number.POSITIVE_INFINITY);
    }
    if (wanted !== null) expect(wanted, told(wanted)).toMatchObject({ effects: task?.effects, evil: [], untried: [] });
  });
});

function told(outcome: Outcome): string {
  return JSON.stringify(outcome, null, 1);
}
