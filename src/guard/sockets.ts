import { LRUCache } from "lru-cache";
import type { Approver, Intent, Refuse, Site } from "../types.ts";
import type { Asking, Waiting } from "./asking.ts";
import { askAboutSocket } from "./effect-question.ts";
import { unansweredSocket } from "./refusals.ts";
import type { SiteFacts } from "./site-facts.ts";
import type { Typed } from "./typed.ts";

const MAX_PLACES = 5_000;

export interface SocketsOptions {
  readonly sites: SiteFacts;
  readonly asking: Asking;
  readonly typed: Typed;
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Places of sockets, which cannot be looked into: each is asked about once, at the latest before the first input into
 * the page that opened it.
 */
export class Sockets {
  readonly #options: SocketsOptions;
  /** Answered with yes, or the site of the private page that opened it before anybody touched it. */
  readonly #places = new LRUCache<string, Site | "answered">({ max: MAX_PLACES });
  readonly #questions = new Map<string, Waiting>();

  constructor(options: SocketsOptions) {
    this.#options = options;
  }

  isAnswered(place: string): boolean {
    return this.#places.get(place) === "answered";
  }

  answered(place: string): void {
    this.#places.set(place, "answered");
  }

  /** A page that nobody has touched opened it; null: nobody knows whose page. */
  openedBy(site: Site | null, place: string): void {
    this.#places.set(place, site ?? "answered");
  }

  /**
   * Before an input: sockets that a private page of its sites opened while nobody had touched it. A question, a
   * refusal, or null where there are none.
   */
  before(intent: Intent, approver: Approver | undefined): Waiting | Refuse | null {
    const { sites, asking, typed, clock, sessionId } = this.#options;
    if (intent.verb === "go") return null;
    const of = intent.element === null ? (intent.sites ?? []) : [intent.element.site];
    const found = [...this.#places.entries()].find(
      ([, site]) => site !== "answered" && sites.isPrivate(site) && of.includes(site),
    );
    if (found === undefined) return null;
    const [place, site] = found;
    if (site === "answered") return null;
    const known = this.#questions.get(place);
    if (known !== undefined && asking.find(known.question.id)?.choice === null) return known;
    if (!asking.canAsk(approver, place)) return unansweredSocket(site, place);
    const waiting = askAboutSocket({ asking, intent, approver, place, site, typed, now: clock(), sessionId });
    this.#questions.set(place, waiting);
    void waiting.answered.then((choice) => {
      this.#questions.delete(place);
      if (choice !== "no") this.answered(place);
    });
    return waiting;
  }
}
