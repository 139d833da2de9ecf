import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Control, startControl } from "./control.ts";
import { Guarded, type Outcome } from "./guarded.ts";
import { keyOf } from "./plain.ts";
import type { Scenario } from "./scenario.ts";
import { addressScenarios } from "./scenarios/addresses.ts";
import { belowScenarios } from "./scenarios/below.ts";
import { channelScenarios } from "./scenarios/channels.ts";
import { redirects } from "./scenarios/redirects.ts";
import { authority, openWorld, type World } from "./world.ts";

const scenarios: readonly Scenario[] = [...addressScenarios, ...belowScenarios, ...redirects, ...channelScenarios];

let directory: string;
let worlds: { readonly guarded: World; readonly plain: World };
let guarded: Guarded;
let control: Control;
const fired = { without: 0, with: 0 };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arena-"));
  const ca = join(directory, "authority.pem");
  await writeFile(ca, authority.cert);
  worlds = { guarded: await openWorld(), plain: await openWorld() };
  guarded = new Guarded(worlds.guarded, ca);
  control = await startControl(worlds.plain, keyOf(authority.cert));
});
afterAll(async () => {
  console.log(`channels: ${fired.without} without the guard, ${fired.with} with it`);
  for (const { id, title, notCounted } of scenarios) if (notCounted !== undefined) console.log(`not counted: ${id} ${title}: ${notCounted}`);
  await Promise.all([control.close(), guarded.close()]);
  await Promise.all([worlds.guarded.close(), worlds.plain.close()]);
  await rm(directory, { recursive: true, force: true });
});

const SILENT: Outcome = { evil: [], evilConnections: 0, evilPackets: 0, internal: [], internalConnections: 0, untried: [], stays: true, untold: true };

/** Some are dozens of attacks. */
const SCENARIO_MS = 120_000;

describe.each(scenarios.map((scenario) => [`${scenario.id} ${scenario.title}`, scenario] as const))("%s", (_name, scenario) => {
  test("arrives in plain Chromium, and never with the guard", { timeout: SCENARIO_MS }, async () => {
    const [outcome, missing] = await Promise.all([guarded.run(scenario), control.missing(scenario)]);
    fired.without += Math.max(0, (scenario.parts?.length ?? 1) - missing.length);
    fired.with += arrivedIn(outcome);
    expect(outcome).toEqual(SILENT);
    expect(missing).toEqual(scenario.notCounted === undefined ? [] : (scenario.parts ?? [scenario.title]));
  });
});

function arrivedIn({ evil, evilConnections, evilPackets, internal, internalConnections, untold }: Outcome): number {
  const silent = evil.length + evilConnections + evilPackets + internal.length + internalConnections === 0 && untold;
  return silent ? 0 : Math.max(1, evil.length, internal.length);
}
