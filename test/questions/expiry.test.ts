import { expect, test } from "vitest";
import { personAt } from "./person.ts";
import { buttonSite, connect, GENERATIONS, LIMIT_MS, stateDirectory } from "./support.ts";

const SHORTEST_SECONDS = 5;

// Beside each other: most of it is waiting for the end.
test.concurrent.each(GENERATIONS)(
  "an answer after the end is void, and the next click asks anew (A-132, %s)",
  { timeout: LIMIT_MS },
  async (generation) => {
    const site = await buttonSite();
    const state = stateDirectory();
    const args = ["--private", site.url, "--approve", "console", "--question-seconds", String(SHORTEST_SECONDS)];
    const client = await connect(generation, args, { state: state.path });
    await client.call("navigate", { url: site.url });
    using person = await personAt(state.path);
    const click = () => client.call("click", { target: 'button "Close it"' });
    const clicked = click();
    const question = await person.next();
    expect((await clicked).structured).toMatchObject({
      ok: false,
      refused: { rule: "effects.serious", reason: expect.stringContaining("has not answered") },
    });
    await person.until(({ open, done }) => open.length === 0 && done[0]?.outcome === "Too late");
    expect(await person.answer({ ...question, answer: "once" })).toBe(409);
    expect(site.posts()).toBe(0);
    // The control: in time it counts.
    const again = click();
    expect(await person.answer({ ...(await person.next()), answer: "once" })).toBe(200);
    expect((await again).isError).toBe(false);
    expect(site.posts()).toBe(1);
    await client.close();
    await site.close();
    state.remove();
  },
);
