import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Envelope, type OpenedSession, openSession } from "../../src/index.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import { expectUsable, timed } from "./support.ts";

const DEADLINE_MS = 300;
const BUSY = expect.stringMatching(/^(timeout|still_loading)$/);

let server: RecordingServer;
let session: OpenedSession;
beforeAll(async () => {
  server = await recordingServer();
  server.html("/", "<title>Start</title><h1>Here</h1>");
  session = await openSession({ ...yes, private: [server.url] });
});
afterAll(async () => {
  await session.close();
  await server.close();
});
beforeEach(() => expectUsable(session, `${server.url}/`, "Here"));

let pages = 0;
/** Serves a page and opens it. */
async function open(body: string, timeoutMs = 5_000): Promise<Envelope> {
  const path = `/page-${++pages}`;
  server.html(path, `<title>Test</title>${body}`);
  return timed(session, "navigate", { url: `${server.url}${path}` }, timeoutMs);
}

const press = (name: string, timeoutMs = 5_000): Promise<Envelope> =>
  timed(session, "click", { target: `button ${JSON.stringify(name)}` }, timeoutMs);

describe("a script that never ends", () => {
  test("every tool answers in time with a code, and navigate goes elsewhere", async () => {
    const opened = await open("<h1>Busy</h1><script>for (;;);</script>", DEADLINE_MS);
    expect(opened).toMatchObject({ ok: false, error: { code: BUSY } });
    for (const [tool, args] of [
      ["snapshot", {}],
      ["click", { target: 'button "Go"' }],
      ["find", { text: "Busy" }],
      ["get_text", {}],
      ["scroll", { direction: "down" }],
      ["screenshot", {}],
      ["press_key", { key: "Escape" }],
    ] as const) {
      expect(await timed(session, tool, args, DEADLINE_MS), tool).toMatchObject({ ok: false, error: { code: BUSY } });
    }
    expect(await timed(session, "tabs", {})).toMatchObject({ ok: true });
    await expectUsable(session, `${server.url}/`, "Here");
  });

  test.each([
    ["after load", "<h1>Busy</h1><script>onload = () => { for (;;); }</script>"],
    ["again and again", "<h1>Busy</h1><script>setInterval(() => { for (;;); }, 10);</script>"],
    ["in promises", "<h1>Busy</h1><script>const again = () => Promise.resolve().then(again); again();</script>"],
  ])("%s is left behind too", async (_when, body) => {
    const opened = await open(body, DEADLINE_MS);
    expect(opened).toMatchObject({ ok: false, error: { code: BUSY } });
    await expectUsable(session, `${server.url}/`, "Here");
  });

  test("begun by a click: the click names its deadline", async () => {
    await open('<button onclick="for (;;);">Go</button>');
    const { ok, error } = await press("Go", DEADLINE_MS);
    expect({ ok, error }).toEqual({
      ok: false,
      error: { code: "timeout", message: expect.stringContaining(`${DEADLINE_MS} ms`) },
    });
  });

  test("in a frame: the page around it can be read", async () => {
    await using other = await recordingServer();
    other.html("/", "<script>for (;;);</script>");
    await using guest = await openSession({ ...yes, private: ["localhost"] });
    server.html("/framed", `<h1>Around</h1><iframe src="${other.url.replace("127.0.0.1", "localhost")}/"></iframe>`);
    const opened = await timed(guest, "navigate", { url: `${server.url}/framed` }, 20_000);
    expect(opened).toMatchObject({ ok: true, snapshot: expect.stringContaining("Around") });
  });
});

describe("dialogs", () => {
  const dialog = (type: string, answered = "dismissed") => expect.objectContaining({ kind: "dialog", type, answered });

  test("during load are dismissed and told", async () => {
    const opened = await open(
      "<script>alert('a'); document.write('<h1>' + confirm('b') + ' ' + prompt('c') + '</h1>'); print();</script>",
    );
    expect(opened).toMatchObject({ ok: true, snapshot: expect.stringContaining("false null") });
    expect(opened.events).toEqual(expect.arrayContaining([dialog("alert"), dialog("confirm"), dialog("prompt")]));
  });

  test("on a click are dismissed and told", async () => {
    await open(
      `<button onclick="alert('a')">Alert</button><button onclick="this.textContent = String(confirm('b')) + prompt('c')">Ask</button><button onclick="print()">Print</button>`,
    );
    const alerted = await press("Alert");
    expect(alerted).toMatchObject({ ok: true, changed: "nothing" });
    expect(alerted.events).toEqual([dialog("alert")]);
    const asked = await press("Ask");
    expect(asked).toMatchObject({ ok: true, changed: "content" });
    expect(asked.events).toEqual([dialog("confirm"), dialog("prompt")]);
    expect(await press("Print")).toMatchObject({ ok: true, changed: "nothing" });
  });

  test("one after another do not hold a call for ever", async () => {
    const opened = await open("<h1>Many</h1><script>setInterval(() => alert('again'), 1);</script>", DEADLINE_MS);
    expect(opened.events).toEqual(expect.arrayContaining([dialog("alert")]));
    await expectUsable(session, `${server.url}/`, "Here");
  });

  test("a page cannot keep the agent by asking whether to leave", async () => {
    await open(
      `<button>Touch</button><script>onbeforeunload = (event) => { event.preventDefault(); event.returnValue = "stay"; };</script>`,
    );
    await press("Touch");
    const left = await timed(session, "navigate", { url: `${server.url}/` });
    expect(left).toMatchObject({ ok: true, snapshot: expect.stringContaining("Here") });
    expect(left.events).toEqual(expect.arrayContaining([dialog("beforeunload", "accepted")]));
  });
});

