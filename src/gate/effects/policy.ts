import { covers, parseSite, type SiteEntry, shownEntry } from "../entry.ts";
import { canonicalUrl } from "../sites.ts";
import { percentDecoded } from "./address.ts";
import type { Described } from "./facts.ts";
import { fieldKind } from "./shape.ts";

/** As it stands in a configuration, unchecked. */
export interface EffectsSettings {
  readonly allow?: readonly unknown[] | undefined;
  readonly readLike?: readonly unknown[] | undefined;
}

/** Effects that the operator permits. */
export interface EffectEntry {
  readonly site: SiteEntry;
  /** Upper case. */
  readonly method: string;
  readonly path: PathPattern;
  /** No other field may be there; null: any. `items[].id` stands for every place of a list. */
  readonly fields: ReadonlySet<string> | null;
  /** How often in a session; null: any number of times. */
  readonly max: number | null;
}

/** Requests with an unsafe method that only read, as the operator says. */
export interface ReadLikeEntry {
  readonly site: SiteEntry;
  readonly path: PathPattern;
  /** `query` for GraphQL queries, else methods of JSON-RPC; null: any request of that path. */
  readonly operations: ReadonlySet<string> | null;
}

export interface EffectsPolicy {
  readonly allow: readonly EffectEntry[];
  readonly readLike: readonly ReadLikeEntry[];
}

export interface PathPattern {
  readonly text: string;
  readonly isExact: boolean;
  readonly segments: readonly string[];
}

const MAX_PATTERN_CHARS = 2_000;
const METHOD = /^[A-Z]{1,20}$/;

type Wrong = (why: string) => Error;

/** Checks the settings once. Throws an `Error` that names the entry: malformed, with an unknown key, or what it seems to say could never match. */
export function effectsPolicy(settings: EffectsSettings = {}): EffectsPolicy {
  return {
    allow: listOf("effects.allow", settings.allow).map(parseAllow),
    readLike: listOf("effects.readLike", settings.readLike).map(parseReadLike),
  };
}

function listOf(list: string, given: unknown): readonly unknown[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw new Error(`${list}: is not a list`);
  return given;
}

function parseAllow(given: unknown): EffectEntry {
  const { wrong, entry } = opened("effects.allow", given, ["site", "method", "path", "fields", "max"], ["site", "method", "path"]);
  const method = textIn(entry, "method", wrong);
  if (!METHOD.test(method)) throw wrong("has a method that is not in upper case letters");
  // An address asked by GET may do something, too.
  if (method === "HEAD" || method === "OPTIONS") throw wrong("has a method that changes nothing");
  const max = entry.max;
  if (max !== undefined && (typeof max !== "number" || !Number.isSafeInteger(max) || max < 1)) throw wrong("has a max that is not a whole number from 1 on");
  const fields = entry.fields === undefined ? null : new Set(textsIn(entry, "fields", wrong, true));
  return { site: siteIn(entry, "effects.allow", wrong), method, path: pathIn(entry, wrong), fields, max: max ?? null };
}

function parseReadLike(given: unknown): ReadLikeEntry {
  const { wrong, entry } = opened("effects.readLike", given, ["site", "path", "operations"], ["site", "path"]);
  const operations = entry.operations === undefined ? null : new Set(textsIn(entry, "operations", wrong, false));
  return { site: siteIn(entry, "effects.readLike", wrong), path: pathIn(entry, wrong), operations };
}

function opened(
  list: string,
  given: unknown,
  keys: readonly string[],
  needed: readonly string[],
): { readonly wrong: Wrong; readonly entry: Readonly<Record<string, unknown>> } {
  const shown = shownEntry(typeof given === "string" ? given : (JSON.stringify(given) ?? String(given)));
  const wrong: Wrong = (why) => new Error(`${list}: ${shown} ${why}`);
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw wrong("is not an object with site and path");
  const entry: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(given));
  const unknown = Object.keys(entry).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw wrong(`has the unknown key ${shownEntry(unknown)}; known are ${keys.join(", ")}`);
  const missing = needed.find((key) => entry[key] === undefined);
  if (missing !== undefined) throw wrong(`has no ${missing}`);
  return { wrong, entry };
}

function textIn(entry: Readonly<Record<string, unknown>>, key: string, wrong: Wrong): string {
  const value = entry[key];
  if (typeof value !== "string") throw wrong(`has a ${key} that is not text`);
  if (value === "") throw wrong(`has an empty ${key}`);
  return value;
}

