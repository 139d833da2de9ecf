import { cancelled } from "./deadline.ts";

/** Calls of one session run one after another, in the order they came. */
export class Line {
  #last: Promise<void> = Promise.resolve();

  /** A turn in the line; what it returns gives the turn up. Rejects at once when it is cancelled before it came. */
  enter(signal?: AbortSignal): Promise<() => void> {
    let leave = (): void => {};
    const over = new Promise<void>((resolve) => (leave = resolve));
    const before = this.#last;
    this.#last = before.then(() => over);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        leave();
        reject(cancelled());
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted === true) stop();
      before.then(() => {
        signal?.removeEventListener("abort", stop);
        resolve(leave);
      }, reject);
    });
  }
}

/** The place of one call, or of one batch, in the line. It is given up while somebody is asked. */
export class Turn {
  readonly #line: Line;
  readonly #signal: AbortSignal | undefined;
  #leave: (() => void) | null = null;

  constructor(line: Line, signal: AbortSignal | undefined) {
    this.#line = line;
    this.#signal = signal;
  }

  /** Rejects with `Failure("cancelled")`. */
  async take(): Promise<void> {
    this.#leave = await this.#line.enter(this.#signal);
  }

  leave(): void {
    this.#leave?.();
    this.#leave = null;
  }
}
