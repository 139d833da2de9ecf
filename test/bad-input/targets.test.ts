import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../../src/index.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import { expectUsable, propertiesOf, refOf, requiredOf, timed } from "./support.ts";

const FOX = "🦊 é é ‮שלום‬ „x“ it's";

let server: RecordingServer;
let session: OpenedSession;
beforeAll(async () => {
  server = await recordingServer();
  server.html(
    "/",
    `<title>Targets</title><h1>Here</h1>
     <ul><li>One <a href="/x">View</a></li><li>Two <a href="/x">View</a></li></ul>
     <input aria-label="Name"><button disabled>Off</button>
     <button onclick="this.remove()">Vanish</button><button onclick="this.textContent='Other'">Rename</button>
     <button onclick="document.title='fox'">${FOX}</button>
     <div style="position:relative"><button id=under>Under</button><div style="position:absolute;inset:0;background:#fff"></div></div>`,
  );
  server.html("/x", "<h1>Elsewhere</h1>");
  server.html("/many", Array.from({ length: 60 }, (_, at) => `<a href="/x">Link ${at}</a>`).join(" "));
  session = await openSession({ ...yes, private: [server.url] });
});
afterAll(async () => {
  await session.close();
  await server.close();
});

async function open(path = "/") {
  return timed(session, "navigate", { url: `${server.url}${path}` }, 20_000);
}

const unreadable = [
  ...'button|button Save|button \'Save\'|button "Save|button Save"|button "Save" in|button "Save" in Row|button "Save" in "Row|"Save"|button"Save"'.split(
    "|",
  ),
  ...'BUTTON "Save"|button "a" "b"|button "a" in "b" in "c"|e0|e01|E5|e-1|e1.5|e1 e2|e+1|e12345678901|ref=e1|[e1]|e1;|# e1'.split(
    "|",
  ),
  ...'css=button|xpath=//a|//a|text=Save|#id|.class|10,20|*|"|""|\\|button "\\x"|button "a\nb"|button “Save”'.split(
    "|",
  ),
  ...[" ", "\t\n", "\0", "🦊", "null", "undefined", "__proto__", "{}", "[]", "<button>"],
];

test.each(unreadable)("a target that cannot be read: %j", async (target) => {
  expect(await timed(session, "hover", { target })).toMatchObject({ ok: false, error: { code: "bad_arguments" } });
});

test("a target that is too long is told before the page is asked", async () => {
  for (const target of [`button "${"x".repeat(10_000)}"`, "e".repeat(10_000), '"'.repeat(10_000)]) {
    const { error } = await timed(session, "click", { target });
    expect(error?.code).toBe("bad_arguments");
    expect(error?.message).toContain("target");
  }
  // As long as one may be, and built to make a careless pattern think for ever.
  for (const target of [`button "${"\\".repeat(989)}`, `button${" ".repeat(900)}x`, `${"a".repeat(999)}!`]) {
    expect(await timed(session, "click", { target })).toMatchObject({ error: { code: "bad_arguments" } });
  }
});

describe("of every tool that takes one", () => {
  const targeted = () => session.tools.filter((tool) => "target" in propertiesOf(tool) && tool.name !== "wait_for");
  const given = (tool: Parameters<typeof requiredOf>[0], target: string) => ({
    ...requiredOf(tool),
    ...(tool.name === "type_text" && { text: "x" }),
    target,
  });

  test("nothing that matches, many that match, and guessed refs are refused, and nothing is done", async () => {
    await open();
    server.clear();
    expect(targeted().length).toBeGreaterThan(5);
    for (const tool of targeted()) {
      const nothing = await timed(session, tool.name, given(tool, 'link "Nope"'));
      expect(nothing, tool.name).toMatchObject({
        ok: false,
        error: { code: "no_match", message: expect.stringContaining("0 found") },
      });
      expect(await timed(session, tool.name, given(tool, `link "${"x".repeat(900)}"`)), tool.name).toMatchObject({
        error: { code: "no_match" },
      });
      const many = await timed(session, tool.name, given(tool, 'link "View"'));
      expect(many, tool.name).toMatchObject({
        ok: false,
        error: { code: "ambiguous", message: expect.stringContaining("2 elements") },
      });
      expect(await timed(session, tool.name, given(tool, 'link "View" in "Three"')), tool.name).toMatchObject({
        error: { code: "no_match" },
      });
      expect(await timed(session, tool.name, given(tool, "e9999999999")), tool.name).toMatchObject({
        error: { code: "no_match" },
      });
    }
    expect(server.hits).toEqual([]);
  });

  test("a ref of the document before is stale, even when the same address is opened again", async () => {
    const old = refOf(await open(), "Name");
    await open();
    for (const tool of targeted()) {
      expect(await timed(session, tool.name, given(tool, old)), tool.name).toMatchObject({
        ok: false,
        error: { code: "stale" },
      });
    }
    expect(await timed(session, "navigate", { ref: old })).toMatchObject({ ok: false, error: { code: "stale" } });
  });

  test("a ref of another tab is stale and names its tab", async () => {
    const first = refOf(await open(), "Name");
    const added = await timed(session, "tabs", { action: "new" });
    await open();
    for (const tool of targeted()) {
      const { error } = await timed(session, tool.name, given(tool, first));
      expect(error, tool.name).toMatchObject({ code: "stale", message: expect.stringMatching(/tab t\d+/) });
    }
    expect(await timed(session, "tabs", { action: "close", tab: added.tab })).toMatchObject({ ok: true });
    expect(await timed(session, "type_text", { target: first, text: "still there" })).toMatchObject({
      ok: true,
      value: "still there",
    });
  });
});

