import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oneOf } from "../../test/runs.ts";
import { recordingServer } from "../../test/servers.ts";
import { type Launched, launchBrowser } from "../browser/launch.ts";
import type { RequestFacts, Verdict } from "../types.ts";
import { pipeChannel } from "./channel.ts";
import { Wire } from "./wire.ts";

const WORLD =
  "Object.defineProperty(globalThis, '__chaperone', { value: { document: String(Math.random()), title: () => document.title, add: (a, b) => a + b, idOf: () => 7, later: (ms) => new Promise((r) => setTimeout(r, ms, 'done')) } })";
const ALLOW: Verdict = { verdict: "allow", rule: "reach.scope" };
const REFUSE: Verdict = { verdict: "refuse", rule: "reach.site", reason: "no", remedy: "", operator: null, site: null };

let launched: Launched;
let wire: Wire;
let browser: Awaited<ReturnType<typeof chromium.connectOverCDP>>;
let judge: (facts: RequestFacts) => Verdict | Promise<Verdict> = () => ALLOW;
const seen: RequestFacts[] = [];

beforeAll(async () => {
  launched = await launchBrowser();
  wire = new Wire({
    channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
    judge: {
      request: (facts) => {
        seen.push(facts);
        return judge(facts);
      },
    },
    worldSource: WORLD,
    causeOf: () => ({ cause: { by: "page" }, input: null }),
    now: () => performance.now(),
  });
  await wire.start(5_000);
  browser = await chromium.connectOverCDP(wire.transport());
});

afterAll(async () => {
  await launched.close();
});

async function open(url: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const target = wire.pages().find((candidate) => wire.frame(candidate.id)?.url === page.url());
  if (target === undefined) throw new Error("the wire does not know the page");
  return { context, page, target: target.id, [Symbol.asyncDispose]: () => context.close() };
}

describe("the wire", () => {
  test("forgets the frames of a document that is left while they are loading", { timeout: 60_000 }, async () => {
    await using server = await recordingServer();
    // Each frame is a hit of its own, and 200 of them may take a busy machine a while.
    server.html("/leaf", "leaf", { "cache-control": "no-store" });
    server.html("/many", `<iframe src="/leaf"></iframe>`.repeat(400));
    await using opened = await open(`${server.url}/leaf`);
    for (const count of oneOf(2, [10, 200])) {
      await opened.page.goto(`${server.url}/many`, { waitUntil: "commit" });
      await server.waitForHit("/leaf", { count, timeoutMs: 20_000 });
      await opened.page.goto(`${server.url}/leaf`);
      await expect.poll(() => wire.frames(opened.target).length).toBe(1);
      server.clear();
    }
  });

  test("knows a page, its frames in all processes, and calls each document's isolated world", async () => {
    await using inner = await recordingServer();
    inner.html("/", "<title>inner</title>");
    await using outer = await recordingServer();
    outer.html(
      "/",
      `<title>outer</title><iframe src="${inner.url}/"></iframe><iframe srcdoc="<title>srcdoc</title>"></iframe><script>globalThis.__chaperone = 1</script>`,
    );
    await using opened = await open(`${outer.url}/`);
    await expect.poll(() => wire.frames(opened.target).filter((frame) => frame.world !== null).length).toBe(3);
    const titles = await Promise.all(
      wire
        .frames(opened.target)
        .map((frame) =>
          wire.callWorld({ sessionId: frame.sessionId, uniqueId: frame.world?.uniqueId ?? "" }, "title", [], 2_000),
        ),
    );
    expect(titles.sort()).toEqual(["inner", "outer", "srcdoc"]);
    const child = wire.frames(opened.target).find((frame) => frame.url.startsWith(inner.url));
    expect(child && (await wire.ownerOf(child, 2_000))).toMatchObject({ id: 7 });
  });

  test("a world that is gone is an error, never the next document's", async () => {
    await using server = await recordingServer();
    server.html("/", "one");
    server.html("/two", "two");
    await using opened = await open(`${server.url}/`);
    const frame = wire.frame(opened.target);
    const old = { sessionId: frame?.sessionId ?? "", uniqueId: frame?.world?.uniqueId ?? "" };
    expect(await wire.callWorld(old, "add", [1, 2], 2_000)).toBe(3);
    await opened.page.goto(`${server.url}/two`);
    await expect(wire.callWorld(old, "add", [1, 2], 2_000)).rejects.toMatchObject({ code: "page_ended" });
  });

  test("holds a request until the judge has spoken, and every redirect hop", async () => {
    await using second = await recordingServer();
    second.html("/", "second");
    await using first = await recordingServer();
    first.html("/", "first");
    first.on("/hop", (_request, response) => response.writeHead(302, { location: `${second.url}/` }).end());
    await using opened = await open(`${first.url}/`);
    judge = (facts) => (facts.url.startsWith(second.url) ? REFUSE : ALLOW);
    try {
      seen.length = 0;
      await expect(opened.page.goto(`${first.url}/hop`)).rejects.toThrow(/ERR_ABORTED/);
      expect(opened.page.url()).toBe(`${first.url}/`);
      expect(
        seen
          .filter((facts) => facts.kind === "navigation")
          .map((facts) => [facts.kind, facts.hop, facts.redirectedFrom]),
      ).toEqual([
        ["navigation", 0, null],
        ["navigation", 1, `${first.url}/hop`],
      ]);
      expect(second.hits).toEqual([]);
    } finally {
      judge = () => ALLOW;
    }
  });

  test("a post body's exact bytes and digest are facts; a file part makes it opaque", async () => {
    await using server = await recordingServer();
    server.html("/", "page");
    await using opened = await open(`${server.url}/`);
    seen.length = 0;
    await opened.page.evaluate(async () => {
      await fetch("/json", {
        method: "POST",
        body: new Blob([new Uint8Array([0, 255, 128])]),
        headers: { "content-type": "application/x-test" },
      });
      const form = new FormData();
      form.append("file", new File(["x"], "x.txt"));
      await fetch("/file", { method: "POST", body: form });
    });
    const [raw, file] = seen.filter((facts) => facts.method === "POST");
    expect(raw?.body).toMatchObject({
      kind: "bytes",
      contentType: "application/x-test",
      bytes: Buffer.from([0, 255, 128]),
    });
    // Chromium may keep a file's bytes to itself; a body is whole with them, or not at all.
    if (file?.body.kind === "bytes") expect(Buffer.from(file.body.bytes).toString()).toContain("\r\n\r\nx\r\n");
    else expect(file?.body.kind).toBe("opaque");
    expect(seen.every((facts) => facts.from.documentUrl === `${server.url}/`)).toBe(true);
  });

  test("a refused popup leaves no tab behind, and its server hears nothing", async () => {
    await using second = await recordingServer();
    second.html("/", "second");
    await using first = await recordingServer();
    first.html("/", `<a target=_blank rel=noopener href="${second.url}/">go</a>`);
    await using opened = await open(`${first.url}/`);
    judge = (facts) => (facts.url.startsWith(second.url) ? REFUSE : ALLOW);
    try {
      await opened.page.click("a", { noWaitAfter: true });
      await expect.poll(() => seen.some((facts) => facts.url.startsWith(second.url))).toBe(true);
      await expect.poll(() => wire.pages().length).toBe(1);
      expect(second.hits).toEqual([]);
    } finally {
      judge = () => ALLOW;
    }
  });
});
