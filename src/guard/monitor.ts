import type { ReachPolicy } from "../gate/index.ts";
import type {
  Approver,
  BrowserEvent,
  CallId,
  ErrorCode,
  Intent,
  Permit,
  QuestionId,
  Receipt,
  Refuse,
  RequestFacts,
  Site,
  Verdict,
} from "../types.ts";
import type { Asking, Waiting } from "./asking.ts";

export type CallDecision =
  /** `isInput`: what comes of it may be its doing. */
  | { readonly permit: Permit; readonly isInput: boolean }
  /** Somebody is asked first; then the same call comes again, with `isAnswered`. */
  | { readonly waiting: Waiting }
  /** `receipt` is null only when the record could not be written. */
  | { readonly refused: Refuse; readonly receipt: Receipt | null };

/** How a call is made. */
export interface CallTerms {
  /** The face's own channel for what this call asks. */
  readonly approver?: Approver | undefined;
  /** The first call of the batch that it is a part of: they are one input. */
  readonly group?: CallId | null;
  /** Somebody was asked about it already. */
  readonly isAnswered?: boolean;
}

/** What a session asks: calls, and what their input causes. */
export interface CallGuard {
  /** Decides a call and writes the decision down before it is acted on. */
  call(intent: Intent, terms?: CallTerms): CallDecision;
  /** All that a call causes is there: asks about what is held of it; null when nothing is. */
  asks(call: CallId): Waiting | null;
  /** Whether something of it is held that nobody was asked about yet. */
  holds(call: CallId): boolean;
  /** The call is given up: what is held of it is refused. */
  drop(call: CallId): void;
  /** Questions about held requests that wait for an answer, oldest first. */
  open(): readonly Waiting[];
  /** A question of this session; its answer is null as long as it waits. */
  question(id: QuestionId): ReturnType<Asking["find"]>;
  /**
   * Writes down how the permitted act ended, and makes the permit worthless. Null for a permit that is not ours or has
   * ended already.
   */
  outcome(permit: Permit, outcome: { readonly ok: boolean; readonly code?: ErrorCode | undefined }): Receipt | null;
  /** Decides whether a committed document may be shown to the model. */
  show(url: string, place?: "main" | "frame"): Verdict;
}

/** What the wire asks: every request, before its first byte leaves. */
export interface RequestGuard {
  /**
   * Decides a request, or one redirect hop of it. A promise where somebody is asked: then `onHold` is called first.
   */
  request(facts: RequestFacts, onHold?: () => void): Verdict | Promise<Verdict>;
  /** What became of an allowed request. */
  released(facts: RequestFacts, sent: boolean): void;
  /** An allowed request is refused all the same: its name leads nowhere, or to where nothing may go. */
  overruled(facts: RequestFacts, refusal: Refuse): void;
}

/** What it is told of what happened. */
export interface EventGuard {
  /**
   * Writes down what of the browser's events belongs into the record. A subscriber of the event stream; never throws.
   */
  saw(event: BrowserEvent): void;
  /** A page of that site offers to sign out: somebody is signed in there. */
  noticed(site: Site | null): void;
  /** A server answered that it has made something. `location`: of the answer, absolute. */
  made(url: string, location: string | null): void;
}

/** What faces show of it and tell it for the operator. */
export interface OperatorGuard {
  /** The policy of reach with all that was granted. */
  readonly policy: ReachPolicy;
  /** Puts the sites that an operator's further words name into scope. What went wrong leaves the scope as it was. */
  addOperatorText(text: string): void;
  /** What is enforced of reach, in a few lines for the model. */
  describe(): readonly string[];
  /** What was decided last, a line each, oldest first. */
  recent(): readonly string[];
  /** Sites in scope, as an operator would write them. */
  scope(): readonly string[];
}

/**
 * The reference monitor: every call and every request asks it. Total: whatever goes wrong inside is a refusal, nothing
 * throws.
 */
export interface Guard extends CallGuard, RequestGuard, EventGuard, OperatorGuard {}
