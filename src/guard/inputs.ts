import type { Described } from "../gate/index.ts";
import type { Approver, CallId, Choice, Element, Intent, RequestFacts, RuleId, Site, Verdict } from "../types.ts";
import type { Waiting } from "./asking.ts";

/** A request that waits at the wire for a person. */
export interface Held {
  readonly facts: RequestFacts;
  readonly described: Described;
  readonly digest: string;
  /** The same for a retry, whoever sends it. */
  readonly same: string;
  /** The same request of the same call and document. Calls of a batch may each send the same. */
  readonly key: string;
  /** By which it is asked about. */
  readonly rule: RuleId;
  /** The most serious is shown first. */
  readonly weight: number;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  settle(verdict: Verdict, grant?: string | null): void;
}

/** One act of the agent's: a call, or one of a batch. */
export interface Act {
  readonly call: CallId;
  readonly tool: string;
  readonly element: Element | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a person's yes lets follow from the same input. */
export interface Following {
  /** Milliseconds since 1970. */
  readonly until: number;
  left: number;
  /** Origin and directory of what was answered. */
  readonly prefixes: readonly string[];
  /** Values and literal parts of the path that were shown, and the operations. */
  readonly values: ReadonlySet<string>;
  readonly operations: ReadonlySet<string>;
  /** What was answered: the same once more is another change. */
  readonly answered: ReadonlySet<string>;
}

/**
 * The record of one action: a call, or the calls of a batch, or what a page does by itself. The one source for cause,
 * questions and what follows: what comes of it is asked about together, what comes later in questions of its own.
 */
export interface Input {
  /** Null: nobody's call; the page by itself. */
  readonly call: CallId | null;
  /** Every act of it, the first one first. */
  readonly acts: Act[];
  /** The model's own words for why. */
  readonly reason: string | null;
  readonly approver: Approver | undefined;
  /** Site and document that it went to; null: not known. */
  readonly site: Site | null;
  readonly document: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Its call still runs: what else it causes is waited for. */
  isGathering: boolean;
  held: Held[];
  /** The question that is open, and how many there were. */
  waiting: Waiting | null;
  questions: number;
  answer: Choice | null;
  following: Following | null;
  /** Its call was given up: nothing of it is asked about any more. */
  isDropped: boolean;
}

/** Calls whose requests may still come. */
const REMEMBERED = 256;

/** The inputs of a session, newest last. */
export class Inputs {
  readonly #inputs = new Map<string, Input>();
  readonly #clock: () => number;
  #lastApprover: Approver | undefined;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  begin(intent: Intent, approver: Approver | undefined, group: CallId | null): Input {
    this.#lastApprover = approver;
    const act: Act = {
      call: intent.call,
      tool: intent.tool,
      element: intent.element ?? intent.focus ?? null,
      at: this.#clock(),
    };
    const known = group === null ? undefined : this.#inputs.get(group);
    if (known !== undefined && known.waiting === null) {
      // Calls of one batch are one input, for asking.
      known.isGathering = true;
      known.acts.push(act);
      this.#keep(intent.call, known);
      return known;
    }
    const input = fresh(this.#clock(), act, intent, approver);
    this.#keep(intent.call, input);
    return input;
  }

  /** A call that is no input of its own has come from this face: whoever is asked next is asked there. */
  heard(approver: Approver | undefined): void {
    this.#lastApprover = approver;
  }

  /** The face of its call while that runs; later that of the latest call. */
  approverOf(input: Input): Approver | undefined {
    return input.isGathering ? input.approver : this.#lastApprover;
  }

  of(call: CallId): Input | undefined {
    return this.#inputs.get(call);
  }

  /** What a document does by itself has an input of its own. */
  byItself(document: string): Input {
    const key = `document ${document}`;
    const known = this.#inputs.get(key);
    if (known !== undefined) return known;
    const input = fresh(this.#clock(), null, null, this.#lastApprover);
    this.#keep(key, input);
    return input;
  }

  #keep(key: string, input: Input): void {
    this.#inputs.set(key, input);
    if (this.#inputs.size <= REMEMBERED) return;
    for (const [oldest, { held }] of this.#inputs) {
      if (held.length > 0) continue;
      this.#inputs.delete(oldest);
      return;
    }
  }
}

function fresh(at: number, act: Act | null, intent: Intent | null, approver: Approver | undefined): Input {
  return {
    call: intent?.call ?? null,
    acts: act === null ? [] : [act],
    reason: intent?.reason ?? null,
    approver,
    site: intent?.element?.site ?? intent?.site ?? null,
    document: intent?.element?.document ?? intent?.document ?? null,
    at,
    isGathering: intent !== null,
    held: [],
    waiting: null,
    questions: 0,
    answer: null,
    following: null,
    isDropped: false,
  };
}
