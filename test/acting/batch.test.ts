import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stage, stage } from "./support.ts";

const MAX_RESULT_TOKENS = 4_000;

let it: Stage;
beforeAll(async () => {
  it = await stage();
});
afterAll(() => it[Symbol.asyncDispose]());

const COUNTER = `<button onclick="document.querySelector('output').textContent = Number(document.querySelector('output').textContent) + 1">More</button>
  <output>0</output><label>Name <input></label><a href="/next">Next</a>`;
const more = { tool: "click", arguments: { target: 'button "More"' } };

test("makes its calls in order and tells once what they changed together", async () => {
  await it.show(COUNTER);
  const done = await it.call("batch", {
    calls: [more, { tool: "type_text", arguments: { target: 'textbox "Name"', text: "Ada" } }, more],
  });
  expect(done).toMatchObject({
    ok: true,
    changed: "content",
    results: [
      { tool: "click", ok: true, receipt: expect.any(String) },
      { tool: "type_text", ok: true, value: "Ada" },
      { tool: "click", ok: true },
    ],
  });
  expect(done.snapshot).toContain('"2"');
  expect(done.snapshot).not.toContain('"1"');
  expect(encode(JSON.stringify(done)).length).toBeLessThan(250);
});

test("stops at the first that fails, and shows what was changed before it", async () => {
  await it.show(COUNTER);
  const failed = await it.call("batch", {
    calls: [more, { tool: "click", arguments: { target: 'button "Nobody"' } }, more],
  });
  expect(failed).toMatchObject({
    ok: false,
    error: { code: "no_match", message: expect.stringMatching(/^calls\.1: /) },
    results: [{ ok: true }, { ok: false }],
  });
  expect(failed.snapshot).toContain('"1"');
  expect((await it.call("snapshot")).snapshot).not.toContain('"2"');
});

test("stops when the page was replaced", async () => {
  it.server.html("/next", "<title>Next</title><h1>Elsewhere</h1><button>More</button>");
  await it.show(COUNTER);
  const next = { tool: "click", arguments: { target: 'link "Next"' } };
  const stopped = await it.call("batch", { calls: [next, more] });
  expect(stopped).toMatchObject({
    ok: false,
    error: { code: "stale" },
    changed: "document",
    page: { title: "Next" },
    results: [{ ok: true }],
  });
  expect(stopped.snapshot).toContain("Elsewhere");
  await it.show(COUNTER);
  expect(await it.call("batch", { calls: [more, next] })).toMatchObject({
    ok: true,
    changed: "document",
    snapshot: expect.stringContaining("Elsewhere"),
  });
});

test("stops at what is refused", async () => {
  await it.show(COUNTER);
  const refused = await it.call("batch", {
    calls: [more, { tool: "navigate", arguments: { url: "file:///etc/passwd" } }, more],
  });
  expect(refused).toMatchObject({
    ok: false,
    refused: { rule: "reach.scheme" },
    results: [{ ok: true }, { ok: false, receipt: expect.any(String) }],
  });
});

describe("nothing is done when one of the calls is wrong", () => {
  test.each([
    ["an unknown tool", { tool: "no_such_tool", arguments: {} }, "bad_arguments"],
    ["wrong arguments", { tool: "click", arguments: { target: 5 } }, "bad_arguments"],
    ["what a tool checks itself", { tool: "navigate", arguments: {} }, "bad_arguments"],
    ["no arguments", { tool: "click" }, "bad_arguments"],
    ["a batch", { tool: "batch", arguments: { calls: [more] } }, "bad_arguments"],
    ["a picture", { tool: "screenshot", arguments: {} }, "bad_arguments"],
    ["a snapshot that is not the last", { tool: "snapshot", arguments: {} }, "bad_arguments"],
  ])("%s", async (_what, wrong, code) => {
    await it.show(COUNTER);
    const answer = await it.call("batch", { calls: [more, wrong, more] });
    expect(answer).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(/^calls\.1: /) } });
    expect(answer.results).toBeUndefined();
    expect((await it.call("snapshot")).snapshot).not.toContain('"1"');
  });
});

test("nothing comes between its calls", async () => {
  await it.show(COUNTER);
  const calls = Array.from({ length: 5 }, () => more);
  const [first, alone] = await Promise.all([
    it.call("batch", { calls }),
    it.call("click", { target: 'button "More"' }),
  ]);
  expect(first.snapshot).toContain('"5"');
  expect(alone.snapshot).toContain('"6"');
});

test("has one deadline for all, when given", async () => {
  await it.show(COUNTER);
  const waiting = { tool: "wait_for", arguments: { text: "never there" } };
  const late = await it.call("batch", { timeout_ms: 1_000, calls: [more, waiting, more] });
  expect(late).toMatchObject({ ok: false, error: { code: "timeout", message: expect.stringMatching(/^calls\.1: /) } });
  // Far below what its calls may take one by one.
  expect(late.ms).toBeLessThan(4_500);
});

test("its whole result keeps to the budget", async () => {
  await it.show(
    `${COUNTER}${Array.from({ length: 400 }, (_, at) => `<p>Paragraph ${at} with some words that are told again and again</p>`).join("")}`,
  );
  const read = { tool: "get_text", arguments: {} };
  const done = await it.call("batch", { calls: [read, more, read, more, read, { tool: "snapshot" }] });
  expect(done.ok).toBe(true);
  expect(encode(JSON.stringify(done)).length).toBeLessThanOrEqual(MAX_RESULT_TOKENS * 1.1);
});

test("dialogs and popups of its calls are told", async () => {
  it.server.html("/next", "<h1>Popup</h1>");
  await it.show(`<button onclick="confirm('Sure?')">Ask</button><a href="/next" target="_blank">Open</a>`);
  const done = await it.call("batch", {
    calls: [
      { tool: "click", arguments: { target: 'button "Ask"' } },
      { tool: "click", arguments: { target: 'link "Open"' } },
    ],
  });
  expect(done.events).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: "dialog" }), expect.objectContaining({ kind: "popup" })]),
  );
});
