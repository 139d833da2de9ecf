import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Plain, startPlain } from "../../arena/plain.ts";
import { type OpenedSession, openSession } from "../../src/index.ts";
import { chromiumProgram } from "../chromium-program.ts";
import { oneOf } from "../runs.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";

/* Input comes to what was judged, or to nothing. What else takes it tells a server; in plain Chromium it does. */

const ROW_MS = 90_000;
/** What a page does in answer to input it does at once; in plain Chromium it is waited for. */
const TOLD_MS = 15_000;
const AGAIN_MS = 20;

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

interface Row {
  readonly title: string;
  readonly page: string;
  /** Of another site, which no rule lets the session act on. */
  readonly frame?: string;
  readonly calls: readonly Call[];
  /** Where it may also come to what is meant: then nothing is told. */
  readonly mayWork?: true;
  readonly plainly: (page: Page) => Promise<unknown>;
}

const GOT = `const got = (what) => void fetch("/got?" + what)`;
/** Data may not go to a site out of reach, another document of a frame may. */
const GOT_BY_FRAME = `const got = (what) => document.body.append(Object.assign(document.createElement("iframe"), { src: "/got?" + what }))`;
const FIELD = `<label>Note <input id="n"></label>`;
const BUTTON = `<button id="d" onclick="got('pressed')">Delete</button>`;
const OTHER = `<label>Other <input id="d" oninput="got(this.value)"></label>`;
const key = (name: string, target = 'textbox "Note"'): Call => ["press_key", { key: name, target }];
const TYPED = "abc def";

const THIEF = `<input id="d" oninput="got(this.value)"><script>setInterval(() => { window.focus(); d.focus() }, 0)</script>`;
/** Text comes to an object outside of the document; another realm has the constructor as well. */
const editContext = (kind: string): string => `<div id="d" tabindex="0">ad</div><script>
  const made = document.body.appendChild(document.createElement("iframe"));
  try { d.editContext = new ${kind}() } catch {}
  d.editContext?.addEventListener("textupdate", (event) => got(event.text));
  setInterval(() => d.focus(), 0)</script>`;
const KEYS = `<input id="d" autofocus onkeydown="got(event.key)" onkeyup="got(event.key)" onclick="got('pressed')" style="width:500px;height:300px">`;
const framed = `<section aria-label="Main"><iframe title="Ad" src="http://ads.test/frame" width="520" height="320"></iframe></section>`;

