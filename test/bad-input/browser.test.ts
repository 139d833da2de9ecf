import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openToolbox } from "../../src/assembly/open.ts";
import { liveProcesses } from "../../src/browser/processes.fixture.ts";
import { configFromObject } from "../../src/config/index.ts";
import { type OpenedSession, openSession } from "../../src/index.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import { answer, chromiums, expectUsable, profileOf, refOf, SLACK_MS, timed } from "./support.ts";

const NOTHING_LEFT_WITHIN_MS = 5_000;

let server: RecordingServer;
let directory: string;
beforeAll(async () => {
  server = await recordingServer();
  server.html(
    "/",
    `<title>Start</title><h1>Here</h1><button onclick="this.textContent = 'Pressed'">Press</button><a href="/silent">Silent</a>`,
  );
  server.on("/silent", () => {});
  directory = mkdtempSync(join(tmpdir(), "chaperone-bad-browser-"));
  // As root the browser has another user.
  chmodSync(directory, 0o755);
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

function program(name: string, text: string, mode: number): string {
  const file = join(directory, name);
  writeFileSync(file, text, { mode });
  return file;
}

async function expectNothingLeft(profile: string): Promise<void> {
  const left = (): readonly number[] =>
    liveProcesses().flatMap(({ pid, args }) => (args.some((argument) => argument.includes(profile)) ? [pid] : []));
  await expect.poll(left, { timeout: NOTHING_LEFT_WITHIN_MS }).toEqual([]);
  await expect.poll(() => existsSync(profile), { timeout: NOTHING_LEFT_WITHIN_MS }).toBe(false);
}

describe("a browser that", () => {
  const START_MS = 1_500;
  /** For one that ends by itself, on a busy machine. */
  const LONG_START_MS = 20_000;

  test.each([
    ["is not there", () => "/nowhere/chromium", /missing/],
    ["is a folder", () => directory, /missing|not a program/],
    ["may not be run", () => program("not-executable", "#!/bin/sh\nexit 0\n", 0o644), /not a program/],
    ["ends at once", () => "/bin/false", /ended as soon as it was started/],
    [
      "is no program for this machine",
      () => program("garbage", "\u007fELF\u0002garbage", 0o755),
      /cannot be run|ended as soon|could not be started/,
    ],
    [
      "speaks another language",
      () => program("talker", "#!/bin/sh\necho hello >&4\necho '{\"id\":1' >&4\nexit 3\n", 0o755),
      /ended as soon as it was started/,
    ],
    ["never answers", () => program("sleeper", "#!/bin/sh\nexec sleep 60\n", 0o755), /within 1[45]\d\d ms/],
  ])(
    "%s: no_browser with what to do, one line for the person, and the next call tries again",
    async (what, path, words) => {
      const startMs = what === "never answers" ? START_MS : LONG_START_MS;
      const warned: string[] = [];
      const { config } = configFromObject("library", { browser: { path: path() }, navigationTimeoutMs: startMs });
      const session = openToolbox(config, { warn: (line) => warned.push(line) });
      try {
        for (const [tool, args] of [
          ["navigate", { url: `${server.url}/` }],
          ["snapshot", {}],
        ] as const) {
          const { ok, error } = await answer(session, tool, args, startMs + SLACK_MS);
          expect({ ok, code: error?.code }).toEqual({ ok: false, code: "no_browser" });
          expect(error?.message).toMatch(words);
          expect(error?.message).not.toContain("\n");
        }
        expect(warned.length).toBe(2);
        for (const line of warned) expect(line).toMatch(words);
      } finally {
        await session.close();
      }
      expect(chromiums()).toEqual([]);
    },
  );

  test("never answers does not hold a call longer than the call wants", async () => {
    const path = program("sleeper-2", "#!/bin/sh\nexec sleep 60\n", 0o755);
    await using session = await openSession({ browser: { path }, navigationTimeoutMs: START_MS });
    const { error } = await timed(session, "navigate", { url: `${server.url}/` }, 200);
    expect(error).toEqual({ code: "timeout", message: expect.stringContaining("200 ms") });
  });

  test("is not there and none is named: the command that installs one", async () => {
    const { findBrowser } = await import("../../src/browser/find.ts");
    await expect(findBrowser({ env: {}, root: directory })).rejects.toMatchObject({
      code: "no_browser",
      message: expect.stringContaining("Install one: "),
    });
  });
});

describe("a browser that ends", () => {
  const STUCK_CALL_MS = 2_000;

  async function open(): Promise<OpenedSession> {
    const session = await openSession({ ...yes, private: [server.url] });
    await expectUsable(session, `${server.url}/`, "Here");
    return session;
  }

  function main(): { readonly pid: number; readonly profile: string } {
    const [chromium, second] = chromiums();
    if (chromium === undefined || second !== undefined) throw new Error("there must be exactly one Chromium");
    return { pid: chromium.pid, profile: profileOf(chromium) };
  }

  /**
   * The next call knows; navigate starts a new browser, in which nothing of the old one counts; nothing is left of it.
   */
  async function expectAfterlife(session: OpenedSession, ref: string, profile: string): Promise<void> {
    await expectUsable(session, `${server.url}/`, "Here");
    expect(await timed(session, "click", { target: ref })).toMatchObject({ ok: false, error: { code: "stale" } });
    expect(await timed(session, "click", { target: 'button "Press"' })).toMatchObject({ ok: true, changed: "content" });
    await expectNothingLeft(profile);
  }

  /** Kills the only Chromium, and waits until the session has noticed. */
  async function killed(session: OpenedSession): Promise<string> {
    const { pid, profile } = main();
    const ended = new Promise<void>((resolve) =>
      session.events.subscribe(({ kind }) => void (kind === "browser_ended" && resolve())),
    );
    process.kill(pid, "SIGKILL");
    await ended;
    return profile;
  }

  test("between two calls: the next one says that the page is gone, navigate starts a new one, or goes on at once; again and again", async () => {
    await using session = await open();
    const ref = refOf(await timed(session, "snapshot", { detail: "full" }), "Press");
    const profile = await killed(session);
    const gone = await timed(session, "click", { target: ref }, 20_000);
    expect(gone).toMatchObject({
      ok: false,
      error: { code: "browser_ended", message: expect.stringContaining("navigate") },
    });
    await expectAfterlife(session, ref, profile);

    const second = await killed(session);
    const opened = await timed(session, "navigate", { url: `${server.url}/` }, 20_000);
    expect(opened).toMatchObject({ ok: true, snapshot: expect.stringContaining("Here") });
    expect(opened.events).toContainEqual({ kind: "browser_ended", reason: expect.any(String) });
    await expectNothingLeft(second);
    await expect.poll(() => chromiums().length, { timeout: NOTHING_LEFT_WITHIN_MS }).toBe(1);
  });

  test("during a call: it ends at once with browser_ended", async () => {
    await using session = await open();
    for (const [tool, args] of [
      ["navigate", { url: `${server.url}/silent` }],
      ["click", { target: 'link "Silent"' }],
      ["wait_for", { text: "never there" }],
    ] as const) {
      await expectUsable(session, `${server.url}/`, "Here");
      const ref = refOf(await timed(session, "snapshot", { detail: "full" }), "Press");
      const { pid, profile } = main();
      server.clear();
      const call = timed(session, tool, args, 20_000);
      if (tool !== "wait_for") await server.waitForHit("/silent");
      const before = performance.now();
      process.kill(pid, "SIGKILL");
      expect(await call, tool).toMatchObject({ ok: false, error: { code: "browser_ended" } });
      expect(performance.now() - before, tool).toBeLessThan(SLACK_MS);
      await expectAfterlife(session, ref, profile);
    }
  });

  test("without ending, as it answers nothing any more: it is ended, navigate starts a new one", async () => {
    await using session = await open();
    const { pid, profile } = main();
    process.kill(pid, "SIGSTOP");
    const stuck = await session.call("navigate", { url: `${server.url}/`, timeout_ms: STUCK_CALL_MS });
    expect(stuck.envelope).toMatchObject({ ok: false, error: { code: "timeout" } });
    await expectUsable(session, `${server.url}/`, "Here");
    await expectNothingLeft(profile);
  });

  test("just before the session is closed: nothing is left when close is done", async () => {
    const session = await open();
    const { pid, profile } = main();
    process.kill(pid, "SIGKILL");
    await session.close();
    expect(existsSync(profile)).toBe(false);
    expect(chromiums()).toEqual([]);
    expect(await timed(session, "navigate", { url: `${server.url}/` })).toMatchObject({
      ok: false,
      error: { code: "browser_ended" },
    });
  });
});

describe("a renderer that is killed", () => {
  const killRenderers = (): void => {
    const renderers = chromiums("renderer");
    expect(renderers.length).toBeGreaterThan(0);
    for (const { pid } of renderers) process.kill(pid, "SIGKILL");
  };

  test("between two calls and during one: the tab is gone, the session is not", async () => {
    await using session = await openSession({ ...yes, private: [server.url] });
    await expectUsable(session, `${server.url}/`, "Here");
    const ref = refOf(await timed(session, "snapshot", { detail: "full" }), "Press");
    const closed = new Promise<void>((resolve) =>
      session.events.subscribe(({ kind }) => void (kind === "tab_closed" && resolve())),
    );
    killRenderers();
    await closed;
    const next = await timed(session, "snapshot", {});
    expect(next.events).toContainEqual({ kind: "tab_closed", tab: "t1" });
    expect(await timed(session, "click", { target: ref })).toMatchObject({ ok: false, error: { code: "stale" } });
    await expectUsable(session, `${server.url}/`, "Here");

    const waiting = timed(session, "wait_for", { text: "never there" }, 20_000);
    await timedOutOrStarted(session);
    killRenderers();
    const waited = await waiting;
    expect(waited).toMatchObject({ ok: false, error: { code: "page_ended" } });
    await expectUsable(session, `${server.url}/`, "Here");
  });

  /** The wait before it in line has begun: it cannot be seen from outside, but its page can. */
  async function timedOutOrStarted(session: OpenedSession): Promise<void> {
    const page = await session.page();
    await page.evaluate("1");
  }
});

describe("a session left alone", () => {
  const IDLE_MINUTES = 0.01;

  test("ends its browser, says so at the next call, and navigate starts a new one", async () => {
    await using session = await openSession({ ...yes, private: [server.url], idleMinutes: IDLE_MINUTES });
    const ended = new Promise<string>((resolve) =>
      session.events.subscribe((event) => void (event.kind === "browser_ended" && resolve(event.reason))),
    );
    await expectUsable(session, `${server.url}/`, "Here");
    const { args } = chromiums()[0] ?? { args: [] };
    const profile =
      args.find((argument) => argument.startsWith("--user-data-dir="))?.slice("--user-data-dir=".length) ?? "";
    expect(existsSync(profile)).toBe(true);
    expect(await ended).toContain("idle");
    await expectNothingLeft(profile);
    const gone = await timed(session, "snapshot", {}, 20_000);
    expect(gone).toMatchObject({
      ok: false,
      error: { code: "browser_ended", message: expect.stringContaining("The page is gone") },
    });
    await expectUsable(session, `${server.url}/`, "Here");
  });
});
