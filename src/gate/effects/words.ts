/** Longest text that is taken apart, in characters. */
const MAX_CHARS = 400;

const PLAIN = /^[ -~]*$/;
/** Most names of fields are one word of small letters, with a number behind it at most. */
const ONE_WORD = /^[a-z]+(?=\d*$)/;

/** Compared in this form: compatible signs, lower case and without accents. */
export function folded(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u0307]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss");
}

/**
 * The words of an identifier or label: `deletePost`, `delete-post`, `DELETE_POST` and `Delete post` are all delete,
 * post.
 */
export function wordsOf(text: string): readonly string[] {
  const [only] = text.length <= MAX_CHARS ? (ONE_WORD.exec(text) ?? []) : [];
  if (only !== undefined) return [only];
  const apart = text
    .slice(0, MAX_CHARS)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return folded(apart)
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== "");
}

/** Words of languages, ready for comparison. */
export interface WordList {
  readonly words: ReadonlySet<string>;
  readonly prefixes: readonly string[];
  readonly phrases: readonly (readonly string[])[];
  /** The same by their first word. */
  readonly phrasesOf: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Of languages that write without blanks, or glue endings to a word: found inside of a word. */
  readonly stems: readonly string[];
}

/** From lines of entries separated by commas: `delete`, `удал*` (any ending), `cancel subscription`. */
export function wordList(spaced: readonly string[], unspaced: readonly string[] = []): WordList {
  const entries = itemsOf(spaced).map((entry) => entry.split(" "));
  const single = entries.flatMap(([word = "", ...rest]) => (rest.length === 0 ? [word] : []));
  const phrases = entries.filter((words) => words.length > 1);
  return {
    words: new Set(single.filter((word) => !word.endsWith("*"))),
    prefixes: single.flatMap((word) => (word.endsWith("*") ? [word.slice(0, -1)] : [])),
    phrases,
    phrasesOf: new Map(phrases.map(([first = ""]) => [first, phrases.filter((phrase) => phrase[0] === first)])),
    stems: itemsOf(unspaced),
  };
}

function itemsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(",").map((item) => folded(item.trim()))).filter((item) => item !== "");
}

/** Scripts in which stems are written. */
const BEYOND_ALPHABETS = /[\u1100-\uffff]/;

/** Whether one word is in the list, its phrases aside. */
export function isListed(list: WordList, word: string): boolean {
  if (list.words.has(word) || list.prefixes.some((prefix) => word.startsWith(prefix))) return true;
  return BEYOND_ALPHABETS.test(word) && list.stems.some((stem) => word.includes(stem));
}

export function hasPhrase(list: WordList, words: readonly string[]): boolean {
  return words.some(
    (first, at) =>
      list.phrasesOf.get(first)?.some((phrase) => phrase.every((word, index) => words[at + index] === word)) === true,
  );
}
