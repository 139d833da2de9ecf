import { LRUCache } from "lru-cache";
import type { Label } from "../../types.ts";
import type { Block } from "./blocks.ts";

/** Blocks that can still be named as a value's source; the oldest are forgotten. */
const MAX_BLOCKS = 5_000;

export type BlockId = `b${number}`;

/** What get_text handed out, so that a value can be taken from it by its id. Ids are never reused in a session. */
export class BlockTable {
  readonly #blocks = new LRUCache<BlockId, Block>({ max: MAX_BLOCKS });
  #next = 1;

  add(block: Block): BlockId {
    const id: BlockId = `b${this.#next++}`;
    this.#blocks.set(id, block);
    return id;
  }

  /** Its exact words and the label they carry, also after their document is gone. */
  get(id: string): { readonly text: string; readonly label: Label } | undefined {
    const block = this.#blocks.get(id as BlockId);
    if (block === undefined) return undefined;
    return { text: block.text, label: { sites: new Set(block.site === null ? [] : [block.site]), private: new Set() } };
  }
}
