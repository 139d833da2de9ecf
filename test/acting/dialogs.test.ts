import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AT_ONCE_MS, atOnce, closeOthers, type Stage, stage, tabsOf } from "./support.ts";

let it: Stage;
beforeAll(async () => {
  it = await stage();
});
afterAll(() => it[Symbol.asyncDispose]());

const ASK = `<button onclick="document.title = document.querySelector('output').textContent = String(confirm('Sure?'))">Ask</button>
  <button onclick="document.querySelector('output').textContent = String(prompt('Who?', 'nobody'))">Name</button>
  <button onclick="alert('First'); document.querySelector('output').textContent = String(confirm('Then?'))">Both</button><output></output>`;

test("T6: an alert in a head script comes back at once", async () => {
  const opened = await atOnce(() => it.show(`<script>alert("In the head")</script><h1>After</h1>`));
  expect(opened).toMatchObject({
    ok: true,
    snapshot: expect.stringContaining("After"),
    events: expect.arrayContaining([{ kind: "dialog", type: "alert", message: "In the head", answered: "dismissed" }]),
  });
  expect(opened.ms).toBeLessThan(AT_ONCE_MS);
});

test("T6: a confirm during load is never accepted", async () => {
  const opened = await atOnce(() =>
    it.show(`<script>document.write("<p>It was " + confirm("Delete all?") + "</p>")</script>`),
  );
  expect(opened).toMatchObject({
    snapshot: expect.stringContaining("It was false"),
    events: [{ type: "confirm", answered: "dismissed" }],
  });
  expect(opened.ms).toBeLessThan(AT_ONCE_MS);
});

test("T7: an alert, then a confirm: both are told, and in the record", async () => {
  const clicked = await atOnce(async () => {
    await it.show(ASK);
    return it.call("click", { target: 'button "Both"' });
  });
  expect(clicked.events).toEqual([
    { kind: "dialog", type: "alert", message: "First", answered: "dismissed" },
    { kind: "dialog", type: "confirm", message: "Then?", answered: "dismissed" },
  ]);
  expect(clicked.snapshot).toContain("false");
  const record = readFileSync(it.session.ledgerFile, "utf8")
    .split("\n")
    .filter((line) => line.includes('"kind":"dialog"'));
  expect(record.map((line) => (JSON.parse(line) as { words: string }).words).slice(-2)).toEqual(["First", "Then?"]);
  expect(clicked.ms).toBeLessThan(AT_ONCE_MS);
});

describe("an answer given beforehand", () => {
  test("holds for one dialog", async () => {
    await it.show(ASK);
    expect(await it.call("handle_next_dialog", { accept: true })).toMatchObject({
      ok: true,
      armed: "accept",
      receipt: expect.any(String),
    });
    expect(await it.call("click", { target: 'button "Ask"' })).toMatchObject({
      snapshot: expect.stringContaining("true"),
      events: [{ answered: "accepted" }],
    });
    expect(await it.call("click", { target: 'button "Ask"' })).toMatchObject({
      snapshot: expect.stringContaining("false"),
      events: [{ answered: "dismissed" }],
    });
  });

  test("is for the question, not for an alert before it", async () => {
    await it.show(ASK);
    await it.call("handle_next_dialog", { accept: true });
    expect(await it.call("click", { target: 'button "Both"' })).toMatchObject({
      events: [{ type: "alert" }, { type: "confirm", answered: "accepted" }],
    });
  });

  test("fills a prompt, or leaves what it proposes", async () => {
    await it.show(ASK);
    await it.call("handle_next_dialog", { accept: true, prompt_text: "Ada" });
    expect((await it.call("click", { target: 'button "Name"' })).snapshot).toContain('"Ada"');
    await it.call("handle_next_dialog", { accept: true });
    expect((await it.call("click", { target: 'button "Name"' })).snapshot).toContain('"nobody"');
    expect((await it.call("click", { target: 'button "Name"' })).snapshot).toContain('"null"');
  });

  test("ends with its page", async () => {
    await it.show(ASK);
    await it.call("handle_next_dialog", { accept: true });
    await it.show(ASK);
    expect(await it.call("click", { target: 'button "Ask"' })).toMatchObject({ events: [{ answered: "dismissed" }] });
  });

  test("is of its own tab only", async () => {
    await it.show(ASK);
    await it.call("handle_next_dialog", { accept: true });
    await it.call("tabs", { action: "new" });
    await it.show(ASK);
    const asked = await it.call("click", { target: 'button "Ask"' });
    expect(asked).toMatchObject({ events: [{ answered: "dismissed" }] });
    await closeOthers(it);
  });

  test("has no text without a yes", async () => {
    expect(await it.call("handle_next_dialog", { accept: false, prompt_text: "x" })).toMatchObject({
      error: { code: "bad_arguments" },
    });
  });
});

