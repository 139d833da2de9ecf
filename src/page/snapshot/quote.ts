/** Page words inside quotes, so that nothing in them can look like a line, a ref or a mark of ours. */

// Left readable: joiners that scripts and emoji need.
const UNSAFE = /[\u007F-\u009F\u2028\u2029\p{Cs}]|(?![\u200C\u200D])\p{Cf}/gu;

const escapeUnit = (sign: string): string =>
  Array.from(sign, (part) =>
    [...Array(part.length).keys()].map((at) => `\\u${part.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  ).join("");

/** As JSON writes strings, on one line, with every control and format character escaped. */
export function quote(words: string): string {
  return JSON.stringify(words).replace(UNSAFE, escapeUnit);
}

/** Whole code points up to a limit of UTF-16 units. */
export function head(words: string, limit: number): string {
  if (words.length <= limit) return words;
  const last = words.charCodeAt(limit - 1);
  return words.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** Quoted and cut; the sign of the cut stands inside, and targets may use the name so. */
export const quoteName = (name: string, limit: number): string =>
  name.length <= limit ? quote(name) : quote(`${head(name, limit)}…`);

/** Quoted and cut; how much is missing stands outside. */
export function quoteText(words: string, limit: number): string {
  if (words.length <= limit) return quote(words);
  const start = head(words, limit);
  return `${quote(start)}…(+${words.length - start.length} chars)`;
}
