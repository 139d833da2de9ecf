import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stage, stage } from "../acting/support.ts";

/**
 * Less than the 40 ms that a page is given to react to an act; the quickest of some calls, since the machine may be
 * busy.
 */
const STILL_LOOK_MS = 35;
const CALLS = 9;

let it: Stage;
beforeAll(async () => {
  it = await stage();
});
afterAll(() => it?.[Symbol.asyncDispose]());

test.each([
  ["snapshot", {}],
  ["find", { text: "Still" }],
  ["get_text", {}],
  ["wait_for", { text: "Still" }],
] as const)("%s of a page that has been still answers at once", async (tool, args) => {
  await it.show("<h1>Still</h1><button>Go</button>");
  await it.call("snapshot");
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const result = await it.call(tool, args);
    expect(result.ok, JSON.stringify(result)).toBe(true);
    times.push(result.ms);
  }
  expect(Math.min(...times)).toBeLessThan(STILL_LOOK_MS);
});

test("an act is still given its moment: what a timer changes 30 ms after a click is in the click's result", async () => {
  await it.show(`<p id=p>Before</p><button onclick="setTimeout(() => { p.textContent = 'After' }, 30)">Go</button>`);
  expect((await it.call("click", { target: 'button "Go"' })).snapshot).toContain("After");
});

test("a look at a page that is just changing waits until it is still", async () => {
  await it.show("<p id=p></p>");
  const page = await it.session.page();
  await page.evaluate(
    "new Promise((done) => { let n = 0; const timer = setInterval(() => { p.append(' word ' + ++n); if (n === 1) done(); if (n === 6) clearInterval(timer); }, 15); })",
  );
  expect((await it.call("snapshot")).snapshot).toContain("word 6");
});
