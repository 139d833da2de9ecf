/** Lines at once; a ring of the newest keeps fewer. */
const BURST = 5_000;
const PER_SECOND = 200;
const MS_PER_SECOND = 1_000;
/** A longer one counts as several. */
const LINE_BYTES = 4_096;

type Level = "error" | "log";
const LINE = /^\{"method":"Runtime\.(?:consoleAPICalled","params":\{"type":"([a-zA-Z]+)"|exceptionThrown")/;

/**
 * Lines of the console that go further, of all pages. Each costs Playwright and us a tenth of a millisecond, and while
 * they are worked through every tab of the browser waits for its requests, a person's too. Errors have a bound of their
 * own: what a page says in between does not keep them out.
 */
export class Floods {
  readonly #lost: (level: Level) => void;
  readonly #bounds: Readonly<Record<Level, Flood>>;

  /** `now`: milliseconds of a clock that never goes back. `lost` hears of each line that goes no further. */
  constructor(now: () => number, lost: (level: Level) => void) {
    this.#lost = lost;
    this.#bounds = { error: new Flood(now), log: new Flood(now) };
  }

  /** Whether a message of so many bytes that begins so is a line too many. */
  skips(head: string, bytes: number): boolean {
    const line = LINE.exec(head);
    if (line === null) return false;
    const level = line[1] === undefined || line[1] === "error" ? "error" : "log";
    if (this.#bounds[level].takes(Math.max(1, Math.ceil(bytes / LINE_BYTES)))) return false;
    this.#lost(level);
    return true;
  }
}

class Flood {
  readonly #now: () => number;
  #left = BURST;
  #at: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  /** Whether so many more go on. */
  takes(lines: number): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) / MS_PER_SECOND) * PER_SECOND);
    this.#at = now;
    if (this.#left < lines) return false;
    this.#left -= lines;
    return true;
  }
}
