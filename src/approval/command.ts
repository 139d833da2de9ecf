import { type ChildProcess, spawn } from "node:child_process";
import type { Answer, Approver, Question } from "../types.ts";
import { setTimer as realTimer, type SetTimer } from "./timer.ts";

const MAX_OUTPUT_BYTES = 65_536;
/** Process groups exist, and end whole. */
const HAS_GROUPS = process.platform !== "win32";

export interface CommandOptions {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly setTimer: SetTimer;
}

/**
 * A program that answers: it gets the question as JSON on its standard input, and the first line it prints (once, form,
 * task, no) is the answer. Not available when it cannot be started, ends with another code than 0, prints anything else
 * or more than 64 kB, or has not ended when the question expires. Throws when the command line cannot be read.
 */
export function commandApprover(
  commandLine: string,
  options: CommandOptions = { clock: Date.now, setTimer: realTimer },
): Approver {
  const [program = "", ...args] = parseCommandLine(commandLine);
  return {
    name: "command",
    person: false,
    unsure: false,
    ask: (question, signal) => run(program, args, question, signal, options),
  };
}

/**
 * A JSON array of strings, or words separated by blanks, where quotes of either kind hold words together. No shell
 * reads it. Throws a TypeError.
 */
export function parseCommandLine(commandLine: string): readonly string[] {
  const words = commandLine.trimStart().startsWith("[") ? jsonWords(commandLine) : plainWords(commandLine);
  if (words.length === 0 || words[0] === "") throw new TypeError("The command of an approver names no program.");
  if (words.some((word) => word.includes("\0"))) throw new TypeError("The command of an approver holds a NUL.");
  return words;
}

function jsonWords(text: string): readonly string[] {
  const notWords = (): TypeError =>
    new TypeError("The command of an approver begins with [ and is no JSON array of strings.");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw notWords();
  }
  if (!Array.isArray(parsed)) throw notWords();
  return parsed.map((word: unknown) => {
    if (typeof word !== "string") throw notWords();
    return word;
  });
}

function plainWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (const char of text) {
    if (quote !== null) {
      if (char === quote) quote = null;
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== null) throw new TypeError("The command of an approver has a quote that is not closed.");
  return word === null ? words : [...words, word];
}

function run(
  program: string,
  args: readonly string[],
  question: Question,
  signal: AbortSignal,
  { clock, setTimer }: CommandOptions,
): Promise<Answer | null> {
  const leftMs = question.expires - clock();
  if (signal.aborted || !(leftMs > 0)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      shell: false,
      stdio: ["pipe", "pipe", "ignore"],
      detached: HAS_GROUPS,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (answer: Answer | null): void => {
      signal.removeEventListener("abort", stop);
      stopTimer();
      resolve(answer);
    };
    const stop = (): void => {
      kill(child);
      end(null);
    };
    const stopTimer = setTimer(stop, leftMs);
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", () => end(null));
    child.on("close", (code) => end(code === 0 ? answerIn(Buffer.concat(chunks), question) : null));
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) stop();
      else chunks.push(chunk);
    });
    // It need not read the question to its end.
    child.stdin.on("error", () => {});
    child.stdin.end(`${JSON.stringify(question)}\n`);
  });
}

/** With all that it started. */
function kill(child: ChildProcess): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

function answerIn(output: Buffer, { choices }: Question): Answer | null {
  const [line = ""] = output.toString("utf8").split(/\r?\n/, 1);
  const answer = choices.find((choice) => choice === line);
  return answer === undefined ? null : { answer };
}
