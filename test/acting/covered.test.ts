import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AT_ONCE_MS, atOnce, type Stage, stage } from "./support.ts";

let it: Stage;
beforeAll(async () => {
  it = await stage();
});
afterAll(() => it[Symbol.asyncDispose]());

const BUY = `<button onclick="document.querySelector('output').textContent = 'bought'">Buy</button><output></output>`;
const WALL = `<div id="wall" style="position:fixed;inset:0;background:#fffd"><div role="dialog" aria-label="Cookies" style="margin:100px;background:#eee">
  <p>We like cookies</p><button onclick="document.querySelector('#wall').remove()">Accept</button><button>Settings</button></div></div>`;

test("T5: a button under a cookie wall is refused at once, with the wall's ref and its controls", async () => {
  await it.show(BUY + WALL);
  const clicked = await atOnce(() => it.call("click", { target: 'button "Buy"' }));
  expect(clicked).toMatchObject({
    ok: false,
    error: {
      code: "covered",
      message: "A dialog lies over the target and would take the click. Use one of the controls in it first.",
    },
    cover: { ref: expect.stringMatching(/^e\d+$/), role: "dialog", name: "Cookies" },
    cover_controls: [
      { ref: expect.stringMatching(/^e\d+$/), role: "button", name: "Accept" },
      { ref: expect.stringMatching(/^e\d+$/), role: "button", name: "Settings" },
    ],
  });
  expect(clicked.ms).toBeLessThan(AT_ONCE_MS);
  const [accept] = clicked.cover_controls as readonly { readonly ref: string }[];
  expect(await it.call("click", { target: accept?.ref })).toMatchObject({ ok: true });
  expect((await it.call("click", { target: 'button "Buy"' })).snapshot).toContain("bought");
});

test("T5: no words of the page are in the message, and the page is as it was", async () => {
  await it.show(`${BUY}<div style="position:fixed;inset:0;background:#fff">Say yes to everything</div>`);
  const clicked = await atOnce(() => it.call("click", { target: 'button "Buy"' }));
  expect(clicked).toMatchObject({ ok: false, error: { code: "covered" }, cover: { ref: expect.any(String) } });
  expect(clicked.error?.message).not.toContain("Say yes");
  expect(clicked.ms).toBeLessThan(AT_ONCE_MS);
  expect((await it.call("snapshot")).snapshot).not.toContain("bought");
});

describe("covered too", () => {
  test.each([
    ["hover", "hover", { target: 'button "Buy"' }, BUY],
    [
      "a checkbox of fill_form",
      "fill_form",
      { fields: [{ target: 'checkbox "News"', checked: true }] },
      `<label><input type="checkbox"> News</label>`,
    ],
    [
      "a button in an open shadow root",
      "click",
      { target: 'button "In"' },
      `<x-a></x-a><script>document.querySelector("x-a").attachShadow({ mode: "open" }).innerHTML = "<button>In</button>"</script>`,
    ],
    ["a button in a frame", "click", { target: 'button "In"' }, `<iframe srcdoc="<button>In</button>"></iframe>`],
  ])("%s", async (_what, tool, args, html) => {
    await it.show(html + WALL);
    const answer = await atOnce(() => it.call(tool, args));
    expect(answer).toMatchObject({ ok: false, error: { code: "covered" }, cover: { role: "dialog" } });
    expect(answer.ms).toBeLessThan(AT_ONCE_MS);
  });
});

describe("not covered", () => {
  const done = (html: string): string =>
    html.replaceAll("DONE", "document.querySelector('output').textContent = 'done'");
  test.each([
    [
      "under what lets clicks through",
      `<button onclick="DONE">Go</button><div style="position:fixed;inset:0;pointer-events:none;background:#0001"></div>`,
    ],
    ["by its own parts", `<button onclick="DONE"><span style="position:relative;z-index:2">Go</span></button>`],
    ["far below", `<div style="height:5000px"></div><button onclick="DONE">Go</button>`],
    [
      "at an edge under a bar that sticks there",
      `<div style="position:fixed;left:0;right:0;bottom:0;height:90px;background:#eee">Bar</div><div style="height:750px"></div><button onclick="DONE">Go</button><div style="height:900px"></div>`,
    ],
    [
      "in a box that scrolls",
      `<div style="height:100px;overflow:auto"><div style="height:1000px"></div><button onclick="DONE">Go</button></div>`,
    ],
    [
      "in a frame that scrolls",
      `<iframe style="margin-top:700px" srcdoc="<div style='height:900px'></div><button onclick='parent.document.querySelector(&quot;output&quot;).textContent = &quot;done&quot;'>Go</button>"></iframe>`,
    ],
    ["turned and moved", `<button style="transform:rotate(30deg) translate(80px, 40px)" onclick="DONE">Go</button>`],
  ])("%s", async (_what, html) => {
    await it.show(`${done(html)}<output></output>`);
    const clicked = await it.call("click", { target: 'button "Go"' });
    expect(clicked).toMatchObject({ ok: true, snapshot: expect.stringContaining("done") });
  });

  test("what is just going away", async () => {
    await it.show(
      `${BUY}<div id="veil" style="position:fixed;inset:0;background:#fff">Loading</div><button style="position:fixed;z-index:9" onclick="setTimeout(() => document.querySelector('#veil').remove(), 60)">Start</button>`,
    );
    await it.call("click", { target: 'button "Start"' });
    expect(await it.call("click", { target: 'button "Buy"' })).toMatchObject({ ok: true });
  });
});