describe("a page that goes away under a click", () => {
  test("by closing itself", async () => {
    await open(`<button onclick="window.open('/closing')">Open</button>`);
    server.html("/closing", `<h1>Popup</h1><button onclick="window.close()">Close</button>`);
    const opened = await press("Open");
    const tab = opened.events?.find((event) => event.kind === "popup")?.tab;
    expect(await timed(session, "tabs", { action: "select", tab })).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("Popup"),
    });
    const closed = await press("Close");
    const told = [...(closed.events ?? []), ...((await timed(session, "snapshot", {})).events ?? [])];
    expect(told).toContainEqual({ kind: "tab_closed", tab });
    expect(await timed(session, "tabs", { action: "select", tab })).toMatchObject({
      ok: false,
      error: { code: "no_match" },
    });
  });

  test("by closing itself while it is waited for", async () => {
    await open(`<button onclick="window.open('/leaving')">Open</button>`);
    server.html("/leaving", `<h1>Popup</h1><script>setTimeout(() => window.close(), 400)</script>`);
    const tab = (await press("Open")).events?.find((event) => event.kind === "popup")?.tab;
    await timed(session, "tabs", { action: "select", tab });
    const waited = await timed(session, "wait_for", { text: "never" }, 10_000);
    expect(waited).toMatchObject({ ok: false, error: { code: expect.stringMatching(/page_ended|no_match|timeout/) } });
  });

  test("by going elsewhere on the way to the click", async () => {
    const names = ["pointerover", "mousedown", "mouseup", "click"];
    for (const name of names) {
      await open(`<h1>Before</h1><button on${name}="location.href = '/'">Go</button>`);
      const pressed = await press("Go");
      expect(["timeout", "stale", undefined], `${name}: ${JSON.stringify(pressed.error)}`).toContain(
        pressed.error?.code,
      );
      expect(await timed(session, "wait_for", { text: "Here" }), name).toMatchObject({ ok: true });
    }
  });

  test("by taking the element away", async () => {
    await open(
      `<h1>Stays</h1><button onmousedown="this.remove()">Press</button><button onclick="document.body.textContent = 'all gone'">Clear</button>`,
    );
    expect(await press("Press")).toMatchObject({ ok: true, changed: "content" });
    expect(await press("Clear")).toMatchObject({
      ok: true,
      changed: "content",
      snapshot: expect.stringContaining("all gone"),
    });
    expect(await press("Clear")).toMatchObject({ ok: false, error: { code: "no_match" } });
  });

  test("by moving it all the time", async () => {
    await open(
      `<button id=b style="position:absolute">Catch</button><script>let at = 0; setInterval(() => { b.style.left = (at = (at + 37) % 800) + "px"; }, 1);</script>`,
    );
    const { ok, error } = await press("Catch", DEADLINE_MS);
    // Whether it stood still for a moment is the machine's affair.
    if (!ok) expect(error).toEqual({ code: "timeout", message: expect.stringContaining(`${DEADLINE_MS} ms`) });
  });

  test("by being covered", async () => {
    await open(
      `<div style="position:relative"><button>Under</button><div style="position:absolute;inset:-5px;opacity:0.01;background:#fff"></div></div>`,
    );
    const { ok, error } = await press("Under", DEADLINE_MS);
    expect(ok).toBe(false);
    expect(["covered", "timeout", "no_match"]).toContain(error?.code);
  });
});

test("a page that replaces itself for ever does not hold a call for ever", async () => {
  server.html("/again", `<h1>Again</h1><script>setTimeout(() => location.reload(), 10)</script>`);
  await timed(session, "navigate", { url: `${server.url}/again` }, DEADLINE_MS);
  await timed(session, "snapshot", {}, DEADLINE_MS);
  await expectUsable(session, `${server.url}/`, "Here");
});

test("a page of a million elements, ten thousand deep, is read in time", async () => {
  const opened = await open(
    `<h1>Big</h1>${"<div>".repeat(10_000)}deep${"</div>".repeat(10_000)}<script>document.body.append(...Array.from({ length: 100000 }, () => document.createElement("p")))</script>`,
  );
  expect(opened.error?.code ?? "ok").toMatch(/^(ok|timeout|still_loading)$/);
});
