import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import { chromiumProgram } from "../test/chromium-program.ts";
import { Controls } from "../test/controls.ts";
import { failure } from "../test/failure.ts";
import { until } from "./control.ts";
import { plainWhenNeeded } from "./plain.ts";
import { openWorld, type World } from "./world.ts";

const FORGED = "forged-words";
/** Bounds for a busy machine. */
const WAIT_MS = 60_000;
const TEST_MS = 120_000;
/** What plain Chromium opens it opens sooner. */
const NOTHING_MS = 3_000;
/** A page that is gone says nothing more. */
const ENDED_MS = 10_000;

/**
 * What a person can type and a model can ask for. None of it may reach the browser (T19: data:, javascript:,
 * view-source:, chrome:, file:).
 */
const TYPED: readonly string[] = [
  ...[
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "file://localhost/etc/passwd",
    "view-source:file:///etc/passwd",
    "VIEW-SOURCE:FILE:///etc/passwd",
  ],
  ...[
    `view-source:http://shop.test/`,
    "view-source:https://shop.test/",
    "chrome://version/",
    "chrome://settings/",
    "chrome-untrusted://new-tab-page/",
  ],
  ...[
    "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html",
    "devtools://devtools/bundled/inspector.html",
    "chrome-search://local-ntp/",
    "chrome-error://chromewebdata/",
  ],
  ...[
    "about:version",
    "about:srcdoc",
    "about:settings",
    "ABOUT:gpu",
    `data:text/html,<p>${FORGED}`,
    `DATA:text/html;base64,Zm9yZ2VkLXdvcmRz`,
  ],
  ...[
    `javascript:document.body.innerText='${FORGED}'`,
    `JavaScript:void(0)`,
    `java\nscript:alert(1)`,
    ` javascript:alert(1)`,
  ],
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

/** Links of a page. */
const LINKS: readonly (readonly [name: string, href: string])[] = [
  ["blob", ""],
  ["mail", "mailto:mallory@evil.test"],
  ["data", `data:text/html,<p>${FORGED}`],
  ["file", "file:///etc/passwd"],
  ["source", "view-source:http://shop.test/"],
  ["chrome", "chrome://version/"],
  ["devtools", "devtools://devtools/bundled/inspector.html"],
  ["extension", "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html"],
  ["filesystem", "filesystem:http://shop.test/temporary/x.html"],
  ["about", "about:version"],
  ["ftp", "ftp://shop.test/x"],
  ["intent", "intent://evil.test/#Intent;scheme=http;end"],
  ["tel", "tel:+100000"],
  ["custom", "x-custom:anything"],
];
/**
 * What plain Chromium does at a press of such a link: shows what is there, starts another program for it, or does not
 * open it either.
 */
type Plainly = "shown" | "program" | "nothing";
/** As it is on record; the others' silence with the guard is not counted. */
const OPENED: readonly string[] = ["blob", "mail"];
const PAGE = `<!doctype html><link rel="icon" href="data:,"><p>words that stay</p>${LINKS.map(([name, href]) => `<a id="${name}" href="${href.replaceAll('"', "&quot;")}">${name}</a> `).join("")}
  <a href="javascript:location='http://evil.test/by-script'">script</a>
  <script>document.querySelector("#blob").href = URL.createObjectURL(new Blob(["<p>${FORGED}"], { type: "text/html" }));</script>`;
const UNTOLD = /root:x:0|Command Line|forged-words/;

/** Programs that desktops have for addresses that a browser does not open: they only say that they were called. */
const OPENERS = ["xdg-open", "xdg-email", "gio", "gvfs-open", "kde-open", "exo-open", "sensible-browser"];

let world: World;
let directory: string;
let session: OpenedSession;
const controls = new Controls("schemes");
const plain = plainWhenNeeded(async () => ({ hostMap: world.hostMap, env: { PATH: await openers("plain") } }));
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
  path = process.env.PATH;
  process.env.PATH = await openers("guarded");
  session = await openSession({ allow: ["shop.test"], hostMap: world.hostMap, browser: { path: chromiumProgram() } });
  await session.call("navigate", { url: "http://shop.test/links" });
});
afterAll(async () => {
  process.env.PATH = path;
  controls.close();
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
    const told =
      JSON.stringify([opened, envelope]) +
      (await read()) +
      JSON.stringify((await session.call("snapshot", {})).envelope);
    expect(told).toContain("words that stay");
    expect(told).not.toMatch(UNTOLD);
    expect(await callsOf("guarded")).toBe("");
  });
});

test.for(LINKS)(
  "A-86, T19: what a link to %s does without the guard",
  { timeout: TEST_MS },
  async ([name, href], { task }) => {
    const plainly = await controls.outcome(`A-86 ${name}`, { page: PAGE, href }, () => pressedPlainly(name));
    if (plainly === "nothing")
      console.log(
        `not counted with Chromium ${process.env.CHAPERONE_TEST_CHROMIUM}: A-86 a link to ${name}: plain Chromium does not open it`,
      );
    if (OPENED.includes(name))
      expect(
        plainly,
        failure(task, { scenario: `A-86 ${name}`, expected: "plain Chromium opens it", received: [] }),
      ).not.toBe("nothing");
  },
);

async function pressedPlainly(name: string): Promise<Plainly> {
  const page = await (await plain.context()).newPage();
  const calls = await callsOf("plain");
  await page.goto("http://shop.test/links");
  await page.getByRole("link", { name, exact: true }).click({ noWaitAfter: true });
  let plainly: Plainly = "nothing";
  await until(
    async () => {
      const content = await page.content().catch(() => "");
      if (UNTOLD.test(content) && !content.includes("words that stay")) plainly = "shown";
      else if ((await callsOf("plain")) !== calls) plainly = "program";
      return plainly !== "nothing";
    },
    OPENED.includes(name) ? WAIT_MS : NOTHING_MS,
  );
  await page.close();
  return plainly;
}

const SENT: readonly (readonly [how: string, script: string])[] = [
  ["location, mailto:", `location.href = "mailto:mallory@evil.test"`],
  ["location, tel:", `location.assign("tel:+100000")`],
  ["location, a custom scheme", `location.replace("web+foo:words")`],
  ["a link that a script presses", `Object.assign(document.createElement("a"), { href: "sms:+100000" }).click()`],
  [
    "a form",
    `{ const form = Object.assign(document.createElement("form"), { action: "mailto:mallory@evil.test" }); document.body.append(form); form.submit() }`,
  ],
  [
    "a refresh",
    `{ const meta = document.createElement("meta"); meta.httpEquiv = "refresh"; meta.content = "0;url=tel:+100000"; document.head.append(meta) }`,
  ],
  [
    "its frame's parent",
    `{ const frame = document.createElement("iframe"); frame.srcdoc = "<script>parent.location = 'mailto:mallory@evil.test'</" + "script>"; document.body.append(frame) }`,
  ],
  ["a popup", `window.open("x-custom:anything")`],
];

// Plain Chromium keeps the page, too: what was filled in is still there.
test.each(SENT)(
  "a page that sends its tab to another scheme by %s stays, with what was filled in",
  async (_how, script) => {
    world.clear();
    world.serve({
      "shop.test/form": {
        body: `<!doctype html><link rel="icon" href="data:,"><label>Note <input></label><button onclick='${script.replaceAll("'", "&#39;")}; setTimeout(() => fetch("/kept?" + document.querySelector("input").value), 300)'>Go</button>`,
      },
    });
    await session.call("navigate", { url: "http://shop.test/form" });
    await session.call("type_text", { target: 'textbox "Note"', text: "filled-in" });
    await session.call("click", { target: 'button "Go"' });
    await until(() => world.own.requests.includes("GET shop.test/kept?filled-in"), ENDED_MS);
    expect(world.own.requests).toContain("GET shop.test/kept?filled-in");
    const { tabs = [] } = (await session.call("tabs", {})).envelope as {
      readonly tabs?: readonly { readonly id: string; readonly url: string }[];
    };
    const [first, ...others] = tabs;
    expect(first?.url).toBe("http://shop.test/form");
    for (const { id } of others) await session.call("tabs", { action: "close", tab: id });
    expect(await callsOf("guarded")).toBe("");
    world.serve({ "shop.test/links": { body: PAGE } });
  },
);

// Whatever such a link does is the page's own script, in the page's own name: what it asks for is judged as ever.
test("A-86, T19: a link with a script leads nowhere that its page may not go, and the page stays", {
  timeout: TEST_MS,
}, async ({ task }) => {
  world.clear();
  await session.call("navigate", { url: "http://shop.test/links" });
  const { envelope } = await session.call("click", { target: 'link "script"' });
  expect(envelope).toMatchObject({ ok: false, refused: { rule: "reach.site" } });
  expect(await read()).toContain("words that stay");
  const { requests, connections } = world.evil;
  expect(
    { requests, connections },
    failure(task, { scenario: "A-86 script", expected: "nothing", received: requests }),
  ).toEqual({
    requests: [],
    connections: 0,
  });

  const plainly = await controls.outcome("A-86 script", { page: PAGE }, async () => {
    const page = await (await plain.context()).newPage();
    await page.goto("http://shop.test/links");
    await page.getByRole("link", { name: "script", exact: true }).click({ noWaitAfter: true });
    await until(() => world.evil.requests.length > 0, WAIT_MS);
    const arrived = [...world.evil.requests];
    await page.close();
    return arrived;
  });
  expect(plainly).toContain("GET evil.test/by-script");
});
