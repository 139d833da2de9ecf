import type { RequestKind } from "../../types.ts";
import { type Address, percentDecoded } from "./address.ts";
import type { EffectFacts } from "./facts.ts";
import {
  COMMANDS,
  DOES,
  DOES_TO,
  DOING_KEYS,
  EXTENSION,
  FILLERS,
  FORGERY_KEYS,
  GET_COMMAND_KEYS,
  LABELS,
  LISTS,
  MODE_KEYS,
  MODES,
  OBJECTS,
  ORDERS,
  SECTIONS,
  SETS,
  TOKEN_KEYS,
  TRACKING,
  VIEWS,
  WITH_TOKEN,
} from "./get-verbs.ts";
import { folded, hasPhrase, isListed, wordsOf } from "./words.ts";

/** More words make a title: `how-to-unsubscribe-from-mails`. */
const MAX_SEGMENT_WORDS = 3;
const FEWEST_TOKEN_CHARS = 16;
const FEWEST_TOKEN_DIGITS = 3;
const FEWEST_NAMED_TOKEN_CHARS = 6;

/**
 * Kinds of requests of which an address alone can do something in somebody's name. On private sites a picture's address
 * can, too.
 */
export function canBeGetEffect(kind: RequestKind, isPrivateSite: boolean): boolean {
  return kind !== "socket" && (isPrivateSite || (kind !== "subresource" && kind !== "worker"));
}

/**
 * Whether an address, asked by GET, says by its form that it does something: with a one-time token everywhere, on a
 * private site by any verb, whatever its spelling. The lists find what honest sites do; a site that hides it finds no
 * word of theirs in its way, and nothing else relies on them.
 */
export function isGetEffectAddress(whole: Address, isPrivateSite: boolean): boolean {
  const address = spelledOut(whole);
  const { segments, query } = address;
  if (hasToken(address) && (segments.some(isAmongWords) || query.some(({ name }) => isAmongWords(name)))) return true;
  if (!isPrivateSite) return false;
  if (
    query.some(
      ({ name, value }) =>
        isCommand(name, value) || isDoingKey(name, value) || isVerbValue(name, value) || isForgeryToken(name, value),
    )
  )
    return true;
  const plain = segments.map(withoutPunctuation);
  return plain.some((_, at) => isDoingSegment(address, plain, at) || isOrder(address, plain, at));
}

/**
 * The path as servers may read it: an encoded slash or semicolon parts it as well, and what kind of file answers does
 * not matter.
 */
function spelledOut(address: Address): Address {
  const segments = address.segments
    .flatMap((segment) => percentDecoded(segment).split(/[/\\;]/))
    .map((segment) => segment.replace(EXTENSION, ""))
    .filter((segment) => segment !== "");
  return { ...address, segments };
}

/**
 * `removeUser`, `do_logout`, `approve`: few words, of which the first or the last is a verb, beside an id or values;
 * nothing but a verb by itself.
 */
function isOrder({ segments, query }: Address, plain: readonly string[], at: number): boolean {
  const words = wordsOf(segments[at] ?? "").filter((word) => !FILLERS.has(word));
  if (words.length === 0 || words.length > MAX_SEGMENT_WORDS) return false;
  if (plain.slice(0, at).some((section) => SECTIONS.has(section)) || LISTS.has(plain[at - 1] ?? "")) return false;
  const isVerb = (word: string): boolean =>
    isListed(ORDERS, word) || (words.length > 1 && word === words[0] && SETS.has(word));
  if (!isVerb(words[0] ?? "") && !isVerb(words.at(-1) ?? "")) return false;
  const isLast = at === segments.length - 1;
  const isBesideId =
    [segments[at - 1], segments[at + 1]].some((beside) => beside !== undefined && isId(beside)) ||
    (isLast && query.some(({ name }) => !VIEWS.has(name.toLowerCase()) && !TRACKING.test(name)));
  // A verb in front of anything, beside an id or values: `delete_product.php?id=5`, `mark-as-paid`.
  if (isBesideId && (isVerb(words[0] ?? "") || words.every((word) => isVerb(word) || OBJECTS.has(word)))) return true;
  return words.some((word) => DOES.has(word)) && words.every((word) => isVerb(word) || OBJECTS.has(word));
}

/** `?a=delete&id=3`: a value that is nothing but a verb, in a parameter that is no search. */
function isVerbValue(name: string, value: string): boolean {
  const words = wordsOf(value);
  if (words.length === 0 || words.length > 2 || VIEWS.has(name.toLowerCase())) return false;
  return (
    isListed(COMMANDS, words[0] ?? "") &&
    (words.length === 1 || isListed(COMMANDS, words.at(-1) ?? "") || name.length <= 3)
  );
}

