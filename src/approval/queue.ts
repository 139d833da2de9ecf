import type { Answer, Approver, Choice, Question, QuestionId } from "../types.ts";
import { isCode } from "./code.ts";
import type { SetTimer } from "./timer.ts";

/** Questions that wait at the same time; one more is answered no at once. */
const MAX_OPEN = 8;
/** Invalid answers after which a person's channel is not asked about that question any more. */
const MAX_INVALID = 3;

export interface Answered {
  readonly answer: Choice;
  /** Who said it; null when nobody did. */
  readonly by: Approver["name"] | null;
}

export type Ending = "answered" | "expired" | "cancelled" | "nobody" | "full";

export interface QueueOptions {
  /**
   * In the order in which they are asked. One named "elicitation" stands for the approver of the call, whatever it is,
   * and is passed over where a call has none.
   */
  readonly approvers: readonly (Approver | "elicitation")[];
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly setTimer: SetTimer;
  /** Once for each question, before its answer is given. When it throws, the answer is no. */
  readonly onAnswer?: (question: Question, answered: Answered, ending: Ending) => void;
}

export interface Pending {
  /** Never rejects. */
  readonly answered: Promise<Answered>;
  /** Nobody needs the answer any more: it is no. */
  cancel(): void;
}

export interface Queue {
  /**
   * Asks one approver after another: the next when one is not available, and beside one that may never answer. The
   * first valid answer counts, once.
   */
  ask(question: Question, callApprover?: Approver): Pending;
  /** Those without an answer yet, oldest first. */
  open(): readonly Question[];
  /** Whether there is anybody to ask, and room for one question more. */
  canAsk(callApprover?: Approver): boolean;
  /** Answers all open questions, and all that come later, with no. */
  close(): void;
}

/**
 * The questions of one session. No approver left, expiry, a cancelled call and anything unforeseen are no. (AP-3, AP-5)
 */
export function createQueue(options: QueueOptions): Queue {
  const open = new Map<QuestionId, { readonly question: Question; readonly cancel: () => void }>();
  let isClosed = false;

  const chainFor = (callApprover?: Approver): readonly Approver[] => {
    const own = callApprover === undefined ? [] : [callApprover];
    return options.approvers.flatMap((approver) =>
      approver === "elicitation" || approver.name === "elicitation" ? own : [approver],
    );
  };

  return {
    ask(question, callApprover) {
      if (isClosed || open.size >= MAX_OPEN || open.has(question.id)) {
        return { answered: Promise.resolve(told(options, question, NOBODY, "full")), cancel() {} };
      }
      const asking = new Asking(question, chainFor(callApprover), options, () => open.delete(question.id));
      open.set(question.id, { question, cancel: () => asking.end(NOBODY, "cancelled") });
      asking.start();
      return { answered: asking.answered, cancel: () => asking.end(NOBODY, "cancelled") };
    },
    open: () => [...open.values()].map(({ question }) => question),
    canAsk: (callApprover) => !isClosed && open.size < MAX_OPEN && chainFor(callApprover).length > 0,
    close() {
      isClosed = true;
      for (const { cancel } of [...open.values()]) cancel();
    },
  };
}

const NOBODY: Answered = Object.freeze({ answer: "no", by: null });

/** What is recorded is what counts. */
function told({ onAnswer }: QueueOptions, question: Question, answered: Answered, ending: Ending): Answered {
  try {
    onAnswer?.(question, answered, ending);
    return answered;
  } catch {
    return NOBODY;
  }
}

/** One question on its way through the channels. */
class Asking {
  readonly answered: Promise<Answered>;
  readonly #question: Question;
  readonly #chain: readonly Approver[];
  readonly #options: QueueOptions;
  readonly #onEnd: () => void;
  readonly #abort = new AbortController();
  #resolve: (answered: Answered) => void = () => {};
  #stopTimer: () => void = () => {};
  #next = 0;
  #running = 0;
  #isOver = false;

  constructor(question: Question, chain: readonly Approver[], options: QueueOptions, onEnd: () => void) {
    this.#question = question;
    this.#chain = chain;
    this.#options = options;
    this.#onEnd = onEnd;
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  start(): void {
    if (!this.#isInTime()) {
      this.end(NOBODY, "expired");
      return;
    }
    const ms = this.#question.expires - this.#options.clock();
    this.#stopTimer = this.#options.setTimer(() => this.end(NOBODY, "expired"), ms);
    this.#askNext();
  }

  end(answered: Answered, ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopTimer();
    this.#onEnd();
    this.#resolve(told(this.#options, this.#question, answered, ending));
    this.#abort.abort();
  }

  #isInTime(): boolean {
    return this.#options.clock() < this.#question.expires;
  }

  /** The next channel, and those after it as long as each may never answer. */
  #askNext(): void {
    while (!this.#isOver && this.#next < this.#chain.length) {
      const approver = this.#chain[this.#next++];
      if (approver === undefined) break;
      this.#running += 1;
      void this.#ask(approver, this.#next);
      if (!approver.unsure) return;
    }
    if (this.#running === 0) this.end(NOBODY, "nobody");
  }

  async #ask(approver: Approver, next: number): Promise<void> {
    const answer = await this.#answerFrom(approver);
    if (answer !== null) this.end({ answer, by: approver.name }, "answered");
    this.#running -= 1;
    // One that a later channel was already asked beside moves nothing on.
    if (this.#next === next) this.#askNext();
    else if (this.#running === 0) this.end(NOBODY, "nobody");
  }

  /** Null when this channel has nothing valid to say, or not in time. */
  async #answerFrom(approver: Approver): Promise<Choice | null> {
    const tries = approver.person ? MAX_INVALID : 1;
    for (let tried = 0; tried < tries && !this.#isOver; tried++) {
      const given = await answerOf(approver, this.#question, this.#abort.signal);
      if (given === null || this.#isOver) return null;
      if (!this.#isInTime()) {
        this.end(NOBODY, "expired");
        return null;
      }
      const answer = validAnswer(given, this.#question, approver.person);
      if (answer !== null) return answer;
    }
    return null;
  }
}

/** Null where there is none, for whatever reason. */
async function answerOf(approver: Approver, question: Question, signal: AbortSignal): Promise<Answer | null> {
  try {
    return (await approver.ask(question, signal)) ?? null;
  } catch {
    return null;
  }
}

const CHOICES: readonly Choice[] = ["once", "form", "task", "no"];

/** What an answer says; null when it is worth nothing. Answers come from outside: they may have any shape. */
function validAnswer(given: unknown, question: Question, isPerson: boolean): Choice | null {
  try {
    if (typeof given !== "object" || given === null || !("answer" in given)) return null;
    const said = given.answer;
    const answer = CHOICES.find((choice) => choice === said);
    if (answer === undefined || answer === "no") return answer ?? null;
    if (!question.choices.includes(answer)) return null;
    if (question.code === null || !isPerson) return answer;
    const code = "code" in given ? given.code : null;
    return typeof code === "string" && isCode(code, question.code) ? answer : null;
  } catch {
    return null;
  }
}
