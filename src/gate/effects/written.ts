import { percentDecoded } from "./address.ts";
import type { Described } from "./facts.ts";
import { isReadingName } from "./kinds.ts";
import { isId } from "./operation.ts";
import { isOneSegment } from "./path-pattern.ts";
import { effectsPolicy, isReadLike, namesOf, parametersOf, permitsEffect } from "./policy.ts";
import { isSeriousSlot, ordersChange, seriousVerbOf } from "./signs.ts";

/** What an entry of `effects.allow` or `effects.readLike` says in one line. */
export interface Written {
  readonly method: string;
  readonly site: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly operations?: readonly string[];
}

/**
 * `POST https://shop.test/cart/*`, then `?id&qty` for the only parameters, then names of operations, all of them
 * percent-encoded.
 */
const WRITTEN = /^(?:([A-Z]{1,20}) )?((?:https?:\/\/)?[^/\s]+)(\/[^\s?]*)(?:\?(\S*))?((?: \S+)*)$/;
const MAX_PATH_CHARS = 1_500;
/** Beyond that an entry leaves out what it can do without. */
const MAX_NAMES_CHARS = 300;
const METHOD = /^[A-Z]{1,20}$/;

/** Null: it is no such line. */
export function readWritten(line: string): Written | null {
  const [, method = "", site, path, query, operations = ""] = WRITTEN.exec(line) ?? [];
  if (site === undefined || path === undefined) return null;
  // With values it is no list of names: whoever checks the path says so.
  const isNames = query !== undefined && query !== "" && !query.includes("=");
  return {
    method,
    site,
    path: query === undefined || isNames ? path : `${path}?${query}`,
    ...(isNames && { query: query.split("&").map(percentDecoded) }),
    ...(operations !== "" && { operations: operations.slice(1).split(" ").map(percentDecoded) }),
  };
}

/**
 * The entry of `effects.allow` that permits this and as little else as can be, whatever its characters; null where
 * there is none.
 */
export function allowLine(described: Described): string | null {
  const { origin, path, effect, url } = described;
  const method = described.method === "HEAD" ? "GET" : described.method;
  if (origin === null || !METHOD.test(method)) return null;
  const place = placeLine(origin, path, effect !== "irreversible");
  const parameters = parametersOf({ url });
  const query = parameters.length === 0 || parameters.includes("") ? "" : `?${parameters.map(written).join("&")}`;
  const names = namesLine(namesOf(described) ?? []);
  const lines = [`${method} ${place}${query}${names}`, `${method} ${place}${names}`, `${method} ${place}`];
  return lines.find((line) => line.length <= place.length + MAX_NAMES_CHARS && permits(line, described)) ?? null;
}

/** The one for all that a page may load from there. */
export function hostLine({ method, origin }: Pick<Described, "method" | "origin">): string | null {
  return origin === null || !METHOD.test(method) ? null : `${method} ${origin}/**`;
}

/** The one for a socket, as the GET that it begins with. */
export function socketLine(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname } = new URL(url);
  return `GET ${placeLine(`${protocol.replace(/^ws/, "http")}//${host}`, pathname, true)}`;
}

/** The entry of `effects.readLike` for an operation that by its names may only read; null where they do not say so. */
export function readLikeLine(described: Described): string | null {
  const { origin, path, method, override, isGraphql, isQuery, operation, parts } = described;
  if (origin === null || method !== "POST" || override !== null || parts.files.length > 0) return null;
  const names = isQuery ? ["query"] : namesOf(described);
  if (names === null || names.length === 0 || seriousVerbOf(described, operation) !== null) return null;
  if (operation.slots.some((slot) => isSeriousSlot(slot, false))) return null;
  const isStored = operation.verbs.some(({ at }) => at === "stored");
  const telling = operation.verbs.filter(({ at }) => at !== "path" && at !== "stored").map(({ name }) => name);
  if (telling.some(ordersChange) || (isGraphql && !isQuery && !isStored)) return null;
  if (!isQuery && !telling.some(isReadingName)) return null;
  const place = placeLine(origin, path, true);
  const line = `${place}${namesLine(names)}`;
  if (line.length > place.length + MAX_NAMES_CHARS) return null;
  const read = readWritten(line);
  return read !== null &&
    matches(() =>
      isReadLike(
        effectsPolicy({ readLike: [{ site: read.site, path: read.path, operations: read.operations }] }),
        described,
      ),
    )
    ? line
    : null;
}

/**
 * Ids are general where that may be; what a wildcard does not match, and what is too long, is written as it is or left
 * open.
 */
function placeLine(origin: string, path: string, isGeneral: boolean): string {
  const segments = path
    .slice(1)
    .split("/")
    .map((segment) => (isGeneral && isAny(segment) ? "*" : plain(segment)));
  if (`/${segments.join("/")}`.length <= MAX_PATH_CHARS || !isGeneral) return `${origin}/${segments.join("/")}`;
  const kept: string[] = [];
  for (const segment of segments) {
    if (kept.join("/").length + segment.length > MAX_PATH_CHARS) break;
    kept.push(segment);
  }
  return `${origin}/${[...kept, "**"].join("/")}`;
}

function isAny(segment: string): boolean {
  return segment === "*" || (isId(percentDecoded(segment)) && isOneSegment(segment));
}

/** Encoded already, but for what means something to a shell or in an entry. */
function plain(segment: string): string {
  return segment.replace(/[^\w.~%-]/g, encoded);
}

function namesLine(names: readonly string[]): string {
  return names.map((name) => ` ${written(name)}`).join("");
}

function written(name: string): string {
  return name.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[^\w.~-]/gu, encoded);
}

function encoded(sign: string): string {
  return /[!'()*~]/.test(sign) ? `%${sign.charCodeAt(0).toString(16).toUpperCase()}` : encodeURIComponent(sign);
}

function permits(line: string, described: Described): boolean {
  const read = readWritten(line);
  if (read === null) return false;
  return matches(() => effectsPolicy({ allow: [read] }).allow.some((entry) => permitsEffect(entry, described)));
}

/** What no entry can name is named by none. */
function matches(does: () => boolean): boolean {
  try {
    return does();
  } catch {
    return false;
  }
}