const rows: readonly Row[] = [
  {
    title: "the focus is moved as it comes",
    page: `${FIELD}${BUTTON}<script>n.onfocus = () => d.focus()</script>`,
    calls: [key("Enter")],
    plainly: (page) => page.locator("#n").press("Enter"),
  },
  {
    title: "the focus is moved by a timer",
    page: `${FIELD}${BUTTON}<script>setInterval(() => d.focus(), 0)</script>`,
    calls: Array.from({ length: 5 }, () => key("Enter")),
    plainly: async (page) => {
      for (let round = 0; round < 100 && openly.hitsTo("/got").length === 0; round++)
        await page.locator("#n").press("Enter");
    },
  },
  {
    title: "the focus is moved as a key goes down",
    page: `${FIELD}${OTHER}<script>n.onkeydown = () => d.focus()</script>`,
    calls: [key("a")],
    plainly: (page) => page.locator("#n").press("a"),
  },
  {
    title: "the focus is moved to a button as Enter goes down",
    page: `${FIELD}${BUTTON}<script>n.onkeydown = () => d.focus()</script>`,
    calls: [key("Enter")],
    plainly: (page) => page.locator("#n").press("Enter"),
  },
  {
    title: "another editor takes the place as text is about to be put in",
    page: `<div id="n" role="textbox" aria-label="Note" contenteditable>x</div><div id="d" contenteditable oninput="got('written')">y</div>
      <script>n.onbeforeinput = () => { n.replaceWith(d); d.focus() }</script>`,
    calls: [key("Enter")],
    plainly: (page) => page.locator("#n").press("Enter"),
  },
  {
    title: "another button captures the pointer as it goes down",
    page: `<button id="n">Save</button>${BUTTON}<script>n.onpointerdown = (event) => d.setPointerCapture(event.pointerId)</script>`,
    calls: [["click", { target: 'button "Save"' }]],
    plainly: (page) => page.locator("#n").click(),
  },
  {
    title: "all letters but the first go to a field of another form",
    page: `<form>${FIELD}</form><form>${OTHER}</form><script>n.oninput = () => { setTimeout(() => d.focus()); d.focus() }</script>`,
    calls: [["type_text", { target: 'textbox "Note"', text: TYPED, sequential: true }]],
    plainly: (page) => page.locator("#n").pressSequentially(TYPED),
  },
  {
    title: "the focus is moved before Enter",
    page: `${FIELD}${BUTTON}<script>n.oninput = () => { n.onfocus = () => d.focus(); d.focus() }</script>`,
    calls: [["type_text", { target: 'textbox "Note"', text: TYPED, submit: true }]],
    plainly: async (page) => {
      await page.locator("#n").fill(TYPED);
      await page.keyboard.press("Enter");
    },
  },
  {
    title: "the focus is moved between the letters to a button",
    page: `${FIELD}${BUTTON}<script>n.oninput = () => d.focus()</script>`,
    calls: [["type_text", { target: 'textbox "Note"', text: TYPED, sequential: true }]],
    plainly: (page) => page.locator("#n").pressSequentially(TYPED),
  },
  {
    title: "the target cannot take the focus",
    page: `<div role="button" onclick="">Save</div>${BUTTON}<script>d.focus()</script>`,
    calls: [key("Enter", 'button "Save"')],
    plainly: (page) => page.getByText("Save").press("Enter"),
  },
  {
    title: "a frame of another site takes the focus again and again",
    page: `${FIELD}${framed}`,
    frame: THIEF,
    calls: Array.from(
      { length: 3 },
      (): Call => ["type_text", { target: 'textbox "Note"', text: TYPED, sequential: true }],
    ),
    plainly: async (page) => {
      await page.frameLocator("iframe").locator("#d").waitFor();
      await page.locator("#n").pressSequentially(TYPED.repeat(5), { delay: 5 });
    },
  },
  ...["EditContext", "made.contentWindow.EditContext"].map(
    (kind): Row => ({
      title: `a frame of another site takes the text by ${kind}`,
      page: `${FIELD}${framed}`,
      frame: editContext(kind),
      calls: Array.from({ length: 3 }, (): Call => ["type_text", { target: 'textbox "Note"', text: TYPED }]),
      // The frame may have the focus for a moment, and what it gets lands nowhere.
      mayWork: true,
      plainly: async (page) => {
        await page.frameLocator("iframe").locator("#d").waitFor();
        const input = await page.context().newCDPSession(page);
        for (let round = 0; round < 500 && openly.hitsTo("/got").length === 0; round++) {
          await page.locator("#n").focus();
          await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
          void input.send("Input.insertText", { text: "a" }).catch(() => {});
        }
      },
    }),
  ),
  {
    title: "a frame of another site that loads itself again takes the focus",
    page: `${FIELD}${framed}`,
    frame: `${THIEF}<script>const at = Number(new URLSearchParams(location.search).get("at")); if (at < 40) setTimeout(() => location.replace("/frame?at=" + (at + 1)), 60)</script>`,
    calls: Array.from(
      { length: 3 },
      (): Call => ["type_text", { target: 'textbox "Note"', text: TYPED, sequential: true }],
    ),
    // It may have been busy with itself.
    mayWork: true,
    plainly: async (page) => {
      const input = await page.context().newCDPSession(page);
      for (let round = 0; round < 500 && openly.hitsTo("/got").length === 0; round++) {
        // It is never answered where its frame went away meanwhile.
        void input.send("Input.insertText", { text: "a" }).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    },
  },
  {
    title: "a click at a place of a region around a frame of another site",
    page: framed,
    frame: KEYS,
    calls: [["click", { target: "region@200,200" }]],
    plainly: async (page) => {
      // Its frame is not found there before it is painted.
      for (let round = 0; round < 20; round++) await page.mouse.click(200, 200, { delay: 50 });
    },
  },
  {
    title: "an overlay of the page blinks over a button in a frame of its own site",
    page: `<iframe title="Inner" src="/inner" width="300" height="200"></iframe>
      <div id="over" style="position:fixed;inset:0" onclick="got('overlay')"></div><script>setInterval(() => { over.hidden = !over.hidden }, 15)</script>`,
    calls: Array.from({ length: 8 }, (): Call => ["click", { target: 'button "Inside"' }]),
    mayWork: true,
    plainly: async (page) => {
      for (let round = 0; round < 20; round++) await page.mouse.click(60, 40);
    },
  },
  {
    title: "letters after Tab has led into a frame of another site",
    page: `${FIELD}${framed}`,
    frame: KEYS,
    calls: [key("Tab"), ["press_key", { key: "a" }], ["press_key", { key: "Tab" }], ["press_key", { key: "b" }]],
    mayWork: true,
    plainly: async (page) => {
      await page.frameLocator("iframe").locator("#d").waitFor();
      await page.locator("#n").press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("a");
    },
  },
];

let server: RecordingServer;
/** Of plain Chromium, whose pages may go on telling. */
let openly: RecordingServer;
let session: OpenedSession;
let plain: Plain;
beforeAll(async () => {
  [server, openly] = await Promise.all([recordingServer(), recordingServer()]);
  const at = ({ host }: RecordingServer): Record<string, string> => ({ "shop.test": host, "ads.test": host });
  [session, plain] = await Promise.all([
    openSession({ ...yes, allow: ["shop.test"], hostMap: at(server), browser: { path: chromiumProgram() } }),
    startPlain({ hostMap: at(openly) }),
  ]);
});
afterAll(async () => {
  await Promise.all([session.close(), plain.close()]);
  await Promise.all([server.close(), openly.close()]);
});

function serve(server: RecordingServer, { page, frame = "" }: Row): void {
  server.clear();
  const html = (got: string, body: string): string =>
    `<!doctype html><link rel="icon" href="data:,"><script>${got}</script><body>${body}`;
  server.html("/", html(GOT, page));
  server.html("/frame", html(GOT_BY_FRAME, frame));
  server.html("/inner", "<button>Inside</button>");
}

describe.each(oneOf(3, rows))("$title", (row) => {
  test("in plain Chromium it goes elsewhere", { timeout: ROW_MS }, async () => {
    serve(openly, row);
    const page = await plain.context.newPage();
    // A frame that loads itself again keeps the page from being loaded.
    await page.goto("http://shop.test/", { waitUntil: "commit" });
    await page.locator("#n, iframe, button").first().waitFor();
    await row.plainly(page);
    await openly.waitForHit("/got", { timeoutMs: TOLD_MS });
    void page.close();
  });

  test("here to nothing, and a result says so", { timeout: ROW_MS }, async () => {
    serve(server, row);
    await session.call("navigate", { url: "http://shop.test/" });
    const told = [];
    const region = /(e\d+) region/.exec(
      JSON.stringify((await session.call("snapshot", { detail: "outline" })).envelope),
    )?.[1];
    for (const [tool, args] of row.calls) {
      const target =
        args.target === undefined ? {} : { target: String(args.target).replace(/^region/, region ?? "none") };
      told.push((await session.call(tool as "click", { ...args, ...target } as never)).envelope);
    }
    // Its requests are asked for one after another: what was told before is there before.
    await session.call("navigate", { url: "http://shop.test/fence" });
    expect(server.hitsTo("/got").map(({ path }) => path)).toEqual([]);
    const isTold = JSON.stringify(told).includes('"code":"covered"') || row.mayWork === true;
    expect(isTold, JSON.stringify(told)).toBe(true);
  });
});

test("a code that goes on in the next field, one sign each, is typed as ever", async () => {
  serve(server, {
    title: "",
    calls: [],
    plainly: async () => {},
    page: `${[1, 2, 3, 4].map((at) => `<input aria-label="Digit ${at}" maxlength="1">`).join("")}<script>
    const all = [...document.querySelectorAll("input")];
    all.forEach((one, at) => one.oninput = () => { all[at + 1]?.focus(); got(all.map(({ value }) => value).join("")) })</script>`,
  });
  await session.call("navigate", { url: "http://shop.test/" });
  const { envelope } = await session.call("type_text", { target: 'textbox "Digit 1"', text: "1234", sequential: true });
  expect(envelope).toMatchObject({ ok: true });
  await server.waitForHit("/got?1234");
});

test("a form that is to be sent in another window and is refused is told as refused", async () => {
  serve(server, {
    title: "",
    calls: [],
    plainly: async () => {},
    page: `<form method="post" action="http://ads.test/taken" target="other"><button>Out</button></form>`,
  });
  await session.call("navigate", { url: "http://shop.test/" });
  const { envelope } = await session.call("click", { target: 'button "Out"' });
  expect(envelope).toMatchObject({ ok: false, refused: { rule: "reach.site" } });
  expect(server.hitsTo("/taken")).toEqual([]);
});
