import { type BodyField, MAX_FIELDS, MAX_READ_BYTES } from "./parts.ts";

/** A JSON value as it was written: members keep their order and may come twice, numbers keep their digits. */
export type Json =
  | { readonly is: "object"; readonly members: readonly { readonly key: string; readonly value: Json }[] }
  | { readonly is: "array"; readonly items: readonly Json[] }
  | { readonly is: "string"; readonly text: string }
  /** Numbers, true, false, null. */
  | { readonly is: "word"; readonly text: string };

const MAX_DEPTH = 64;
/** Objects, arrays and values of one document. */
const MAX_VALUES = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

const BLANK = /[ \t\n\r]*/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:u([\da-fA-F]{4})|(.))/g;
const PLAIN: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Parses by RFC 8259 and nothing beyond it; null otherwise, and when it is too deep or too much. Half surrogates come
 * back as the text `\ud800`.
 */
export function parseJson(text: string): Json | null {
  const reader = { text, at: 0, values: 0 };
  const value = readValue(reader, 0);
  skipBlanks(reader);
  return value !== null && reader.at === text.length ? value : null;
}

interface Reader {
  readonly text: string;
  at: number;
  values: number;
}

function readValue(reader: Reader, depth: number): Json | null {
  reader.values += 1;
  if (depth > MAX_DEPTH || reader.values > MAX_VALUES) return null;
  skipBlanks(reader);
  switch (reader.text[reader.at]) {
    case "{":
      return readObject(reader, depth);
    case "[":
      return readArray(reader, depth);
    case '"': {
      const text = readString(reader);
      return text === null ? null : { is: "string", text };
    }
    default: {
      const text = take(reader, WORD);
      return text === null ? null : { is: "word", text };
    }
  }
}

function readObject(reader: Reader, depth: number): Json | null {
  const members: { key: string; value: Json }[] = [];
  reader.at += 1;
  if (takeSign(reader, "}")) return { is: "object", members };
  do {
    skipBlanks(reader);
    const key = readString(reader);
    if (key === null || !takeSign(reader, ":")) return null;
    const value = readValue(reader, depth + 1);
    if (value === null) return null;
    members.push({ key, value });
  } while (takeSign(reader, ","));
  return takeSign(reader, "}") ? { is: "object", members } : null;
}

function readArray(reader: Reader, depth: number): Json | null {
  const items: Json[] = [];
  reader.at += 1;
  if (takeSign(reader, "]")) return { is: "array", items };
  do {
    const value = readValue(reader, depth + 1);
    if (value === null) return null;
    items.push(value);
  } while (takeSign(reader, ","));
  return takeSign(reader, "]") ? { is: "array", items } : null;
}

function readString(reader: Reader): string | null {
  const end = endOfString(reader.text, reader.at);
  if (end === -1) return null;
  const written = reader.text.slice(reader.at + 1, end);
  reader.at = end + 1;
  const text = written.replace(ESCAPE, (_, code: string | undefined, sign: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return PLAIN[sign ?? ""] ?? sign ?? "";
  });
  return text.replace(LONE_SURROGATE, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

/**
 * Where the closing quote stands; -1 when there is none, or what stands before it may not. By hand: a pattern would
 * backtrack over a megabyte.
 */
function endOfString(text: string, from: number): number {
  if (text[from] !== '"') return -1;
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) return at;
    if (sign < FIRST_PRINTABLE) return -1;
    if (sign !== BACKSLASH) continue;
    at += 1;
    if (text[at] === "u" ? !/^[\da-fA-F]{4}$/.test(text.slice(at + 1, at + 5)) : !'"\\/bfnrt'.includes(text[at] ?? " "))
      return -1;
  }
  return -1;
}

function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found === null) return null;
  reader.at = pattern.lastIndex;
  return found[0];
}

function takeSign(reader: Reader, sign: string): boolean {
  skipBlanks(reader);
  if (reader.text[reader.at] !== sign) return false;
  reader.at += 1;
  return true;
}

function skipBlanks(reader: Reader): void {
  take(reader, BLANK);
}

/** One field for each value that holds no other; null when there are too many. */
export function flattenJson(value: Json): readonly BodyField[] | null {
  const into: Flat = { fields: [], nameChars: 0 };
  return flatten(value, "", into) ? into.fields : null;
}

function flatten(value: Json, path: string, into: Flat): boolean {
  switch (value.is) {
    case "object":
      if (value.members.length === 0) return push(into, path, "{}");
      return value.members.every(({ key, value: inner }) => flatten(inner, member(path, key), into));
    case "array":
      if (value.items.length === 0) return push(into, path, "[]");
      return value.items.every((inner, index) => flatten(inner, `${path}[${index}]`, into));
    case "string":
    case "word":
      return push(into, path, value.text);
    default:
      value satisfies never;
      return false;
  }
}

interface Flat {
  readonly fields: BodyField[];
  /** A long key is repeated in the name of every value under it. */
  nameChars: number;
}

function push(into: Flat, name: string, value: string): boolean {
  into.fields.push({ name, value });
  into.nameChars += name.length;
  return into.fields.length <= MAX_FIELDS && into.nameChars <= MAX_READ_BYTES;
}

/** A key that could be taken for a path is quoted, so that two bodies never read the same. */
function member(path: string, key: string): string {
  const shown = /^[\p{L}\p{N}_$-]+$/u.test(key) ? key : JSON.stringify(key);
  return path === "" ? shown : `${path}.${shown}`;
}

/** The members of an object, null when it is none or a key comes twice. */
export function membersOf(value: Json | null): ReadonlyMap<string, Json> | null {
  if (value?.is !== "object") return null;
  const members = new Map(value.members.map(({ key, value: inner }) => [key, inner]));
  return members.size === value.members.length ? members : null;
}
