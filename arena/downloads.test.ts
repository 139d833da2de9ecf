import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Download } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import type { BrowserEvent } from "../src/types.ts";
import { chromiumProgram } from "../test/chromium-program.ts";
import { Controls } from "../test/controls.ts";
import { failure } from "../test/failure.ts";
import { oneOf } from "../test/runs.ts";
import { yes } from "../test/yes.ts";
import { plainWhenNeeded } from "./plain.ts";

const WORDS = "words-of-the-file";
const CHUNK = Buffer.alloc(65_536, WORDS);
const TEN_GIGABYTES = 10_737_418_240;
/** What fits into the buffers between the server and a browser that reads nothing, with room to spare. */
const MOST_SENT_BYTES = 16_777_216;
/** A browser that takes it all has this soon. */
const MUCH_BYTES = 4 * MOST_SENT_BYTES;
/** Bounds for a busy machine. */
const WAIT_MS = 60_000;
const TEST_MS = 120_000;
/** A link to save may be taken for a navigation until this is over. */
const CALL_MS = 2_000;

/** Answers that a browser saves instead of showing, by path. */
const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/attached": { "content-type": "text/plain", "content-disposition": `attachment; filename="../../evil name.csv"` },
  "/attached.html": { "content-type": "text/html", "content-disposition": "attachment" },
  "/bytes": { "content-type": "application/octet-stream" },
  "/page.mht": { "content-type": "multipart/related; boundary=x; type=text/html" },
  "/mail": { "content-type": "message/rfc822" },
  "/program": { "content-type": "application/x-msdownload" },
  "/endless": { "content-type": "application/octet-stream" },
  "/huge": { "content-type": "application/octet-stream", "content-length": `${TEN_GIGABYTES}` },
};
const UNENDING: ReadonlySet<string> = new Set(["/endless", "/huge"]);

const page = (markup: string, script = ""): string =>
  `<!doctype html><link rel="icon" href="data:,"><p>words that stay</p>${markup}<script>${script}</script>`;
const saving = (address: string): string =>
  `document.querySelector("#go").onclick = () => { const a = document.createElement("a"); a.href = ${address}; a.download = "saved.html"; document.body.append(a); a.click(); };`;
const PRESSED = `<button id="go">Go</button>`;

/** How a download begins. `press`: at a click. */
const WAYS: readonly (readonly [how: string, body: string, press: string | null])[] = [
  [
    "by the page, as soon as it is open",
    page(
      "",
      `const a = document.createElement("a"); a.href = "/attached"; a.download = "x"; document.body.append(a); a.click();`,
    ),
    null,
  ],
  ["by a link to save", page(`<a download href="/attached">Go</a>`), `link "Go"`],
  ["by a header, from a link", page(`<a href="/attached">Go</a>`), `link "Go"`],
  ["by a header, in a frame", page(`<iframe src="/attached"></iframe>`), null],
  ["by a header, in a popup", page(`<button onclick="window.open('/attached')">Go</button>`), `button "Go"`],
  ["by a header, of a form", page(`<form method="post" action="/attached"><button>Go</button></form>`), `button "Go"`],
  ["by what cannot be shown", page(`<a href="/bytes">Go</a>`), `link "Go"`],
  ["of a program", page(`<a href="/program">Go</a>`), `link "Go"`],
  ["of a page", page(`<a href="/attached.html">Go</a>`), `link "Go"`],
  ["of a page with its parts (MHT)", page(`<a href="/page.mht">Go</a>`), `link "Go"`],
  ["of a mail", page(`<a href="/mail">Go</a>`), `link "Go"`],
  [
    "of a blob",
    page(PRESSED, saving(`URL.createObjectURL(new Blob(["${WORDS}"], { type: "text/html" }))`)),
    `button "Go"`,
  ],
  ["of a data address", page(PRESSED, saving(`"data:text/html,${WORDS}"`)), `button "Go"`],
  ["without an end", page(`<a href="/endless">Go</a>`), `link "Go"`],
  ["of ten gigabytes", page(`<a href="/huge">Go</a>`), `link "Go"`],
];

/** One for each browser, with what it managed to send and how many it still sends to. */
interface Site {
  readonly server: Server;
  readonly port: number;
  show(body: string): void;
  sent(): number;
  sending(): number;
}

async function openSite(): Promise<Site> {
  let shown = "";
  let sent = 0;
  const sending = new Set<ServerResponse>();
  const pour = (response: ServerResponse): void => {
    while (!response.destroyed && response.writableLength === 0) {
      sent += CHUNK.length;
      response.write(CHUNK);
    }
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const headers = FILES[path];
    response.writeHead(200, headers ?? { "content-type": "text/html" });
    if (!UNENDING.has(path)) return void response.end(headers === undefined ? shown : `<p>${WORDS}`);
    sending.add(response);
    response.on("drain", () => pour(response));
    response.on("close", () => sending.delete(response));
    pour(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    port: (server.address() as AddressInfo).port,
    show: (body) => {
      shown = body;
      sent = 0;
    },
    sent: () => sent,
    sending: () => sending.size,
  };
}

/** All files below, that are there at this moment. */
async function filesBelow(directory: string): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(files.map(async (path) => ({ path, bytes: (await stat(path).catch(() => ({ size: 0 }))).size })));
}

async function textsOf(files: Awaited<ReturnType<typeof filesBelow>>): Promise<readonly string[]> {
  return Promise.all(files.map(({ path }) => readFile(path, "latin1").catch(() => "")));
}

const oldTemporary = process.env.TMPDIR;
let place: string;
let sites: { readonly guarded: Site; readonly plain: Site };
let session: OpenedSession;
const controls = new Controls("downloads");
const plain = plainWhenNeeded(() => ({ hostMap: { "shop.test": `127.0.0.1:${sites.plain.port}` } }));
const events: BrowserEvent[] = [];

