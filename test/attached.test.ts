import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type OpenedSession, openToolbox } from "../src/assembly/open.ts";
import { main } from "../src/cli/main.ts";
import { type Config, type ConfigInput, configFromObject } from "../src/config/index.ts";
import { type BrowserEvent, openSession } from "../src/index.ts";
import { childEnvironment } from "./child-environment.ts";
import { type RunningBrowser, runningBrowser } from "./running-browser.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

const PROGRAM = fileURLToPath(new URL("../bin/chaperone.mjs", import.meta.url));
const WITHIN_MS = 30_000;
/** On a busy machine; else it is one. That most of the lines were not even read does not depend on it. */
const LONGEST_WAIT_MS = 20_000;

let directory: string;
let browser: RunningBrowser;
/**
 * The person's own site: a private address that the session has not opened, so a request of it that was judged would be
 * refused.
 */
let persons: RecordingServer;
let ours: RecordingServer;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-attached-test-"));
  browser = await runningBrowser();
  persons = await recordingServer();
  persons.html(
    "/",
    `<title>Mine</title><iframe src="/inner"></iframe><iframe srcdoc="<script>setInterval(() => fetch('${persons.url}/srcdoc-poll', { mode: 'no-cors' }), 50)</script>"></iframe>
     <script>setInterval(() => fetch("/poll"), 50); new SharedWorker("/shared.js"); new Worker("/worker.js")</script>`,
  );
  persons.html("/inner", `<script>setInterval(() => fetch("/inner-poll"), 50)</script>`);
  persons.on("/shared.js", (_request, response) => script(response, "setInterval(() => fetch('/shared-poll'), 50)"));
  persons.on("/worker.js", (_request, response) => script(response, "setInterval(() => fetch('/worker-poll'), 50)"));
  ours = await recordingServer();
  ours.html(
    "/",
    `<h1>Ours</h1><a target="_blank" href="/popup">Open another</a><a href="${persons.url}/stolen">Elsewhere</a><iframe src="/frame"></iframe><script>fetch("/data")</script>`,
  );
  ours.html("/popup", "<h1>Popup</h1>");
  ours.html(
    "/frame",
    "<button onclick=\"this.textContent = 'Pressed'\">Press me</button><script>fetch('/frame-data')</script>",
  );
});
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await persons?.close();
  await ours?.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  ours.clear();
  persons.clear();
});
// They ask for something all the time: left open they would only slow down the next test.
afterEach(() => browser.closeTabs());

function script(
  response: { setHeader(name: string, value: string): unknown; end(text: string): unknown },
  text: string,
): void {
  response.setHeader("content-type", "text/javascript");
  response.end(text);
}

const POLLS = ["/poll", "/inner-poll", "/srcdoc-poll", "/shared-poll", "/worker-poll"];

/** Every kind of the person's requests comes through, from now on. */
async function pollsGoOn(): Promise<void> {
  const before = POLLS.map((path) => persons.hitsTo(path).length + 3);
  await expect
    .poll(() => POLLS.filter((path, index) => persons.hitsTo(path).length < (before[index] ?? 0)), {
      timeout: WITHIN_MS,
    })
    .toEqual([]);
}

let number = 0;
async function attached({
  open,
  ...options
}: Omit<ConfigInput, "approve"> & { readonly open?: (loaded: { readonly config: Config }) => OpenedSession } = {}) {
  number += 1;
  const ledger = join(directory, `${number}.jsonl`);
  const asked: string[] = [];
  const rule = ({ url }: { url: string }) => {
    asked.push(url);
    return null;
  };
  const given = { private: [ours.url], browser: { cdpUrl: browser.endpoint }, ledger: { file: ledger }, ...options };
  const session = open === undefined ? await openSession({ rule, ...given }) : open(configFromObject("library", given));
  const events: BrowserEvent[] = [];
  session.events.subscribe((event) => events.push(event));
  return {
    session,
    events,
    asked,
    ledger: () => readFileSync(ledger, "utf8"),
    [Symbol.asyncDispose]: () => session.close(),
  };
}

