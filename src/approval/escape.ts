/**
 * Words of pages and models on one line of a question, so that nothing in them can look like a line, an order to a
 * terminal, or nothing at all.
 */

/** How much of the end of a cut text is shown. */
const TAIL_CHARS = 20;
/** Blanks in a row that are left as they are: more could push words to where they look like a line of their own. */
const MAX_BLANKS = 2;
/** Accents on one letter that are left as they are: more would be painted over other lines. */
const MAX_MARKS = 3;

/** Controls, formats (bidi, zero width), separators, halves of pairs, and what fonts have no picture for. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * What a person would take for the quotes around it, or for the sign that escapes: the end of the quote, and words of
 * ours behind it.
 */
const LOOKS_LIKE_OURS =
  /["\\\u02ba\u02dd\u02ee\u02f6\u05f2\u05f4\u1cd3\u201c-\u201f\u2033\u2036\u275d\u275e\u2760\u3003\u301d-\u301f\uff02\u2216\u29f5\u29f9\ufe68\uff3c]/u;
const BLANK = /\p{Zs}/u;
const MARK = /\p{M}/u;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** A text as it stands in a line; `cut`: not all of it does. */
export interface Shown {
  readonly line: string;
  readonly cut: boolean;
}

/**
 * In quotes, as JSON writes strings, with everything unseen escaped. At most `limit` characters of line; then how much
 * is shown, how long it is (UTF-16 units) and how it ends stand outside of the quotes.
 */
export function quoted(text: string, limit: number): Shown {
  const { line, taken } = escaped(text, limit, true);
  const note = RIGHT_TO_LEFT.test(line) ? " (written right to left)" : "";
  if (taken === text.length) return { line: `"${line}"${note}`, cut: false };
  const tail = escaped(text.slice(-TAIL_CHARS).replace(/^[\uDC00-\uDFFF]/, ""), Number.POSITIVE_INFINITY, true).line;
  return {
    line: `"${line}"${note} (shown ${count(taken)} of ${count(text.length)} characters, ends with "${tail}")`,
    cut: true,
  };
}

/** A line of ours that may carry words of others, once more without anything unseen. Cut after `limit` characters. */
export function oneLine(text: string, limit: number): string {
  const { line, taken } = escaped(text, limit, false);
  return taken === text.length ? line : `${line}… (shown ${count(taken)} of ${count(text.length)} characters)`;
}

/** As it is when it has the shape of a word of ours, else in quotes. */
export function plainOr(word: string, shape: RegExp, limit: number): string {
  return word.length <= limit && shape.test(word) ? word : quoted(word, limit).line;
}

/** 4312 as 4,312. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** 1 file, 2 files. */
export function several(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function escaped(text: string, limit: number, inQuotes: boolean): { readonly line: string; readonly taken: number } {
  const parts: string[] = [];
  let length = 0;
  let taken = 0;
  let blanks = 0;
  // Nothing before the first letter that a mark could sit on.
  let marks = MAX_MARKS;
  for (const char of text) {
    blanks = BLANK.test(char) ? blanks + 1 : 0;
    marks = MARK.test(char) ? marks + 1 : 0;
    const isHidden = blanks > MAX_BLANKS || marks > MAX_MARKS || UNSEEN.test(char);
    const part = isHidden || (inQuotes && LOOKS_LIKE_OURS.test(char)) ? escapeOf(char) : char;
    if (length + part.length > limit) break;
    parts.push(part);
    length += part.length;
    taken += char.length;
  }
  return { line: parts.join(""), taken };
}

const SHORT: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOf(char: string): string {
  return (
    SHORT[char] ??
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")
  );
}
