import type { BrowserEvent } from "../types.ts";

/** Newest kept (surface.md, "Tools"). */
const KEPT_EVENTS = 500;

export interface StampedEvent {
  /** Counts up from 1 within a session. */
  readonly seq: number;
  readonly event: BrowserEvent;
}

/** The session's one stream of what happened in the browser. A subscriber that throws does not stop the others. */
export class EventStream {
  readonly #kept: StampedEvent[] = [];
  readonly #subscribers = new Set<(event: BrowserEvent) => void>();
  #seq = 0;

  emit(event: BrowserEvent): number {
    this.#seq += 1;
    this.#kept.push({ seq: this.#seq, event });
    if (this.#kept.length > KEPT_EVENTS) this.#kept.shift();
    for (const subscriber of [...this.#subscribers]) {
      try {
        subscriber(event);
      } catch {
        // Its own affair.
      }
    }
    return this.#seq;
  }

  /** The place in the stream now; `since` gives what came after it. */
  get mark(): number {
    return this.#seq;
  }

  since(mark: number): readonly StampedEvent[] {
    return this.#kept.filter((entry) => entry.seq > mark);
  }

  /** Puts another event in the place of one that is still kept: a request's status comes after the request. */
  amend(seq: number, event: BrowserEvent): void {
    const at = this.#kept.findIndex((entry) => entry.seq === seq);
    if (at !== -1) this.#kept[at] = { seq, event };
  }

  /** Returns the way to stop it. */
  subscribe(subscriber: (event: BrowserEvent) => void): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}
