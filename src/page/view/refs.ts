import type { Ref, TabId } from "../../types.ts";
import type { Identity } from "../seen.ts";

/** Where a ref points: an element of one document. */
export interface RefPlace {
  readonly tab: TabId;
  readonly frameId: string;
  /** The isolated world of its document: unique, so a gone document is an error. */
  readonly worldId: string;
  readonly localId: number;
}

/** Of a section: it is itself its place, whatever is in it. No sign of a place looks like this. */
export const ANY_PLACE = "(any)";

/** What the model was shown under a ref. */
export interface Shown extends Identity {
  /** Nothing else in its document looked the same. */
  readonly alone: boolean;
}

export interface RefEntry extends RefPlace {
  readonly ref: Ref;
}

/** More than any result shows; the oldest are forgotten and then answer as stale. */
const MAX_REFS = 50_000;
/** Calls that wait in line know older views than the last; more than these are not kept. */
const MAX_VIEWS_KEPT = 8;

interface Row {
  entry: RefEntry;
  /** Oldest first. */
  shown: { readonly view: number; readonly what: Shown }[];
}

/** All refs of a session. A number is never given twice, so an old ref cannot come to mean something new. */
export class RefTable {
  readonly #byRef = new Map<Ref, Row>();
  readonly #byElement = new Map<string, Ref>();
  #next = 1;
  #views = 0;

  /** Number of the last view that the model was given. A call that came in then knows no later one. */
  get views(): number {
    return this.#views;
  }

  /** The ref of an element; a surviving element keeps its ref. What it was shown as does not change by this. */
  refOf(place: RefPlace): Ref {
    const key = `${place.worldId}/${place.localId}`;
    const known = this.#byElement.get(key);
    if (known !== undefined) return known;
    const ref = `e${this.#next++}` as Ref;
    this.#byRef.set(ref, { entry: { ref, ...place }, shown: [] });
    this.#byElement.set(key, ref);
    this.#bound();
    return ref;
  }

  /** The model is given a view that shows these. */
  show(all: Iterable<readonly [Ref, Shown]>): void {
    this.#views += 1;
    for (const [ref, what] of all) {
      const row = this.#byRef.get(ref);
      if (row === undefined) continue;
      const last = row.shown.at(-1)?.what;
      if (
        last !== undefined &&
        last.role === what.role &&
        last.name === what.name &&
        last.place === what.place &&
        last.alone === what.alone
      )
        continue;
      row.shown.push({ view: this.#views, what });
      if (row.shown.length > MAX_VIEWS_KEPT) row.shown.shift();
    }
  }

  get(ref: Ref): RefEntry | undefined {
    return this.#byRef.get(ref)?.entry;
  }

  /** What a ref was shown as in the views up to that one, or in all; undefined when it was not. */
  shownAs(ref: Ref, view = this.#views): Shown | undefined {
    return this.#byRef.get(ref)?.shown.findLast((each) => each.view <= view)?.what;
  }

  /** The element was made anew: the ref points to the new one, which gives up one of its own. */
  move(ref: Ref, localId: number): void {
    const row = this.#byRef.get(ref);
    if (row === undefined) return;
    this.#byElement.delete(`${row.entry.worldId}/${row.entry.localId}`);
    row.entry = { ...row.entry, localId };
    this.#byElement.set(`${row.entry.worldId}/${localId}`, ref);
  }

  #bound(): void {
    if (this.#byRef.size <= MAX_REFS) return;
    const oldest = this.#byRef.entries().next().value;
    if (oldest === undefined) return;
    const [ref, { entry }] = oldest;
    this.#byRef.delete(ref);
    this.#byElement.delete(`${entry.worldId}/${entry.localId}`);
  }
}
