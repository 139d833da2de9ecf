import { readdirSync, statSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Failure } from "../errors.ts";
import { type Launched, type LaunchOptions, launchBrowser } from "./launch.ts";
import { descendantsOf, liveProcesses, processesOf, type SeenProcess } from "./processes.fixture.ts";
import { openPage, type Protocol, protocolOf } from "./protocol.fixture.ts";

const isRoot = process.getuid?.() === 0;
/** Killed processes need a moment until the kernel has taken them away. */
const SOON = { timeout: 5_000, interval: 10 };

let place: string;
let programs: string;
let open: Launched[];
beforeEach(async () => {
  open = [];
  place = await mkdtemp(path.join(tmpdir(), "launch-test-"));
  programs = await mkdtemp(path.join(tmpdir(), "launch-test-program-"));
  for (const directory of [place, programs]) await chmod(directory, 0o755);
  vi.stubEnv("TMPDIR", place);
});
afterEach(async () => {
  await Promise.all(open.map((browser) => browser.close()));
  const left = (): { files: string[]; processes: string[] } => ({
    files: readdirSync(place),
    processes: processesOf({ directory: place }),
  });
  // A kernel with much to do takes a while to end what was killed.
  await vi.waitFor(() => expect(left()).toEqual({ files: [], processes: [] }), SOON).catch(() => {});
  const late = left();
  vi.unstubAllEnvs();
  for (const directory of [place, programs]) await rm(directory, { recursive: true, force: true });
  expect(late).toEqual({ files: [], processes: [] });
});

async function launch(options: LaunchOptions = {}): Promise<Launched> {
  const browser = await launchBrowser(options);
  open.push(browser);
  return browser;
}

async function failureOf(options: LaunchOptions): Promise<Failure> {
  const outcome: unknown = await launch(options).catch((error: unknown) => error);
  if (!Failure.is(outcome)) throw new Error(`expected a Failure, got ${String(outcome)}`);
  return outcome;
}

function processOf(browser: Launched): SeenProcess {
  const found = liveProcesses().find((seen) => seen.pid === browser.pid);
  if (found === undefined) throw new Error("the browser's process is not there");
  return found;
}

const profileOf = (browser: Launched) =>
  (processOf(browser).args.find((argument) => argument.startsWith("--user-data-dir=")) ?? "").slice(
    "--user-data-dir=".length,
  );

function renderersOf(browser: Launched): SeenProcess[] {
  return descendantsOf(browser.pid).filter((seen) => seen.args.includes("--type=renderer"));
}

