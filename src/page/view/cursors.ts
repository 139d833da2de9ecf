import { LRUCache } from "lru-cache";
import type { Ref, TabId } from "../../types.ts";

/** Where a look can go on. Every kind is bound to its document and to what it came after, never to a bare count. */
export type Place =
  | {
      readonly kind: "lines" | "elements" | "outline";
      readonly tab: TabId;
      readonly document: string;
      /** Where a look at less than the page began. */
      readonly root: Ref | null;
      /** Key of the last line or element shown, and of the section that holds it. */
      readonly after: string;
      readonly section: string | null;
      /** Keys that this look and the ones it went on from have shown. */
      readonly shown: ReadonlySet<string>;
      /** How far the walk had come. */
      readonly walkedTokens: number;
    }
  | {
      readonly kind: "text";
      readonly tab: TabId;
      readonly document: string;
      readonly root: Ref | null;
      /** Key of the line whose text goes on. */
      readonly after: string;
      /** UTF-16 units that were shown. */
      readonly offset: number;
    }
  | {
      readonly kind: "blocks";
      readonly tab: TabId;
      readonly document: string;
      readonly root: Ref | null;
      /** The last block's words and how many blocks of the same words come before it. */
      readonly after: string;
      readonly nth: number;
    };

/** Places that can still be gone on from; the oldest are forgotten. */
const MAX_PLACES = 2_000;

export type CursorId = `k${number}`;

/**
 * Cursors of a session. Ids are never reused; the same place keeps its id, so that a look that shows the same says the
 * same.
 */
export class CursorTable {
  readonly #places = new LRUCache<CursorId, Place>({
    max: MAX_PLACES,
    dispose: (place, _id, reason) => {
      if (reason === "evict") this.#ids.delete(identityOf(place));
    },
  });
  readonly #ids = new Map<string, CursorId>();
  #next = 1;

  add(place: Place): CursorId {
    const identity = identityOf(place);
    const known = this.#ids.get(identity);
    const id: CursorId = known ?? `k${this.#next++}`;
    this.#places.set(id, place);
    this.#ids.set(identity, id);
    return id;
  }

  get(id: string): Place | undefined {
    return this.#places.get(id as CursorId);
  }
}

function identityOf(place: Place): string {
  const extra = place.kind === "text" ? place.offset : place.kind === "blocks" ? place.nth : place.shown.size;
  return JSON.stringify([place.kind, place.tab, place.document, place.root, place.after, extra]);
}
