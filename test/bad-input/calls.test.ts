import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../../src/index.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import { answer, expectUsable, SLACK_MS, timed, untyped } from "./support.ts";

const LONG_MS = 20_000;

let server: RecordingServer;
let session: OpenedSession;
beforeAll(async () => {
  server = await recordingServer();
  server.html(
    "/",
    `<title>Start</title><h1>Here</h1><button onclick="fetch('/effect', { method: 'POST' })">Act</button><input aria-label="Name">
     <button id=late disabled onclick="fetch('/effect', { method: 'POST' })">Later</button><button onclick="late.disabled = false">Enable</button>`,
  );
  server.on("/silent", () => {});
  server.on("/effect", (_request, response) => void response.writeHead(204).end());
  session = await openSession({ ...yes, private: [server.url] });
});
afterAll(async () => {
  await session.close();
  await server.close();
});
beforeEach(async () => {
  await expectUsable(session, `${server.url}/`, "Here");
  server.clear();
});

const cancelled = { ok: false, error: { code: "cancelled", message: expect.any(String) } };

describe("a cancelled call", () => {
  test("that was cancelled before it began does nothing", async () => {
    expect(await answer(session, "click", { target: 'button "Act"' }, 0, AbortSignal.abort())).toMatchObject(cancelled);
    await expectUsable(session, `${server.url}/`, "Here");
    expect(server.hitsTo("/effect")).toEqual([]);
  });

  test("in the queue answers at once and never starts", async () => {
    const first = new AbortController();
    const second = new AbortController();
    const running = answer(session, "navigate", { url: `${server.url}/silent` }, LONG_MS, first.signal);
    await server.waitForHit("/silent");
    const queued = answer(session, "click", { target: 'button "Act"' }, 0, second.signal);
    second.abort();
    expect(await queued).toMatchObject(cancelled);
    first.abort();
    expect(await running).toMatchObject(cancelled);
    await timed(session, "snapshot", {});
    expect(server.hitsTo("/effect")).toEqual([]);
  });

  test.each([
    ["navigate", () => ({ url: `${server.url}/silent`, timeout_ms: LONG_MS }), "/silent"],
    ["wait_for", () => ({ text: "never there", timeout_ms: LONG_MS }), null],
    ["click", () => ({ target: 'button "Later"', timeout_ms: LONG_MS }), null],
  ])("%s while it runs ends at once, and what it began does not come over the next one", async (tool, args, hit) => {
    const controller = new AbortController();
    const call = untyped(session).call(tool, args(), { signal: controller.signal });
    if (hit === null) await (await session.page()).evaluate("1");
    else await server.waitForHit(hit);
    const aborted = performance.now();
    controller.abort();
    expect((await call).envelope).toMatchObject(cancelled);
    expect(performance.now() - aborted).toBeLessThan(SLACK_MS);
    expect(await timed(session, "snapshot", { detail: "full" })).toMatchObject({
      ok: true,
      snapshot: expect.stringContaining("Here"),
    });
    // A click that is still waiting for its button would find it now.
    await timed(session, "click", { target: 'button "Enable"' });
    await timed(session, "snapshot", {});
    expect(server.hitsTo("/effect")).toEqual([]);
  });

  test("while the browser starts: the next call uses that browser", async () => {
    await using fresh = await openSession({ ...yes, private: [server.url] });
    const controller = new AbortController();
    const call = answer(fresh, "navigate", { url: `${server.url}/` }, 0, controller.signal);
    controller.abort();
    expect(await call).toMatchObject(cancelled);
    const starts: string[] = [];
    fresh.events.subscribe(({ kind }) => starts.push(kind));
    await expectUsable(fresh, `${server.url}/`, "Here");
    expect(starts.filter((kind) => kind === "browser_started").length).toBe(1);
  });
});

