import type { Certificate } from "./certificate.ts";
import { grantsOf, type Run, StoryLane } from "./run.ts";
import type { Story } from "./story.ts";

/** A line a round at least; a story has not so many changes. */
const MOST_ROUNDS = 8;

/**
 * Nobody is there. The operator starts anew with each line that was printed, until there is none left; what came of
 * each story then, with all its lines.
 */
export async function passUnattended(
  stories: readonly Story[],
  certificate: Certificate,
): Promise<ReadonlyMap<string, Run>> {
  const known = new Set<string>();
  let open = stories;
  for (let round = 0; round < MOST_ROUNDS && open.length > 0; round += 1) {
    const before = known.size;
    const runs = await tell(open, certificate, [...known], true);
    for (const { lines } of runs.values()) for (const line of lines) known.add(line);
    if (known.size === before) break;
    open = open.filter(({ id }) => (runs.get(id)?.lines.length ?? 0) > 0);
  }
  const runs = await tell(stories, certificate, [...known], false);
  return new Map([...runs].map(([id, run]) => [id, { ...run, lines: [...known] }]));
}

async function tell(
  stories: readonly Story[],
  certificate: Certificate,
  lines: readonly string[],
  isTrial: boolean,
): Promise<ReadonlyMap<string, Run>> {
  const lane = await StoryLane.open(stories, certificate, { isAnswered: false, grants: grantsOf(lines), isTrial });
  const runs = new Map<string, Run>();
  try {
    for (const story of stories) runs.set(story.id, await lane.run(story));
  } finally {
    await lane.close();
  }
  return runs;
}
