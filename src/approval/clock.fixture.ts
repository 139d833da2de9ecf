import type { SetTimer } from "./timer.ts";

/** A clock that stands still until it is moved. */
export class FakeClock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();

  readonly now = (): number => this.#now;

  readonly setTimer: SetTimer = (work, ms) => {
    const timer = { at: this.#now + ms, work };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  get waiting(): number {
    return this.#timers.size;
  }

  /** Moves on, from timer to timer in the order of their times, and lets all that follows from each happen. */
  async move(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (;;) {
      const next = [...this.#timers].sort((one, other) => one.at - other.at)[0];
      if (next === undefined || next.at > until) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.work();
      await settled();
    }
    this.#now = until;
  }
}

/** Everything that waits for nothing but its turn has had it. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
