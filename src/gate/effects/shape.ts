import type { Address } from "./address.ts";
import type { Operation } from "./operations.ts";
import type { BodyField, BodyParts } from "./parts.ts";
import { COMMAND_KEYS } from "./verbs.ts";

/** Parameters that name a stored document: with another value another thing happens. */
const STORED_KEYS: ReadonlySet<string> = new Set(["docid", "documentid", "queryid", "sha256hash", "operationname", "query"]);

export interface ShapeFacts {
  readonly method: string;
  readonly address: Address | null;
  readonly contentType: string;
  readonly parts: BodyParts;
  /** Of the body, those of a text that reads as JSON included. */
  readonly fields: readonly BodyField[];
  readonly operations: readonly Operation[];
}

/** The name without places in lists: `items[3].id` is `items[].id`. */
export function fieldKind(name: string): string {
  return name.replace(/\[\d+\]/g, "[]");
}

/** The last key of a path through JSON or through brackets, in lower case without punctuation. */
export function lastKey(name: string): string {
  const [last = ""] = /[^.[\]"]+(?=[\]"\d[]*$)/.exec(name.slice(-200)) ?? [];
  return last.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Two requests of one shape differ in values only that do not say what is to be done. Bodies that cannot be taken apart are of one shape only when they
 * are the same bytes, and those whose bytes are not known are all of one: nothing passes because of it.
 */
export function shapeOf({ method, address, contentType, parts, fields, operations }: ShapeFacts): string {
  const query = (address?.query ?? []).map((field) => `?${shown(field)}`);
  const named = fields.map(shown);
  const files = parts.files.map(({ name }) => `file ${name}`);
  const isBytes = parts.kind === "opaque" || (parts.kind === "text" && fields.length === 0);
  const rest = isBytes ? [`${parts.kind} ${parts.digest ?? "unknown"}`] : [];
  const runs = operations.map(({ kind, name, fields: of }) => `${kind} ${name} ${of.join(",")}`);
  return JSON.stringify([
    method,
    address?.place.origin ?? null,
    address?.place.url.pathname ?? null,
    contentType.replace(/boundary=[^;]*/i, ""),
    sorted([...query, ...named, ...files]),
    [...rest, ...runs],
  ]);
}

function shown({ name, value }: BodyField): string {
  const key = lastKey(name);
  const says = COMMAND_KEYS.has(key) || STORED_KEYS.has(key) || key === "method";
  return says ? `${fieldKind(name)}=${value}` : fieldKind(name);
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
