import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Answer, Approver, Question } from "../types.ts";
import { oneLine } from "./escape.ts";
import { wrapped } from "./wrap.ts";

/** What was typed before the question could be read answers nothing. */
const DEAF_MS = 1_000;
/** Longer than any line of ours. */
const MAX_LINE_CHARS = 8_000;
const MAX_MEANS_CHARS = 60;
/** Where the terminal does not say, or says 0. */
const DEFAULT_COLUMNS = 80;

export interface TerminalOptions {
  readonly input: Readable;
  readonly output: Writable & { readonly columns?: number };
  /** Both ends are a terminal. */
  readonly isTTY: boolean;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Ctrl-C while a question is shown: the terminal is in raw mode then. */
  readonly onInterrupt?: () => void;
}

/**
 * Asks on a terminal, one question after another. A word must be typed, with the code where the question has one; Enter
 * alone is nothing, nor is a line begun in the first second. Not available without a terminal, and when it is closed.
 * (AP-4)
 */
export function terminalApprover(options: TerminalOptions): Approver {
  let last: Promise<unknown> = Promise.resolve();
  return {
    name: "terminal",
    person: true,
    unsure: false,
    ask(question, signal) {
      const turn = last.then(() => (isUsable(options) && !signal.aborted ? askOn(options, question, signal) : null));
      last = turn.catch(() => {});
      return turn;
    },
  };
}

function isUsable({ input, output, isTTY }: TerminalOptions): boolean {
  return isTTY && input.readable && !input.destroyed && output.writable;
}

function askOn(
  { input, output, clock, onInterrupt = interruptSelf }: TerminalOptions,
  question: Question,
  signal: AbortSignal,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const print = (text: string): void => void output.write(text);
    const deafUntil = clock() + DEAF_MS;
    let isStale = false;
    // Before readline's own, so that it is known of a line when it was begun.
    const onKey = (): void => {
      if (clock() < deafUntil) isStale = true;
    };
    input.on("keypress", onKey);
    const lines = createInterface({ input, output, terminal: true, historySize: 0, prompt: "> " });
    let isOver = false;
    const end = (answer: Answer | null, words: string): void => {
      if (isOver) return;
      isOver = true;
      input.off("keypress", onKey);
      signal.removeEventListener("abort", onAbort);
      lines.close();
      output.off("error", onBroken);
      print(words);
      resolve(answer);
    };
    const onAbort = (): void =>
      end(
        null,
        `\nQuestion ${oneLine(question.id, MAX_LINE_CHARS)} needs no answer any more: it was answered elsewhere, or it is too late.\n`,
      );
    const onBroken = (): void => end(null, "");

    lines.on("line", (line) => {
      const wasStale = isStale || clock() < deafUntil;
      isStale = false;
      if (isOver) return;
      const said = wasStale ? null : answerIn(line, question);
      if (said !== null) return end(said, "");
      if (wasStale) print("What is typed in the first second does not count.\n");
      else if (line.trim() !== "") print(`That is no answer. ${orders(question)}\n`);
      lines.prompt();
    });
    lines.on("close", () => end(null, ""));
    lines.on("SIGINT", () => {
      end(null, "\n");
      onInterrupt();
    });
    output.on("error", onBroken);
    signal.addEventListener("abort", onAbort, { once: true });
    print(`${text(question, output.columns || DEFAULT_COLUMNS)}\n`);
    lines.prompt();
  });
}

function text(question: Question, columns: number): string {
  const until = new Date(question.expires).toTimeString().slice(0, 8);
  const means = question.choices.map((choice) =>
    `  ${choice.padEnd(5)} ${oneLine(question.means[choice] ?? "", MAX_MEANS_CHARS)}`.trimEnd(),
  );
  const facts = question.lines.flatMap((line) => wrapped(oneLine(line, MAX_LINE_CHARS), columns));
  return [
    "",
    `Question ${oneLine(question.id, MAX_LINE_CHARS)}, open until ${until}:`,
    ...facts,
    ...means,
    orders(question),
  ].join("\n");
}

function orders({ choices, code }: Question): string {
  const words = choices.map((choice) =>
    code === null || choice === "no" ? choice : `${choice} ${oneLine(code, MAX_LINE_CHARS)}`,
  );
  return `Type one of: ${words.join(", ")}`;
}

/** A choice, with a code behind it where one is needed. Whether it is the right one is for the queue to judge. */
function answerIn(line: string, { choices, code }: Question): Answer | null {
  const [word, typed, ...more] = line.trim().split(/\s+/);
  const answer = choices.find((choice) => choice === word?.toLowerCase());
  if (answer === undefined || more.length > 0) return null;
  if (code === null || answer === "no") return typed === undefined ? { answer } : null;
  return typed === undefined ? null : { answer, code: typed };
}

function interruptSelf(): void {
  process.kill(process.pid, "SIGINT");
}

/** The one of this process: asked on stderr, so that stdout stays the program's. */
export function processTerminal(): Approver {
  const { stdin, stderr } = process;
  return terminalApprover({
    input: stdin,
    output: stderr,
    isTTY: stdin.isTTY === true && stderr.isTTY === true,
    clock: Date.now,
  });
}
