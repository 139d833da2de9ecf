import type { Approver, Choice, QuestionId, Refuse, Verdict } from "../types.ts";
import type { Asking, Waiting } from "./asking.ts";
import type { AskedAbout } from "./effect-question.ts";
import type { Held, Input } from "./inputs.ts";
import { denied, quiet, tooMany, unanswered, unwritten } from "./refusals.ts";

/** After a call is over, requests that come so close to one another are asked about together. */
const GATHER_MS = 50;
/** Of one input; a page that sends on and on gets no further. */
const MAX_HELD = 50;
const MAX_QUESTIONS = 5;

export interface RoundsOptions {
  readonly asking: Asking;
  /** Asks about what an input holds, or about as much of it as can be shown. */
  readonly ask: (input: Input) => AskedAbout;
  /** Before anything of a yes leaves: false when what it grants could not be written down. */
  readonly widen: (held: readonly Held[], choice: Exclude<Choice, "no" | "once">, input: Input) => boolean;
  /** Who is asked: the face of its call while that runs, else that of the latest call. */
  readonly approverOf: (input: Input) => Approver | undefined;
  readonly allowed: (held: Held, input: Input) => void;
  /** A yes, or a no of a person. */
  readonly answered: (input: Input, held: readonly Held[], choice: Choice, isPersons: boolean) => void;
  /** What an answer for others says of one that still waits: a wider yes, or a no for the same thing. Null: nothing. */
  readonly anew: (held: Held, input: Input) => { readonly verdict: Verdict; readonly grant: string | null } | null;
  readonly setTimer: (work: () => void, ms: number) => void;
}

/** How a held request ends, and by which question. */
export interface Settled {
  readonly verdict: Verdict;
  readonly question: QuestionId | null;
  readonly grant: string | null;
}

/**
 * Requests of one input wait together for one answer; what comes after the answer waits for the next question, at most
 * five an input.
 */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #questionOf = new WeakMap<Held, QuestionId>();
  readonly #inQuestion = new WeakMap<Waiting, readonly Held[]>();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** Holds a request. A refusal where it cannot be asked about. */
  hold(
    input: Input,
    held: Omit<Held, "settle">,
    unasked: () => Refuse,
    onHold: () => void,
  ): Verdict | Promise<Settled> {
    const { asking, setTimer } = this.#options;
    const { described } = held;
    if (input.isDropped) return denied(described.site);
    if (input.questions >= MAX_QUESTIONS && input.waiting === null) return tooMany(described);
    if (input.held.length >= MAX_HELD) return tooMany(described);
    if (!asking.canAsk(this.#options.approverOf(input), described.place)) return unasked();
    onHold();
    return new Promise((resolve) => {
      const mine: Held = {
        ...held,
        settle: (verdict, grant = null) => resolve({ verdict, question: this.#questionOf.get(mine) ?? null, grant }),
      };
      // What comes while a question is open is not in it, unless it is the same again: it waits for the next one.
      input.held.push(mine);
      if (!input.isGathering && input.waiting === null) setTimer(() => this.askNow(input), GATHER_MS);
    });
  }

  /** Asks about what is held, once; the question that waits, or null when nothing is held. */
  askNow(input: Input): Waiting | null {
    if (input.waiting !== null) return input.waiting;
    if (input.held.length === 0) return null;
    if (input.questions >= MAX_QUESTIONS) {
      for (const { described, settle } of input.held.splice(0)) settle(tooMany(described));
      return null;
    }
    input.held = [...input.held].sort((a, b) => b.weight - a.weight);
    let asked: AskedAbout;
    try {
      input.questions += 1;
      asked = this.#options.ask(input);
    } catch {
      for (const { described, settle } of input.held.splice(0)) settle(denied(described.site));
      return null;
    }
    const { waiting } = asked;
    input.waiting = waiting;
    this.#inQuestion.set(waiting, asked.held);
    void waiting.answered.then((choice) => this.#answer(input, waiting, choice));
    return waiting;
  }

  /** Its call is given up: what it holds is refused, and nothing more is asked about. */
  drop(input: Input): void {
    input.isDropped = true;
    input.isGathering = false;
    for (const { rule, described, settle } of input.held.splice(0)) settle(unanswered(rule, described));
  }

  #answer(input: Input, waiting: Waiting, choice: Choice): void {
    if (input.waiting !== waiting) return;
    input.waiting = null;
    input.answer = choice;
    const asked = new Set((this.#inQuestion.get(waiting) ?? []).map(({ key }) => key));
    // The same again while somebody was asked is a retry of what stands in the question.
    const held = input.held.filter(({ key }) => asked.has(key));
    input.held = input.held.filter(({ key }) => !asked.has(key));
    for (const one of held) this.#questionOf.set(one, waiting.question.id);
    const isPersons = this.#options.asking.find(waiting.question.id)?.by != null;
    this.#options.answered(input, held, choice, isPersons);
    if (choice !== "no" && choice !== "once" && !this.#options.widen(held, choice, input)) {
      for (const { settle } of held) settle(unwritten());
    } else
      for (const [index, one] of held.entries()) {
        if (choice === "no") one.settle(isPersons ? denied(one.described.site) : unanswered(one.rule, one.described));
        // An app that gave up has sent the same again: only the newest can still leave.
        else if (held.slice(index + 1).some((later) => later.key === one.key))
          one.settle(quiet("effects.again", one.described.site));
        else {
          this.#options.allowed(one, input);
          one.settle({ verdict: "allow", rule: "effects.answer" });
        }
      }
    input.held = input.held.filter((one) => {
      const anew = this.#options.anew(one, input);
      if (anew !== null) one.settle(anew.verdict, anew.grant);
      return anew === null;
    });
    // What came meanwhile, or could not be shown beside the rest, was in no question yet.
    if (input.held.length > 0 && !input.isGathering) this.#options.setTimer(() => this.askNow(input), GATHER_MS);
  }
}
