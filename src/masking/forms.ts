/* How a secret value may be written. */

import { asItIs, folded, resolved, withoutSigns } from "./readings.ts";

/** Shorter values are kept back by their field alone: replacing them would eat ordinary words. */
export const FEWEST_CHARS = 6;
/** So many letters and digits in a row, whatever stands between them, are no accident. */
const FEWEST_SPREAD_CHARS = 8;
/** A longer value is known by parts of so many characters, */
const PART_CHARS = 512;
/** and what is still longer by its start: no secret is. */
const MOST_PARTS = 32;

export interface Forms {
  /** As it is written, compared in the same case or folded. */
  readonly plain: readonly string[];
  /** Folded, for a text whose escapes are resolved. */
  readonly read: readonly string[];
  /** Folded, without signs; empty where too little is left. */
  readonly spread: readonly string[];
  /** Base64 without its signs: another text in another case. */
  readonly exact: readonly string[];
}

/** All of the same length but for a value that is one part. */
export function partsOf(words: string): readonly string[] {
  const ends: number[] = [];
  for (let end = PART_CHARS; end < words.length && ends.length < MOST_PARTS; end += PART_CHARS) ends.push(end);
  if (ends.length < MOST_PARTS) ends.push(words.length);
  return [...new Set(ends.map((end) => unrepeated(words.slice(Math.max(0, end - PART_CHARS), end))))];
}

/**
 * What repeats itself is known by two turns: it would be found at each place of a text that repeats the same, and that
 * takes a page's time squared.
 */
function unrepeated(words: string): string {
  const period = periodOf(words);
  return period * 2 <= words.length ? words.slice(0, Math.max(FEWEST_SPREAD_CHARS, period * 2)) : words;
}

/** After how many signs a text repeats itself to its end; its length when it does not. */
function periodOf(words: string): number {
  // Of each start of the text, the length of its longest end that it begins with.
  const borders = [0];
  let border = 0;
  for (let at = 1; at < words.length; at++) {
    while (border > 0 && words[at] !== words[border]) border = borders[border - 1] ?? 0;
    if (words[at] === words[border]) border++;
    borders.push(border);
  }
  return words.length - border;
}

export function formsOf(value: string): Forms {
  const read = folded(resolved(value)).text;
  const bare = withoutSigns(asItIs(read)).text;
  const backwards = (text: string): string => [...text].toReversed().join("");
  const written = [value, value.toLowerCase(), value.toUpperCase(), backwards(value), [...value].join(" ")];
  const bytes = written.map((words) => new TextEncoder().encode(words));
  const long = (forms: readonly string[]): readonly string[] => [
    ...new Set(forms.filter((form) => form.length >= FEWEST_SPREAD_CHARS)),
  ];
  return {
    plain: [...new Set([value, backwards(value)])],
    read: [...new Set([read, backwards(read)])].filter((form) => form.length >= FEWEST_CHARS),
    spread: long([bare, backwards(bare), ...bytes.map(hexOf)]),
    exact: long(bytes.flatMap(base64Forms)),
  };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Whatever stands before it: the signs that its bytes alone decide, for each of the three places where it can begin.
 * Without those that are no letters or digits.
 */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].map((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const text = btoa(String.fromCharCode(...padded)).replace(/=+$/, "");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(from, to).replace(/[^A-Za-z\d]/g, "");
  });
}