/** Only what changes something needs to be safe from forgery. */
function isForgeryToken(name: string, value: string): boolean {
  return FORGERY_KEYS.has(withoutPunctuation(name)) && value.length >= FEWEST_NAMED_TOKEN_CHARS;
}

/**
 * Whether the element that was acted on leads somewhere by GET and says by its whole label that it does something. Not
 * for redirects: what an approved form is answered with is no second effect.
 */
export function isGetEffectLabel({ kind, hop, element }: Pick<EffectFacts, "kind" | "hop" | "element">): boolean {
  if (element === null || kind !== "navigation" || hop > 0) return false;
  const isSubmit =
    (element.role === "button" || element.role === "menuitem") && element.formMethod?.toLowerCase() === "get";
  if (element.role !== "link" && !isSubmit) return false;
  const words = wordsOf(element.name);
  return (
    (words.length === 1 && LABELS.words.has(words[0] ?? "")) ||
    LABELS.phrases.some((phrase) => phrase.join(" ") === words.join(" "))
  );
}

function isCommand(name: string, value: string): boolean {
  const key = name.toLowerCase();
  if (MODE_KEYS.has(key)) return MODES.has(withoutPunctuation(value));
  if (!GET_COMMAND_KEYS.has(key)) return false;
  const words = wordsOf(value);
  if (words.length === 0 || words.length > MAX_SEGMENT_WORDS) return false;
  const isVerb = (word: string): boolean => isListed(COMMANDS, word) || (key !== "method" && isListed(ORDERS, word));
  return isVerb(words[0] ?? "") || isVerb(words.at(-1) ?? "") || hasPhrase(COMMANDS, words);
}

function isDoingKey(name: string, value: string): boolean {
  const key = withoutPunctuation(name);
  // `?promote=12`: to whom.
  if (isListed(ORDERS, key) && isId(value) && value !== "0") return true;
  return DOING_KEYS.has(key) && !["0", "false", "no"].includes(value);
}

function isDoingSegment({ segments, query, place }: Address, plain: readonly string[], at: number): boolean {
  const word = plain[at] ?? "";
  const before = segments[at - 1];
  const after = segments[at + 1];
  if (
    DOES_TO.has(word) &&
    ((before !== undefined && after === undefined && isId(before)) || (after !== undefined && isId(after)))
  )
    return true;
  if (!DOES.has(word)) return false;
  if (segments.some(isId) || query.some(({ name }) => isIdKey(name)) || hasToken({ segments, query, place }))
    return true;
  const isLast = at === segments.length - 1;
  return !plain.slice(0, at).some((section) => SECTIONS.has(section)) && !(isLast && LISTS.has(plain[at - 1] ?? ""));
}

function isAmongWords(text: string): boolean {
  const words = wordsOf(text);
  return (
    words.length <= MAX_SEGMENT_WORDS &&
    (words.some((word) => isListed(WITH_TOKEN, word)) || hasPhrase(WITH_TOKEN, words))
  );
}

/** A number that is no year, or a name that only machines give. */
function isId(segment: string): boolean {
  return /^\d+$/.test(segment) ? !/^(?:19|20)\d\d$/.test(segment) : isRandom(segment);
}

function isIdKey(name: string): boolean {
  return ["id", "ids", "uid", "pk"].includes(wordsOf(name).at(-1) ?? "");
}

function hasToken({ segments, query }: Address): boolean {
  return (
    segments.some(isRandom) ||
    query.some(({ name, value }) => {
      if (TRACKING.test(name)) return false;
      return isRandom(value) || (TOKEN_KEYS.has(withoutPunctuation(name)) && value.length >= FEWEST_NAMED_TOKEN_CHARS);
    })
  );
}

/** Long, of letters and digits mixed as no title has them. */
function isRandom(text: string): boolean {
  if (text.length < FEWEST_TOKEN_CHARS || !/^[\w.~=+/-]+$/.test(text)) return false;
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)) return true;
  const digits = text.match(/\d/g) ?? [];
  return digits.length >= FEWEST_TOKEN_DIGITS && /[a-z]/i.test(text) && !isTitle(text);
}

/** Several chunks, most of them words or numbers: `iphone-15-pro-128gb-blue`. */
function isTitle(text: string): boolean {
  const chunks = text.split(/[-_]/);
  const plain = chunks.filter((chunk) => /^(?:[a-z]+|\d+)$/i.test(chunk));
  return chunks.length > 2 && plain.length * 2 > chunks.length;
}

function withoutPunctuation(text: string): string {
  return folded(text.slice(0, 60)).replace(/[^\p{L}\p{N}]/gu, "");
}
