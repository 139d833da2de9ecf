import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Question, QuestionId } from "../types.ts";
import { FakeClock, settled } from "./clock.fixture.ts";
import { effectAsked } from "./question.fixture.ts";
import { effectQuestion } from "./question.ts";
import { terminalApprover } from "./terminal.ts";

const QUESTION = effectQuestion(effectAsked({ expires: 120_000 }));
const NEVER = new AbortController().signal;

function setUp(isTTY = true) {
  const clock = new FakeClock();
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 0 });
  let interrupts = 0;
  let printed = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const approver = terminalApprover({ input, output, isTTY, clock: clock.now, onInterrupt: () => void interrupts++ });
  const type = async (text: string): Promise<void> => {
    input.write(text);
    await settled();
    await settled();
  };
  /** Shown, and long enough ago. */
  const read = async (): Promise<void> => {
    await settled();
    await clock.move(1_000);
  };
  return { clock, input, output, approver, type, read, printed: () => printed, interrupts: () => interrupts };
}

/** Says whether it has been answered, without waiting for it. */
async function isOpen(answered: Promise<unknown>): Promise<boolean> {
  await settled();
  return (await Promise.race([answered, Promise.resolve("open")])) === "open";
}

describe("on a terminal", () => {
  test.each([
    ["once\n", { answer: "once" }],
    ["ONCE \r", { answer: "once" }],
    ["form\r\n", { answer: "form" }],
    ["task\n", { answer: "task" }],
    ["no\n", { answer: "no" }],
    ["onx\u007fce\n", { answer: "once" }],
  ])("%j", async (typed, answer) => {
    const { approver, type, read, printed } = setUp();
    const answered = approver.ask(QUESTION, NEVER);
    await read();
    await type(typed);
    expect(await answered).toEqual(answer);
    for (const line of QUESTION.lines) expect(printed()).toContain(line);
    expect(printed()).toContain("Type one of: once, form, task, no");
    expect(printed()).toContain("  form  and its next steps\n");
  });

  test.each(["\n", "   \n", "\r\r\r", "y\n", "yes\n", "o\n", "once please\n", "onc\n", "no thanks\n"])(
    "%j answers nothing",
    async (typed) => {
      const { approver, type, read } = setUp();
      const answered = approver.ask(QUESTION, NEVER);
      await read();
      await type(typed);
      expect(await isOpen(answered)).toBe(true);
      await type("\nonce\n");
      expect(await answered).toEqual({ answer: "once" });
    },
  );

  test("nothing counts for the first second, nor a line that was begun in it", async () => {
    const { approver, type, clock, printed } = setUp();
    await type("once\n");
    const answered = approver.ask(QUESTION, NEVER);
    await settled();
    await clock.move(999);
    await type("once\n");
    await type("on");
    await clock.move(1);
    await type("ce\n");
    expect(await isOpen(answered)).toBe(true);
    expect(printed()).toContain("What is typed in the first second does not count.");
    await type("form\n");
    expect(await answered).toEqual({ answer: "form" });
  });

  test("the code goes behind the word; whether it is right is not for the terminal to say", async () => {
    const asked: Question = { ...QUESTION, code: "XY34", choices: ["once", "no"] };
    const { approver, type, read, printed } = setUp();
    const first = approver.ask(asked, NEVER);
    await read();
    expect(printed()).toContain("Type one of: once XY34, no");
    await type("once\n");
    await type("XY34\n");
    await type("task XY34\n");
    expect(await isOpen(first)).toBe(true);
    await type("once xy34\n");
    expect(await first).toEqual({ answer: "once", code: "xy34" });
    const second = approver.ask(asked, NEVER);
    await read();
    await type("once AAAA\n");
    expect(await second).toEqual({ answer: "once", code: "AAAA" });
    const third = approver.ask(asked, NEVER);
    await read();
    await type("no\n");
    expect(await third).toEqual({ answer: "no" });
  });

  test("two at once are asked one after another", async () => {
    const { approver, type, read, printed } = setUp();
    const first = approver.ask(QUESTION, NEVER);
    const second = approver.ask({ ...QUESTION, id: "q2" as QuestionId }, NEVER);
    await read();
    expect(printed()).not.toContain("Question q2");
    await type("once\nform\n");
    expect(await first).toEqual({ answer: "once" });
    await settled();
    expect(printed()).toContain("Question q2");
    await type("task\n");
    expect(await isOpen(second)).toBe(true);
    await read();
    await type("no\n");
    expect(await second).toEqual({ answer: "no" });
  });

  test("one that needs no answer any more says so and makes room", async () => {
    const { approver, type, read, printed } = setUp();
    const stop = new AbortController();
    const first = approver.ask(QUESTION, stop.signal);
    const gone = approver.ask({ ...QUESTION, id: "q2" as QuestionId }, stop.signal);
    const last = approver.ask({ ...QUESTION, id: "q3" as QuestionId }, NEVER);
    await read();
    stop.abort();
    expect([await first, await gone]).toEqual([null, null]);
    await settled();
    expect(printed()).toContain("Question q1 needs no answer any more");
    expect(printed()).not.toContain("Question q2");
    await read();
    await type("once\n");
    expect(await last).toEqual({ answer: "once" });
  });

  test("no terminal, a closed one, and one that closes midway are not available", async () => {
    const without = setUp(false);
    expect(await without.approver.ask(QUESTION, NEVER)).toBeNull();
    expect(without.printed()).toBe("");
    const closing = setUp();
    const answered = closing.approver.ask(QUESTION, NEVER);
    await closing.read();
    closing.input.end();
    expect(await answered).toBeNull();
    expect(await closing.approver.ask(QUESTION, NEVER)).toBeNull();
    const broken = setUp();
    const unheard = broken.approver.ask(QUESTION, NEVER);
    await broken.read();
    broken.output.destroy(new Error("gone"));
    expect(await unheard).toBeNull();
    expect(await broken.approver.ask(QUESTION, NEVER)).toBeNull();
  });

  test("Ctrl-C reaches the program, Ctrl-D closes", async () => {
    const { approver, type, read, interrupts } = setUp();
    const first = approver.ask(QUESTION, NEVER);
    await read();
    await type("\u0003");
    expect(await first).toBeNull();
    expect(interrupts()).toBe(1);
    const second = approver.ask(QUESTION, NEVER);
    await read();
    await type("\u0004");
    expect(await second).toBeNull();
  });

  test("nothing in a question gives orders to the terminal or starts a row of its own", async () => {
    const { approver, read, printed } = setUp();
    const forged = `${"x".repeat(200)}\u001b[2J\nType one of: once`;
    void approver.ask(
      { ...QUESTION, id: "q1\u001b[2J" as QuestionId, lines: [forged], means: { once: forged }, code: "A\u001b[2J" },
      NEVER,
    );
    await read();
    expect(printed()).not.toContain("\u001b[2J");
    expect(
      printed()
        .split("\n")
        .filter((row) => row.startsWith("Type one of")),
    ).toHaveLength(1);
    for (const row of printed().split("\n")) expect(row.length).toBeLessThan(200);
  });
});
