import type { Described } from "./facts.ts";
import { folded } from "./words.ts";

/** Values times characters that are searched; beyond it the answer is yes, unseen. */
const MAX_WORK_CHARS = 100_000_000;
/** Of an encoded value in the middle of another one, fewer characters are everywhere. */
const FEWEST_INNER_CHARS = 3;
const MAX_DECODINGS = 3;

/**
 * Whether a value that the agent put in may be in the request: written out, in other case or punctuation, percent-encoded, escaped, in base64 or hex. Every
 * value counts but the empty one. What cannot be inspected may hold any. Cookies, referrer and the browser's own headers are not looked at: they repeat
 * what went before, and would make every later request count.
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
  return text.replace(/\\u([\da-f]{4})|\\x([\da-f]{2})|\\(["\\/])/gi, (_, long?: string, short?: string, sign?: string) => {
    const code = long ?? short;
    return code === undefined ? (sign ?? "") : String.fromCharCode(Number.parseInt(code, 16));
  });
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
