import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Controls } from "../test/controls.ts";
import { FULL, ofEachKind } from "../test/runs.ts";
import { type ApproverName, type AskedOf, answerOf } from "./effects/approvers.ts";
import { Lane, type Outcome } from "./effects/guarded.ts";
import { PlainLane } from "./effects/plain.ts";
import { contentOf, type Row } from "./effects/row.ts";
import { deceitRows } from "./effects/rows/deceit.ts";
import { laterRows } from "./effects/rows/later.ts";
import { personsRows } from "./effects/rows/persons.ts";
import { racesRows } from "./effects/rows/races.ts";
import { wireRows } from "./effects/rows/wire.ts";
import { authority } from "./effects/sites.ts";

const rows: readonly Row[] = ofEachKind(
  [...personsRows, ...deceitRows, ...wireRows, ...racesRows, ...laterRows],
  ({ id }) => id,
);
/** Several sessions start with the first row. */
const ROW_MS = 60_000;
/** One of so many rows. */
const UNASKED_SAMPLE = 8;

const controls = new Controls("effects");
let directory: string;
/** Started when they are needed first. */
let plain: Promise<PlainLane> | null = null;
const lanes = new Map<ApproverName, Promise<Lane>>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arena-"));
  await writeFile(join(directory, "authority.pem"), authority.cert + authority.key);
});
afterAll(async () => {
  controls.close();
  await Promise.all([plain, ...lanes.values()].map(async (lane) => (await lane)?.close()));
  await rm(directory, { recursive: true, force: true });
});

function withoutGuard(row: Row): Promise<number> {
  return controls.outcome(`${row.id} ${row.title}`, contentOf(row), async () => {
    plain ??= PlainLane.open();
    return (await plain).effects(row);
  });
}

async function withGuard(row: Row, name: ApproverName): Promise<Outcome> {
  const lane = lanes.get(name) ?? Lane.open(name, join(directory, "authority.pem"));
  lanes.set(name, lane);
  return (await lane).run(row);
}

/**
 * Where nobody can be asked, the same requests are refused by one line of the guard, whatever the row: a sample of them
 * on each change, all in the full run.
 */
const isUnaskedToo = (row: Row): boolean => FULL || rows.indexOf(row) % UNASKED_SAMPLE === 0;

/**
 * A row runs with each approver that can make a difference. Where nobody is asked they are all the same: the one who
 * says no is asked nothing, which is a part of the test. Whoever would say the same as another one did, to all that
 * this one was asked, has the same outcome; but for rows in which a page acts while a person thinks, and the person who
 * says no does not think.
 */
async function outcomesOf(row: Row): Promise<{
  readonly denied: Outcome;
  readonly unasked: Outcome;
  readonly stamped: Outcome | null;
  readonly wanted: Outcome | null;
}> {
  const isAsked = row.questions !== 0;
  const [denied, unasked, stamped] = await Promise.all([
    withGuard(row, "deny-all"),
    isAsked && isUnaskedToo(row) ? withGuard(row, "none") : null,
    isAsked && row.isDeniedOnly !== true ? withGuard(row, "rubber-stamp") : null,
  ]);
  const saysTheSame = ({ asked }: Outcome): boolean =>
    asked.every(({ question, answer }: AskedOf) => answerOf("oracle", row, question) === answer);
  const wanted = async (): Promise<Outcome> => {
    if (stamped !== null && saysTheSame(stamped)) return stamped;
    return row.thinksUntil === undefined && saysTheSame(denied) ? denied : withGuard(row, "oracle");
  };
  return {
    denied,
    unasked: unasked ?? denied,
    stamped: row.isDeniedOnly === true ? null : (stamped ?? denied),
    wanted: row.task === undefined ? null : await wanted(),
  };
}

describe.each(rows.map((row) => [`${row.id} ${row.title}`, row] as const))("%s", (_name, row) => {
  const { own = 0, passes = 0, without = 1, task, notCounted } = row;

  test("happens in plain Chromium, not without a yes, and with a yes to everything as it was shown", {
    timeout: ROW_MS,
  }, async () => {
    const [effects, { denied, unasked, stamped, wanted }] = await Promise.all([withoutGuard(row), outcomesOf(row)]);
    if (notCounted === undefined) expect(effects).toBe(without);
    else expect(effects).toBeLessThan(without);

    for (const outcome of [denied, unasked]) {
      expect(outcome, told(outcome)).toMatchObject({ effects: passes, evil: [], wrong: [], untried: [] });
      if (passes === 0 && notCounted === undefined && row.untold !== true)
        expect(outcome.refused, told(outcome)).not.toEqual([]);
    }
    const questions = denied.asked.length;
    if (row.mayNotAsk === true) expect(questions, told(denied)).toBeLessThanOrEqual(1);
    else if (row.questions === undefined) expect(questions, told(denied)).toBeGreaterThan(0);
    else expect(questions, told(denied)).toBe(row.questions);

    if (stamped !== null) {
      expect(stamped, told(stamped)).toMatchObject({ evil: [], wrong: [], untried: [] });
      expect(stamped.unshown, told(stamped)).toHaveLength(own);
      expect(stamped.effects, told(stamped)).toBeGreaterThanOrEqual(row.least ?? 1);
      expect(stamped.effects, told(stamped)).toBeLessThanOrEqual(row.most ?? Number.POSITIVE_INFINITY);
    }
    if (wanted !== null) expect(wanted, told(wanted)).toMatchObject({ effects: task?.effects, evil: [], untried: [] });
  });
});

/** Everything about a run, for whoever reads why it failed. */
function told(outcome: Outcome): string {
  return JSON.stringify(
    { ...outcome, asked: outcome.asked.map(({ question, answer }) => ({ answer, lines: question.lines })) },
    null,
    1,
  );
}
