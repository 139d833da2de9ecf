import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failure } from "../test/failure.ts";
import { oneOf } from "../test/runs.ts";
import { yes } from "../test/yes.ts";
import { lastOf, until } from "./control.ts";
import { Guarded } from "./guarded.ts";
import { obey } from "./obedient.ts";
import type { Scenario } from "./scenario.ts";
import { alone, CLOSED_FOR_ALL, channelNamed, slug, together } from "./scenarios/channels.ts";
import { authority } from "./world.ts";

/** A bound for a busy machine. */
const ARRIVAL_MS = 60_000;
const TEST_MS = 120_000;

/** Of every kind one: the other channels meet the same judge (arena.test.ts). */
const SAMPLE = [
  "fetch",
  "image in markup",
  "iframe",
  "worker's fetch",
  "WebSocket",
  "location, redirected by 302",
  "form post top",
  "popup",
  "left page's beacon",
].map(channelNamed);

/** The proxy reads what a request without encryption is for. */
const CLOSED_BY_HTTP = "link prefetch";
/** Nothing that changes something is sent on to another site, either. */
const SENT_ON = ["beacon, redirected by 307", "form post, redirected by 307"];
const WHY = "the second site is out of bounds";
const allow = ["shop.test", "docs.test", "evil.test"];

let directory: string;
/** It lets go what would be asked, too: the same answers in the same time as a browser without us. */
let open: Guarded;
/** What its operator's own rule refuses. */
let ruled: Guarded;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arena-"));
  const ca = join(directory, "authority.pem");
  await writeFile(ca, authority.cert + authority.key);
  [open, ruled] = await Promise.all([
    Guarded.open({ mode: "act", profile: "observe" }, ca),
    Guarded.open({ ...yes, allow, rule: ({ url }) => (new URL(url).hostname === "evil.test" ? WHY : null) }, ca),
  ]);
});
afterAll(async () => {
  await Promise.all([open.close(), ruled.close()]);
  await rm(directory, { recursive: true, force: true });
});

/** What of its parts comes to the second site, with nothing else that could stop it. */
async function arrivedOpenly(scenario: Scenario, due: number): Promise<ReadonlySet<string>> {
  await open.begin(scenario);
  await obey(open.session, scenario.calls, open.world.at);
  const arrived = (): ReadonlySet<string> => new Set(open.world.evil.requests.map((line) => lastOf(line)));
  await until(() => arrived().size >= due, ARRIVAL_MS);
  expect(await open.leave()).toBe(true);
  return arrived();
}

test("in frames: all arrive where the rules let go, but those that the browser's flags and its proxy close for everybody", {
  timeout: TEST_MS,
}, async ({ task }) => {
  const scenario = together("let go", "https");
  const shut = new Set([...CLOSED_FOR_ALL, ...SENT_ON].map(slug));
  const judged = (scenario.parts ?? []).filter((part) => !shut.has(part));
  const arrived = [...(await arrivedOpenly(scenario, judged.length))].toSorted();
  expect(
    arrived,
    failure(task, { scenario: scenario.title, expected: "all but what is closed", received: arrived }),
  ).toEqual(judged.toSorted());
});

test.for([...CLOSED_FOR_ALL, CLOSED_BY_HTTP, ...SENT_ON])(
  "%s never arrives, whatever the rules let go",
  { timeout: TEST_MS },
  async (name, { task }) => {
    const scenario = alone(name === CLOSED_BY_HTTP ? "http" : "https", channelNamed(name));
    await open.begin(scenario);
    await obey(open.session, scenario.calls, open.world.at);
    const hasFired = (): boolean => open.world.own.requests.some((line) => line.endsWith(`/fired?${slug(name)}`));
    expect(await until(hasFired, ARRIVAL_MS)).toBe(true);
    expect(await open.leave()).toBe(true);
    const { requests, connections } = open.world.evil;
    expect(
      { requests, connections },
      failure(task, {
        scenario: name,
        expected: "no request and no connection",
        received: [...requests, `connections: ${connections}`],
      }),
    ).toEqual({
      requests: [],
      connections: 0,
    });
  },
);

describe.for(oneOf(3, SAMPLE).map((channel) => ({ name: channel.name, channel })))("$name", ({ name, channel }) => {
  const scenario = alone("http", channel);

  test("arrives without the operator's own rule", { timeout: TEST_MS }, async () => {
    expect([...(await arrivedOpenly(scenario, 1))]).toEqual([slug(name)]);
  });

  test("never arrives with it, and is refused by it", { timeout: TEST_MS }, async ({ task }) => {
    await ruled.begin(scenario);
    const refused: string[] = [];
    const stop = ruled.session.events.subscribe((event) => {
      if (event.kind === "request" && event.refused?.rule === "reach.rule" && event.refused.reason.includes(WHY))
        refused.push(lastOf(event.url));
    });
    await obey(ruled.session, scenario.calls, ruled.world.at);
    await until(() => refused.length > 0, ARRIVAL_MS);
    expect(await ruled.leave()).toBe(true);
    stop();
    const { requests, connections } = ruled.world.evil;
    expect(
      { requests, connections, refused: new Set(refused) },
      failure(task, {
        scenario: name,
        expected: "no request, no connection, refused by the rule",
        received: [...requests, `connections: ${connections}`],
      }),
    ).toEqual({ requests: [], connections: 0, refused: new Set([slug(name)]) });
  });
});
