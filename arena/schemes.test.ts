import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import { type Plain, startPlain } from "./plain.ts";
import { openWorld, type World } from "./world.ts";

const FORGED = "forged-words";
const WAIT_MS = 10_000;

/** What a person can type and a model can ask for. None of it may reach the browser (T19: data:, javascript:, view-source:, chrome:, file:). */
const TYPED: readonly string[] = [
  ...["file:///etc/passwd", "FILE:///etc/passwd", "file://localhost/etc/passwd", "view-source:file:///etc/passwd", "VIEW-SOURCE:FILE:///etc/passwd"],
  ...[`view-source:http://shop.test/`, "view-source:https://shop.test/", "chrome://version/", "chrome://settings/", "chrome-untrusted://new-tab-page/"],
  ...[
    "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html",
    "devtools://devtools/bundled/inspector.html",
    "chrome-search://local-ntp/",
    "chrome-error://chromewebdata/",
  ],
  ...["about:version", "about:srcdoc", "about:settings", "ABOUT:gpu", `data:text/html,<p>${FORGED}`, `DATA:text/html;base64,Zm9yZ2VkLXdvcmRz`],
  ...[`javascript:document.body.innerText='${FORGED}'`, `JavaScript:void(0)`, `java\nscript:alert(1)`, ` javascript:alert(1)`],
  ...[
    "blob:http://shop.test/0b0b0b0b-0000-4000-8000-000000000000",
    "blob:null/0b0b0b0b-0000-4000-8000-000000000000",
    "filesystem:http://shop.test/temporary/x.html",
  ],
  ...[
    "ftp://shop.test/x",
    "mailto:mallory@evil.test",
    "tel:+100000",
    "sms:+100000",
    "intent://evil.test/#Intent;scheme=http;end",
    "ws://shop.test/",
    "wss://shop.test/",
  ],
  ...[
    "web+x:anything",
    "steam://run/1",
    "ms-settings:",
    "vscode://file/etc/passwd",
    "x-custom:anything",
    "jar:http://shop.test!/x",
    "ssh://shop.test/",
    "gopher://shop.test/",
  ],
];

/** Links of a page; what plain Chromium does with each is said beside it. `forged`: it shows the words. `handler`: it starts another program. */
const LINKS: readonly (readonly [name: string, href: string, plainly: "forged" | "handler" | "nothing"])[] = [
  ["blob", "", "forged"],
  ["mail", "mailto:mallory@evil.test", "handler"],
  ["data", `data:text/html,<p>${FORGED}`, "nothing"],
  ["file", "file:///etc/passwd", "nothing"],
  ["source", "view-source:http://shop.test/", "nothing"],
  ["chrome", "chrome://version/", "nothing"],
  ["devtools", "devtools://devtools/bundled/inspector.html", "nothing"],
  ["extension", "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html", "nothing"],
  ["filesystem", "filesystem:http://shop.test/temporary/x.html", "nothing"],
  ["about", "about:version", "nothing"],
  ["ftp", "ftp://shop.test/x", "nothing"],
  ["intent", "intent://evil.test/#Intent;scheme=http;end", "nothing"],
  ["tel", "tel:+100000", "nothing"],
  ["custom", "x-custom:anything", "nothing"],
];
const PAGE = `<!doctype html><link rel="icon" href="data:,"><p>words that stay</p>${LINKS.map(([name, href]) => `<a id="${name}" href="${href.replaceAll('"', "&quot;")}">${name}</a> `).join("")}
  <a href="javascript:location='http://evil.test/by-script'">script</a>
  <script>document.querySelector("#blob").href = URL.createObjectURL(new Blob(["<p>${FORGED}"], { type: "text/html" }));</script>`;
const UNTOLD = /root:x:0|Command Line|forged-words/;

/** Programs that desktops have for addresses that a browser does not open: they only say that they were called. */
const OPENERS = ["xdg-open", "xdg-email", "gio", "gvfs-open", "kde-open", "exo-open", "sensible-browser"];

let world: World;
let directory: string;
let session: OpenedSession;
let plain: Plain;
let path: string | undefined;
const callsOf = (who: string): Promise<string> => readFile(join(directory, who), "utf8");

/** A directory of openers that write into a file of that name. */
async function openers(who: string): Promise<string> {
  const log = join(directory, who);
  await writeFile(log, "");
  await chmod(log, 0o666);
  const bin = await mkdtemp(join(directory, "bin-"));
  await chmod(bin, 0o755);
  for (const name of OPENERS) {
    await writeFile(join(bin, name), `#!/bin/sh\necho "${name} $*" >> "${log}"\n`);
    await chmod(join(bin, name), 0o755);
  }
  return `${bin}${delimiter}${process.env.PATH ?? ""}`;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "schemes-"));
  await chmod(directory, 0o755);
  world = await openWorld();
  world.serve({ "shop.test/links": { body: PAGE } });
  plain = await startPlain({ hostMap: world.hostMap, env: { PATH: await openers("plain") } });
  path = process.env.PATH;
  process.env.PATH = await openers("guarded");
  session = await openSession({ allow: ["shop.test"], hostMap: world.hostMap });
  await session.call("navigate", { url: "http://shop.test/links" });
});
afterAll(async () => {
  process.env.PATH = path;
  for (const [name, , plainly] of LINKS) if (plainly === "nothing") console.log(`not counted: A-86 a link to ${name}: plain Chromium does not open it either`);
  await Promise.all([session.close(), plain.close()]);
  await world.close();
  await rm(directory, { recursive: true, force: true });
});

