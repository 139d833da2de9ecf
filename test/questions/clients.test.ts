import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Person, personAt } from "./person.ts";
import {
  buttonSite,
  type Connected,
  connect,
  type Elicited,
  elapsed,
  GENERATIONS,
  LIMIT_MS,
  type Sitter,
  stateDirectory,
} from "./support.ts";

// what a client says by itself, or does not say, is nobody's yes. The verdict is what the site got.

/** Longer than any program pretends to think. */
const THINKS_MS = 400;
const QUIET_MS = 300;
const QUICK_TRIES = 5;
const yes: Elicited = { action: "accept", content: { answer: "once" } };

let site: Awaited<ReturnType<typeof buttonSite>>;
beforeAll(async () => {
  site = await buttonSite();
});
afterAll(() => site.close());

describe.each(GENERATIONS)("a client of revision %s", (generation) => {
  let state: ReturnType<typeof stateDirectory>;
  let client: Connected;
  let person: Person;
  let asked: string[];
  let says: Sitter;
  beforeAll(async () => {
    state = stateDirectory();
    client = await connect(generation, ["--private", site.url, "--approve", "elicitation", "--approve", "console"], {
      state: state.path,
      sitter: async (message, signal) => {
        asked.push(message);
        return says(message, signal);
      },
    });
    expect((await client.call("navigate", { url: site.url })).isError).toBe(false);
    person = await personAt(state.path);
  }, LIMIT_MS);
  afterAll(async () => {
    person[Symbol.dispose]();
    await client.close();
    state.remove();
  });
  beforeEach(() => {
    site.clear();
    asked = [];
  });
  afterEach(async () => {
    // Whatever was tried, nothing waits any more.
    await person.until(({ open }) => open.length === 0);
  });

  /**
   * On a busy machine a program that answers at once may be as slow as a person: then its yes counts. One that is quick
   * once, in some tries, shows what quick ones are worth.
   */
  async function untilQuick(attempt: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < QUICK_TRIES; tries++) {
      if (await attempt()) return;
      site.clear();
      asked = [];
    }
    throw new Error(`whatever the client answers at once counts: ${QUICK_TRIES} times in a row`);
  }

  const click = (signal?: AbortSignal) => client.call("click", { target: 'button "Close it"' }, signal);

  test.each<[string, Elicited]>([
    ["yes", yes],
    ["no", { action: "accept", content: { answer: "no" } }],
    ["decline", { action: "decline" }],
    ["cancel", { action: "cancel" }],
    ["something else", { action: "accept", content: { answer: "always" } }],
    ["an answer without content", { action: "accept" }],
  ])("that says %s at once is nobody: the console decides (A-133)", { timeout: LIMIT_MS }, async (_, answer) => {
    says = async () => answer;
    await untilQuick(async () => {
      const clicked = click();
      const question = await person.next();
      const before = site.posts();
      const status = await person.answer({ ...question, answer: "once" });
      const said = await clicked;
      if (before > 0 || status !== 200) return false;
      expect(said.text).toContain("Answered 200");
      expect([asked.length, site.posts()]).toEqual([1, 1]);
      return true;
    });
  });

  test("that answers at once, and the console says no (A-133)", { timeout: LIMIT_MS }, async () => {
    says = async () => yes;
    await untilQuick(async () => {
      const clicked = click();
      const status = await person.answer({ ...(await person.next()), answer: "no" });
      const { isError } = await clicked;
      if (status !== 200) return false;
      expect([isError, site.posts()]).toEqual([true, 0]);
      return true;
    });
  });

  test("that never answers does not hang: the console can, and a late answer is of no use (A-131)", {
    timeout: LIMIT_MS,
  }, async () => {
    let late = (_: Elicited): void => {};
    says = () => new Promise((resolve) => (late = resolve));
    const clicked = click();
    const question = await person.next();
    await elapsed(QUIET_MS);
    expect([asked.length, site.posts()]).toEqual([1, 0]);
    expect(await person.answer({ ...question, answer: "once" })).toBe(200);
    await site.waitForHit("/change");
    // The old one has its result now; the new one when its client comes back with the late answer.
    if (generation === "2026-07-28") late({ action: "accept", content: { answer: "task" } });
    expect((await clicked).text).toContain("Answered 200");
    late({ action: "accept", content: { answer: "task" } });
    // Had the late answer counted, this would not be asked.
    says = () => new Promise((resolve) => (late = resolve));
    const again = click();
    expect(await person.answer({ ...(await person.next()), answer: "no" })).toBe(200);
    late(yes);
    expect((await again).isError).toBe(true);
    expect(site.posts()).toBe(1);
  });

  test("that cancels the call has said nothing, and what comes next is not in its way", {
    timeout: LIMIT_MS,
  }, async () => {
    let leaves = (_: Elicited): void => {};
    says = () => new Promise((resolve) => (leaves = resolve));
    const cancelled = new AbortController();
    const clicked = click(cancelled.signal).then(
      () => "answered",
      () => "cancelled",
    );
    const question = await person.next();
    cancelled.abort();
    leaves({ action: "cancel" });
    expect(await clicked).toBe("cancelled");
    expect(site.posts()).toBe(0);
    if (generation === "2025") {
      // The call is over, and so is its question.
      await person.until(({ open }) => open.length === 0);
      expect(await person.answer({ ...question, answer: "once" })).toBe(409);
    } else {
      // Its request was over before: the question is the person's.
      expect(await person.answer({ ...question, answer: "no" })).toBe(200);
    }
    expect(site.posts()).toBe(0);
    says = async () => {
      await elapsed(THINKS_MS);
      return yes;
    };
    expect((await click()).text).toContain("Answered 200");
    expect(site.posts()).toBe(1);
  });

  test("that dies while asked takes its question with it", { timeout: LIMIT_MS }, async () => {
    const own = stateDirectory();
    let isAsked = (): void => {};
    const asking = new Promise<void>((resolve) => (isAsked = resolve));
    const dying = await connect(generation, ["--private", site.url], {
      state: own.path,
      sitter: () => {
        isAsked();
        return new Promise(() => {});
      },
    });
    await dying.call("navigate", { url: site.url });
    using other = await personAt(own.path);
    void dying.call("click", { target: 'button "Close it"' }).catch(() => {});
    await asking;
    const { pid } = dying;
    await dying.close();
    await expect(other.until(({ open }) => open.length > 1)).rejects.toThrow("the session has ended");
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 10_000 }).toBe(false);
    expect(site.posts()).toBe(0);
    own.remove();
  });
});
