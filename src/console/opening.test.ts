import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { exchange, postHeaders, questionOf, send, signIn, stageConsole } from "./console.fixture.ts";
import { OPENING_PAUSE_MS } from "./limits.ts";

/** An opener that notes what it was given and what was in there. */
function noting() {
  const files: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    files,
    opener: (file: string): void => {
      files.push(file);
      for (const go of waiting.splice(0)) go();
    },
    /** Resolves at the next opening. */
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

const signal = () => new AbortController().signal;

describe("the first question brings the person", () => {
  it("by a file with the address, once for many questions, again after a while", async () => {
    const { files, opener, next } = noting();
    await using stage = await stageConsole({ openBrowser: opener });
    const opened = next();
    const asked = Array.from({ length: 50 }, (_, index) => stage.console.approver.ask(questionOf(index), signal()));
    await opened;
    const { key } = await stage.entry();
    expect(await readFile(files[0] ?? "", "utf8")).toContain(`http://127.0.0.1:${stage.port}/open#${key}"`);
    stage.clock.now += OPENING_PAUSE_MS;
    const again = next();
    asked.push(stage.console.approver.ask(questionOf(50), signal()));
    await again;
    expect(files.length).toBe(2);
    expect((await exchange(stage.port, key)).status).toBe(200);
    await expect(readFile(files[0] ?? "")).rejects.toThrow("ENOENT");
    await stage.console.close();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([null]));
  });

  it("not while somebody watches", async () => {
    const { files, opener, next } = noting();
    await using stage = await stageConsole({ openBrowser: opener });
    const me = await signIn(stage);
    const watching = new AbortController();
    const headers = { ...Object.fromEntries(me.headers), origin: `http://127.0.0.1:${stage.port}` };
    const state = await fetch(`http://127.0.0.1:${stage.port}/state`, { headers, signal: watching.signal });
    const reader = state.body?.getReader();
    await reader?.read();
    const first = stage.console.approver.ask(questionOf(1), signal());
    const text = JSON.stringify({ id: "q1", digest: questionOf(1).digest, answer: "no" });
    await send(stage.port, "POST /answer", postHeaders(stage.port, text, me.headers), text);
    expect([await first, files]).toEqual([{ answer: "no" }, []]);
    watching.abort();
    const opened = next();
    // The server learns of it when the connection is closed: whoever asks then brings somebody.
    const asking = async (): Promise<void> => {
      for (let number = 2; files.length === 0; number++) {
        const elsewhere = new AbortController();
        const asked = stage.console.approver.ask(questionOf(number), elsewhere.signal);
        await new Promise((resolve) => setImmediate(resolve));
        elsewhere.abort();
        await asked;
      }
    };
    await Promise.all([opened, asking()]);
    expect(files.length).toBe(1);
  });

  it("a failing opener leaves the question to those who come by themselves", async () => {
    await using stage = await stageConsole({
      openBrowser: () => {
        throw new Error("no browser");
      },
    });
    const asked = stage.console.approver.ask(questionOf(1), signal());
    const me = await signIn(stage);
    const text = JSON.stringify({ id: "q1", digest: questionOf(1).digest, answer: "once" });
    expect((await send(stage.port, "POST /answer", postHeaders(stage.port, text, me.headers), text)).status).toBe(200);
    expect(await asked).toEqual({ answer: "once" });
  });
});
