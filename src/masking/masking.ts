/*
 * Takes secret values out of words, also where they are written otherwise: in another case, with signs or blanks
 * between, backwards, or encoded. Used in pages and by the host alike.
 */

/** What stands where a secret was. */
export const MASK = "(secret)";

/** Shorter values are kept back by their field alone: replacing them would eat ordinary words. */
const FEWEST_CHARS = 6;
/** So many letters and digits in a row, whatever stands between them, are no accident. */
const FEWEST_SPREAD_CHARS = 8;
/** Between two signs of a value that is spread over a text, at most. */
const MOST_BETWEEN_CHARS = 12;
const MOST_VALUES = 200;

interface Forms {
  /** Compared whatever the case. */
  readonly plain: readonly string[];
  /** Base64 is another text in another case. */
  readonly exact: readonly string[];
  /** Its letters and digits in lower case, and backwards; empty where they are too few. */
  readonly spread: readonly string[];
}

/** The values of one page or session; the oldest give way. */
export class Masking {
  readonly #forms = new Map<string, Forms>();

  get size(): number {
    return this.#forms.size;
  }

  /** Remembers a value. What is too short stays unknown. */
  note(value: string): void {
    const words = value.trim();
    if (words.length < FEWEST_CHARS || this.#forms.has(words)) return;
    const oldest = this.#forms.size >= MOST_VALUES ? this.#forms.keys().next().value : undefined;
    if (oldest !== undefined) this.#forms.delete(oldest);
    this.#forms.set(words, formsOf(words));
  }

  get values(): readonly string[] {
    return [...this.#forms.keys()];
  }

  /** The words without any of them in any form. Total. */
  mask(text: string): string {
    if (this.#forms.size === 0 || text.length < FEWEST_CHARS) return text;
    const found: Range[] = [];
    const lower = text.toLowerCase();
    // Some signs are longer in lower case: then places would not be the same.
    const folded = lower.length === text.length ? lower : text;
    let bare: Bare | null = null;
    for (const { plain, exact, spread } of this.#forms.values()) {
      for (const form of plain) add(found, folded, form);
      for (const form of exact) add(found, text, form);
      if (spread.length === 0) continue;
      bare ??= bareOf(folded);
      for (const form of spread) addSpread(found, bare, form);
    }
    return found.length === 0 ? text : without(text, found);
  }

  holds(text: string): boolean {
    return this.mask(text) !== text;
  }
}

type Range = readonly [from: number, to: number];

interface Bare {
  readonly text: string;
  /** Where each of its signs stands. */
  readonly at: readonly number[];
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

function bareOf(text: string): Bare {
  let bare = "";
  const at: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index);
    if (!LETTER_OR_DIGIT.test(sign)) continue;
    bare += sign;
    at.push(index);
  }
  return { text: bare, at };
}

function add(found: Range[], text: string, form: string): void {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length))
    found.push([at, at + form.length]);
}

function addSpread(found: Range[], { text, at }: Bare, form: string): void {
  for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + 1)) {
    const places = at.slice(from, from + form.length);
    if (places.every((place, index) => index === 0 || place - (places[index - 1] ?? 0) <= MOST_BETWEEN_CHARS))
      found.push([places[0] ?? 0, (places.at(-1) ?? 0) + 1]);
  }
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

function formsOf(value: string): Forms {
  const bytes = new TextEncoder().encode(value);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  const signs = [...value];
  const named: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  const spread = bareOf(value.toLowerCase()).text;
  const plain = [
    value,
    encoded(value),
    hex.map((byte) => `%${byte}`).join(""),
    hex.join(""),
    hex.map((byte) => `\\x${byte}`).join(""),
    signs.map((sign) => named[sign] ?? sign).join(""),
    signs.map((sign) => (sign in named ? `&#${sign.codePointAt(0)};` : sign)).join(""),
    signs.map((sign) => `&#${sign.codePointAt(0)};`).join(""),
    signs.map((sign) => `&#x${(sign.codePointAt(0) ?? 0).toString(16)};`).join(""),
    JSON.stringify(value).slice(1, -1),
    signs.map((sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`).join(""),
    signs.toReversed().join(""),
  ];
  return {
    plain: [...new Set(plain.map((form) => form.toLowerCase()))],
    exact: base64Forms(bytes),
    spread: spread.length < FEWEST_SPREAD_CHARS ? [] : [...new Set([spread, [...spread].toReversed().join("")])],
  };
}

function encoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Whatever stands before it: the signs that its bytes alone decide, for each of the three places where it can begin.
 */
function base64Forms(bytes: Uint8Array): readonly string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const text = btoa(String.fromCharCode(...padded)).replace(/=+$/, "");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const sure = text.slice(from, to);
    return [sure, sure.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [...new Set(forms.filter((form) => form.length >= FEWEST_CHARS))];
}
