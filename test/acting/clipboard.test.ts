import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../../src/index.ts";
import { type RunningBrowser, runningBrowser } from "../running-browser.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";

/* In a browser of a person the clipboard is that person's: nothing of it comes into a page of ours, and nothing of ours is put in its place. */

const WORDS = "words-of-the-person";
const OURS = "words-of-the-agent";
const FIELD = `<label>Note <input id="n" oninput="got(this.value)"></label>`;
const GOT = `<!doctype html><script>const got = (what) => void fetch("/got?" + encodeURIComponent(what))</script>`;
const SCRIPTED = `<button onclick="navigator.clipboard.readText().then(got, () => {}).finally(() => fetch('/tried'))">Read</button>
  <button onclick="navigator.clipboard.writeText('${OURS}').catch(() => {}).finally(() => fetch('/tried'))">Write</button>
  <button onclick="const field = document.createElement('textarea'); document.body.append(field); field.focus(); document.execCommand('paste'); got(field.value); fetch('/tried')">Paste</button>
  <button onclick="n.value = '${OURS}'; n.select(); document.execCommand('copy'); fetch('/tried')">Copy</button>`;

let browser: RunningBrowser;
let server: RecordingServer;
let session: OpenedSession;
beforeAll(async () => {
  [browser, server] = await Promise.all([runningBrowser(), recordingServer()]);
  server.html("/persons", '<!doctype html><input id="n">');
  server.html("/", `${GOT}${FIELD}${SCRIPTED}`);
  session = await openSession({ ...yes, private: [server.url], browser: { cdpUrl: browser.endpoint } });
});
afterAll(async () => {
  await session?.close();
  await browser?.[Symbol.asyncDispose]();
  await server?.close();
});

let persons: Awaited<ReturnType<RunningBrowser["open"]>>;
beforeEach(async () => {
  await browser.closeTabs();
  persons = await browser.open(`${server.url}/persons`);
  await expect.poll(() => persons.evaluate("document.readyState")).toBe("complete");
  // Only what has the focus may copy.
  await browser.send("Page.bringToFront", {}, persons.session);
  await expect.poll(pastedAfterCopying).toBe(WORDS);
  server.clear();
});

async function pastedAfterCopying(): Promise<unknown> {
  await persons.evaluate(`n.value = "${WORDS}"; n.select(); document.execCommand("copy")`);
  return pastedByThePerson();
}

/** What a paste gives in the person's own tab. */
async function pastedByThePerson(): Promise<unknown> {
  await browser.send("Page.bringToFront", {}, persons.session);
  await persons.evaluate(`n.value = ""; n.focus()`);
  const key = { key: "v", code: "KeyV", modifiers: 2, windowsVirtualKeyCode: 86 };
  await browser.send("Input.dispatchKeyEvent", { type: "keyDown", commands: ["paste"], ...key }, persons.session);
  await browser.send("Input.dispatchKeyEvent", { type: "keyUp", ...key }, persons.session);
  return persons.evaluate("n.value");
}

const received = (): readonly string[] =>
  server.hitsTo("/got").map(({ path }) => decodeURIComponent(path.slice("/got?".length)));

test("keys neither paste it nor copy over it", async () => {
  await session.call("navigate", { url: server.url });
  await session.call("press_key", { target: 'textbox "Note"', key: "Control+v" });
  await session.call("press_key", { target: 'textbox "Note"', key: "Shift+Insert" });
  await session.call("type_text", { target: 'textbox "Note"', text: OURS });
  for (const key of ["Control+a", "Control+c", "Control+x", "Control+Insert", "Shift+Delete"])
    await session.call("press_key", { target: 'textbox "Note"', key });
  expect(received().filter((text) => text.includes(WORDS))).toEqual([]);
  expect(await pastedByThePerson()).toBe(WORDS);
});

test("scripts of a page that is clicked neither", async () => {
  await session.call("navigate", { url: server.url });
  for (const [index, name] of ["Read", "Write", "Paste", "Copy"].entries()) {
    await session.call("click", { target: `button "${name}"` });
    await server.waitForHit("/tried", { count: index + 1 });
  }
  expect(received().filter((text) => text.includes(WORDS))).toEqual([]);
  expect(await pastedByThePerson()).toBe(WORDS);
});
