import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type BrowserEvent, openSession, type SessionOptions } from "../src/index.ts";
import { type RunningBrowser, runningBrowser } from "./running-browser.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

let site: RecordingServer;
let browser: RunningBrowser;

/** Registers a worker that fetches when it is installed and answers for pages; says what came of it, and goes on. */
const PAGE = `<title>With a worker</title><p id="said">Waiting</p><button onclick="this.textContent = 'Pressed'">Press me</button>
<script>
  const say = (text) => { document.getElementById("said").textContent = text; fetch("/said?" + text); };
  navigator.serviceWorker.register("/sw.js", MORE).then(() => navigator.serviceWorker.ready).then(() => say("registered"), (error) => say("failed-" + error.name));
</script>`;

beforeAll(async () => {
  site = await recordingServer();
  site.html("/", PAGE.replace("MORE", "{}"));
  site.html("/module", PAGE.replace("MORE", '{ type: "module" }'));
  site.html("/framed", `<title>Framed</title><iframe src="/"></iframe>`);
  site.on("/sw.js", (_request, response) => {
    response.setHeader("content-type", "text/javascript");
    response.end(`
      addEventListener("install", (event) => event.waitUntil(fetch("/installed")));
      addEventListener("fetch", (event) => event.respondWith(new Response("<p>From the worker</p>", { headers: { "content-type": "text/html" } })));`);
  });
  browser = await runningBrowser();
});
afterAll(async () => {
  await site?.close();
  await browser?.[Symbol.asyncDispose]();
});
beforeEach(() => site.clear());

const said = async (): Promise<string> => (await site.waitForHit("/said", { timeoutMs: 20_000 })).path;
const attached = (): SessionOptions => ({ browser: { cdpUrl: browser.endpoint } });

test.each<[string, string, () => SessionOptions]>([
  ["/", "guarded", () => ({})],
  ["/module", "guarded", () => ({})],
  ["/framed", "guarded", () => ({})],
  ["/", "observing", () => ({ profile: "observe" })],
  ["/", "where a rule allows everything", () => ({ rule: () => ({ allow: true }) })],
  ["/", "attached", attached],
  ["/framed", "attached", attached],
])("B-48: the page at %s, %s, gets no Service Worker and goes on working", async (path, _, options) => {
  await using session = await openSession({ private: [site.url], ...options() });
  const events: BrowserEvent[] = [];
  session.events.subscribe((event) => events.push(event));
  expect((await session.call("navigate", { url: `${site.url}${path}` })).envelope.ok).toBe(true);
  expect(await said()).toMatch(/^\/said\?failed-/);
  expect((await session.call("click", { target: 'button "Press me"' })).envelope).toMatchObject({
    ok: true,
    snapshot: expect.stringContaining("Pressed"),
  });
  const refused = events.filter((event) => event.kind === "request" && event.refused !== null);
  expect(refused).toEqual([
    expect.objectContaining({
      url: `${site.url}/sw.js`,
      refused: expect.objectContaining({ rule: "reach.serviceWorker" }),
    }),
  ]);
  expect([...site.hitsTo("/sw.js"), ...site.hitsTo("/installed")]).toEqual([]);
});

test("without a guard it is installed", async () => {
  const tab = await browser.open(`${site.url}/`);
  expect(await said()).toBe("/said?registered");
  expect([site.hitsTo("/sw.js").length, site.hitsTo("/installed").length]).toEqual([1, 1]);
  await tab.evaluate("navigator.serviceWorker.getRegistration().then((registration) => registration.unregister())");
});
