import { Failure } from "../errors.ts";

export type DeadlineKind = "action" | "navigation" | "call";

/**
 * One deadline for a whole call: every step gets what is left of it, so the number is the longest the call can take.
 */
export class Deadline {
  readonly totalMs: number;
  readonly kind: DeadlineKind;
  readonly signal: AbortSignal;
  /** The last view that the model had been given when it made the call. */
  readonly knows: number | undefined;
  #endsAt: number;
  readonly #now: () => number;

  constructor(options: {
    readonly totalMs: number;
    readonly kind: DeadlineKind;
    readonly now: () => number;
    readonly signal?: AbortSignal | undefined;
    readonly knows?: number | undefined;
  }) {
    this.totalMs = options.totalMs;
    this.knows = options.knows;
    this.kind = options.kind;
    this.#now = options.now;
    this.#endsAt = options.now() + options.totalMs;
    this.signal = options.signal ?? new AbortController().signal;
  }

  /** Milliseconds left, never below 0. */
  remainingMs(): number {
    return Math.max(0, this.#endsAt - this.#now());
  }

  /** Time that a person took does not count; and what came of it can be looked at, however much was left. */
  goOn(tookMs: number, atLeastMs: number): void {
    this.#endsAt = Math.max(this.#endsAt + Math.max(0, tookMs), this.#now() + atLeastMs);
  }

  /** The promise's value, or a `Failure` (timeout, cancelled) as soon as the deadline or the caller ends the wait. */
  async within<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    try {
      return await Promise.race([
        work,
        new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(this.timeout()), this.remainingMs());
          stop = () => reject(cancelled());
          if (this.signal.aborted) stop();
          this.signal.addEventListener("abort", stop, { once: true });
        }),
      ]);
    } finally {
      clearTimeout(timer);
      if (stop !== undefined) this.signal.removeEventListener("abort", stop);
      work.catch(() => {});
    }
  }

  timeout(): Failure {
    return new Failure(
      "timeout",
      `Not done within ${this.totalMs} ms (${this.kind} deadline). Take a snapshot to see what the page shows, or give timeout_ms.`,
    );
  }
}

export function cancelled(): Failure {
  return new Failure("cancelled", "The call was cancelled.");
}