test("T21: a form that warns before it is left is left, and that is told", async () => {
  await it.show(
    `<script>addEventListener("beforeunload", (event) => event.preventDefault())</script><label>Name <input></label>`,
  );
  await it.call("type_text", { target: 'textbox "Name"', text: "unsaved", sequential: true });
  it.server.html("/next", "<h1>Left</h1>");
  const left = await it.call("navigate", { url: "/next" });
  expect(left).toMatchObject({
    ok: true,
    snapshot: expect.stringContaining("Left"),
    events: [{ kind: "dialog", type: "beforeunload", answered: "accepted" }],
  });
});

test("T21: such a form does not keep its tab from being closed", async () => {
  await it.call("tabs", { action: "new" });
  await it.show(
    `<script>addEventListener("beforeunload", (event) => event.preventDefault())</script><label>Name <input></label>`,
  );
  await it.call("type_text", { target: 'textbox "Name"', text: "unsaved", sequential: true });
  const before = await tabsOf(it);
  const closed = await it.call("tabs", { action: "close", tab: before.find((tab) => tab.active)?.id });
  expect(closed).toMatchObject({ ok: true });
  expect(closed.tabs).toHaveLength(before.length - 1);
});

/** Nobody waits for this deadline: the tab is gone long before, which its own code says. */
const ENDS_WITHIN_MS = 20_000;

describe("a page that asks without end loses its tab, and the next call works", () => {
  const endless = {
    ok: false,
    error: { code: "page_ended" },
    events: expect.arrayContaining([expect.objectContaining({ kind: "dialogs_suppressed" })]),
  };

  test.each([
    ["in a loop as it loads", `<h1>Here</h1><script>for (;;) alert("again")</script>`],
    ["by a timer", `<h1>Here</h1><script>setInterval(() => alert("again"), 0)</script>`],
  ])("%s", async (_how, html) => {
    const opened = await it.show(html);
    const seen = opened.ok ? await it.call("wait_for", { text: "never there", timeout_ms: ENDS_WITHIN_MS }) : opened;
    const told = [...(opened.events ?? []), ...(seen === opened ? [] : (seen.events ?? []))];
    expect(told.filter((event) => event.kind === "dialog").length).toBeGreaterThanOrEqual(10);
    expect(told).toContainEqual(expect.objectContaining({ kind: "dialogs_suppressed" }));
    expect(seen).toMatchObject({ ok: false, error: { code: "page_ended" } });
    expect(await it.show("<h1>Elsewhere</h1>")).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("Elsewhere"),
    });
  });

  test("in a loop after a click", async () => {
    await it.show(`<button onclick="for (;;) confirm('again')">Go</button>`);
    const clicked = await it.call("click", { target: 'button "Go"' });
    expect(clicked).toMatchObject(endless);
    expect(clicked.events?.filter((event) => event.kind === "dialog")).toHaveLength(10);
    expect(await it.show("<h1>Elsewhere</h1>")).toMatchObject({ ok: true });
  });
});

test("what a dialog says is cut and holds no credential", async () => {
  const opened = await it.show(`<script>alert("token=abcdef123456 " + "x".repeat(5000))</script>`);
  const [event] = opened.events ?? [];
  expect(String(event?.message)).toContain("token=(secret)");
  expect(String(event?.message).length).toBeLessThanOrEqual(200);
});
