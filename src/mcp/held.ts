import { createHash, randomBytes } from "node:crypto";
import { createRequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import type { Answer, Approver, CallOptions, Question, ToolResult } from "../types.ts";

/** Beyond that a question has no way to the client. */
const MOST_QUESTIONS = 64;
/** A client that never comes back leaves its question this long. */
const QUESTION_KEPT_MS = 3_600_000;
const KEY_BYTES = 32;
const ID_BYTES = 16;
/** The table below forgets earlier. */
const STATE_SECONDS = 86_400;

/** A question that a call waits for. */
export interface Asked {
  readonly question: Question;
  /** Nobody has answered, here or elsewhere, and there is time. */
  readonly isOpen: boolean;
  /** Its answer; null: this channel has none. Only the first counts. */
  answer(answer: Answer | null): void;
}

/** Questions that came while no call of the client's ran: the next one takes them along. */
export class Parked {
  #waiting: Asked[] = [];
  #isClosed = false;

  /** Waits for a call that takes it; its answer, or null when it is withdrawn or there are too many. */
  ask(question: Question, signal: AbortSignal): Promise<Answer | null> {
    if (this.#isClosed) return Promise.resolve(null);
    this.#waiting = this.#waiting.filter(({ isOpen }) => isOpen);
    return askedIn(this.#waiting, question, signal);
  }

  take(): readonly Asked[] {
    return this.#waiting.splice(0).filter(({ isOpen }) => isOpen);
  }

  /** A call ended before its client had got them. */
  putBack(asked: readonly Asked[]): void {
    this.#waiting.push(...asked.filter(({ isOpen }) => isOpen));
  }

  /** No call will come any more. */
  close(): void {
    this.#isClosed = true;
    for (const { answer } of this.#waiting.splice(0)) answer(null);
  }
}

/** Puts a question where somebody takes it; its answer, or null when it is withdrawn or there are too many. */
function askedIn(waiting: Asked[], question: Question, signal: AbortSignal): Promise<Answer | null> {
  return new Promise((resolve) => {
    if (signal.aborted || waiting.length >= MOST_QUESTIONS) return resolve(null);
    let isOpen = true;
    const end = (answer: Answer | null): void => {
      isOpen = false;
      signal.removeEventListener("abort", withdraw);
      resolve(answer);
    };
    const withdraw = (): void => end(null);
    signal.addEventListener("abort", withdraw, { once: true });
    waiting.push({
      question,
      get isOpen() {
        return isOpen;
      },
      answer: end,
    });
  });
}

export type Next = { readonly asked: Asked } | { readonly result: ToolResult };

/**
 * A call that outlives the request that began it: the client gets its question as the result of that request and calls
 * again with the answer. What the call caused stays held meanwhile, so nothing happens a second time.
 */
export class HeldCall {
  readonly #ending = new AbortController();
  readonly #waiting: Asked[];
  readonly #parked: Parked;
  #result: ToolResult | null = null;
  #over = false;
  #changed = (): void => {};

  /** `parked`: of its session; the call takes along what waits there. */
  constructor(perform: (options: CallOptions) => Promise<ToolResult>, parked: Parked) {
    this.#parked = parked;
    this.#waiting = [...parked.take()];
    this.#perform(perform);
  }

  /**
   * The question that comes next, or the result. An abort of `signal` meanwhile cancels the call; afterwards it does
   * not.
   */
  async next(signal: AbortSignal): Promise<Next> {
    const cancel = (): void => this.end();
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      for (;;) {
        const result = this.#result;
        if (result !== null) {
          this.#parked.putBack(this.#waiting.splice(0));
          return { result };
        }
        const asked = this.#waiting.shift();
        if (asked?.isOpen === false) continue;
        if (asked !== undefined) return { asked };
        await new Promise<void>((resolve) => (this.#changed = resolve));
      }
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Goes on with another call in its place, once it has a result. */
  goOnWith(perform: (options: CallOptions) => Promise<ToolResult>): void {
    this.#result = null;
    this.#over = false;
    this.#perform(perform);
  }

  end(): void {
    this.#ending.abort();
  }

  #perform(perform: (options: CallOptions) => Promise<ToolResult>): void {
    void perform({ signal: this.#ending.signal, approver: this.#approver() }).then((result) => {
      this.#result = result;
      this.#over = true;
      this.#changed();
    });
  }

  #approver(): Approver {
    return {
      name: "elicitation",
      person: true,
      unsure: true,
      ask: (question, signal) => {
        // What comes later than its call waits for the next one.
        if (this.#over) return this.#parked.ask(question, signal);
        const answered = askedIn(this.#waiting, question, signal);
        this.#changed();
        return answered;
      },
    };
  }
}

interface Sent {
  readonly call: HeldCall;
  readonly asked: Asked;
  readonly of: string;
  readonly at: number;
}

export interface Resumed {
  readonly call: HeldCall;
  readonly asked: Asked;
  /** Milliseconds since the question was sent. */
  readonly afterMs: number;
}

/** The held calls of one session (MC-10). States of other sessions are unknown to it: each has a key of its own. */
export class HeldCalls {
  /** Of all 2026-07-28 clients: nothing of a call says which one made it. */
  readonly parked = new Parked();
  readonly #codec = createRequestStateCodec<{ readonly id: string }>({
    key: randomBytes(KEY_BYTES),
    ttlSeconds: STATE_SECONDS,
  });
  readonly #sent = new Map<string, Sent>();
  readonly #now: () => number;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Questions that clients have and that still wait for an answer. */
  get open(): number {
    return [...this.#sent.values()].filter(({ asked }) => asked.isOpen).length;
  }

  /**
   * The state that goes out with a question; null when there are too many. The client must come back with the same tool
   * and arguments.
   */
  async sent(call: HeldCall, asked: Asked, tool: string, args: unknown): Promise<string | null> {
    this.#forgetOld();
    if (this.#sent.size >= MOST_QUESTIONS) return null;
    const id = randomBytes(ID_BYTES).toString("hex");
    const state = await this.#codec.mint({ id });
    this.#sent.set(id, { call, asked, of: digestOf(tool, args), at: this.#now() });
    return state;
  }

  /** What a state stands for, once. Null for any other state, tool or arguments: then what was asked stays open. */
  async resume(state: string, tool: string, args: unknown, context: ServerContext): Promise<Resumed | null> {
    const id = await this.#idIn(state, context);
    const sent = id === null ? undefined : this.#sent.get(id);
    if (id === null || sent === undefined || sent.of !== digestOf(tool, args)) return null;
    this.#sent.delete(id);
    return { call: sent.call, asked: sent.asked, afterMs: this.#now() - sent.at };
  }

  /** Ends all calls whose question is with a client. */
  close(): void {
    for (const { call, asked } of this.#sent.values()) {
      asked.answer(null);
      call.end();
    }
    this.#sent.clear();
  }

  async #idIn(state: string, context: ServerContext): Promise<string | null> {
    try {
      const { id } = await this.#codec.verify(state, context);
      return typeof id === "string" ? id : null;
    } catch {
      return null;
    }
  }

  #forgetOld(): void {
    for (const [id, { at, asked }] of this.#sent) {
      const isOld = this.#now() - at >= QUESTION_KEPT_MS;
      // A late client would still get what came of its call, as long as there is room.
      const isInTheWay = !asked.isOpen && this.#sent.size >= MOST_QUESTIONS;
      if (!isOld && !isInTheWay) continue;
      asked.answer(null);
      this.#sent.delete(id);
    }
  }
}

function digestOf(tool: string, args: unknown): string {
  return createHash("sha256")
    .update(sortedJson([tool, args]))
    .digest("hex");
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
