import { parseGraphql } from "./graphql.ts";
import { type Json, membersOf, parseJson } from "./json.ts";
import type { BodyParts } from "./parts.ts";

/** What a request asks a server to run. */
export interface Operation {
  /** `method`: of JSON-RPC. */
  readonly kind: "query" | "mutation" | "subscription" | "method";
  /** Empty for an operation without a name. */
  readonly name: string;
  /** Of GraphQL: the fields of the root that it asks for. */
  readonly fields: readonly string[];
}

export interface Operations {
  /** All that was understood, perhaps not all that there is. */
  readonly found: readonly Operation[];
  /** Everything that the request carries was understood. */
  readonly complete: boolean;
  /** Complete, and GraphQL queries only. */
  readonly readOnly: boolean;
}

/** Where operations may stand in a request. */
export interface OperationSource {
  /** Decoded, in order. */
  readonly query: readonly { readonly name: string; readonly value: string }[];
  readonly parts: BodyParts;
  /** Null where the body is not JSON by its content type. */
  readonly json: Json | null;
  readonly contentType: string;
}

const GRAPHQL_KEYS: ReadonlySet<string> = new Set(["query", "operationName", "variables", "extensions"]);
const RPC_KEYS: ReadonlySet<string> = new Set(["jsonrpc", "method", "id", "params"]);
/** A document that the server has already: what it does is not known here. */
const STORED_KEYS: ReadonlySet<string> = new Set([
  "id",
  "documentid",
  "docid",
  "doc_id",
  "queryid",
  "query_id",
  "hash",
  "sha256hash",
  "persistedquery",
  "extensions",
]);

const NONE: Operations = { found: [], complete: false, readOnly: false };

/** The operations of the address and the body together: servers differ in which of them they take. */
export function operationsOf({ query, parts, json, contentType }: OperationSource): Operations {
  const sources: Operations[] = [];
  const documents = query.filter(({ name }) => name === "query").map(({ value }) => value);
  if (documents.length > 0) {
    const known = query.every(({ name }) => GRAPHQL_KEYS.has(name) && name !== "extensions");
    sources.push(...(known ? [] : [NONE]), ...documents.map(ofDocument));
  } else if (query.some(({ name }) => STORED_KEYS.has(name.toLowerCase()))) sources.push({ ...NONE, complete: true });
  if (parts.kind !== "none") sources.push(ofBody(parts, json, contentType));
  return joined(sources);
}

function ofBody(parts: BodyParts, json: Json | null, contentType: string): Operations {
  if (json !== null) return ofJson(json);
  if (parts.kind === "text") {
    if (/^application\/graphql\b/i.test(contentType)) return parts.whole ? ofDocument(parts.text) : NONE;
    const guessed = parseJson(parts.text);
    // It does not say that it is JSON: what stands in it counts against it, never for it.
    return guessed === null ? NONE : { ...ofJson(guessed), complete: false, readOnly: false };
  }
  const documents = parts.fields.filter(({ name }) => name === "query").map(({ value }) => ofDocument(value));
  const wrapped = parts.fields.filter(({ name }) => name === "operations").map(({ value }) => ofJson(parseJson(value)));
  const known =
    parts.whole &&
    wrapped.length === 0 &&
    parts.fields.every(({ name }) => GRAPHQL_KEYS.has(name) && name !== "extensions");
  return joined([...(known ? [] : [NONE]), ...documents, ...wrapped]);
}

function ofJson(json: Json | null): Operations {
  if (json?.is === "array") return joined(json.items.map(ofCall));
  return json === null ? NONE : ofCall(json);
}

function ofCall(json: Json): Operations {
  const members = membersOf(json);
  if (members === null)
    return json.is === "object"
      ? { ...joined(json.members.map(({ key, value }) => ofLooseMember(key, value))), complete: false, readOnly: false }
      : NONE;
  const document = members.get("query");
  if (document?.is === "string") {
    const operations = ofDocument(document.text);
    return hasOnly(members, GRAPHQL_KEYS) && !isStored(members.get("extensions"))
      ? operations
      : { ...operations, complete: false, readOnly: false };
  }
  const method = members.get("method");
  if (members.get("jsonrpc")?.is !== "string" || method?.is !== "string") return NONE;
  return {
    found: [{ kind: "method", name: method.text, fields: [] }],
    complete: hasOnly(members, RPC_KEYS),
    readOnly: false,
  };
}

/** Of an object with a key that comes twice, which a server may read in two ways: both count. */
function ofLooseMember(key: string, value: Json): Operations {
  return key === "query" && value.is === "string" ? ofDocument(value.text) : NONE;
}

function ofDocument(text: string): Operations {
  const found = parseGraphql(text);
  if (found === null) return NONE;
  return { found, complete: true, readOnly: found.every(({ kind }) => kind === "query") };
}

function isStored(extensions: Json | undefined): boolean {
  if (extensions === undefined || (extensions.is === "word" && extensions.text === "null")) return false;
  const members = membersOf(extensions);
  return members === null || members.has("persistedQuery");
}

function hasOnly(members: ReadonlyMap<string, Json>, keys: ReadonlySet<string>): boolean {
  return [...members.keys()].every((key) => keys.has(key));
}

function joined(sources: readonly Operations[]): Operations {
  return {
    found: sources.flatMap(({ found }) => found),
    complete: sources.length > 0 && sources.every(({ complete }) => complete),
    readOnly: sources.length > 0 && sources.every(({ readOnly }) => readOnly),
  };
}

/** Whether a text that is no document was meant to change something all the same. */
export function looksLikeMutation(text: string): boolean {
  return /\b(?:mutation|subscription)\b[^{]{0,200}\{/.test(text);
}
