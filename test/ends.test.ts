import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connect } from "./clients.ts";
import { recordingServer } from "./servers.ts";

const NOTHING_LEFT_WITHIN_MS = 5_000;

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processes(): readonly ProcessFacts[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1]);
        return [
          { pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ") },
        ];
      } catch {
        return []; // ended while we looked
      }
    });
}

function descendants(of: number): readonly ProcessFacts[] {
  const all = processes();
  const found = new Set([of]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of all) {
      if (found.has(parent) && !found.has(pid)) {
        found.add(pid);
        grew = true;
      }
    }
  }
  found.delete(of);
  return all.filter(({ pid }) => found.has(pid));
}

/** The profile of a server's browser, by Chromium's own command line. */
function profileOf(chromium: readonly ProcessFacts[]): string {
  const profile = chromium
    .map(({ command }) => /--user-data-dir=(\S+)/.exec(command)?.[1])
    .find((found) => found !== undefined);
  if (profile === undefined) throw new Error("Chromium does not say where its profile is");
  return profile;
}

test.each(["SIGKILL", "SIGTERM"] as const)(
  "after %s of the server no Chromium and no profile is left",
  async (signal) => {
    await using server = await recordingServer();
    server.html("/", "<h1>Here</h1>");
    await using client = await connect("2025", ["--private", server.url]);
    const opened = await client.call("navigate", { url: server.url });
    expect(opened.isError).toBe(false);
    const chromium = descendants(client.pid).filter(({ command }) => command.includes("--user-data-dir="));
    const profile = profileOf(chromium);
    expect(chromium.length).toBeGreaterThan(0);
    expect(existsSync(profile)).toBe(true);

    process.kill(client.pid, signal);
    await expect
      .poll(() => processes().filter(({ command }) => command.includes(profile)), { timeout: NOTHING_LEFT_WITHIN_MS })
      .toEqual([]);
    await expect.poll(() => existsSync(profile), { timeout: NOTHING_LEFT_WITHIN_MS }).toBe(false);
  },
);

test("a client that leaves takes everything with it", async () => {
  await using server = await recordingServer();
  server.html("/", "<h1>Here</h1>");
  const client = await connect("2026-07-28", ["--private", server.url]);
  await client.call("navigate", { url: server.url });
  const profile = profileOf(descendants(client.pid));
  await client.close();
  await expect
    .poll(() => processes().filter(({ command }) => command.includes(profile)), { timeout: NOTHING_LEFT_WITHIN_MS })
    .toEqual([]);
  await expect.poll(() => existsSync(profile), { timeout: NOTHING_LEFT_WITHIN_MS }).toBe(false);
});

test("listing tools starts no browser", async () => {
  await using client = await connect("2026-07-28", []);
  expect((await client.tools()).length).toBeGreaterThan(0);
  expect(descendants(client.pid).filter(({ command }) => command.includes("--user-data-dir="))).toEqual([]);
});
