import { describe, expect, test } from "vitest";
import { callbackApprover } from "./callback.ts";
import { effectAsked } from "./question.fixture.ts";
import { effectQuestion } from "./question.ts";

const QUESTION = effectQuestion(effectAsked({ choices: ["once", "no"] }));
const NEVER = new AbortController().signal;
const saying = (given: unknown) => callbackApprover(() => Promise.resolve(given as { answer: "once" }));

describe("a callback", () => {
  test.each([
    [{ answer: "once" }, { answer: "once" }],
    [{ answer: "no" }, { answer: "no" }],
    [{ answer: "once", code: "x", more: 1 }, { answer: "once" }],
    [{ answer: "task" }, null],
    [{ answer: "yes" }, null],
    [{ answer: ["once"] }, null],
    [{}, null],
    ["once", null],
    [true, null],
    [null, null],
    [undefined, null],
  ])("that says %j", async (given, answer) => expect(await saying(given).ask(QUESTION, NEVER)).toEqual(answer));

  test("gets the question, and is not called when it is too late", async () => {
    const seen: unknown[] = [];
    const approver = callbackApprover((question) => {
      seen.push(question);
      return Promise.resolve({ answer: "once" });
    });
    await approver.ask(QUESTION, NEVER);
    expect(await approver.ask(QUESTION, AbortSignal.abort())).toBeNull();
    expect(seen).toEqual([QUESTION]);
  });

  test.each([
    [
      "at once",
      () =>
        callbackApprover(() => {
          throw new Error("broken");
        }),
    ],
    ["later", () => callbackApprover(() => Promise.reject(new Error("broken")))],
  ])("that throws %s is not available", async (_, make) => {
    expect(await make().ask(QUESTION, NEVER)).toBeNull();
  });
});