const read = async (): Promise<string> => JSON.stringify((await session.call("get_text", {})).envelope);

describe("A-85, A-86, T19: typed", () => {
  test.each(TYPED)("%j is refused before the browser sees it, and the page stays", async (url) => {
    const { envelope } = await session.call("navigate", { url });
    expect(envelope).toMatchObject({ ok: false, refused: { rule: expect.stringMatching(/^reach\./) } });
    const told = `${JSON.stringify(envelope)} ${await read()}`;
    expect(told).toContain("words that stay");
    expect(told).not.toMatch(UNTOLD);
  });
});

describe.each(LINKS)("A-86, T19: a link to %s", (name) => {
  test("shows nothing and starts no program", async () => {
    const { envelope: opened } = await session.call("navigate", { url: "http://shop.test/links" });
    const { envelope } = await session.call("click", { target: `link "${name}"` });
    const told = JSON.stringify([opened, envelope]) + (await read()) + JSON.stringify((await session.call("snapshot", {})).envelope);
    expect(told).toContain("words that stay");
    expect(told).not.toMatch(UNTOLD);
    expect(await callsOf("guarded")).toBe("");
  });
});

describe.each(LINKS.filter(([, , plainly]) => plainly !== "nothing"))("A-86, T19: a link to %s", (name, _href, plainly) => {
  test(`without the guard: ${plainly}`, async () => {
    const page = await plain.context.newPage();
    await page.goto("http://shop.test/links");
    await page.getByRole("link", { name, exact: true }).click({ noWaitAfter: true });
    if (plainly === "forged") await expect.poll(() => page.content().catch(() => ""), { timeout: WAIT_MS }).toMatch(/^(?!.*words that stay).*forged-words/s);
    else await expect.poll(() => callsOf("plain"), { timeout: WAIT_MS }).toContain("mallory");
    await page.close();
  });
});

// Whatever such a link does is the page's own script, in the page's own name: what it asks for is judged as ever.
test("A-86, T19: a link with a script leads nowhere that its page may not go, and the page stays", async () => {
  world.clear();
  await session.call("navigate", { url: "http://shop.test/links" });
  const { envelope } = await session.call("click", { target: 'link "script"' });
  expect(envelope).toMatchObject({ ok: false, refused: { rule: "reach.site" } });
  expect(await read()).toContain("words that stay");
  expect(world.evil).toMatchObject({ requests: [], connections: 0 });

  const page = await plain.context.newPage();
  await page.goto("http://shop.test/links");
  await page.getByRole("link", { name: "script", exact: true }).click({ noWaitAfter: true });
  await expect.poll(() => world.evil.requests, { timeout: WAIT_MS }).toContain("GET evil.test/by-script");
  await page.close();
});
