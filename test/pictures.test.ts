import { decode } from "fast-png";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Plain, startPlain } from "../arena/plain.ts";
import { type OpenedSession, openSession } from "../src/index.ts";
import { chromiumProgram } from "./chromium-program.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";
import { yes } from "./yes.ts";

/*
 * What a picture shows of a frame that may not be shown, and of values that secret fields held: pixels of a colour that
 * nothing else has. The control shows the same of a frame of the page's own, and of other words.
 */

const PICTURE_MS = 60_000;
const MAGENTA = [255, 0, 255];
const SECRET = "Hunter2Battery";
const WORDS = "Ordinary words";
const ICON = '<link rel="icon" href="data:,">';
/** Enough to meet both places of a frame that moves at each turn. */
const SHOTS_OF_MOVING = 6;

const STYLE = "#f{border:0;width:200px;height:100px;position:absolute;left:20px;top:20px}";
const MOVES: Readonly<Record<string, string>> = {
  "stands still": "",
  "is moved to and fro at each turn":
    "<script>let at = 0; const turn = () => { at = 1 - at; f.style.left = at ? '20px' : '600px'; requestAnimationFrame(turn) }; turn()</script>",
  "is shown again by a view transition":
    "<style>::view-transition-group(root){animation-duration:100s}::view-transition-old(root){animation:none;opacity:1;transform:translate(400px,200px)}::view-transition-new(root){display:none}</style><script>onload = () => setTimeout(() => document.startViewTransition(() => f.remove()), 500)</script>",
  "is drawn again beside itself":
    '<svg width="0" height="0"><filter id="o" x="-10" y="-10" width="30" height="30"><feOffset dx="300" dy="150"/></filter></svg><style>#b{position:absolute;inset:0;backdrop-filter:url(#o)}</style><div id="b"></div>',
};
const framed = (host: string, more: string): string =>
  `<!doctype html>${ICON}<style>${STYLE}</style><iframe id="f" src="http://${host}/inner"></iframe>${more}`;

const SHOWN: Readonly<Record<string, (words: string) => string>> = {
  "as text": (words) => `<p>${words}</p>`,
  "in a document inside": (words) => `<iframe srcdoc="<p style='color:#f0f;font:40px serif'>${words}</p>"></iframe>`,
  "as a placeholder": (words) => `<style>::placeholder{color:#f0f}</style><input placeholder="${words}">`,
  "as a button's words": (words) => `<input type="button" value="${words}">`,
  "as a chosen option": (words) => `<select><option>${words}</option></select>`,
  "by a style": (words) => `<style>p::before{content:attr(title)}</style><p title="${words}"></p>`,
  "in a closed shadow tree": (words) =>
    `<p id="h"></p><script>h.attachShadow({ mode: "closed" }).innerHTML = "<b>${words}</b>"</script>`,
};
const showing = (body: string): string =>
  `<!doctype html>${ICON}<style>body,input,select,button{color:#f0f;font:40px serif;background:#fff}</style><body>${body}`;

let server: RecordingServer;
let session: OpenedSession;
let plain: Plain;
beforeAll(async () => {
  server = await recordingServer();
  server.html("/inner", `<!doctype html><body style="background:#f0f">frame`);
  server.html("/field", `<!doctype html>${ICON}<label>Password <input type="password"></label>`);
  const hostMap = { "shop.test": server.host, "pay.test": server.host };
  plain = await startPlain({ hostMap });
  session = await openSession({
    ...yes,
    allow: ["shop.test"],
    helpers: ["pay.test"],
    hostMap,
    browser: { path: chromiumProgram() },
  });
});
afterAll(async () => {
  await Promise.all([session.close(), plain.close()]);
  await server.close();
});

/** Pixels of the colour in so many pictures of the page. */
async function magenta(html: string, shots = 1): Promise<number> {
  server.html("/page", html);
  server.clear();
  await session.call("navigate", { url: "http://shop.test/page" });
  if (html.includes("/inner")) await server.waitForHit("/inner");
  // A transition is under way once its callback was called.
  await session.call("wait_for", { text: "never there", timeout_ms: 1_500 });
  let found = 0;
  for (let shot = 0; shot < shots; shot++) {
    const { image } = await session.call("screenshot", {});
    if (image === undefined) throw new Error("no picture");
    found += pixelsIn(image.bytes);
  }
  return found;
}

function pixelsIn(png: Uint8Array): number {
  const { data, channels } = decode(png);
  let found = 0;
  for (let at = 0; at < data.length; at += channels)
    if (MAGENTA.every((part, index) => data[at + index] === part)) found += 1;
  return found;
}

describe.each(Object.entries(MOVES))("a frame that may not be shown and %s", (how, more) => {
  const shots = how.includes("moved") ? SHOTS_OF_MOVING : 1;

  test("is in no picture", { timeout: PICTURE_MS }, async () => {
    expect(await magenta(framed("pay.test", more), shots)).toBe(0);
  });

  test("is in one of plain Chromium", { timeout: PICTURE_MS }, async () => {
    server.html("/page", framed("pay.test", more));
    server.clear();
    const page = await plain.context.newPage();
    await page.goto("http://shop.test/page");
    await server.waitForHit("/inner");
    await expect.poll(async () => pixelsIn(await page.screenshot()), { timeout: PICTURE_MS }).toBeGreaterThan(0);
    await page.close();
  });
});

describe("what a password field held, shown by the next page", () => {
  beforeAll(async () => {
    await session.call("navigate", { url: "http://shop.test/field" });
    await session.call("type_text", { target: 'textbox "Password"', text: SECRET });
  });

  test.each(Object.entries(SHOWN))(
    "%s: is painted over, and other words are not",
    { timeout: PICTURE_MS },
    async (_how, write) => {
      expect(await magenta(showing(write(SECRET)))).toBe(0);
      expect(await magenta(showing(write(WORDS)))).toBeGreaterThan(0);
    },
  );
});
