import { createHash } from "node:crypto";
import type { Queue } from "../approval/queue.ts";
import type { DecisionEntry } from "../ledger/log.ts";
import { masked } from "../masking/masked.ts";
import type { Masking } from "../masking/masking.ts";
import type { Approver, Choice, Question, QuestionId, Receipt } from "../types.ts";

/** A question that is open, or was. */
export interface Waiting {
  readonly question: Question;
  /** Never rejects; without an answer in time it is "no". */
  readonly answered: Promise<Choice>;
}

/** One of this session, with its answer as soon as it is there, and who gave it; null: nobody did. */
export interface Known extends Waiting {
  choice: Choice | null;
  by: Approver["name"] | null;
}

/** What a question is made with. */
export interface Slot {
  readonly id: QuestionId;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** To be typed by a person where the matter asks for it. */
  readonly code: string;
}

export interface AskingOptions {
  readonly queue: Queue;
  readonly record: (entry: DecisionEntry) => Receipt | null;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Life of a question. */
  readonly questionMs: number;
  readonly newCode: () => string;
  /** Takes secret values out of what is shown. */
  readonly mask: Masking["maskAll"];
}

/** So many times no for the same thing, and nobody is asked for it again. */
const DENIALS_OF_A_THING = 3;
/** So many questions in a row without a yes, and nobody is asked any more: whoever floods wins nothing. */
const DENIALS_IN_A_ROW = 10;

/** Questions from their making to their answer, both in the record before anything comes of them. */
export class Asking {
  readonly #options: AskingOptions;
  readonly #open = new Map<QuestionId, Waiting>();
  readonly #known = new Map<QuestionId, Known>();
  readonly #cancels = new Map<QuestionId, () => void>();
  readonly #denials = new Map<string, number>();
  #inARow = 0;
  #count = 0;

  constructor(options: AskingOptions) {
    this.#options = options;
  }

  /** Whether somebody could answer about that thing now. */
  canAsk(approver: Approver | undefined, thing: string): boolean {
    return (
      this.#inARow < DENIALS_IN_A_ROW &&
      (this.#denials.get(thing) ?? 0) < DENIALS_OF_A_THING &&
      this.#options.queue.canAsk(approver)
    );
  }

  /** Whether there is anybody at all who could be asked, beside the face of a call. */
  hasSomebody(): boolean {
    return this.#options.queue.canAsk();
  }

  /** Those that wait, oldest first. */
  open(): readonly Waiting[] {
    return [...this.#open.values()];
  }

  /** One of this session, answered or not; its answer is null as long as it waits. */
  find(id: QuestionId): Readonly<Known> | undefined {
    return this.#known.get(id);
  }

  /** Nobody needs the answer any more: it is no, and nobody is shown the question any longer. */
  withdraw(which: (question: Question) => boolean): void {
    for (const { question } of this.open()) if (which(question)) this.#cancels.get(question.id)?.();
  }

  /** The operator said something: whoever flooded does not keep others from being asked. */
  operatorSpoke(): void {
    this.#inARow = 0;
  }

  ask(things: readonly string[], approver: Approver | undefined, make: (slot: Slot) => Question): Waiting {
    const { clock, questionMs, newCode, mask } = this.#options;
    const askedAt = clock();
    const question = masked(
      make({ id: `q${++this.#count}` as QuestionId, expires: askedAt + questionMs, code: newCode() }),
      mask,
    );
    let answerWith: (choice: Choice) => void = () => {};
    const waiting: Known = {
      question,
      choice: null,
      by: null,
      answered: new Promise((resolve) => {
        answerWith = resolve;
      }),
    };
    // It is open before anything can end it.
    this.#open.set(question.id, waiting);
    this.#known.set(question.id, waiting);
    void this.#answer(question, things, approver, askedAt).then(answerWith);
    return waiting;
  }

  async #answer(
    question: Question,
    things: readonly string[],
    approver: Approver | undefined,
    askedAt: number,
  ): Promise<Choice> {
    const { queue, record, clock } = this.#options;
    const { id, call, about, digest, requests, effect, choices } = question;
    const shown = createHash("sha256").update(question.lines.join("\n")).digest("hex");
    let choice: Choice = "no";
    try {
      if (record({ kind: "question", question: id, call, about, digest, requests, shown, effect, choices }) === null)
        return "no";
      const asked = queue.ask(question, approver);
      this.#cancels.set(id, () => asked.cancel());
      const { answer, by } = await asked.answered;
      if (record({ kind: "answer", question: id, digest, answer, by, afterMs: clock() - askedAt }) === null)
        return "no";
      choice = answer;
      const known = this.#known.get(id);
      if (known !== undefined) known.by = by;
      this.#counts(things, answer, by);
      return answer;
    } catch {
      return "no";
    } finally {
      this.#open.delete(id);
      this.#cancels.delete(id);
      const known = this.#known.get(id);
      if (known !== undefined) known.choice = choice;
    }
  }

  /** Only a real no counts for the thing; silence counts for the row, too. */
  #counts(things: readonly string[], answer: Choice, by: Approver["name"] | null): void {
    this.#inARow = answer === "no" ? this.#inARow + 1 : 0;
    for (const thing of things) {
      if (answer !== "no") this.#denials.delete(thing);
      else if (by !== null) this.#denials.set(thing, (this.#denials.get(thing) ?? 0) + 1);
    }
  }
}
