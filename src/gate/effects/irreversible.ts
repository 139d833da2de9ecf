import { IRREVERSIBLE, NOT_AFTER, NOT_BEFORE } from "./verbs.ts";
import { hasPhrase, isListed, wordsOf } from "./words.ts";

/** Longer identifiers are titles: `how-to-delete-files`. */
const MAX_COMMAND_WORDS = 4;
/** Longer labels are sentences. */
const MAX_LABEL_WORDS = 12;

/** Whether an identifier orders something that cannot be taken back: the verb stands first or last in it. */
export function isIrreversibleCommand(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > MAX_COMMAND_WORDS) return false;
  return isVerb(words, 0) || isVerb(words, words.length - 1) || hasPhrase(IRREVERSIBLE, words);
}

/** The same for operations and labels: the verb may stand anywhere. */
export function saysIrreversible(text: string): boolean {
  const words = wordsOf(text).slice(0, MAX_LABEL_WORDS);
  return words.some((_, at) => isVerb(words, at)) || hasPhrase(IRREVERSIBLE, words);
}

function isVerb(words: readonly string[], at: number): boolean {
  const word = words[at] ?? "";
  if (!isListed(IRREVERSIBLE, word)) return false;
  return (
    NOT_BEFORE.get(word)?.has(words[at + 1] ?? "") !== true && NOT_AFTER.get(word)?.has(words[at - 1] ?? "") !== true
  );
}
