/** What a slot holds. */
export interface Ends {
  /** Somebody is being asked, and no call shows it. */
  readonly isAsking: boolean;
  close(): Promise<void>;
}

/** Calls after so many milliseconds, unless the returned function is called first. */
export type SetTimer = (call: () => void, ms: number) => () => void;

const unrefTimer: SetTimer = (call, ms) => {
  const timer = setTimeout(call, ms);
  // A process that has nothing else to do may end.
  timer.unref();
  return () => clearTimeout(timer);
};

/** Holds the tenant of one token: ends it after a while without a call, and opens a new one at the next. */
export class Slot<Tenant extends Ends> {
  readonly #open: () => Promise<Tenant>;
  readonly #idleMs: number | null;
  readonly #setTimer: SetTimer;
  readonly #ending = new Set<Promise<void>>();
  #opening: Promise<Tenant> | null = null;
  #running = 0;
  #stopTimer = (): void => {};

  /** `idleMs`: null for never. */
  constructor(open: () => Promise<Tenant>, idleMs: number | null, setTimer: SetTimer = unrefTimer) {
    this.#open = open;
    this.#idleMs = idleMs;
    this.#setTimer = setTimer;
  }

  /** The tenant, now. Rejects with what opening it rejects with; the next time it tries again. */
  async tenant(): Promise<Tenant> {
    this.#opening ??= this.#open();
    const mine = this.#opening;
    try {
      return await mine;
    } catch (error) {
      if (this.#opening === mine) this.#opening = null;
      throw error;
    }
  }

  /** While calls run, nothing is idle. */
  async during(call: () => Promise<void>): Promise<void> {
    this.#running += 1;
    this.#stopTimer();
    try {
      await call();
    } finally {
      this.#running -= 1;
      this.#watch();
    }
  }

  async close(): Promise<void> {
    this.#stopTimer();
    this.#end();
    await Promise.all(this.#ending);
  }

  #watch(): void {
    if (this.#idleMs === null || this.#running > 0) return;
    this.#stopTimer();
    this.#stopTimer = this.#setTimer(() => void this.#endIfIdle(), this.#idleMs);
  }

  async #endIfIdle(): Promise<void> {
    const tenant = await this.#opening?.catch(() => null);
    if (this.#running > 0) return;
    if (tenant?.isAsking) this.#watch();
    else this.#end();
  }

  #end(): void {
    const opening = this.#opening;
    if (opening === null) return;
    this.#opening = null;
    const ending = this.#close(opening).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    ending.catch(() => {});
  }

  async #close(opening: Promise<Tenant>): Promise<void> {
    const tenant = await opening.catch(() => null);
    await tenant?.close();
  }
}
