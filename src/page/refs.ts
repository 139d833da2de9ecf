import type { Ref, TabId } from "../types.ts";

/** Where a ref points: an element of one document, and what it was when it was shown. */
export interface RefEntry {
  readonly ref: Ref;
  readonly tab: TabId;
  readonly frameId: string;
  /** The isolated world of its document: unique, so a gone document is an error. */
  readonly worldId: string;
  readonly localId: number;
  readonly role: string;
  readonly name: string;
}

/** More than any result shows; the oldest are forgotten and then answer as stale. */
const MAX_REFS = 50_000;

/** All refs of a session. A number is never given twice, so an old ref cannot come to mean something new. */
export class RefTable {
  readonly #byRef = new Map<Ref, RefEntry>();
  readonly #byElement = new Map<string, Ref>();
  #next = 1;

  /** The ref of an element; a surviving element keeps its ref. What it is now is remembered as what was shown. */
  refOf(shown: Omit<RefEntry, "ref">): Ref {
    const key = `${shown.worldId}/${shown.localId}`;
    const known = this.#byElement.get(key);
    const ref = known ?? (`e${this.#next++}` as Ref);
    this.#byRef.set(ref, { ref, ...shown });
    if (known === undefined) {
      this.#byElement.set(key, ref);
      this.#bound();
    }
    return ref;
  }

  get(ref: Ref): RefEntry | undefined {
    return this.#byRef.get(ref);
  }

  #bound(): void {
    if (this.#byRef.size <= MAX_REFS) return;
    const oldest = this.#byRef.values().next().value;
    if (oldest === undefined) return;
    this.#byRef.delete(oldest.ref);
    this.#byElement.delete(`${oldest.worldId}/${oldest.localId}`);
  }
}
