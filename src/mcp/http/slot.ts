/** What a slot holds. */
export interface Ends {
  /** Somebody is being asked, and no call shows it. */
  readonly isAsking: boolean;
  close(): Promise<void>;
}

/** Holds the tenant of one token: ends it after a while without a call, and opens a new one at the next. */
export class Slot<Tenant extends Ends> {
  readonly #open: () => Tenant;
  readonly #idleMs: number | null;
  readonly #ending = new Set<Promise<void>>();
  #tenant: Tenant | null = null;
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `idleMs`: null for never. */
  constructor(open: () => Tenant, idleMs: number | null) {
    this.#open = open;
    this.#idleMs = idleMs;
  }

  /** The tenant, now. Throws what opening it throws. */
  tenant(): Tenant {
    this.#tenant ??= this.#open();
    return this.#tenant;
  }

  /** While calls run, nothing is idle. */
  async during(call: () => Promise<void>): Promise<void> {
    this.#running += 1;
    clearTimeout(this.#timer);
    try {
      await call();
    } finally {
      this.#running -= 1;
      this.#watch();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end();
    await Promise.all(this.#ending);
  }

  #watch(): void {
    if (this.#idleMs === null || this.#running > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#tenant?.isAsking ? this.#watch() : this.#end()), this.#idleMs);
    this.#timer.unref();
  }

  #end(): void {
    const tenant = this.#tenant;
    if (tenant === null) return;
    this.#tenant = null;
    const ending = tenant.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    ending.catch(() => {});
  }
}
