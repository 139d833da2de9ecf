import { cancelled } from "./deadline.ts";

/** Calls of one session run one after another, in the order they came. */
export class CallQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** A call that is cancelled while it waits never starts. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#last.then(() => {
      if (signal?.aborted === true) throw cancelled();
      return work();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}
