import type { SeenNode } from "../seen.ts";
import { ACTED_ON } from "./roles.ts";

/** A node while the walk still works on it. */
export interface Draft {
  role: string;
  id?: number;
  name?: string;
  nonvisual?: boolean;
  act?: boolean;
  value?: string;
  secret?: { readonly filled: boolean };
  states?: string[];
  href?: string;
  options?: { readonly labels: readonly string[]; readonly total: number };
  children?: Draft[];
  more?: number;
  /** Taken back: its words became a field's name. */
  gone?: boolean;
}

const NAME_MAX_CHARACTERS = 2_000;
const TEXT_MAX_CHARACTERS = 20_000;

/** Where nodes of one container go; adjacent words join to one run. */
export class Out {
  readonly items: Draft[] = [];
  more = 0;
  #open: Draft | null = null;

  /** Ends the run of words: what follows stands apart from it. */
  close(): void {
    if (this.#open !== null && this.#open.name !== undefined) this.#open.name = this.#open.name.trimEnd();
    this.#open = null;
  }

  push(draft: Draft): void {
    this.close();
    this.items.push(draft);
  }

  /** Adds cleaned words, which may begin or end with a space. Returns the run they are in, null for a mere space. */
  words(words: string): Draft | null {
    const open = this.#open;
    if (open === null) {
      const start = words.trimStart();
      if (start === "") return null;
      const run: Draft = { role: "text", name: start };
      this.items.push(run);
      this.#open = run;
      return run;
    }
    const before = open.name ?? "";
    if (before.length < TEXT_MAX_CHARACTERS) open.name = before + (before.endsWith(" ") ? words.trimStart() : words);
    return words.trim() === "" ? null : open;
  }

  space(): void {
    if (this.#open !== null) this.words(" ");
  }

  /** The finished nodes: nothing empty, nothing taken back. */
  done(): Draft[] {
    this.close();
    return this.items.filter((item) => item.gone !== true && (item.role !== "text" || item.name !== ""));
  }
}

export interface Told {
  readonly words: string;
  /** Some of them are words that a person sees. */
  readonly seen: boolean;
  readonly acting: Draft[];
}

/** All words inside nodes in order, and the nodes that can be acted on. */
export function tell(nodes: readonly Draft[]): Told {
  const words: string[] = [];
  const acting: Draft[] = [];
  let seen = false;
  const stack = [...nodes].reverse();
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === undefined) break;
    const acts = node.act === true || ACTED_ON.has(node.role) || node.role === "frame";
    if (acts) acting.push(node);
    if (node.name !== undefined && node.name !== "" && !(node.nonvisual === true && acts)) {
      words.push(node.name);
      seen ||= node.nonvisual !== true;
    }
    // What acts keeps its own children; a name was already made of the words inside.
    if (!acts && node.children !== undefined && !(node.role === "heading" && node.name !== undefined))
      for (const child of [...node.children].reverse()) stack.push(child);
    else if (!acts && node.children !== undefined) acting.push(...tell(node.children).acting);
  }
  return { words: words.join(" ").slice(0, NAME_MAX_CHARACTERS), seen, acting };
}

const tokensOf = (words: string): Set<string> => new Set(words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Whether two names have a word in common: else both are told. */
export function agree(one: string, two: string): boolean {
  const other = tokensOf(two);
  for (const token of tokensOf(one)) if (other.has(token)) return true;
  return false;
}

/** What leaves the world: the same without what is empty. */
export function seal(drafts: readonly Draft[]): SeenNode[] {
  return drafts.filter((draft) => draft.gone !== true);
}