describe("a session in somebody's running browser", () => {
  test.each(["ws", "http"] as const)(
    "works in a context of its own, over %s, and leaves it as it was",
    async (scheme) => {
      const mine = await browser.open(`${persons.url}/`);
      await pollsGoOn();
      const pagesBefore = await browser.pages();
      const told: unknown[] = [];
      {
        await using opened = await attached({ browser: { cdpUrl: scheme === "ws" ? browser.endpoint : browser.http } });
        const { session, events, asked } = opened;
        expect(session.instructions).toContain("attached (unproven)");
        const page = await session.call("navigate", { url: `${ours.url}/` });
        told.push(page);
        expect(page.envelope.snapshot).toContain("Press me");
        expect(events.find(({ kind }) => kind === "browser_started")).toMatchObject({
          reason: expect.stringMatching(/Chrome\/.* \(attached, unproven\)/),
        });

        const pressed = await session.call("click", { target: 'button "Press me"' });
        told.push(pressed);
        expect(pressed.envelope).toMatchObject({ ok: true });
        expect(pressed.envelope.snapshot).toContain("Pressed");
        expect(ours.hitsTo("/frame-data")).toHaveLength(1);

        const popup = await session.call("click", { target: 'link "Open another"' });
        told.push(popup);
        const tabs = await session.call("tabs", {});
        told.push(tabs);
        // On a busy machine it may come after the click's own result.
        const happened = [popup, tabs].flatMap(({ envelope }) => envelope.events ?? []);
        expect(happened).toContainEqual(expect.objectContaining({ kind: "popup" }));
        expect((tabs.envelope.tabs as { url: string }[]).map(({ url }) => url).sort()).toEqual([
          `${ours.url}/`,
          `${ours.url}/popup`,
        ]);

        const refused = await session.call("click", { target: 'link "Elsewhere"' });
        told.push(refused);
        expect(refused.envelope.refused?.rule).toBe("reach.private");
        expect(persons.hitsTo("/stolen")).toEqual([]);

        // Documents that begin while the session holds requests are where a person would notice it.
        await mine.evaluate("location.reload()");
        await pollsGoOn();
        const another = await browser.open(`${persons.url}/?another`);
        await pollsGoOn();
        await another.evaluate(`void window.open("/?popup")`);
        await persons.waitForHit("/?popup");
        await another.evaluate("document.cookie = 'persons=own'");
        const fresh = await session.call("tabs", { action: "new" });
        expect(fresh.envelope.ok).toBe(true);
        await another.evaluate("window.close()");

        const page2 = await session.page();
        expect(await page2.context().cookies()).toEqual([]);
        expect(
          page2
            .context()
            .pages()
            .every((each) => !each.url().startsWith(persons.url)),
        ).toBe(true);
        expect(
          page2
            .context()
            .browser()
            ?.contexts()
            .flatMap((context) => context.pages())
            .filter((each) => each.url().startsWith(persons.url)),
        ).toEqual([]);
        expect(asked.filter((url) => url.startsWith(persons.url))).toEqual([]);
        told.push(events, await session.call("network_requests", {}), session.instructions, opened.ledger());
      }
      await expect.poll(() => browser.contexts()).toEqual([]);
      expect((await browser.pages()).filter((url) => url.startsWith(ours.url))).toEqual([]);
      expect(await browser.pages()).toEqual(expect.arrayContaining([...pagesBefore]));
      await pollsGoOn();
      await mine.evaluate("location.reload()");
      await pollsGoOn();
      expect(JSON.stringify(told)).not.toContain(browser.token);
      expect(JSON.stringify(told)).not.toContain(browser.http);
    },
  );

  test("a request of ours never passes for one of the person's, also when its frame is gone", async () => {
    ours.html(
      "/frames",
      `<script>
         for (let i = 0; i < 40; i++) {
           const frame = document.createElement("iframe");
           frame.src = "/leaving?" + i;
           document.documentElement.append(frame);
         }
         new Worker(URL.createObjectURL(new Blob(["fetch('${persons.url}/leak-worker', { mode: 'no-cors' }); close()"], { type: "text/javascript" })));
         new SharedWorker("/shared-leak.js");
       </script>`,
    );
    ours.html(
      "/leaving",
      `<script>
         fetch("${persons.url}/leak" + location.search, { method: "POST", body: "x", mode: "no-cors", keepalive: true });
         navigator.sendBeacon("${persons.url}/leak-beacon" + location.search, "x");
         frameElement.remove();
       </script>`,
    );
    ours.on("/shared-leak.js", (_request, response) =>
      script(response, `fetch("${persons.url}/leak-shared", { mode: "no-cors" }).catch(() => {}); close()`),
    );
    await browser.open(`${persons.url}/`);
    await using opened = await attached();
    await opened.session.call("navigate", { url: `${ours.url}/frames` });
    const refused = () =>
      opened.events.filter((event) => event.kind === "request" && event.refused !== null && event.url.includes("/leak"))
        .length;
    await expect.poll(refused, { timeout: WITHIN_MS }).toBeGreaterThanOrEqual(40 + 40);
    await opened.session.call("navigate", { url: `${ours.url}/` });
    await pollsGoOn();
    expect(persons.hits.filter(({ path }) => path.includes("leak"))).toEqual([]);
  });

  test("answers none of the person's dialogs and holds none of their requests while its own wait", async () => {
    const mine = await browser.open(`${persons.url}/`);
    await browser.send("Page.enable", {}, mine.session);
    await using opened = await attached();
    await opened.session.call("navigate", { url: `${ours.url}/` });
    const before = browser.events.length;
    await mine.evaluate("void setTimeout(() => alert('mine'), 0)");
    await expect.poll(() => browser.events.slice(before)).toContain("Page.javascriptDialogOpening");
    await opened.session.call("snapshot", {});
    expect(browser.events.slice(before)).not.toContain("Page.javascriptDialogClosed");
    await browser.send("Page.handleJavaScriptDialog", { accept: true }, mine.session);
    await pollsGoOn();
  });

  test("holds up none of the person's requests while a page of its own floods the console", async () => {
    const lines = 50_000;
    ours.html(
      "/flood",
      `<script>addEventListener("load", () => setTimeout(() => { for (let i = 0; i < ${lines}; i++) console.log("line " + i + " ".repeat(400)); fetch("/done") }, 50))</script>`,
    );
    await browser.open(`${persons.url}/`);
    await using opened = await attached();
    await opened.session.call("navigate", { url: `${ours.url}/` });
    await pollsGoOn();
    let longest = 0;
    let last = performance.now();
    const heard = setInterval(() => {
      const count = persons.hitsTo("/poll").length;
      if (count > before)
        [before, longest, last] = [count, Math.max(longest, performance.now() - last), performance.now()];
    }, 5);
    let before = persons.hitsTo("/poll").length;
    const opening = opened.session.call("navigate", { url: `${ours.url}/flood` });
    await ours.waitForHit("/done", { timeoutMs: 60_000 });
    await opening;
    const told = await opened.session.call("console_messages", {});
    clearInterval(heard);
    console.log(`the person's page waited ${Math.round(longest)} ms at most`);
    expect(longest).toBeLessThan(LONGEST_WAIT_MS);
    expect(Number(/"older_left_out":(\d+)/.exec(JSON.stringify(told))?.[1])).toBeGreaterThan(lines / 2);
  });

  test("puts nothing into the directory for temporary files, so that a process that is killed leaves nothing there", async () => {
    // Tests beside this one have theirs elsewhere.
    const own = mkdtempSync(join(tmpdir(), "chaperone-attached-t-"));
    const { TMPDIR: before } = process.env;
    process.env.TMPDIR = own;
    onTestFinished(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(own, { recursive: true, force: true });
    });
    await using opened = await attached();
    ours.on("/file", (_request, response) =>
      response.writeHead(200, { "content-disposition": "attachment; filename=a.txt" }).end("words"),
    );
    await opened.session.call("navigate", { url: `${ours.url}/file` });
    await opened.session.call("navigate", { url: `${ours.url}/` });
    await opened.session.call("screenshot", {});
    expect(readdirSync(own)).toEqual([]);
  });

  test("two sessions beside each other do not see each other", async () => {
    await using one = await attached();
    await using two = await attached();
    const opened = await Promise.all(
      [one, two].map(({ session }) => session.call("navigate", { url: `${ours.url}/` })),
    );
    expect(opened.map(({ envelope }) => envelope.ok)).toEqual([true, true]);
    expect((await one.session.call("tabs", {})).envelope.tabs).toHaveLength(1);
    await one.session.close();
    expect((await two.session.call("click", { target: 'button "Press me"' })).envelope.ok).toBe(true);
  });

  test("has a proxy of its own there: sockets are judged, names lead where they were checked, and the person's go on beside it", async () => {
    await using far = await recordingServer();
    ours.html(
      "/socket",
      `<p>Tries</p><script>new WebSocket("ws://${far.host}/socket").onerror = () => fetch("/tried")</script>`,
    );
    await using opened = await attached({
      open: ({ config }) =>
        openToolbox(config, {
          resolve: (name) => Promise.resolve([name === "inside.test" ? "127.0.0.1" : "93.184.216.34"]),
          warn: () => {},
        }),
      allow: ["mapped.test", `inside.test:${far.port}`],
      hostMap: { "mapped.test": ours.host },
    });
    const { session, events } = opened;
    expect((await session.call("navigate", { url: `${ours.url}/socket` })).envelope.ok).toBe(true);
    await ours.waitForHit("/tried");
    expect(events).toContainEqual(
      expect.objectContaining({
        url: `ws://${far.host}/socket`,
        refused: expect.objectContaining({ rule: "reach.private" }),
      }),
    );
    const inside = await session.call("navigate", { url: `http://inside.test:${far.port}/inside` });
    expect(inside.envelope).toMatchObject({ ok: false, refused: { rule: "reach.private" } });
    expect([far.hits.length, far.connections.total]).toEqual([0, 0]);
    expect((await session.call("navigate", { url: "http://mapped.test/popup" })).envelope).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("Popup"),
    });
    expect(events.find(({ kind }) => kind === "browser_started")).toMatchObject({
      reason: expect.stringMatching(/\(attached, unproven\)$/),
    });

    // The control: the same page in the person's own tab, at the same time.
    await browser.open(`${ours.url}/socket`);
    await far.waitForHit("/socket");
    await browser.open(`${persons.url}/`);
    await pollsGoOn();
  });

  test("behind a tunnel, as from another machine, it works without such a proxy, says so, and goes out by no other", async () => {
    const there = new URL(browser.endpoint);
    const tunnel = createServer((near) => {
      const end = connect(Number(there.port), there.hostname);
      for (const [socket, other] of [
        [near, end],
        [end, near],
      ] as const)
        socket.on("error", () => other.destroy()).pipe(other);
    }).listen(0, "127.0.0.1");
    await once(tunnel, "listening");
    const { port } = tunnel.address() as { port: number };
    const cdpUrl = `ws://127.0.0.1:${port}${there.pathname}`;
    try {
      await using opened = await attached({ browser: { cdpUrl } });
      expect((await opened.session.call("navigate", { url: `${ours.url}/` })).envelope.ok).toBe(true);
      expect(opened.events.find(({ kind }) => kind === "browser_started")).toMatchObject({
        reason: expect.stringContaining("beside our proxy"),
      });
      await using elsewhere = await attached({ browser: { cdpUrl, proxy: "http://127.0.0.1:9" } });
      const refused = await elsewhere.session.call("navigate", { url: `${ours.url}/` });
      expect(refused.envelope.error).toMatchObject({
        code: "no_browser",
        message: expect.stringContaining("--proxy (browser.proxy)"),
      });
    } finally {
      tunnel.close();
    }
    await expect.poll(() => browser.contexts()).toEqual([]);
  });

  test("goes out through the operator's proxy, too", async () => {
    const asked: string[] = [];
    const upstream = createHttpServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, { "content-type": "text/html" }).end("<p>From the proxy</p>");
    }).listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const { port } = upstream.address() as { port: number };
    try {
      await using opened = await attached({
        open: ({ config }) =>
          openToolbox(config, { resolve: () => Promise.resolve(["93.184.216.34"]), warn: () => {} }),
        allow: ["shop.test"],
        browser: { cdpUrl: browser.endpoint, proxy: `http://127.0.0.1:${port}` },
      });
      expect((await opened.session.call("navigate", { url: "http://shop.test/a" })).envelope).toMatchObject({
        ok: true,
        snapshot: expect.stringContaining("From the proxy"),
      });
      expect(asked).toContain("http://shop.test/a");
    } finally {
      upstream.closeAllConnections();
      upstream.close();
    }
  });

  test("begins anew with the next call after its own browser was gone", async () => {
    await using doomed = await runningBrowser();
    await using opened = await attached({ browser: { cdpUrl: doomed.endpoint } });
    expect((await opened.session.call("navigate", { url: `${ours.url}/` })).envelope.ok).toBe(true);
    const waiting = opened.session.call("wait_for", { target: 'button "Never there"', timeout_ms: 20_000 });
    await doomed.kill();
    expect((await waiting).envelope.error?.code).toBe("browser_ended");
    const next = await opened.session.call("navigate", { url: `${ours.url}/` });
    expect(next.envelope.error).toMatchObject({
      code: "no_browser",
      message: expect.stringContaining("No browser answers at the address to attach to."),
    });
    expect(opened.events).toContainEqual(expect.objectContaining({ kind: "browser_ended" }));
    expect(JSON.stringify([next, opened.events, opened.ledger()])).not.toContain(doomed.token);
  });
});

