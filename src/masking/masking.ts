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
/** What looks at pages needs of it. */
export type Secrets = Pick<Masking, "note" | "maskAll" | "valuesOf">;

/** The values of one page or session; the oldest give way, but for those that the agent typed. */
export class Masking {
  readonly #forms = new Map<string, Forms>();
  readonly #typed = new Set<string>();
  readonly #ofSites = new Map<string, Set<string>>();

  get size(): number {
    return this.#forms.size;
  }

  /**
   * Remembers a value. What is too short stays unknown. `isTyped`: by the agent, so no page can push it out. `site`: of
   * the field that held it.
   */
  note(value: string, isTyped = false, site: string | null = null): void {
    const words = value.trim();
    if (words.length < FEWEST_CHARS) return;
    for (const part of partsOf(words)) this.#notePart(part, isTyped, site);
  }

  /** What fields of that site held. */
  valuesOf(site: string): readonly string[] {
    return [...(this.#ofSites.get(site) ?? [])].filter((words) => this.#forms.has(words));
  }

  #notePart(words: string, isTyped: boolean, site: string | null): void {
    if (site !== null) {
      const known = this.#ofSites.get(site) ?? new Set();
      this.#ofSites.set(site, known);
      if (known.size < MOST_VALUES) known.add(words);
    }
    if (isTyped && this.#typed.size < MOST_VALUES) this.#typed.add(words);
    if (this.#forms.has(words)) return;
    this.#forms.set(words, formsOf(words));
    if (this.#forms.size - this.#typed.size <= MOST_VALUES) return;
    for (const known of this.#forms.keys()) {
      if (this.#typed.has(known)) continue;
      this.#forms.delete(known);
      return;
    }
  }

  get values(): readonly string[] {
    return [...this.#forms.keys()];
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
    return texts.map((text) => {
      const [first, end] = [start, start + text.length];
      start = end;
      const here = found.filter(([from, to]) => from < end && to > first);
      return here.length === 0
        ? text
        : without(
            text,
            here.map(([from, to]) => [Math.max(0, from - first), Math.min(text.length, to - first)]),
          );
    });
  }

  #in(text: string): readonly Range[] {
    if (this.#forms.size === 0 || text.length < FEWEST_CHARS) return [];
    const found: Range[] = [];
    const seen = folded(asItIs(text));
    const read = ESCAPE.test(text) ? folded(resolved(text)) : seen;
    // What is no escape may look like one: `%21` before other digits is hex as well.
    const bares = read === seen ? [withoutSigns(seen)] : [withoutSigns(read), withoutSigns(seen)];
    let exact: Reading | null = null;
    for (const forms of this.#forms.values()) {
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
    return found;
  }

  holds(text: string): boolean {
    return this.mask(text) !== text;
  }
}

type Range = readonly [from: number, to: number];

function addPlain(found: Range[], text: string, form: string): void {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
    found.push([at, at + form.length]);
}

/** `between`: how many signs may stand between two of its own, at most. */
function add(found: Range[], { text, from, to }: Reading, form: string, between?: number): void {
  if (form === "") return;
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const last = at + form.length - 1;
    if (between !== undefined && !isClose(from, to, at, last, between)) continue;
    found.push([from(at), to(last)]);
  }
}

function isClose(from: Reading["from"], to: Reading["to"], first: number, last: number, between: number): boolean {
  for (let at = first; at < last; at++) if (from(at + 1) - to(at) > between) return false;
  return true;
}

function without(text: string, found: readonly Range[]): string {
  let out = "";
  let done = 0;
  for (const [from, to] of found.toSorted(([a, b], [c, d]) => a - c || d - b)) {
    if (to <= done) continue;
    if (from >= done) out += `${text.slice(done, from)}${MASK}`;
    done = to;
  }
  return out + text.slice(done);
}