beforeAll(async () => {
  // All that the session's browser writes is below it; its user must be able to enter.
  place = await mkdtemp(join(tmpdir(), "dl-"));
  await chmod(place, 0o755);
  sites = { guarded: await openSite(), plain: await openSite() };
  process.env.TMPDIR = place;
  session = await openSession({
    ...yes,
    allow: ["shop.test"],
    hostMap: { "shop.test": `127.0.0.1:${sites.guarded.port}` },
    browser: { path: chromiumProgram() },
  });
  session.events.subscribe((event) => events.push(event));
  await session.call("navigate", { url: "http://shop.test/" });
});
afterAll(async () => {
  controls.close();
  await Promise.all([session.close(), plain.close()]);
  if (oldTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = oldTemporary;
  for (const { server } of [sites.guarded, sites.plain]) {
    server.closeAllConnections();
    server.close();
  }
  await rm(place, { recursive: true, force: true, maxRetries: 5 });
});
beforeEach(() => {
  events.length = 0;
});

/** No file has what was sent, and none grew by it. The first bytes may lie in Chromium's own until it hears the no. */
async function expectNothingSaved(): Promise<void> {
  const saved = async (): Promise<readonly string[]> => {
    const files = await filesBelow(place);
    const texts = await textsOf(files);
    return files.flatMap(({ path, bytes }, at) =>
      path.includes("/downloads/") || bytes > MOST_SENT_BYTES || texts[at]?.includes(WORDS) === true ? [path] : [],
    );
  };
  expect((await filesBelow(place)).length).toBeGreaterThan(0);
  await expect.poll(saved, { timeout: WAIT_MS }).toEqual([]);
}

describe.each(oneOf(3, WAYS))("A-111: a download %s", (how, body, press) => {
  test("is told as cancelled, is nowhere on the disk, and its server is let go", { timeout: TEST_MS }, async () => {
    sites.guarded.show(body);
    const told = [await session.call("navigate", { url: "http://shop.test/", timeout_ms: CALL_MS })];
    if (press !== null) told.push(await session.call("click", { target: press, timeout_ms: CALL_MS }));
    await expect
      .poll(() => events.filter(({ kind }) => kind === "download"), { timeout: WAIT_MS })
      .toEqual([expect.objectContaining({ outcome: "cancelled" })]);
    await expect.poll(() => sites.guarded.sending(), { timeout: WAIT_MS }).toBe(0);
    expect(sites.guarded.sent()).toBeLessThan(MOST_SENT_BYTES);
    await expectNothingSaved();
    told.push(await session.call("get_text", {}));
    const text = JSON.stringify(told.map(({ envelope }) => envelope));
    expect(text).toContain(`"kind":"download"`);
    expect(text).toContain("words that stay");
    expect(JSON.stringify(told.at(-1)?.envelope)).not.toContain(WORDS);
  });

  test("is saved without the guard", { timeout: TEST_MS }, async ({ task }) => {
    const content = { body, press, files: FILES, unending: [...UNENDING] };
    const isSaved = await controls.outcome(`A-111 ${how}`, content, () => savedPlainly(body, press));
    expect(
      isSaved,
      failure(task, { scenario: `A-111 ${how}`, expected: "plain Chromium saves it", received: [] }),
    ).toBe(true);
  });
});

/** Starts something that does not write below the place of the session's browser. */
async function outside<T>(start: () => Promise<T>): Promise<T> {
  const inside = process.env.TMPDIR;
  process.env.TMPDIR = oldTemporary ?? "";
  try {
    return await start();
  } finally {
    process.env.TMPDIR = inside;
  }
}

/** Whether plain Chromium has the file, or takes in what has no end. */
async function savedPlainly(body: string, press: string | null): Promise<boolean> {
  const context = await outside(() => plain.context());
  sites.plain.show(body);
  const tab = await context.newPage();
  const saved: Download[] = [];
  const listen = (one: typeof tab): unknown => one.on("download", (download) => saved.push(download));
  context.on("page", listen);
  listen(tab);
  try {
    await tab.goto("http://shop.test/");
    const [, role = "", name = ""] = /^(\w+) "(.*)"$/.exec(press ?? "") ?? [];
    if (press !== null) await tab.getByRole(role as "link" | "button", { name }).click({ noWaitAfter: true });
    await expect.poll(() => saved.length, { timeout: WAIT_MS }).toBe(1);
    if (sites.plain.sending() === 0) return (await readFile((await saved[0]?.path()) ?? "", "latin1")).includes(WORDS);
    await expect.poll(() => sites.plain.sent(), { timeout: WAIT_MS }).toBeGreaterThan(MUCH_BYTES);
    await saved[0]?.cancel();
    await expect.poll(() => sites.plain.sending(), { timeout: WAIT_MS }).toBe(0);
    return true;
  } finally {
    context.off("page", listen);
    await tab.close();
  }
}

test("A-111: opening a file's address gives no file, and the page stays", { timeout: TEST_MS }, async () => {
  sites.guarded.show(page(""));
  await session.call("navigate", { url: "http://shop.test/" });
  for (const path of Object.keys(FILES)) {
    events.length = 0;
    const { envelope } = await session.call("navigate", { url: `http://shop.test${path}` });
    expect(envelope).toMatchObject({ changed: "nothing", note: expect.stringContaining("no document came") });
    expect(events).toContainEqual(expect.objectContaining({ kind: "download", outcome: "cancelled" }));
    expect(JSON.stringify((await session.call("get_text", {})).envelope)).toContain("words that stay");
  }
  await expect.poll(() => sites.guarded.sending(), { timeout: WAIT_MS }).toBe(0);
  await expectNothingSaved();
});
