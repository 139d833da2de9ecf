import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buttonSite, type Connected, connect, type Generation, LIMIT_MS, stateDirectory } from "./support.ts";

// Nobody is there: what was granted is done, what would ask is refused.

let site: Awaited<ReturnType<typeof buttonSite>>;
let state: ReturnType<typeof stateDirectory>;
beforeAll(async () => {
  site = await buttonSite();
  state = stateDirectory();
});
afterAll(async () => {
  await site.close();
  state.remove();
});
beforeEach(() => site.clear());

async function at(
  args: readonly string[],
  generation: Generation = "2026-07-28",
): Promise<Connected & { stderr(): string }> {
  const client = await connect(generation, ["--private", site.url, ...args], { state: state.path });
  expect((await client.call("navigate", { url: site.url })).isError).toBe(false);
  return client;
}

const click = (client: Connected, button: string) => client.call("click", { target: `button "${button}"` });

test("what is granted is done so often, and what would ask is refused with the operator's line", {
  timeout: LIMIT_MS,
}, async () => {
  const config = join(state.path, "job.jsonc");
  writeFileSync(
    config,
    JSON.stringify({
      effects: { allow: [{ method: "POST", site: site.url, path: "/change", fields: ["status"], max: 2 }] },
    }),
  );
  const client = await at(["--mode", "act", "--approve", "none", "--config", config]);
  for (const times of [1, 2]) {
    expect((await click(client, "Close it")).isError).toBe(false);
    expect(site.posts()).toBe(times);
  }
  const third = await click(client, "Close it");
  expect(third.structured).toMatchObject({
    ok: false,
    refused: { rule: "effects.serious", operator: `--allow-effect "POST ${site.url}/change"` },
  });
  expect(third.structured.pending).toBeUndefined();
  const other = await click(client, "Give up later");
  expect(other.structured).toMatchObject({
    ok: false,
    refused: { rule: "effects.private", operator: `--allow-effect "POST ${site.url}/given"` },
  });
  expect(site.hits.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body])).toEqual([
    ["/change", "status=closed"],
    ["/change", "status=closed"],
  ]);
  await client.close();
});

test("the operator's line is what allows it", { timeout: LIMIT_MS }, async () => {
  const client = await at(["--mode", "act", "--approve", "none", "--allow-effect", `POST ${site.url}/given`], "2025");
  expect((await click(client, "Close it")).isError).toBe(true);
  expect(site.posts()).toBe(0);
  expect((await click(client, "Give up later")).isError).toBe(false);
  expect(site.hitsTo("/given")).toHaveLength(1);
  expect(site.posts()).toBe(1);
  await client.close();
});

describe("a program answers (A-135)", () => {
  const file = (): string => join(state.path, "answers.mjs");
  const asking = (): readonly string[] => ["--approve", `command:"${process.execPath}" "${file()}"`];

  test("by what it is shown; and one that is killed, fails or says something else has not said yes", {
    timeout: LIMIT_MS,
  }, async () => {
    const reads = `
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { lines } = JSON.parse(text);
console.log(lines.includes('field, from the page: "status" = "closed"') ? "once" : "no");`;
    writeFileSync(file(), reads);
    const client = await at(asking());
    expect((await click(client, "Open it")).structured).toMatchObject({ refused: { rule: "effects.denied" } });
    expect(site.posts()).toBe(0);
    expect((await click(client, "Close it")).isError).toBe(false);
    expect(site.hitsTo("/change").map(({ body }) => body)).toEqual(["status=closed"]);
    site.clear();
    for (const source of [
      "process.kill(process.pid, 'SIGKILL');",
      "process.stdout.write('once\\n', () => process.kill(process.pid, 'SIGKILL'));",
      "process.stdout.write('once\\n', () => process.exit(1));",
      "process.stdout.destroy(); process.stdin.resume();",
      "console.log('sure');",
      "console.log('ONCE');",
      "process.stdin.destroy();",
    ]) {
      writeFileSync(file(), source);
      expect([source, (await click(client, "Close it")).structured.refused]).toMatchObject([
        source,
        { rule: "effects.serious" },
      ]);
      expect([source, site.posts()]).toEqual([source, 0]);
    }
    // The control: it still can say yes.
    writeFileSync(file(), reads);
    expect((await click(client, "Close it")).isError).toBe(false);
    expect(site.posts()).toBe(1);
    await client.close();
  });
});
