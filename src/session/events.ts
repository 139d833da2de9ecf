import type { BrowserEvent } from "../types.ts";

/** Newest kept of each sort (surface.md, "Tools"): a page that floods one sort pushes nothing out of the others. */
const KEPT_EVENTS = 500;

export interface StampedEvent {
  /** Counts up from 1 within a session. */
  readonly seq: number;
  readonly event: BrowserEvent;
}

export type Sort = "requests" | "errors" | "console" | "others";

interface Ring {
  readonly kept: StampedEvent[];
  forgotten: number;
}

/** The session's one stream of what happened in the browser. A subscriber that throws does not stop the others. */
export class EventStream {
  readonly #rings: Readonly<Record<Sort, Ring>> = {
    requests: empty(),
    errors: empty(),
    console: empty(),
    others: empty(),
  };
  readonly #subscribers = new Set<(event: BrowserEvent) => void>();
  #seq = 0;

  emit(event: BrowserEvent): number {
    this.#seq += 1;
    const ring = this.#rings[sortOf(event)];
    ring.kept.push({ seq: this.#seq, event });
    if (ring.kept.length > KEPT_EVENTS) {
      ring.kept.shift();
      ring.forgotten += 1;
    }
    for (const subscriber of [...this.#subscribers]) {
      try {
        subscriber(event);
      } catch {
        // Its own affair.
      }
    }
    return this.#seq;
  }

  /** One of that sort came and was not taken in, as there are too many. */
  lost(sort: Sort): void {
    this.#rings[sort].forgotten += 1;
  }

  /** The place in the stream now; `since` gives what came after it. */
  get mark(): number {
    return this.#seq;
  }

  /** What is still kept of all sorts, oldest first. */
  since(mark: number): readonly StampedEvent[] {
    return Object.values(this.#rings)
      .flatMap(({ kept }) => kept.slice(firstAfter(kept, mark)))
      .sort((a, b) => a.seq - b.seq);
  }

  /** All that is kept of one sort, oldest first, and how many older ones are forgotten. */
  kept(sort: Sort): { readonly events: readonly StampedEvent[]; readonly forgotten: number } {
    const { kept, forgotten } = this.#rings[sort];
    return { events: [...kept], forgotten };
  }

  /**
   * Puts another event of the same sort in the place of one that is still kept: a request's status comes after the
   * request. False when it is forgotten.
   */
  amend(seq: number, event: BrowserEvent): boolean {
    const { kept } = this.#rings[sortOf(event)];
    const at = firstAfter(kept, seq - 1);
    if (kept[at]?.seq !== seq) return false;
    kept[at] = { seq, event };
    return true;
  }

  /** Returns the way to stop it. */
  subscribe(subscriber: (event: BrowserEvent) => void): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}

function empty(): Ring {
  return { kept: [], forgotten: 0 };
}

function sortOf(event: BrowserEvent): Sort {
  if (event.kind === "request") return "requests";
  if (event.kind === "console") return event.level === "error" ? "errors" : "console";
  return "others";
}

/** By halving: the rings are ordered, and this is asked often. */
function firstAfter(kept: readonly StampedEvent[], mark: number): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kept[middle]?.seq ?? 0) > mark) high = middle;
    else low = middle + 1;
  }
  return low;
}
