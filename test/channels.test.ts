import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Channel, channels, serveChannel } from "./channels.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

// The pages are ours and nothing is guarded here, so a machine without a usable sandbox may run this too.
const LAUNCH = {
  executablePath: process.env.CHAPERONE_BROWSER ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
  ignoreDefaultArgs: ["--disable-popup-blocking"],
};
const ARRIVAL_MS = 20_000;
const NEXT_PAGE = "/next.html";

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch(LAUNCH);
});
afterAll(() => browser.close());

test("every channel has a name of its own and says how it is tried", () => {
  expect(new Set(channels.map((channel) => channel.name)).size).toBe(channels.length);
  const target = "http://127.0.0.1:1/x";
  for (const channel of channels) {
    const markup = channel.page(target);
    expect([channel.name, markup.includes('id="go"')]).toEqual([channel.name, channel.needs === "click"]);
    const files = Object.values(channel.files?.(target) ?? {});
    expect([channel.name, [markup, ...files.map((file) => file.body)].some((text) => text.includes("fired"))]).toEqual([channel.name, true]);
  }
});

// Without a guard everything arrives: what a guard's test finds missing at the other site, the guard has stopped.
test.for(channels.map((channel) => ({ name: channel.name, channel })))("$name arrives in plain Chromium", { timeout: 2 * ARRIVAL_MS }, async ({ channel }) => {
  await using far = await recordingServer((_request, response) => response.end("far"));
  await using own = await recordingServer();
  const address = serveChannel(own, channel, `${far.url}/far`);
  await inContext(channel, async (page) => {
    await page.goto(address, { waitUntil: "commit" });
    if (channel.needs === "click") await page.getByRole(channel.role ?? "button", { name: "Go", exact: true }).click({ noWaitAfter: true });
    await arrival(channel, far);
    // Closing a context while its page is between two documents may hang.
    if (NEXT_PAGE in (channel.files?.("") ?? {})) await page.waitForURL(`**${NEXT_PAGE}`);
  });
});

async function arrival(channel: Channel, far: RecordingServer): Promise<void> {
  if (channel.arrives === "connection") await expect.poll(() => far.connections.total, { timeout: ARRIVAL_MS, interval: 10 }).toBeGreaterThan(0);
  else await far.waitForHit("/far", { timeoutMs: ARRIVAL_MS });
}

async function inContext(channel: Channel, act: (page: Page) => Promise<void>): Promise<void> {
  if (channel.name === "link preconnect") return inProfile(act);
  const context = await browser.newContext();
  try {
    await act(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Chromium preconnects only in a profile, not in a context of its own. */
async function inProfile(act: (page: Page) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "channels-"));
  let context: BrowserContext | undefined;
  try {
    context = await chromium.launchPersistentContext(directory, LAUNCH);
    await act(await context.newPage());
  } finally {
    await context?.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
