import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Controls, type Json } from "../../test/controls.ts";
import { FULL } from "../../test/runs.ts";
import { type Certificate, certificateFor } from "./certificate.ts";
import { DONE } from "./outcome.ts";
import { runPlainly } from "./plain.ts";
import { groupsOf, type Run, StoryLane } from "./run.ts";
import type { Story } from "./story.ts";
import { passUnattended } from "./unattended.ts";

/** The first story of a group opens a browser. */
const STORY_MS = 120_000;
/** All rounds of those that nobody attends to. */
const UNATTENDED_MS = 600_000;

/** `unattended`: those of them that are told with nobody to ask, too. */
export function storiesAreTold(suite: string, stories: readonly Story[], unattended: readonly Story[]): void {
  const controls = new Controls(suite);
  const table: string[] = [];
  const lanes = new Map<Story, Promise<StoryLane>>();
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = await certificateFor(stories);
  });
  afterAll(async () => {
    controls.close();
    console.log(table.join("\n"));
    await Promise.all([...new Set(lanes.values())].map(async (lane) => (await lane).close()));
    await certificate?.remove();
  });

  function laneOf(story: Story): Promise<StoryLane> {
    const known = lanes.get(story);
    if (known !== undefined) return known;
    // The full run tells each in a session of its own: nothing that one leaves behind may help another.
    const group = FULL ? [story] : (groupsOf(stories).find((some) => some.includes(story)) ?? [story]);
    const lane = StoryLane.open(group, certificate, { isAnswered: true });
    for (const one of group) lanes.set(one, lane);
    return lane;
  }

  describe.each(stories.map((story) => [`${story.id} ${story.title}`, story] as const))("%s", (name, story) => {
    test("goes well in plain Chromium", { timeout: STORY_MS }, async () => {
      expect(
        await controls.outcome(name, contentOf(story), async () => [...(await runPlainly(story, certificate))]),
      ).toEqual([]);
    });

    test("asks one question for each change and none else, and the application goes on", {
      timeout: STORY_MS,
    }, async () => {
      const lane = await laneOf(story);
      const { outcome, questions } = await lane.run(story);
      if (FULL) await lane.closeSession();
      const { changes = [] } = story;
      const isDone = JSON.stringify(outcome) === JSON.stringify(DONE);
      table.push(`${name}: ${changes.length} changes, ${questions} questions${isDone ? "" : ", not as it should be"}`);
      expect(outcome).toEqual(DONE);
    });
  });

  if (unattended.length === 0) return;
  describe("with nobody to ask, as the printed lines grant it", () => {
    let runs: ReadonlyMap<string, Run>;
    beforeAll(async () => {
      const groups = groupsOf(unattended);
      runs = new Map(
        (await inTurn(groups, (group) => passUnattended(group, certificate))).flatMap((some) => [...some]),
      );
    }, UNATTENDED_MS);

    test.each(unattended.map((story) => [`${story.id} ${story.title}`, story] as const))("%s", (_name, { id }) => {
      const run = runs.get(id);
      expect(run?.outcome, run?.lines.join("\n")).toEqual(DONE);
    });
  });
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** All that decides what plain Chromium does with it, as data: its functions as they are written. */
function contentOf({ sites, steps, changes = [], passes = [], may = [], ends }: Story): Json {
  return {
    source: String(sites),
    sites: Object.entries(sites()).map(([place, reply]) => [
      place,
      typeof reply === "function" ? String(reply) : JSON.stringify(reply),
    ]),
    steps: steps.map(({ tool, args, has = [] }) => [
      tool,
      typeof args === "function" ? String(args) : JSON.stringify(args),
      ...has,
    ]),
    arrives: [...changes.flatMap(({ arrives }) => arrives), ...passes, ...may].map(String),
    ends,
  };
}
