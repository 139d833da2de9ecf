import { cancelled } from "./deadline.ts";

/** Calls of one session run one after another, in the order they came. */
export class CallQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** A call that is cancelled while it waits rejects at once and never starts. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let started = false;
    const turn = this.#last.then(() => {
      if (signal?.aborted === true) throw cancelled();
      started = true;
      return work();
    });
    this.#last = turn.catch(() => {});
    if (signal === undefined) return turn;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        if (!started) reject(cancelled());
      };
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      turn.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    });
  }
}
