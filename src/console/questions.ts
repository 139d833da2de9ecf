import type { Answer, Choice, Question } from "../types.ts";
import { same } from "./access.ts";
import { LONGEST_TIMER_MS, MOST_DONE_QUESTIONS, MOST_OPEN_QUESTIONS, WRONG_CODES } from "./limits.ts";

/** How a question ended on this channel. */
export type Outcome =
  | { readonly how: "answered"; readonly answer: Choice }
  | { readonly how: "elsewhere" | "late" | "wrong_codes" | "ended" };

export interface Done {
  readonly question: Question;
  readonly outcome: Outcome;
}

/** An answer as it came in. The digest binds it to what was shown. */
export interface Given {
  readonly id: string;
  readonly digest: string;
  readonly answer: Choice;
  readonly code?: string | undefined;
}

/** `gone`: no open question is that one. `not_offered`: it has no such choice. */
export type Taken =
  | { readonly did: "taken" | "gone" | "not_offered" }
  | { readonly did: "wrong_code"; readonly triesLeft: number };

interface Open {
  readonly question: Question;
  wrongCodes: number;
  end(outcome: Outcome, answer: Answer | null): void;
}

/** The questions of one session: each is answered once, by what was shown, in time, or not at all. */
export class Questions {
  readonly #clock: () => number;
  readonly #changed: () => void;
  readonly #open = new Map<string, Open>();
  #done: readonly Done[] = [];

  constructor(clock: () => number, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get open(): readonly Question[] {
    return [...this.#open.values()].map(({ question }) => question);
  }

  /** Latest first. */
  get done(): readonly Done[] {
    return this.#done;
  }

  /** Null when it ends without an answer of a person: too late, answered elsewhere, ended, or one too many. */
  ask(question: Question, signal: AbortSignal): Promise<Answer | null> {
    const taken = this.#open.has(question.id) || this.#open.size >= MOST_OPEN_QUESTIONS;
    if (taken || signal.aborted || this.#isLate(question)) return Promise.resolve(null);
    return new Promise((resolve) => {
      const stop = (): void => end({ how: this.#isLate(question) ? "late" : "elsewhere" }, null);
      const end = (outcome: Outcome, answer: Answer | null): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        this.#open.delete(question.id);
        this.#done = [{ question, outcome }, ...this.#done].slice(0, MOST_DONE_QUESTIONS);
        resolve(answer);
        this.#changed();
      };
      const timer = setTimeout(
        () => end({ how: "late" }, null),
        Math.min(question.expires - this.#clock(), LONGEST_TIMER_MS),
      );
      signal.addEventListener("abort", stop);
      this.#open.set(question.id, { question, wrongCodes: 0, end });
      this.#changed();
    });
  }

  answer({ id, digest, answer, code }: Given): Taken {
    const open = this.#open.get(id);
    if (open === undefined || !same(digest, open.question.digest)) return { did: "gone" };
    const { question } = open;
    if (this.#isLate(question)) {
      open.end({ how: "late" }, null);
      return { did: "gone" };
    }
    if (answer === "no") {
      open.end({ how: "answered", answer }, { answer });
      return { did: "taken" };
    }
    if (!question.choices.includes(answer)) return { did: "not_offered" };
    if (question.code !== null && (code === undefined || !isCode(code, question.code))) {
      open.wrongCodes += 1;
      if (open.wrongCodes >= WRONG_CODES) open.end({ how: "wrong_codes" }, null);
      return { did: "wrong_code", triesLeft: WRONG_CODES - open.wrongCodes };
    }
    open.end({ how: "answered", answer }, code === undefined ? { answer } : { answer, code });
    return { did: "taken" };
  }

  /** All that are open end without an answer. */
  end(): void {
    for (const open of [...this.#open.values()]) open.end({ how: "ended" }, null);
  }

  #isLate({ expires }: Question): boolean {
    return this.#clock() >= expires;
  }
}

/** As a person types: case and blanks around it do not matter. */
function isCode(typed: string, code: string): boolean {
  return same(typed.trim().toUpperCase(), code.toUpperCase());
}
