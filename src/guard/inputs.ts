import type { Described } from "../gate/index.ts";
import type { Approver, CallId, Choice, Element, Intent, RequestFacts, Verdict } from "../types.ts";
import type { Waiting } from "./asking.ts";

/** A request that waits at the wire for a person. */
export interface Held {
  readonly facts: RequestFacts;
  readonly described: Described;
  readonly digest: string;
  /** The same request of the same call and document. Calls of a batch may each send the same. */
  readonly key: string;
  settle(verdict: Verdict): void;
}

/** One input of the agent's, or what a page does by itself, and the requests that follow from it: they are asked about together, once. */
export interface Input {
  /** Null: nobody's call; the page by itself. */
  readonly call: CallId | null;
  readonly tool: string | null;
  readonly element: Element | null;
  /** The model's own words for why. */
  readonly reason: string | null;
  readonly approver: Approver | undefined;
  /** Its call still runs: what else it causes is waited for. */
  isGathering: boolean;
  readonly held: Held[];
  /** Of requests that left on the answer's strength. */
  readonly released: Set<string>;
  waiting: Waiting | null;
  answer: Choice | null;
}

/** Calls whose requests may still come. */
const REMEMBERED = 256;

/** The inputs of a session, newest last. */
export class Inputs {
  readonly #inputs = new Map<string, Input>();

  begin(intent: Pick<Intent, "call" | "tool" | "element" | "reason">, approver: Approver | undefined, group: CallId | null): Input {
    const known = group === null ? undefined : this.#inputs.get(group);
    if (known !== undefined && known.waiting === null) {
      // Calls of one batch are one input; the last element stands for it.
      known.isGathering = true;
      this.#keep(intent.call, known);
      return known;
    }
    const input = fresh(intent, approver);
    this.#keep(intent.call, input);
    return input;
  }

  of(call: CallId): Input | undefined {
    return this.#inputs.get(call);
  }

  /** What a document does by itself has an input of its own. */
  byItself(document: string): Input {
    const key = `document ${document}`;
    const known = this.#inputs.get(key);
    if (known !== undefined) return known;
    const input = fresh(null, undefined);
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

function fresh(intent: Pick<Intent, "call" | "tool" | "element" | "reason"> | null, approver: Approver | undefined): Input {
  return {
    call: intent?.call ?? null,
    tool: intent?.tool ?? null,
    element: intent?.element ?? null,
    reason: intent?.reason ?? null,
    approver,
    isGathering: intent !== null,
    held: [],
    released: new Set(),
    waiting: null,
    answer: null,
  };
}
