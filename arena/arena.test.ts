import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Controls } from "../test/controls.ts";
import { failure } from "../test/failure.ts";
import { ofEachKind } from "../test/runs.ts";
import { contentOf } from "./content.ts";
import { Control } from "./control.ts";
import { type Guarded, type Kind, kindOf, type Outcome, openKind } from "./guarded.ts";
import { keyOf } from "./plain.ts";
import type { Scenario } from "./scenario.ts";
import { addressScenarios } from "./scenarios/addresses.ts";
import { belowScenarios } from "./scenarios/below.ts";
import { channelScenarios } from "./scenarios/channels.ts";
import { redirects } from "./scenarios/redirects.ts";
import { authority } from "./world.ts";

const all: readonly Scenario[] = [...channelScenarios, ...redirects, ...belowScenarios, ...addressScenarios];
/** The channels are one scenario for each scheme; of a row with many spellings or ways the first. */
const scenarios = ofEachKind(all, (scenario) => (scenario.id === "T18" ? scenario.title : scenario.id));

/** Some are dozens of attacks. */
const SCENARIO_MS = 480_000;
const CLOSE_MS = 60_000;
/** More of them that Chromium does not do either, and the silence with the guard proves little. */
const MOST_NOT_COUNTED = 0.1;

const controls = new Controls("reach");
const counts = { tried: 0, without: 0, with: 0 };
let directory: string;
let ca: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arena-"));
  ca = join(directory, "authority.pem");
  await writeFile(ca, authority.cert + authority.key);
});
afterAll(async () => {
  console.log(`channels: ${counts.without} without the guard, ${counts.with} with it`);
  controls.close();
  await rm(directory, { recursive: true, force: true });
});

const SILENT: Outcome = {
  evil: [],
  evilConnections: 0,
  evilPackets: 0,
  internal: [],
  internalConnections: 0,
  untried: [],
  stays: true,
  untold: true,
};

// Each kind has its session, and while one waits for its page another one works.
for (const [name, kind, list] of kinds()) {
  describe.concurrent(name, () => {
    let guarded: Promise<Guarded> | undefined;
    let plain: Promise<Control> | undefined;
    afterAll(async () => {
      await Promise.all([(await guarded)?.close(), (await plain)?.close()]);
    }, CLOSE_MS);

    test.sequential.for(list.map((scenario) => [`${scenario.id} ${scenario.title}`, scenario] as const))(
      "%s",
      { timeout: SCENARIO_MS },
      async ([title, scenario], { task }) => {
        guarded ??= openKind(kind, ca);
        const outcome = await (await guarded).run(scenario);
        const received = receivedIn(outcome);
        counts.with += received.length;
        expect(
          outcome,
          failure(task, {
            scenario: title,
            expected: "nothing comes to a refused place, and all of it is tried and refused by name",
            received,
          }),
        ).toEqual(SILENT);

        const content = contentOf(scenario);
        const missing = await controls.outcome(title, content, async () => {
          plain ??= Control.open(keyOf(authority.cert));
          return (await plain).missing(scenario);
        });
        count(scenario, missing);
        const arrived = {
          scenario: title,
          expected: "all of it arrives in plain Chromium",
          received: [`all but: ${missing.join(", ")}`],
        };
        if (controls.isNew(title, content)) expect(missing, failure(task, arrived)).toEqual([]);
      },
    );
  });
}

test("most of it arrives in plain Chromium", () => {
  expect(counts.tried - counts.without).toBeLessThanOrEqual(counts.tried * MOST_NOT_COUNTED);
});

function kinds(): readonly (readonly [name: string, kind: Kind, list: readonly Scenario[]])[] {
  const groups = new Map<string, { readonly kind: Kind; readonly list: Scenario[] }>();
  for (const scenario of scenarios) {
    const kind = kindOf(scenario);
    const name = `${kind.under}, ${kind.isSecure ? "https" : "http"}:`;
    const group = groups.get(name) ?? { kind, list: [] };
    groups.set(name, group);
    group.list.push(scenario);
  }
  return [...groups].map(([name, { kind, list }]) => [name, kind, list]);
}

function receivedIn({ evil, evilConnections, evilPackets, internal, internalConnections }: Outcome): readonly string[] {
  const bare = {
    "connection to a refused site": evilConnections,
    "packet to a refused site": evilPackets,
    "connection inside": internalConnections,
  };
  return [
    ...evil,
    ...internal,
    ...Object.entries(bare).flatMap(([what, count]) => (count > 0 ? [`${count} times a ${what}`] : [])),
  ];
}

/** What is missing proves nothing with the guard on either: the run says what that is. */
function count({ id, title, parts = [title], notCounted }: Scenario, missing: readonly string[]): void {
  counts.tried += parts.length;
  counts.without += parts.length - missing.length;
  if (missing.length === 0) return;
  const which = missing.length === parts.length ? "" : ` (${missing.join(", ")})`;
  console.log(
    `not counted with Chromium ${process.env.CHAPERONE_TEST_CHROMIUM}: ${id} ${title}${which}${notCounted === undefined ? "" : `: ${notCounted}`}`,
  );
}
