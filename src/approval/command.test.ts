import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FakeClock } from "./clock.fixture.ts";
import { commandApprover, parseCommandLine } from "./command.ts";
import { effectAsked } from "./question.fixture.ts";
import { effectQuestion } from "./question.ts";

const LIFE_MS = 120_000;
const QUESTION = effectQuestion(
  effectAsked(
    { choices: ["once", "no"], expires: LIFE_MS },
    { fields: [{ name: "a", value: "$(touch hacked); `touch hacked`" }] },
  ),
);
const NEVER = new AbortController().signal;
const directory = mkdtempSync(join(tmpdir(), "chaperone-command-"));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A program of its own, in JavaScript. */
function program(script: string): string {
  return JSON.stringify([process.execPath, "-e", script]);
}

function ask(commandLine: string, signal = NEVER, clock = new FakeClock()) {
  return commandApprover(commandLine, { clock: clock.now, setTimer: clock.setTimer }).ask(QUESTION, signal);
}

/** The pid that a program wrote as soon as it ran. */
async function pidIn(file: string): Promise<number> {
  while (!existsSync(file) || readFileSync(file, "utf8") === "") await new Promise((resolve) => setImmediate(resolve));
  return Number(readFileSync(file, "utf8"));
}

async function isGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a program", () => {
  test.each<[string, string, object | null]>([
    ["once", 'console.log("once")', { answer: "once" }],
    ["no", 'console.log("no")', { answer: "no" }],
    ["once and more lines", 'console.log("once\\r\\nno\\nform")', { answer: "once" }],
    ["once without a line break", 'process.stdout.write("once")', { answer: "once" }],
    ["a choice that is not offered", 'console.log("task")', null],
    ["yes", 'console.log("yes")', null],
    ["ONCE", 'console.log("ONCE")', null],
    ["a word among others", 'console.log("once more")', null],
    ["an empty first line", 'console.log("\\nonce")', null],
    ["nothing", "", null],
    ["once and fails", 'console.log("once"); process.exitCode = 1', null],
    ["once and dies", 'process.stdout.write("once\\n", () => process.kill(process.pid, "SIGKILL"))', null],
    ["once to standard error", 'console.error("once")', null],
    ["far too much", 'console.log("once"); console.log("x".repeat(70_000))', null],
    ["much", 'console.log("once"); console.log("x".repeat(60_000))', { answer: "once" }],
  ])("that says %s", async (_, script, answer) => expect(await ask(program(script))).toEqual(answer));

  test("gets the question as one line of JSON, and no shell sees it", async () => {
    const file = join(directory, "question.json");
    expect(
      await ask(
        program(
          `require("fs").writeFileSync(${JSON.stringify(file)}, require("fs").readFileSync(0)); console.log("once")`,
        ),
      ),
    ).toEqual({
      answer: "once",
    });
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")).toHaveLength(2);
    expect(JSON.parse(text)).toEqual(QUESTION);
    expect(existsSync("hacked")).toBe(false);
  });

  test("that cannot be started, or does not read, is only not available", async () => {
    expect(await ask("/nonexistent/program once")).toBeNull();
    expect(await ask(directory)).toBeNull();
    expect(await ask(program('process.stdin.destroy(); console.log("once")'))).toEqual({ answer: "once" });
  });

  test("words are handed on as they are", async () => {
    expect(
      await ask(`"${process.execPath}" -e 'console.log(process.argv[1] === "$HOME;*" ? "once" : "no")' $HOME;*`),
    ).toEqual({ answer: "once" });
  });

  test("that has not ended when the question expires is killed with all it started", async () => {
    const file = join(directory, "grandchild");
    const clock = new FakeClock();
    const answered = ask(
      program(`
        const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
        require("fs").writeFileSync(${JSON.stringify(file)}, String(child.pid));
        console.log("once");
        setInterval(() => {}, 1000);
      `),
      NEVER,
      clock,
    );
    const pid = await pidIn(file);
    await clock.move(LIFE_MS);
    expect(await answered).toBeNull();
    await isGone(pid);
  });

  test("that is not needed any more is killed", async () => {
    const file = join(directory, "child");
    const clock = new FakeClock();
    const stop = new AbortController();
    const answered = ask(
      program(`require("fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`),
      stop.signal,
      clock,
    );
    const pid = await pidIn(file);
    stop.abort();
    expect(await answered).toBeNull();
    await isGone(pid);
    expect(clock.waiting).toBe(0);
  });

  test("is not started for what is too late", async () => {
    const file = join(directory, "late");
    const script = program(`require("fs").writeFileSync(${JSON.stringify(file)}, "x"); console.log("once")`);
    const clock = new FakeClock();
    await clock.move(LIFE_MS);
    expect(await ask(script, NEVER, clock)).toBeNull();
    expect(await ask(script, AbortSignal.abort())).toBeNull();
    expect(existsSync(file)).toBe(false);
    expect(await ask(script)).toEqual({ answer: "once" });
    expect(existsSync(file)).toBe(true);
  });
});

describe("a command line", () => {
  test.each<[string, readonly string[]]>([
    ["ask-me", ["ask-me"]],
    ["  ask-me   --now\t-v ", ["ask-me", "--now", "-v"]],
    [`"/opt/my tools/ask" 'a "b"' c"d e"f ''`, ["/opt/my tools/ask", 'a "b"', "cd ef", ""]],
    ["C:\\tools\\ask.exe", ["C:\\tools\\ask.exe"]],
    ['["/opt/ask", "a b", ""]', ["/opt/ask", "a b", ""]],
  ])("%s", (line, words) => expect(parseCommandLine(line)).toEqual(words));

  test.each(["", "   ", '""', "ask 'me", 'ask "me', "[]", "[1]", '["ask"', '[["ask"]]', '[""]', "[ask]", "ask\0me"])(
    "%j is none",
    (line) => {
      expect(() => parseCommandLine(line)).toThrow(TypeError);
      expect(() => commandApprover(line)).toThrow(TypeError);
    },
  );
});
