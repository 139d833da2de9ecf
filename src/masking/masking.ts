/*
 * Takes secret values out of words, also where they are written otherwise: in another case, with signs or blanks
 * between, backwards, or encoded. Used in pages and by the host alike.
 */

import { FEWEST_CHARS, type Forms, formsOf, partsOf } from "./forms.ts";
import { asItIs, ESCAPE, folded, type Reading, resolved, withoutSigns } from "./readings.ts";

/** What stands where a secret was. */
export const MASK = "(secret)";

/** Between two signs of a value that is spread over a text, at most. */
const MOST_BETWEEN_CHARS = 12;
const MOST_VALUES = 200;

interface Known {
  readonly forms: Forms;
  /** Of the fields that held it. */
  readonly sites: Set<string>;
  isTyped: boolean;
}

/** What looks at pages needs of it. */
export type Secrets = Pick<Masking, "note" | "maskAll" | "valuesOf" | "version">;

/** The values of one page or session; the oldest give way, but for those that the agent typed. */
export class Masking {
  readonly #known = new Map<string, Known>();
  #typed = 0;
  #version = 0;

  get size(): number {
    return this.#known.size;
  }

  /** Grows with every value, and with every site of one. */
  get version(): number {
    return this.#version;
  }

  /**
   * Remembers a value. What is too short stays unknown. `isTyped`: by the agent, so no page can push it out. `site`: of
   * the field that held it.
   */
  note(value: string, isTyped = false, site: string | null = null): void {
    const words = value.trim();
    if (words.length < FEWEST_CHARS) return;
    // A part is its own only part.
    for (const part of this.#known.has(words) ? [words] : partsOf(words)) this.#notePart(part, isTyped, site);
  }

  /** What fields of that site held. */
  valuesOf(site: string): readonly string[] {
    return [...this.#known].flatMap(([words, { sites }]) => (sites.has(site) ? [words] : []));
  }

  #notePart(words: string, isTyped: boolean, site: string | null): void {
    const known = this.#known.get(words) ?? this.#add(words);
    if (isTyped && !known.isTyped && this.#typed < MOST_VALUES) {
      known.isTyped = true;
      this.#typed += 1;
    }
    if (site !== null && !known.sites.has(site)) {
      known.sites.add(site);
      this.#version += 1;
    }
    if (this.#known.size - this.#typed <= MOST_VALUES) return;
    const [oldest] = [...this.#known].find(([, { isTyped }]) => !isTyped) ?? [];
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  #add(words: string): Known {
    const known = { forms: formsOf(words), sites: new Set<string>(), isTyped: false };
    this.#known.set(words, known);
    this.#version += 1;
    return known;
  }

  /** The words without any of them in any form. Total. */
  mask(text: string): string {
    const found = this.#in(text);
    return found.length === 0 ? text : without(text, found);
  }

  /** The same for texts that follow one another on a page: a value may be spread over them. */
  maskAll(texts: readonly string[]): readonly string[] {
    const found = this.#in(texts.join(""));
    let start = 0;
    let next = 0;
    return texts.map((text) => {
      const [first, end] = [start, start + text.length];
      start = end;
      while ((found[next]?.[1] ?? end) < first) next++;
      const here: Range[] = [];
      for (let at = next; (found[at]?.[0] ?? end) < end; at++) {
        const [from = end, to = end] = found[at] ?? [];
        here.push([Math.max(0, from - first), Math.min(text.length, to - first)]);
      }
      return here.length === 0 ? text : without(text, here);
    });
  }

  /** Where there is any, in order and apart. */
  #in(text: string): readonly Range[] {
    if (this.#known.size === 0 || text.length < FEWEST_CHARS) return [];
    const found: Range[] = [];
    const seen = folded(asItIs(text));
    const read = ESCAPE.test(text) ? folded(resolved(text)) : seen;
    // What is no escape may look like one: `%21` before other digits is hex as well.
    const bares = read === seen ? [withoutSigns(seen)] : [withoutSigns(read), withoutSigns(seen)];
    let exact: Reading | null = null;
    for (const { forms } of this.#known.values()) {
      for (const form of forms.plain) {
        addPlain(found, text, form);
        add(found, seen, form.toLowerCase());
      }
      for (const form of forms.read) add(found, read, form);
      for (const bare of bares) for (const form of forms.spread) add(found, bare, form, MOST_BETWEEN_CHARS);
      if (forms.exact.length === 0) continue;
      exact ??= withoutSigns(asItIs(text));
      for (const form of forms.exact) add(found, exact, form, MOST_BETWEEN_CHARS);
    }
    const apart: Range[] = [];
    for (const [from, to] of found.toSorted(([a, b], [c, d]) => a - c || d - b)) take(apart, from, to);
    return apart;
  }

  holds(text: string): boolean {
    return this.mask(text) !== text;
  }
}

type Range = [from: number, to: number];

/** Adds a place, to the last one where it begins inside of that: of a text that repeats itself there are many. */
function take(found: Range[], from: number, to: number): void {
  const last = found.at(-1);
  if (last === undefined || from < last[0] || from >= last[1]) found.push([from, to]);
  else last[1] = Math.max(last[1], to);
}

function addPlain(found: Range[], text: string, form: string): void {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
    take(found, at, at + form.length);
}

/** `between`: how many signs may stand between two of its own, at most. */
function add(found: Range[], { text, from, to }: Reading, form: string, between?: number): void {
  if (form === "") return;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const last = at + form.length - 1;
    if (between !== undefined && !isClose(from, to, at, last, between)) continue;
    take(found, from(at), to(last));
  }
}

function isClose(from: Reading["from"], to: Reading["to"], first: number, last: number, between: number): boolean {
  for (let at = first; at < last; at++) if (from(at + 1) - to(at) > between) return false;
  return true;
}

function without(text: string, found: readonly Range[]): string {
  let out = "";
  let done = 0;
  for (const [from, to] of found) {
    if (to <= done) continue;
    out += `${text.slice(done, from)}${MASK}`;
    done = to;
  }
  return out + text.slice(done);
}
