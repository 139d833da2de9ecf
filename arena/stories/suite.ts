import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runPlainly } from "./plain.ts";
import { type Certificate, certificateFor, type Grants, grantsOf, type Outcome, runAnswered, runUnattended } from "./run.ts";
import type { Story } from "./story.ts";

/** Each opens a browser of its own. */
const STORY_MS = 120_000;
/** A line a round at least; a story has not so many changes. */
const MOST_ROUNDS = 12;

const DONE: Outcome = { failed: [], missing: [], surplus: [], unasked: [], needless: [], refused: [] };

export function storiesAreTold(stories: readonly Story[], isUnattended: boolean): void {
  const table: string[] = [];
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = await certificateFor(stories);
  });
  afterAll(async () => {
    console.log(table.join("\n"));
    await certificate?.remove();
  });

  describe.each(stories.map((story) => [`${story.id} ${story.title}`, story] as const))("%s", (name, story) => {
    test("goes well in plain Chromium", { timeout: STORY_MS }, async () => {
      expect(await runPlainly(story, certificate)).toEqual([]);
    });

    test("asks one question for each change and none else, and the application goes on", { timeout: STORY_MS }, async () => {
      const { outcome, questions } = await runAnswered(story, certificate);
      const { changes = [] } = story;
      const isDone = JSON.stringify(outcome) === JSON.stringify(DONE);
      table.push(`${name}: ${changes.length} changes, ${questions} questions${isDone ? "" : ", not as it should be"}`);
      expect(outcome).toEqual(DONE);
    });

    if (!isUnattended) return;
    test("passes with nobody to ask, as the printed lines grant it", { timeout: STORY_MS * 2 }, async () => {
      let grants: Grants = { allow: [], readLike: [] };
      const known = new Set<string>();
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const { lines } = await runUnattended(story, certificate, grants, true);
        const news = lines.filter((line) => !known.has(line));
        if (news.length === 0) break;
        for (const line of news) known.add(line);
        grants = grantsOf([...known]);
      }
      const { outcome } = await runUnattended(story, certificate, grants);
      expect(outcome, [...known].join("\n")).toEqual(DONE);
    });
  });
}