describe("an address where no browser is", () => {
  const TOKEN = "t0ken-4711";

  test("a server that accepts and says nothing is told of within the deadline, and a close does not wait for it", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as { port: number };
    try {
      for (const scheme of ["ws", "http"]) {
        await using opened = await attached({
          browser: { cdpUrl: `${scheme}://127.0.0.1:${port}/${TOKEN}` },
          navigationTimeoutMs: 300,
        });
        const before = performance.now();
        const answer = await opened.session.call("navigate", { url: `${ours.url}/` });
        expect(performance.now() - before).toBeLessThan(2_000);
        expect(answer.envelope.error).toMatchObject({
          code: "no_browser",
          message: expect.stringContaining("did not answer within 300 ms"),
        });
        expect(JSON.stringify([answer, opened.events, opened.ledger()])).not.toContain(TOKEN);
      }
      const closing = await attached({ browser: { cdpUrl: `ws://127.0.0.1:${port}/${TOKEN}` } });
      const waiting = closing.session.call("navigate", { url: `${ours.url}/` });
      const before = performance.now();
      await closing.session.close();
      await waiting;
      expect(performance.now() - before).toBeLessThan(2_000);
    } finally {
      silent.close();
    }
  });

  test("the command line says so without showing it, with exit code 5", async () => {
    const ledger = join(directory, "cli.jsonl");
    const run = async (argv: readonly string[], env: Record<string, string> = {}) => {
      let said = "";
      const out = { write: (text: string) => (said += text) };
      const code = await main(argv, { stdout: out, stderr: out, env: { XDG_CONFIG_HOME: directory, ...env } });
      expect(said).not.toContain(TOKEN);
      return [code, said];
    };
    for (const url of [`ws://127.0.0.1:1/${TOKEN}`, `http://user:${TOKEN}@127.0.0.1:1/?token=${TOKEN}`]) {
      const open = ["open", "http://127.0.0.1:1/", "--ledger", ledger];
      expect(await run([...open, "--cdp-url", url])).toEqual([5, expect.stringContaining("no_browser")]);
      expect(await run(open, { CHAPERONE_CDP_URL: url })).toEqual([5, expect.stringContaining("no_browser")]);
    }
    expect(readFileSync(ledger, "utf8")).not.toContain(TOKEN);
    expect(await run(["mcp", "--cdp-url", `ftp://x/${TOKEN}`])).toEqual([
      2,
      expect.stringContaining("--cdp-url must be"),
    ]);
    expect(await run(["mcp", `--cdpurl=ws://x/${TOKEN}`])).toEqual([
      2,
      expect.stringContaining("unknown option '--cdpurl=…'"),
    ]);
  });

  test("an MCP client's server tells it, and its own stderr has no address", async () => {
    const server = spawn(process.execPath, [PROGRAM, "mcp", "--ledger", join(directory, "mcp.jsonl")], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...childEnvironment(), CHAPERONE_CDP_URL: `ws://127.0.0.1:1/${TOKEN}` },
    });
    let said = "";
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "stock", version: "1" } },
    });
    await expect.poll(() => said, { timeout: 20_000 }).toContain("attached (unproven)");
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "navigate", arguments: { url: "http://127.0.0.1:1/" } } });
    await expect.poll(() => said, { timeout: 10_000 }).toContain("no_browser");
    server.stdin.end();
    await once(server, "exit");
    expect(said).toContain("is unproven");
    expect(said).not.toContain(TOKEN);
  });
});
