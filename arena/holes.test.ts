import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Controls } from "../test/controls.ts";
import { failure } from "../test/failure.ts";
import { FULL } from "../test/runs.ts";
import { Lane, type Outcome } from "./effects/guarded.ts";
import { reachOf } from "./effects/holes.ts";
import { PlainLane } from "./effects/plain.ts";
import { contentOf } from "./effects/row.ts";
import { type HoleRow, holeKinds } from "./effects/rows/holes.ts";
import { getHoleKinds } from "./effects/rows/holes-get.ts";
import { authority } from "./effects/sites.ts";

/** Several sessions start with the first row. */
const ROW_MS = 120_000;
const kinds: readonly (readonly HoleRow[])[] = [...holeKinds, ...getHoleKinds];
const all = kinds.flat();
/** On each change the first row of each kind; the others differ from it in what chains and pure tables vary as well. */
const rows = FULL ? all : kinds.flatMap(([first]) => (first === undefined ? [] : [first]));
const reach = reachOf(all);

/**
 * Who is asked: somebody who says no, nobody, somebody who says yes to everything; and a session that only reads, where
 * nobody is.
 */
const LANES = ["deny-all", "none", "rubber-stamp", "reads"] as const;
type LaneName = (typeof LANES)[number];

const controls = new Controls("holes");
let directory: string;
/** Started when they are needed first. */
let plain: Promise<PlainLane> | null = null;
const lanes = new Map<LaneName, Promise<Lane>>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arena-"));
  await writeFile(join(directory, "authority.pem"), authority.cert + authority.key);
});
afterAll(async () => {
  controls.close();
  await Promise.all([plain, ...lanes.values()].map(async (lane) => (await lane)?.close()));
  await rm(directory, { recursive: true, force: true });
});

function withoutGuard(row: HoleRow, at: number): Promise<number> {
  return controls.outcome(nameOf(row, at), contentOf(row), async () => {
    plain ??= PlainLane.open(reach.hosts);
    return (await plain).effects(row);
  });
}

async function withGuard(row: HoleRow, name: LaneName): Promise<Outcome> {
  const ca = join(directory, "authority.pem");
  const lane =
    lanes.get(name) ??
    (name === "reads" ? Lane.open("none", ca, reach, { mode: "read", profile: "strict" }) : Lane.open(name, ca, reach));
  lanes.set(name, lane);
  return (await lane).run(row);
}

/** Those that can differ. */
function lanesOf(row: HoleRow): readonly LaneName[] {
  return LANES.filter((name) =>
    name === "rubber-stamp" ? row.isDeniedOnly !== true : name === "reads" ? row.alsoReading === true : true,
  );
}

function nameOf({ id, title }: HoleRow, at: number): string {
  return `${id}.${at} ${title}`;
}

describe.each(rows.map((row) => [nameOf(row, all.indexOf(row)), row, all.indexOf(row)] as const))(
  "%s",
  (name, row, at) => {
    const { notCounted, own = 0, without = 1 } = row;

    test("happens in plain Chromium, not without a yes, and with a yes to everything as it was shown", {
      timeout: ROW_MS,
    }, async ({ task }) => {
      const [effects, outcomes] = await Promise.all([
        withoutGuard(row, at),
        Promise.all(lanesOf(row).map(async (lane) => ({ lane, outcome: await withGuard(row, lane) }))),
      ]);
      if (notCounted === undefined) expect(effects, name).toBeGreaterThanOrEqual(without);
      else expect(effects, name).toBeLessThan(without);

      for (const { lane, outcome } of outcomes) {
        const expected = lane === "rubber-stamp" ? "only what was shown and answered with yes" : "no effect";
        const about = `${failure(task, { scenario: `${name}, ${lane}`, expected, received: outcome.received })}${told(outcome)}`;
        expect(outcome, about).toMatchObject({ evil: [], wrong: [], untried: [] });
        if (lane === "rubber-stamp") isAsShown(row, outcome, about);
        else {
          expect(outcome.effects, about).toBe(0);
          if (notCounted === undefined && row.untold !== true) expect(outcome.refused, about).not.toEqual([]);
        }
        if (lane === "deny-all" && row.questions === undefined) expect(outcome.asked.length, about).toBeGreaterThan(0);
        if (lane === "deny-all" && row.questions !== undefined) expect(outcome.asked.length, about).toBe(row.questions);
      }
    });

    function isAsShown({ least = 1, most = Number.POSITIVE_INFINITY }: HoleRow, outcome: Outcome, about: string): void {
      expect(outcome.unshown, about).toHaveLength(own);
      expect(outcome.effects, about).toBeGreaterThanOrEqual(least);
      expect(outcome.effects, about).toBeLessThanOrEqual(most);
    }
  },
);

/** Everything about a run, for whoever reads why it failed. */
function told(outcome: Outcome): string {
  return JSON.stringify(
    { ...outcome, asked: outcome.asked.map(({ question, answer }) => ({ answer, lines: question.lines })) },
    null,
    1,
  );
}