async function fakeBrowser(script: string): Promise<string> {
  const file = path.join(programs, "browser");
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

test("it answers, and says what runs", async () => {
  const browser = await launch();
  expect(browser.version).toMatch(/^Chrome\/\d+\./);
  expect(browser).toMatchObject({ sandboxed: true, pid: expect.any(Number), path: expect.stringMatching(/^\//) });
  expect((await protocolOf(browser).send("Browser.getVersion")).product).toBe(browser.version);
});

test("renderers run in the sandbox, as root too, and not as root", async () => {
  const browser = await launch();
  await openPage(protocolOf(browser));
  const filters = (seen: SeenProcess | undefined) => Number(seen?.status.get("Seccomp_filters"));
  const ours = filters(liveProcesses().find((seen) => seen.pid === process.pid));
  // A renderer that was forked a moment ago is not locked in yet.
  await vi.waitFor(() => {
    const renderers = renderersOf(browser);
    expect(renderers.length).toBeGreaterThan(0);
    for (const renderer of renderers) {
      expect(renderer.status.get("Seccomp")).toBe("2");
      expect(filters(renderer)).toBeGreaterThan(ours);
      expect(renderer.uid).not.toBe(0);
      expect(renderer.args).not.toContain("--no-sandbox");
    }
  }, SOON);
});

test("without the sandbox only when told so, and still not as root", async () => {
  const browser = await launch({ sandbox: false });
  expect(browser.sandboxed).toBe(false);
  expect(processOf(browser).args).toContain("--no-sandbox");
  expect(processOf(browser).uid).not.toBe(0);
});

test("two sessions have their own profile and, as root, their own user", async () => {
  const [one, other] = await Promise.all([launch(), launch()]);
  expect(profileOf(one)).not.toBe(profileOf(other));
  for (const browser of [one, other]) {
    const { uid } = processOf(browser);
    const root = path.dirname(profileOf(browser));
    expect(root.startsWith(`${place}/`)).toBe(true);
    for (const directory of [root, profileOf(browser), browser.downloads]) {
      expect(statSync(directory).mode & 0o777).toBe(0o700);
      expect(statSync(directory).uid).toBe(uid);
    }
  }
  if (isRoot) {
    expect(processOf(one).uid).not.toBe(processOf(other).uid);
    expect(processOf(one).status.get("Groups")).toBe("");
  }
});

test("where the browser's user cannot enter TMPDIR another directory is taken", async () => {
  await chmod(place, 0o700);
  const browser = await launch();
  expect(profileOf(browser).startsWith(`${place}/`)).toBe(!isRoot);
});

test("secrets of our environment are not in the browser's", async () => {
  vi.stubEnv("SOME_API_KEY", "very-secret");
  const program = await fakeBrowser("env >&2; exit 1");
  const environment = String((await failureOf({ path: program })).cause);
  expect(environment).toContain(`HOME=${place}/`);
  expect(environment).not.toContain("very-secret");
});

test.each([
  ["the first context", async () => undefined],
  [
    "a context made later",
    async (protocol: Protocol) => (await protocol.send("Target.createBrowserContext")).browserContextId,
  ],
])("in %s http pages load; files, the browser's own pages and foreign schemes do not", async (_which, contextOf) => {
  const frames = "<iframe srcdoc='<p>a'></iframe><iframe src='data:text/html,<p>b'></iframe>";
  const server = createServer((_request, response) => response.setHeader("content-type", "text/html").end(frames));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const protocol = protocolOf(await launch());
    const context = await contextOf(protocol);
    // A page each: after a blocked navigation the next one must wait for its error page.
    const errorOf = async (url: string) =>
      (await protocol.send("Page.navigate", { url }, await openPage(protocol, context))).errorText;
    for (const url of [
      "file:///etc/hostname",
      "chrome://version/",
      "view-source:http://127.0.0.1/",
      "mailto:a@b.test",
      "foo:bar",
    ]) {
      expect(await errorOf(url), url).toBe("net::ERR_BLOCKED_BY_ADMINISTRATOR");
    }
    for (const url of ["about:blank", "data:text/html,hello"]) expect(await errorOf(url), url).toBeUndefined();
    const page = await openPage(protocol, context);
    expect(
      (await protocol.send("Page.navigate", { url: `http://127.0.0.1:${port}/` }, page)).errorText,
    ).toBeUndefined();
    const blobLoads = `new Promise((resolve) => document.readyState === "complete" ? resolve() : addEventListener("load", resolve)).then(() => new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.src = URL.createObjectURL(new Blob(["<p>blob"], { type: "text/html" }));
      frame.onload = () => resolve([...document.querySelectorAll("iframe")].map((each) => each.contentDocument?.body?.innerText ?? "foreign").join());
      document.body.append(frame);
    }))`;
    const { result } = await protocol.send("Runtime.evaluate", { expression: blobLoads, awaitPromise: true }, page);
    expect(result).toMatchObject({ value: "a,foreign,blob" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("close leaves no process and no file, and may be called again", async () => {
  const browser = await launch();
  await openPage(protocolOf(browser));
  const root = path.dirname(profileOf(browser));
  await Promise.all([browser.close(), browser.close()]);
  expect(readdirSync(place)).toEqual([]);
  await vi.waitFor(() => expect(processesOf({ pid: browser.pid, directory: root })).toEqual([]), SOON);
  expect(await browser.exited).toMatchObject({ code: 0, signal: null });
});

test("a browser that was killed is reported at once and leaves nothing after close", async () => {
  const browser = await launch();
  const ended = new Promise((resolve) => browser.fromBrowser.on("data", () => undefined).on("end", resolve));
  process.kill(browser.pid, "SIGKILL");
  expect(await browser.exited).toMatchObject({ code: null, signal: "SIGKILL" });
  await ended;
  browser.toBrowser.write("late\0");
  await browser.close();
});

test("a browser that does not answer any more is ended all the same", async () => {
  const browser = await launch();
  process.kill(browser.pid, "SIGSTOP");
  await browser.close();
  expect(await browser.exited).toMatchObject({ signal: "SIGKILL" });
});

test("a killed reaper does not keep the profile", async () => {
  const browser = await launch();
  const root = path.dirname(profileOf(browser));
  const reaper = liveProcesses().find((seen) => seen.args[0] === "/bin/sh" && seen.args.includes(root));
  if (reaper === undefined) throw new Error("there is no reaper");
  process.kill(reaper.pid, "SIGKILL");
  await browser.close();
});

test("nothing of later messages is read before somebody listens", async () => {
  const browser = await launch();
  browser.toBrowser.write(`${JSON.stringify({ id: 1, method: "Browser.getVersion" })}\0`);
  await new Promise((resolve) => setImmediate(resolve));
  expect(browser.fromBrowser.readableFlowing).not.toBe(true);
  const text = await new Promise((resolve) => browser.fromBrowser.once("data", (chunk) => resolve(String(chunk))));
  expect(text).toContain('"id":1,');
});

test("a start can be cancelled, before and during", async () => {
  expect((await failureOf({ signal: AbortSignal.abort() })).code).toBe("cancelled");
  const program = await fakeBrowser("exec sleep 600");
  const controller = new AbortController();
  const outcome = failureOf({ path: program, signal: controller.signal });
  await vi.waitFor(() => expect(readdirSync(place)).toHaveLength(1), SOON);
  controller.abort();
  expect((await outcome).code).toBe("cancelled");
});

test("a program that never answers is given up", async () => {
  const program = await fakeBrowser("exec sleep 600");
  const failure = await failureOf({ path: program, timeoutMs: 300 });
  expect(failure).toMatchObject({ code: "no_browser", message: expect.stringContaining("300 ms") });
});

test.each([
  ["ends at once", "exit 1", /Its sandbox may not be able to start.*--no-sandbox/],
  ["says that it has no sandbox", "echo 'FATAL: No usable sandbox!' >&2; exit 1", /sandbox cannot start.*--no-sandbox/],
  ["lacks a library", "echo 'error while loading shared libraries: libnss3.so' >&2; exit 127", /system library/],
])("a program that %s is said to", async (_what, script, message) => {
  const program = await fakeBrowser(script);
  expect(await failureOf({ path: program })).toMatchObject({
    code: "no_browser",
    message: expect.stringMatching(message),
  });
});

test("a missing browser and a flag that is ours are refused, and nothing is left", async () => {
  expect((await failureOf({ path: "/nowhere/chrome" })).code).toBe("no_browser");
  expect((await failureOf({ extraFlags: ["--no-sandbox"] })).code).toBe("bad_arguments");
});
