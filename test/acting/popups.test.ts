import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { recordingServer } from "../servers.ts";
import { closeOthers, type Stage, stage, tabsOf } from "./support.ts";

let it: Stage;
beforeAll(async () => {
  it = await stage();
  it.server.html("/popup", "<title>Popup</title><h1>In the popup</h1>");
});
afterEach(() => closeOthers(it));
afterAll(() => it[Symbol.asyncDispose]());

test.each([
  ["a link into a new tab", `<a href="/popup" target="_blank">Open</a>`],
  ["a link without an opener", `<a href="/popup" target="_blank" rel="noopener noreferrer">Open</a>`],
  ["window.open", `<a href="#" onclick="window.open('/popup')">Open</a>`],
])("T17: %s is told with its tab, kept, and not selected", async (_how, html) => {
  await it.show(`<h1>Opener</h1>${html}`);
  const clicked = await it.call("click", { target: 'link "Open"' });
  const popup = clicked.events?.find((event) => event.kind === "popup");
  expect(popup).toEqual({ kind: "popup", tab: expect.stringMatching(/^t\d+$/), url: `${it.server.url}/popup` });
  const tabs = await tabsOf(it);
  expect(tabs).toHaveLength(2);
  expect(tabs.find((tab) => tab.active)?.id).not.toBe(popup?.tab);
  expect(await it.call("find", { role: "heading", name: "Opener" })).toMatchObject({ found: 1 });
  expect(await it.call("tabs", { action: "select", tab: popup?.tab })).toMatchObject({
    ok: true,
    snapshot: expect.stringContaining("In the popup"),
  });
});

test("T17: a popup to a place out of reach is refused and leaves no tab", async () => {
  await using other = await recordingServer();
  await it.show(`<a href="${other.url}/stolen" target="_blank">Open</a>`);
  const clicked = await it.call("click", { target: 'link "Open"' });
  expect(clicked.refused ?? clicked.events?.find((event) => event.kind === "requests_refused")).toBeDefined();
  expect(await tabsOf(it)).toHaveLength(1);
  expect(other.hits).toEqual([]);
});

test("the ninth tab is refused, and that is told", async () => {
  await it.show(`<a href="/popup" target="_blank">Open</a>`);
  for (let count = 2; count <= 8; count++)
    expect((await it.call("click", { target: 'link "Open"' })).events).toContainEqual(
      expect.objectContaining({ kind: "popup" }),
    );
  expect(await tabsOf(it)).toHaveLength(8);
  const ninth = await it.call("click", { target: 'link "Open"' });
  expect(ninth.events).toContainEqual(expect.objectContaining({ kind: "popups_refused", count: 1 }));
  expect(await it.call("tabs", { action: "new" })).toMatchObject({ ok: false, error: { code: "too_large" } });
  expect(await tabsOf(it)).toHaveLength(8);
});

test("a page that opens a thousand popups gets eight tabs and an answer in time", { timeout: 60_000 }, async () => {
  await it.show(`<h1>Opener</h1><a href="/popup" target="_blank" id="one"></a>
    <button onclick="for (let count = 0; count < 1000; count++) document.querySelector('#one').click()">Flood</button>`);
  const clicked = await it.call("click", { target: 'button "Flood"', timeout_ms: 10_000 });
  expect(clicked.ms).toBeLessThan(12_000);
  expect((await tabsOf(it)).length).toBeLessThanOrEqual(8);
  expect(JSON.stringify(clicked.events).length).toBeLessThan(2_000);
  expect(await it.show("<h1>After</h1>")).toMatchObject({ ok: true, snapshot: expect.stringContaining("After") });
});

test("a page that a click closes when its change has been answered: the click is done, and the tab is told as closed", async () => {
  it.server.html(
    "/closes",
    `<title>Closes</title><button onclick="fetch('/shut', { method: 'DELETE' }).then(() => { window.open('', '_self', ''); window.close(); })">Shut</button>`,
  );
  await it.show(`<a href="/closes" target="_blank">Open</a>`);
  const tab = (await it.call("click", { target: 'link "Open"' })).events?.find((event) => event.kind === "popup")?.tab;
  await it.call("tabs", { action: "select", tab });
  const shut = await it.call("click", { target: 'button "Shut"' });
  expect(shut.error).toBeUndefined();
  expect(shut).toMatchObject({ ok: true, events: expect.arrayContaining([{ kind: "tab_closed", tab }]) });
  expect(it.server.hitsTo("/shut")).toHaveLength(1);
});
