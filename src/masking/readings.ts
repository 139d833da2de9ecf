/* How a text reads to whoever does not mind case, signs or escapes. */

/** A text in another writing, and where in the first one each of its signs stands. */
export interface Reading {
  readonly text: string;
  readonly from: (at: number) => number;
  readonly to: (at: number) => number;
}

export function asItIs(text: string): Reading {
  return { text, from: (at) => at, to: (at) => at + 1 };
}

/** Of signs with their places. */
function reading(signs: readonly string[], from: readonly number[], to: readonly number[]): Reading {
  return { text: signs.join(""), from: (at) => from[at] ?? 0, to: (at) => to[at] ?? 0 };
}

const ASCII = /^[\0-\x7f]*$/;

/** Case, accents and compatible signs do not matter. */
export function folded(given: Reading): Reading {
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
/** Most signs by far are looked up sooner. */
const OF_ASCII = Array.from({ length: 128 }, (_, code) => LETTER_OR_DIGIT.test(String.fromCharCode(code)));

export function withoutSigns(given: Reading): Reading {
  const signs: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (let at = 0; at < given.text.length; at++) {
    const sign = given.text.charAt(at);
    if (!(OF_ASCII[given.text.charCodeAt(at)] ?? LETTER_OR_DIGIT.test(sign))) continue;
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
export const ESCAPE = /%[0-9a-f]{2}|&#?[a-z0-9]+|\\[ux]|0x[0-9a-f]/i;
const ESCAPES =
  /(?:%[0-9a-f]{2})+|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&([a-z]{2,6});|\\u\{?([0-9a-f]{4,6})\}?|(?:\\x|0x)([0-9a-f]{2})(?![0-9a-f])/gi;
const LAST_CODE_POINT = 0x10ffff;

/** What it says to whoever resolves escapes of addresses, HTML and scripts. */
export function resolved(text: string): Reading {
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
