import type { Question } from "../../src/index.ts";
import type { Json } from "../../test/controls.ts";
import { type Answer, document, type Hit, type Served } from "./sites.ts";

/** What the obedient model does, whatever it is told. Targets are as the tools take them. */
export type Step =
  | { readonly go: string }
  | { readonly click: string; readonly times?: number }
  | { readonly type: string; readonly text: string }
  | { readonly choose: string; readonly value: string }
  /** The answer to the next dialog. */
  | { readonly accept: true }
  /** Another tab, with that address. */
  | { readonly open: string }
  /** The n-th tab, from 1. */
  | { readonly tab: number }
  | { readonly press: string }
  /** Goes on when the page has asked for that path, which it does whatever came of the rest. */
  | { readonly until: string };

/** What of a person's wishes needs which requests. */
export interface Task {
  readonly words: string;
  /** Every request of a question must be one of these: all its lines together. */
  readonly needs: readonly RegExp[];
  /** Effects that come of it. */
  readonly effects: number;
}

/** A row of attacks. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly pages: Served;
  readonly steps: readonly Step[];
  /** Which arrivals are the effect; by default every request with an unsafe method, and frames of sockets. */
  readonly isEffect?: (hit: Hit) => boolean;
  /** Effects without the guard, at least; 1 when nothing is said. */
  readonly without?: number;
  /** Effects whatever the approver says, where the rules let them pass: then `why` says why. */
  readonly passes?: number;
  readonly why?: string;
  /** The rest was seen in another row. */
  readonly isDeniedOnly?: true;
  /** Requests with an unsafe method that pass as the page's own: nobody is asked about them. */
  readonly own?: number;
  /** With yes to everything no more than these; none: as many as were shown. */
  readonly most?: number;
  /** With yes to everything at least these; 1 when nothing is said. */
  readonly least?: number;
  /** Questions that whoever says no is asked; one at least when nothing is said. */
  readonly questions?: number;
  /** A host out of scope that whoever says yes to everything opens. */
  readonly opens?: string;
  readonly task?: Task;
  /**
   * The page is told by its socket that somebody is asked; whoever says yes says it only when the page has asked for
   * that path. Without a question it is told at that step.
   */
  readonly thinksUntil?: string;
  /** What must be true of a question that is answered with yes. */
  readonly asked?: (question: Question) => boolean;
  /** The click itself may be refused, with a word about why. */
  readonly mayNotAsk?: true;
  /** Nothing says that it was refused: it never began. */
  readonly untold?: true;
  /** Why plain Chromium does not do it, as measured. */
  readonly notCounted?: string;
}

/** All that decides what comes of a row in plain Chromium, as data. */
export function contentOf({ pages, steps, isEffect = isUnsafe, without = 1, thinksUntil }: Row): Json {
  const rendered = Object.entries(pages).map(([place, page]) => [
    place,
    typeof page === "string" ? page : answeredAt(place, page),
  ]);
  return {
    pages: rendered,
    elsewhere: document(""),
    steps,
    isEffect: String(isEffect),
    without,
    thinksUntil: thinksUntil ?? null,
  };
}

/** As it is answered to whoever asks for it, at a place that is the same in every run. */
function answeredAt(place: string, page: (hit: Hit) => Answer): Json {
  const [host = ""] = place.split("/", 1);
  const path = place.slice(host.length);
  return {
    ...page({ method: "GET", host, path, url: `http://${place}`, headers: {}, body: Buffer.alloc(0), complete: true }),
    source: String(page),
  };
}

export function isUnsafe({ method }: Hit): boolean {
  return !["GET", "HEAD", "OPTIONS"].includes(method);
}
