import type { BrowserEvent } from "../types.ts";
import type { EventStream } from "./events.ts";

/** Which events no result has told yet, also those between the calls. */
export class Untold {
  readonly #events: EventStream;
  /** Up to which event results have told, and up to which the running call's will. */
  #told = 0;
  #telling = 0;

  constructor(events: EventStream) {
    this.#events = events;
  }

  events(): readonly BrowserEvent[] {
    this.#telling = this.#events.mark;
    return this.#events.since(this.#told).map(({ event }) => event);
  }

  /** The running call has told what it was given. */
  callEnds(): void {
    this.#told = this.#telling;
  }
}