test("a ref of another session means nothing here", async () => {
  await using other = await openSession({ ...yes, private: [server.url] });
  const theirs = await timed(other, "navigate", { url: `${server.url}/many` }, 20_000);
  // Theirs are numbered further than ours.
  const small = await openSession({ ...yes, private: [server.url] });
  try {
    await timed(small, "navigate", { url: `${server.url}/` }, 20_000);
    server.clear();
    expect(await timed(small, "click", { target: refOf(theirs, "Link 59") })).toMatchObject({
      ok: false,
      error: { code: "no_match" },
    });
    expect(server.hits).toEqual([]);
  } finally {
    await small.close();
  }
});

test("an element that went away, or became another, is stale", async () => {
  const page = await open();
  const [vanish, rename] = [refOf(page, "Vanish"), refOf(page, "Rename")];
  expect(await timed(session, "click", { target: vanish })).toMatchObject({ ok: true, changed: "content" });
  expect(await timed(session, "click", { target: vanish })).toMatchObject({ ok: false, error: { code: "stale" } });
  expect(await timed(session, "click", { target: rename })).toMatchObject({ ok: true, changed: "content" });
  expect(await timed(session, "click", { target: 'button "Other"' })).toMatchObject({ ok: true });
});

test("an element that cannot take the act says why, within the deadline it names", async () => {
  await open();
  const off = await timed(session, "click", { target: 'button "Off"' }, 700);
  expect(off).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^(disabled|timeout)$/) } });
  expect(await timed(session, "type_text", { target: 'button "Rename"', text: "x" })).toMatchObject({
    ok: false,
    error: { code: "bad_arguments" },
  });
  expect(await timed(session, "select_option", { target: 'textbox "Name"', values: ["x"] })).toMatchObject({
    ok: false,
    error: { code: "bad_arguments" },
  });
  expect(await timed(session, "press_key", { key: "NoSuchKey" })).toMatchObject({
    ok: false,
    error: { code: "bad_arguments" },
  });
  expect(await timed(session, "navigate", { ref: refOf(await open(), "Rename") })).toMatchObject({
    ok: false,
    error: { code: "bad_arguments" },
  });
});

test("names in any script are taken exactly", async () => {
  const page = await open();
  expect(page.snapshot).toContain("🦊");
  expect(await timed(session, "click", { target: `button ${JSON.stringify(FOX)}` })).toMatchObject({ ok: true });
  expect(await timed(session, "click", { target: 'button "🦊"' })).toMatchObject({ error: { code: "no_match" } });
});

test("tabs that are not there are named as such", async () => {
  await open();
  for (const tab of ["t0", "t999", "", "x", "T1", "__proto__"]) {
    for (const action of ["select", "close"]) {
      const { ok, error } = await timed(session, "tabs", { action, tab });
      expect({ ok, code: error?.code }, `${action} ${tab}`).toEqual({ ok: false, code: "no_match" });
    }
  }
});

test("a closed tab stays closed, and after the last one the session goes on", async () => {
  await open();
  const { tabs } = (await timed(session, "tabs", {})) as { readonly tabs?: readonly { readonly id: string }[] };
  for (const { id } of tabs ?? [])
    expect(await timed(session, "tabs", { action: "close", tab: id })).toMatchObject({ ok: true });
  const [last] = (tabs ?? []).slice(-1);
  expect(await timed(session, "tabs", { action: "select", tab: last?.id })).toMatchObject({
    ok: false,
    error: { code: "no_match" },
  });
  expect(await timed(session, "tabs", {})).toMatchObject({ ok: true, tabs: [] });
  expect(await timed(session, "snapshot", {})).toMatchObject({ ok: true, page: { url: "about:blank" } });
  await expectUsable(session, `${server.url}/`, "Here");
});

test("there is an end to new tabs", async () => {
  await open();
  const outcomes: string[] = [];
  for (let count = 0; count < 9; count++)
    outcomes.push((await timed(session, "tabs", { action: "new" })).error?.code ?? "ok");
  expect(outcomes.at(-1)).toBe("too_large");
  expect(outcomes.filter((outcome) => outcome === "ok").length).toBe(7);
  const { tabs } = (await timed(session, "tabs", {})) as { readonly tabs?: readonly { readonly id: string }[] };
  for (const { id } of (tabs ?? []).slice(1)) await timed(session, "tabs", { action: "close", tab: id });
  await expectUsable(session, `${server.url}/`, "Here");
});
