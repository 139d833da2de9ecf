import { covers, parseSite, type SiteEntry, shownEntry } from "../entry.ts";
import { canonicalUrl } from "../sites.ts";
import type { Described, VerbName } from "./facts.ts";
import { matchesPath, type PathPattern, pathPattern } from "./path-pattern.ts";
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
  /** All that it asks for beside its path must be among these; null: anything. */
  readonly operations: ReadonlySet<string> | null;
  /** No other parameter may be in the address; null: any, or where `fields` are listed those. */
  readonly query: ReadonlySet<string> | null;
  /** No other field may be there; null: any. `items[].id` stands for every place of a list. */
  readonly fields: ReadonlySet<string> | null;
  /** How often in a session; null: any number of times. */
  readonly max: number | null;
}

/** Requests with an unsafe method that only read, as the operator says. */
export interface ReadLikeEntry {
  readonly site: SiteEntry;
  readonly path: PathPattern;
  /**
   * `query` for GraphQL queries, else what it asks for beside its path: methods of JSON-RPC, names in fields and
   * headers; null: any request of that path.
   */
  readonly operations: ReadonlySet<string> | null;
}

export interface EffectsPolicy {
  readonly allow: readonly EffectEntry[];
  readonly readLike: readonly ReadLikeEntry[];
}

const METHOD = /^[A-Z]{1,20}$/;

type Wrong = (why: string) => Error;

/**
 * Checks the settings once. Throws an `Error` that names the entry: malformed, with an unknown key, or what it seems to
 * say could never match.
 */
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
  const { wrong, entry } = opened(
    "effects.allow",
    given,
    ["site", "method", "path", "operations", "query", "fields", "max"],
    ["site", "method", "path"],
  );
  const method = textIn(entry, "method", wrong);
  if (!METHOD.test(method)) throw wrong("has a method that is not in upper case letters");
  // An address asked by GET may do something, too.
  if (method === "HEAD" || method === "OPTIONS") throw wrong("has a method that changes nothing");
  const max = entry.max;
  if (max !== undefined && (typeof max !== "number" || !Number.isSafeInteger(max) || max < 1))
    throw wrong("has a max that is not a whole number from 1 on");
  return {
    site: siteIn(entry, "effects.allow", wrong),
    method,
    path: pathIn(entry, wrong),
    operations: namesIn(entry, "operations", wrong, false),
    query: namesIn(entry, "query", wrong, true),
    fields: namesIn(entry, "fields", wrong, true),
    max: max ?? null,
  };
}

function parseReadLike(given: unknown): ReadLikeEntry {
  const { wrong, entry } = opened("effects.readLike", given, ["site", "path", "operations"], ["site", "path"]);
  return {
    site: siteIn(entry, "effects.readLike", wrong),
    path: pathIn(entry, wrong),
    operations: namesIn(entry, "operations", wrong, false),
  };
}

function opened(
  list: string,
  given: unknown,
  keys: readonly string[],
  needed: readonly string[],
): { readonly wrong: Wrong; readonly entry: Readonly<Record<string, unknown>> } {
  const shown = shownEntry(typeof given === "string" ? given : (JSON.stringify(given) ?? String(given)));
  const wrong: Wrong = (why) => new Error(`${list}: ${shown} ${why}`);
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw wrong("is not an object with site and path");
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

function textsIn(
  entry: Readonly<Record<string, unknown>>,
  key: string,
  wrong: Wrong,
  mayBeEmpty: boolean,
): readonly string[] {
  const value = entry[key];
  if (!Array.isArray(value)) throw wrong(`has ${key} that are not a list`);
  if (value.length === 0 && !mayBeEmpty) throw wrong(`has no ${key}, which would match nothing`);
  return value.map((item: unknown) => {
    if (typeof item !== "string" || item === "") throw wrong(`has ${key} that are empty or not text`);
    if (item.includes("*")) throw wrong(`has a wildcard in ${key}: name each`);
    return item;
  });
}

function siteIn(
  entry: Readonly<Record<string, unknown>>,
  list: "effects.allow" | "effects.readLike",
  wrong: Wrong,
): SiteEntry {
  const site = textIn(entry, "site", wrong);
  return parseSite(site, list);
}

function pathIn(entry: Readonly<Record<string, unknown>>, wrong: Wrong): PathPattern {
  return pathPattern(textIn(entry, "path", wrong), wrong);
}

function namesIn(
  entry: Readonly<Record<string, unknown>>,
  key: string,
  wrong: Wrong,
  mayBeEmpty: boolean,
): ReadonlySet<string> | null {
  return entry[key] === undefined ? null : new Set(textsIn(entry, key, wrong, mayBeEmpty));
}

/**
 * Whether an entry permits the request. What cannot be inspected never where fields are listed; what cannot be taken
 * back only by a path without wildcards.
 */
export function permitsEffect(entry: EffectEntry, described: Described): boolean {
  // HEAD asks for less than GET does.
  if ((described.method === "HEAD" ? "GET" : described.method) !== entry.method || !isAt(entry, described))
    return false;
  if (described.override !== null && described.override !== entry.method) return false;
  if (described.effect === "irreversible" && !entry.path.isExact) return false;
  if (entry.operations !== null && !hasOnlyNames(described, entry.operations)) return false;
  if (entry.query !== null && !parametersOf(described).every((name) => entry.query?.has(name))) return false;
  return entry.fields === null || hasOnlyFields(described, entry.fields, entry.query === null);
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

function hasOnlyFields({ parts, url }: Described, fields: ReadonlySet<string>, isQueryToo: boolean): boolean {
  if (!parts.whole || parts.kind === "text" || parts.files.length > 0) return false;
  const query = isQueryToo ? parametersOf({ url }) : [];
  return [...parts.fields.map(({ name }) => name), ...query].every(
    (name) => fields.has(name) || fields.has(fieldKind(name)),
  );
}

/** Names of the parameters of its address. */
export function parametersOf({ url }: Pick<Described, "url">): readonly string[] {
  const place = canonicalUrl(url);
  return place.ok ? [...new Set(place.url.searchParams.keys())] : [];
}

/** What a request asks for beside its path; null where not all of it is known. */
export function namesOf({ operation, operations, parts }: Described): readonly string[] | null {
  const named = operation.verbs.filter(({ at }) => at !== "path");
  const isKnown = parts.kind === "none" || parts.kind === "fields" || parts.whole;
  if (!isKnown || (operations === null && named.some(isRun))) return null;
  return [...new Set(named.map(({ name }) => name))];
}

function isRun({ at }: VerbName): boolean {
  return at === "rpc" || at === "graphql";
}

/** At least one, and none that is not listed. */
function hasOnlyNames(described: Described, listed: ReadonlySet<string>): boolean {
  const names = namesOf(described);
  return names !== null && names.length > 0 && names.every((name) => listed.has(name));
}

function hasOnlyOperations({ operations }: ReadLikeEntry, described: Described): boolean {
  if (operations === null) return true;
  if (hasOnlyNames(described, operations)) return true;
  if (described.operations === null || !described.parts.whole) return false;
  return described.operations.every(({ kind, name }) => {
    if (kind === "method") return operations.has(name);
    return kind === "query" && described.isQuery && operations.has("query");
  });
}
