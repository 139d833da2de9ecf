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
/** A longer value is known by parts of so many characters, */
const PART_CHARS = 512;
/** and what is still longer by its start: no secret is. */
const MOST_PARTS = 32;

interface Forms {
  /** As it is written, compared in the same case or folded. */
  readonly plain: readonly string[];
  /** Folded, for a text whose escapes are resolved. */
  readonly read: readonly string[];
  /** Folded, without signs; empty where too little is left. */
  readonly spread: readonly string[];
  /** Base64 without its signs: another text in another case. */
  readonly exact: readonly string[];
}

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

/** A text in another writing, and where in the first one each of its signs stands. */
interface Reading {
  readonly text: string;
  readonly from: (at: number) => number;
  readonly to: (at: number) => number;
}

function asItIs(text: string): Reading {
  return { text, from: (at) => at, to: (at) => at + 1 };
}

/** Of signs with their places. */
function reading(signs: readonly string[], from: readonly number[], to: readonly number[]): Reading {
  return { text: signs.join(""), from: (at) => from[at] ?? 0, to: (at) => to[at] ?? 0 };
}

const ASCII = /^[\0-\x7f]*$/;

/** Case, accents and compatible signs do not matter. */
function folded(given: Reading): Reading {
  // Most texts, and no sign changes its place.
  if (ASCII.test(given.text)) return { ...given, text: given.text.toLowerCase() };
  const signs: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (let at = 0; at < given.text.length; ) {
    const sign = String.fromCodePoint(given.text.codePointAt(at) ?? 0);
    const plain = sign.normalize("NFKD").toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
    for (const unit of plain.split("")) {
      signs.push(unit);
      from.push(given.from(at));
      to.push(given.to(at + sign.length - 1));
    }
    at += sign.length;
  }
  return reading(signs, from, to);
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

function withoutSigns(given: Reading): Reading {
  const signs: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (let at = 0; at < given.text.length; at++) {
    const sign = given.text.charAt(at);
    if (!LETTER_OR_DIGIT.test(sign)) continue;
    signs.push(sign);
    from.push(given.from(at));
    to.push(given.to(at));
  }
  return reading(signs, from, to);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  excl: "!",
  num: "#",
  dollar: "$",
  percnt: "%",
  lpar: "(",
  rpar: ")",
  ast: "*",
  plus: "+",
  comma: ",",
  period: ".",
  sol: "/",
  colon: ":",
  semi: ";",
  equals: "=",
  quest: "?",
  commat: "@",
  lsqb: "[",
  bsol: "\\",
  rsqb: "]",
  hat: "^",
  lowbar: "_",
  grave: "`",
  lcub: "{",
  verbar: "|",
  rcub: "}",
};
const ESCAPE = /%[0-9a-f]{2}|&#?[a-z0-9]+|\\[ux]|0x[0-9a-f]/i;
const ESCAPES =
  /(?:%[0-9a-f]{2})+|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&([a-z]{2,6});|\\u\{?([0-9a-f]{4,6})\}?|(?:\\x|0x)([0-9a-f]{2})(?![0-9a-f])/gi;
const LAST_CODE_POINT = 0x10ffff;

/** What it says to whoever resolves escapes of addresses, HTML and scripts. */
function resolved(text: string): Reading {
  const signs: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const take = (words: string, start: number, end: number): void => {
    for (const unit of words.split("")) {
      signs.push(unit);
      from.push(start);
      to.push(end);
    }
  };
  const takeAsItIs = (start: number, end: number): void => {
    for (let at = start; at < end; at++) take(text.charAt(at), at, at + 1);
  };
  let done = 0;
  for (const match of text.matchAll(ESCAPES)) {
    const { index } = match;
    const end = index + match[0].length;
    takeAsItIs(done, index);
    done = end;
    const words = wordsOf(match);
    if (words === null) takeAsItIs(index, end);
    else take(words, index, end);
  }
  takeAsItIs(done, text.length);
  return reading(signs, from, to);
}

/** What one escape stands for; null where it is none. */
function wordsOf([whole, hex, decimal, name, unicode, byte]: RegExpMatchArray): string | null {
  if (whole.startsWith("%")) return bytesOf(whole);
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? null;
  const code = decimal === undefined ? Number.parseInt(hex ?? unicode ?? byte ?? "", 16) : Number(decimal);
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : null;
}

function bytesOf(escapes: string): string {
  const bytes = escapes.slice(1).split("%");
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

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

/** All of the same length but for a value that is one part. */
function partsOf(words: string): readonly string[] {
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

function formsOf(value: string): Forms {
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