function textsIn(entry: Readonly<Record<string, unknown>>, key: string, wrong: Wrong, mayBeEmpty: boolean): readonly string[] {
  const value = entry[key];
  if (!Array.isArray(value)) throw wrong(`has ${key} that are not a list`);
  if (value.length === 0 && !mayBeEmpty) throw wrong(`has no ${key}, which would match nothing`);
  return value.map((item: unknown) => {
    if (typeof item !== "string" || item === "") throw wrong(`has ${key} that are empty or not text`);
    if (item.includes("*")) throw wrong(`has a wildcard in ${key}: name each`);
    return item;
  });
}

function siteIn(entry: Readonly<Record<string, unknown>>, list: "effects.allow" | "effects.readLike", wrong: Wrong): SiteEntry {
  const site = textIn(entry, "site", wrong);
  return parseSite(site, list);
}

function pathIn(entry: Readonly<Record<string, unknown>>, wrong: Wrong): PathPattern {
  const text = textIn(entry, "path", wrong);
  if (!text.startsWith("/")) throw wrong("has a path that does not start with /");
  if (text.length > MAX_PATTERN_CHARS) throw wrong("has a path that is too long");
  if (/[?#\\\s\p{Cc}]/u.test(text)) throw wrong("has more than a path in path");
  const segments = text.slice(1).split("/");
  if (segments.some((segment) => segment.includes("**") && segment !== "**")) throw wrong("has ** beside other signs: it stands for whole segments");
  if (segments.some((segment) => segment === "." || segment === "..")) throw wrong("has . or .. in its path, which no request has");
  return { text, isExact: !text.includes("*"), segments: segments.map(percentDecoded) };
}

/** Whether an entry permits the request. What cannot be inspected never where fields are listed; what cannot be taken back only by a path without wildcards. */
export function permitsEffect(entry: EffectEntry, described: Described): boolean {
  if (described.method !== entry.method || !isAt(entry, described)) return false;
  if (described.override !== null && described.override !== entry.method) return false;
  if (described.effect === "irreversible" && !entry.path.isExact) return false;
  return entry.fields === null || hasOnlyFields(described, entry.fields);
}

/** Whether the operator lists the request among those that only read. */
export function isReadLike(policy: EffectsPolicy, described: Described): boolean {
  if (described.method === "DELETE" || described.override !== null) return false;
  return policy.readLike.some((entry) => isAt(entry, described) && hasOnlyOperations(entry, described));
}

function isAt({ site, path }: { readonly site: SiteEntry; readonly path: PathPattern }, described: Described): boolean {
  const place = canonicalUrl(described.url);
  return place.ok && place.origin !== null && covers(site, place) && matchesPath(path, place.url.pathname);
}

function hasOnlyFields({ parts, url }: Described, fields: ReadonlySet<string>): boolean {
  if (!parts.whole || parts.kind === "text" || parts.files.length > 0) return false;
  const place = canonicalUrl(url);
  const query = place.ok ? [...place.url.searchParams.keys()] : [];
  return [...parts.fields.map(({ name }) => name), ...query].every((name) => fields.has(name) || fields.has(fieldKind(name)));
}

function hasOnlyOperations({ operations }: ReadLikeEntry, described: Described): boolean {
  if (operations === null) return true;
  if (described.operations === null || !described.parts.whole) return false;
  return described.operations.every(({ kind, name }) => {
    if (kind === "method") return operations.has(name);
    return kind === "query" && described.isQuery && operations.has("query");
  });
}

/** `*` within a segment, `**` for any number of segments; compared decoded, an encoded slash never counts as one. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  const segments = path.slice(1).split("/").map(percentDecoded);
  return path.startsWith("/") && matchesSegments(pattern.segments, segments);
}

/** Goes back to the last ** only: what an earlier one took more of, that one could take as well. */
function matchesSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  let at = 0;
  let from = 0;
  let again: { readonly at: number; from: number } | null = null;
  while (from < segments.length) {
    const wanted = pattern[at];
    if (wanted === "**") {
      at += 1;
      again = { at, from };
    } else if (wanted !== undefined && matchesSegment(wanted, segments[from] ?? "")) {
      at += 1;
      from += 1;
    } else if (again !== null) {
      again.from += 1;
      at = again.at;
      from = again.from;
    } else return false;
  }
  return pattern.slice(at).every((rest) => rest === "**");
}

function matchesSegment(pattern: string, segment: string): boolean {
  const pieces = pattern.split("*");
  if (pieces.length === 1) return pattern === segment;
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (segment.length < first.length + last.length || !segment.startsWith(first) || !segment.endsWith(last)) return false;
  const end = segment.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = segment.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
