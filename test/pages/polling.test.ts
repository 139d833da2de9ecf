import { afterAll, beforeAll, expect, test } from "vitest";
import { type Stage, stage } from "../acting/support.ts";

/** A whole click on a page that never stops asking its server. */
const POLLING_CLICK_MS = 400;
const CLICKS = 5;

let it: Stage;
beforeAll(async () => {
  it = await stage();
  it.server.on("/poll", () => {});
  it.server.on("/soon", (_request, response) => void setTimeout(() => response.end("x"), 5));
});
afterAll(() => it?.[Symbol.asyncDispose]());

const BUTTON = `<p id=count>0</p><button onclick="count.textContent = Number(count.textContent) + 1">Count</button>`;

test.each([
  ["whose answer never comes", `<script>fetch("/poll"); fetch("/poll")</script>`],
  [
    "that asks again after each answer",
    `<script>(async () => { for (;;) await (await fetch("/soon")).text(); })()</script>`,
  ],
  ["of events", `<script>new EventSource("/poll")</script>`],
])("T15: a click on a page with a long-poll %s", async (_how, script) => {
  const opened = await it.show(`${BUTTON}${script}`);
  expect(opened).toMatchObject({ ok: true, snapshot: expect.stringContaining("Count") });
  const times: number[] = [];
  for (let click = 1; click <= CLICKS; click++) {
    const clicked = await it.call("click", { target: 'button "Count"' });
    expect(clicked).toMatchObject({ ok: true, snapshot: expect.stringContaining(`"${click}"`) });
    times.push(clicked.ms);
  }
  expect(times.toSorted((a, b) => a - b)[Math.floor(CLICKS / 2)]).toBeLessThan(POLLING_CLICK_MS);
});
