import type { Site } from "../../types.ts";
import type { Described } from "./facts.ts";
import { folded } from "./words.ts";

/** Something that the agent put into a page. */
export interface TypedText {
  readonly text: string;
  /** Where it was put in; null: not known. */
  readonly site: Site | null;
  /** Into a field for searching or filtering. */
  readonly isSearch: boolean;
  /** Picked from what the page offers: it is no text of the agent's. */
  readonly isChosen: boolean;
  /** Into a field whose value is shown to nobody. */
  readonly isSecret: boolean;
  /** All of it stood in a question that was answered with yes. */
  readonly isShown: boolean;
}

/** What a person calls a look-up: longer, or of several lines, it is a text. */
const MAX_LOOKUP_CHARS = 200;
const SHORT_NUMBER = /^\d{1,4}$/;
/** A part of what was typed counts in another site's address from this length on. */
const FEWEST_PART_CHARS = 6;

/** What a text is looked for in. */
export interface TypedTerms {
  /** A read or upkeep of the site itself. */
  readonly isLookup: boolean;
  readonly isPrivate: boolean;
}

/**
 * Whether a text in a request is of no matter: what a look-up carries, and short numbers on public sites. Secrets
 * always are.
 */
export function isExempt({ text, isSecret, isChosen }: TypedText, { isLookup, isPrivate }: TypedTerms): boolean {
  if (isSecret) return false;
  if (isChosen) return true;
  if (isLookup) return text.length <= MAX_LOOKUP_CHARS && !/[\r\n]/.test(text);
  return !isPrivate && SHORT_NUMBER.test(text);
}

/**
 * Whether an address of another site holds what was typed, or a part of it: a word, an address. Bounded; beyond the
 * bound the answer is yes.
 */
export function holdsPart(url: string, texts: readonly TypedText[]): boolean {
  if (texts.length === 0) return false;
  const readable = readings(url).map(folded);
  const address = readable.join("\n");
  const bare = lettersOnly(address);
  return texts.some(({ text }) => {
    const whole = folded(text).trim();
    if (whole === "") return false;
    if (whole.length >= FEWEST_WHOLE_CHARS && (address.includes(whole) || bare.includes(lettersOnly(whole) || whole)))
      return true;
    if (encodings(text).some((one) => one.length >= FEWEST_PART_CHARS && url.includes(one))) return true;
    if (new RegExp(`[=/]${escaped(whole)}(?:[&/?#\n]|$)`).test(address)) return true;
    return whole
      .slice(0, MAX_PARTS_CHARS)
      .split(/[\s"'<>()[\]{},;]+/)
      .some((part) => part.length >= FEWEST_PART_CHARS && address.includes(part.replace(/^https?:\/\//, "")));
  });
}

const FEWEST_WHOLE_CHARS = 4;
const MAX_PARTS_CHARS = 20_000;

function escaped(text: string): string {
  return text.slice(0, MAX_PARTS_CHARS).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Values times characters that are searched; beyond it the answer is yes, unseen. */
const MAX_WORK_CHARS = 100_000_000;
/** Of an encoded value in the middle of another one, fewer characters are everywhere. */
const FEWEST_INNER_CHARS = 3;
const MAX_DECODINGS = 3;

/**
 * Whether a value that the agent put in may be in the request: written out, in other case or punctuation,
 * percent-encoded, escaped, in base64 or hex. Every value counts but the empty one. What cannot be inspected may hold
 * any. Cookies, referrer and the browser's own headers are not looked at: they repeat what went before, and would make
 * every later request count.
 */
export function mayHoldTyped(described: Pick<Described, "chosen" | "parts">, typedValues: readonly string[]): boolean {
  const values = [...new Set(typedValues)].filter((value) => value !== "");
  if (values.length === 0) return false;
  if (!described.parts.whole) return true;
  const chars = described.chosen.reduce((sum, text) => sum + text.length, 0);
  if (chars * values.length > MAX_WORK_CHARS) return true;
  const texts = [...new Set(described.chosen.flatMap(readings))];
  const plain = texts.map(folded);
  const bare = plain.map(lettersOnly);
  return values.some((value) => {
    const encoded = encodings(value);
    if (texts.some((text) => encoded.some((one) => text.includes(one)))) return true;
    const wanted = folded(value).trim();
    if (wanted !== "" && plain.some((text) => text.includes(wanted))) return true;
    const letters = lettersOnly(wanted);
    return letters !== "" && bare.some((text) => text.includes(letters));
  });
}

/** So few letters or digits that they are found in most requests. Of scripts without blanks as many may say much. */
export function isBrief({ text, isSecret }: TypedText): boolean {
  return !isSecret && /^[\x20-\x7e]{1,3}$/.test(text.trim());
}

/** Whether one of these is in the request as a word of its own, written out or encoded as a whole value. */
export function holdsWord({ chosen }: Pick<Described, "chosen">, briefs: readonly string[]): boolean {
  if (briefs.length === 0) return false;
  if (chosen.reduce((sum, text) => sum + text.length, 0) * briefs.length > MAX_WORK_CHARS) return true;
  const texts = [...new Set(chosen.flatMap(readings))];
  const plain = texts.map(folded);
  return [...new Set(briefs)].some((brief) => {
    const word = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(folded(brief).trim())}(?![\\p{L}\\p{N}])`, "u");
    const encoded = encodings(brief);
    return plain.some((text) => word.test(text)) || texts.some((text) => encoded.includes(text.replace(/=+$/, "")));
  });
}

/** The text, and what it is with its escapes and percent signs undone. */
function readings(text: string): readonly string[] {
  const found = [text];
  if (!/[%+\\]/.test(text)) return found;
  let at = text;
  for (let round = 0; round < MAX_DECODINGS; round += 1) {
    const next = unescaped(percentLoose(at));
    if (next === at) break;
    found.push(next);
    at = next;
  }
  return found;
}

/** Sequences that spell UTF-8 are decoded, the others stay. */
function percentLoose(text: string): string {
  return text.replaceAll("+", " ").replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function unescaped(text: string): string {
  return text.replace(
    /\\u([\da-f]{4})|\\x([\da-f]{2})|\\(["\\/])/gi,
    (_, long?: string, short?: string, sign?: string) => {
      const code = long ?? short;
      return code === undefined ? (sign ?? "") : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
}

function encodings(value: string): readonly string[] {
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  const exact = [value, percentEncoded(value), JSON.stringify(value).slice(1, -1), hex, hex.toUpperCase()];
  const base64 = [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The signs at both ends depend on what stands beside the value.
    const inner = encoded.slice(shift === 0 ? 0 : shift + 1, (bytes.length + shift) % 3 === 0 ? undefined : -1);
    return [...(shift === 0 ? [encoded] : []), ...(inner.length >= FEWEST_INNER_CHARS ? [inner] : [])];
  });
  return [...new Set([...exact, ...base64, ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))])];
}

function percentEncoded(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\ufffd"));
}

function lettersOnly(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}