describe("calls at once", () => {
  test("are done one after another, each with an answer of its own", async () => {
    const texts = Array.from({ length: 8 }, (_, at) => `text ${at}`);
    const results = await Promise.all(
      texts.map((text) => answer(session, "type_text", { target: 'textbox "Name"', text }, LONG_MS)),
    );
    expect(results.map((result) => result.value)).toEqual(texts);
    const kinds = ["snapshot", "find", "tabs", "nonsense", "click", "snapshot"];
    const mixed = await Promise.all(
      kinds.map((tool) =>
        answer(session, tool, tool === "find" ? { text: "Here" } : tool === "click" ? { target: "e0" } : {}, LONG_MS),
      ),
    );
    expect(mixed.map((result) => result.error?.code ?? "ok")).toEqual([
      "ok",
      "ok",
      "ok",
      "unknown_tool",
      "bad_arguments",
      "ok",
    ]);
  });

  test("fifty, a part of them given up midway: each has its own answer, in order, and what was given up in line is never done", async () => {
    const FIFTY = 50;
    const MIDWAY = 10;
    const midway = new AbortController();
    const order: number[] = [];
    const isGivenUp = (at: number): boolean => at % 3 === 2;
    const calls = Array.from({ length: FIFTY }, async (_, at) => {
      const result = await answer(
        session,
        "type_text",
        { target: 'textbox "Name"', text: `text ${at}` },
        FIFTY * SLACK_MS,
        isGivenUp(at) ? midway.signal : undefined,
      );
      if (result.ok) order.push(at);
      if (at === MIDWAY) midway.abort();
      return result;
    });
    const page = await session.page();
    await page.evaluate(
      "{ window.typed = []; document.querySelector('input').addEventListener('input', ({ target }) => typed.push(target.value)); }",
    );
    const results = await Promise.all(calls);
    for (const [at, result] of results.entries()) {
      if (isGivenUp(at) && at > MIDWAY + 1) expect(result, `call ${at}`).toMatchObject(cancelled);
      else if (!isGivenUp(at)) expect(result, `call ${at}`).toMatchObject({ ok: true, value: `text ${at}` });
    }
    expect(order).toEqual([...order].sort((one, other) => one - other));
    const typed = (await page.evaluate("typed")) as readonly string[];
    expect(typed).toContain(`text ${FIFTY - 1}`);
    expect(typed.filter((text) => Number(text.slice(5)) > MIDWAY + 1 && isGivenUp(Number(text.slice(5))))).toEqual([]);
    await expectUsable(session, `${server.url}/`, "Here");
  });

  test("two first calls start one browser", async () => {
    await using fresh = await openSession({ ...yes, private: [server.url] });
    const starts: string[] = [];
    fresh.events.subscribe(({ kind }) => starts.push(kind));
    const [one, two] = await Promise.all([
      answer(fresh, "navigate", { url: `${server.url}/` }, LONG_MS),
      answer(fresh, "snapshot", {}, LONG_MS),
    ]);
    expect([one.ok, two.ok]).toEqual([true, true]);
    expect(starts.filter((kind) => kind === "browser_started").length).toBe(1);
  });

  test("that are in line when the session closes end with it", async () => {
    const fresh = await openSession({ ...yes, private: [server.url] });
    await expectUsable(fresh, `${server.url}/`, "Here");
    const calls = [
      answer(fresh, "wait_for", { text: "never there", timeout_ms: LONG_MS }, 0),
      answer(fresh, "click", { target: 'button "Act"' }, 0),
      answer(fresh, "navigate", { url: `${server.url}/` }, 0),
    ];
    await (await fresh.page()).evaluate("1");
    await fresh.close();
    for (const result of await Promise.all(calls))
      expect(result).toMatchObject({ ok: false, error: { code: "browser_ended" } });
    expect(server.hitsTo("/effect")).toEqual([]);
  });
});

describe("a deadline that is over", () => {
  test("is named with its length, and the default ones with their kind", async () => {
    await using short = await openSession({ ...yes, private: [server.url], actionTimeoutMs: 300 });
    await expectUsable(short, `${server.url}/`, "Here");
    const byDefault = await answer(short, "wait_for", { text: "never there" }, 300);
    expect(byDefault.error).toEqual({ code: "timeout", message: expect.stringMatching(/300 ms.*action/) });
    const byCall = await timed(short, "wait_for", { text: "never there" }, 200);
    expect(byCall.error).toEqual({ code: "timeout", message: expect.stringMatching(/200 ms.*call/) });
  });

  test("of a millisecond is a timeout for every tool, or already done", async () => {
    for (const { name } of session.tools) {
      const args =
        { click: { target: 'button "Act"' }, navigate: { url: "/" }, wait_for: { text: "x" }, find: { text: "x" } }[
          name
        ] ?? {};
      const result = await timed(session, name, args, 1);
      expect(["timeout", "still_loading", "bad_arguments", "ok"], name).toContain(result.error?.code ?? "ok");
    }
    await expectUsable(session, `${server.url}/`, "Here");
  });
});
