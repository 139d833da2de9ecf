import type { Address } from "./address.ts";
import { flattenJson, parseJson } from "./json.ts";
import type { Operation } from "./operations.ts";
import type { BodyField, BodyParts } from "./parts.ts";
import type { Polled } from "./polling.ts";
import { lastKey } from "./shape.ts";
import { wordsOf } from "./words.ts";

/** Where an application says what it wants done. */
export type VerbPlace = "path" | "query" | "field" | "header" | "rpc" | "graphql" | "stored";

/** One name of what is to be done. */
export interface VerbName {
  readonly at: VerbPlace;
  readonly name: string;
}

/** One value that a request carries; of a list each place is a slot of its own, so that a longer list is another one. */
export interface Slot {
  readonly name: string;
  readonly value: string;
}

/** A request as what it asks for: which operation, with which values. Two requests of one `key` differ in their slots only. */
export interface RequestOperation {
  readonly key: string;
  /** The operation's own names, the most telling first: what a field, header or document says, then the path. */
  readonly verbs: readonly VerbName[];
  /** Literal segments of the path, ids left out, in order. */
  readonly path: readonly string[];
  /** The path ends in a program that takes its verb from elsewhere: `index.php`, `/api`, `/rpc`. */
  readonly isDispatcher: boolean;
  /** Nothing but packets of a polling transport itself: pings, subscriptions, the wait for the next message. */
  readonly isTransport: boolean;
  /** An id stands in front of the last literal segment. */
  readonly hasIdBefore: boolean;
  readonly slots: readonly Slot[];
}

export interface OperationFacts {
  readonly method: string;
  readonly address: Address | null;
  readonly contentType: string;
  readonly parts: BodyParts;
  /** Of the body, those of a text that reads as JSON included. */
  readonly fields: readonly BodyField[];
  readonly operations: readonly Operation[];
  readonly polled: Polled | null;
  /** Headers that a page wrote. */
  readonly written: readonly (readonly [name: string, value: string])[];
}

/** Names of parameters and fields that say what is to be done, in lower case without punctuation. */
const VERB_KEYS: ReadonlySet<string> = new Set(
  (
    "action act do op operation operations cmd command task event intent verb method func function fn rpc route call api procedure mutation oper mode " +
    "operationname persistedqueryname queryname fbapireqfriendlyname friendlyname descriptor actionname methodname todo submit commit button btn step job"
  ).split(" "),
);
const VERB_IN_NAME = /^(?:do|action|act|op|cmd|command|submit|button|btn|task)[[:.]([A-Za-z][\w-]*)\]?$/i;
/** Of these the value names a document that a server has: with another value another thing happens, and nothing says what. */
const STORED_KEYS: ReadonlySet<string> = new Set("docid documentid queryid sha256hash hash persistedquery queryhash".split(" "));
/** Headers by which servers choose what they do. */
const VERB_HEADER =
  /^(?:next-action|soapaction|x-amz-target|destination|overwrite|action|x-[a-z-]*(?:action|operation|command|method|target)|rpc-method|hx-trigger-name|turbo-frame)$/i;
const EXTENSION = /\.(?:php\d?|phtml|aspx?|ashx|asmx|svc|jspx?|jsf|do|action|cgi|pl|py|rb|html?|xhtml|json|xml|cfm|dll|exe|owa)$/i;
const MAX_VERB_CHARS = 160;
const MAX_VERB_WORDS = 12;
const MAX_NESTED_CHARS = 200_000;

/** The operation of a request. Pure and total. */
export function operationOf(facts: OperationFacts): RequestOperation {
  const { method, address, contentType, parts, operations, polled, written } = facts;
  const fields = facts.fields.flatMap(withNested);
  const query = (address?.query ?? []).flatMap(withNested);
  const segments = (address?.segments ?? []).map(pathName);
  const path = segments.flatMap(({ name }) => (name === null ? [] : [name]));
  const lastAt = segments.findLastIndex(({ name }) => name !== null);
  const headers = written.filter(([name]) => VERB_HEADER.test(name)).map(([, value]): VerbName => ({ at: "header", name: value }));
  const named = [...query.flatMap((one) => verbsIn(one, "query")), ...fields.flatMap((one) => verbsIn(one, "field"))];
  const ran = operations.flatMap(({ kind, name, fields: roots }): readonly VerbName[] =>
    kind === "method" ? [{ at: "rpc", name }] : [...(name === "" ? [] : [name]), ...roots].map((one) => ({ at: "graphql", name: one })),
  );
  const events = (polled?.events ?? []).map((name): VerbName => ({ at: "rpc", name: name.slice(0, MAX_VERB_CHARS) }));
  const last = path.at(-1);
  const verbs = [...ran, ...events, ...headers, ...named, ...(last === undefined ? [] : [{ at: "path", name: last } as const])];
  return {
    key: JSON.stringify([
      method,
      address?.place.origin ?? null,
      segments.map(({ name }) => name ?? "{}"),
      contentType.replace(/;.*$/, "").trim().toLowerCase(),
      operations.map(({ kind, name, fields: roots }) => [kind, name, ...roots]),
      [...events, ...headers, ...named].map(({ at, name }) => `${at} ${name}`).sort(),
    ]),
    verbs,
    path,
    isDispatcher: (polled !== null && isTransportPlace(last)) || isDispatcher(address?.segments.at(-1) ?? ""),
    isTransport: polled !== null && events.length === 0 && isTransportPlace(last),
    hasIdBefore: segments.some(({ name }, at) => name === null && at < lastAt),
    slots: slotsOf(facts, parts, query, fields),
  };
}

/** Words of which the name of a program is made that does what a field or a header tells it. */
const DISPATCHERS: ReadonlySet<string> = new Set(
  "api ajax rpc jsonrpc xmlrpc index admin aura gateway service services svc graphql gql owa doku main app handler dispatch dispatcher endpoint controller call action exec web wp v".split(
    " ",
  ),
);

function isDispatcher(segment: string): boolean {
  const plain = segment.replace(/;.*$/, "");
  if (EXTENSION.test(plain)) return true;
  return wordsOf(plain).every((word) => DISPATCHERS.has(word));
}

/** Where such transports are at home: a body of their form elsewhere is anything. */
function isTransportPlace(last: string | undefined): boolean {
  return /^(?:(?:socket|engine)\.?io|primus[\w-]*|cometd|bayeux|faye|signalr|sockjs|xhr(?:_streaming|_send)?|[\w-]*hub|realtime|(?:long)?poll(?:ing)?)$/i.test(
    last ?? "",
  );
}

/** Identifiers of a path: what machines give, with digits or signs in it. Null stands for one. */
function pathName(segment: string): { readonly name: string | null } {
  const plain = segment.replace(/;.*$/, "").replace(EXTENSION, "");
  return { name: isId(plain) ? null : plain };
}

/** Whether a name in an address or a value stands for one thing among many. */
export function isId(text: string): boolean {
  if (text === "" || /^v\d+(?:\.\d+)?$/i.test(text)) return text === "";
  if (/^\d+$/.test(text) || text.includes("=")) return true;
  // `google.internal.people.v2.Service`: the name of a service.
  if (/^\p{L}[\p{L}\d]*(?:\.\p{L}[\p{L}\d]*){2,}$/u.test(text)) return false;
  // Letters and digits mixed are an id; a word with a number at its end ("log204", "v2beta") is a name.
  return /\d/.test(text) && !/^\p{L}[\p{L}_.$-]*\d{0,3}$/u.test(text);
}

function verbsIn({ name, value }: BodyField, at: "query" | "field"): readonly VerbName[] {
  const key = lastKey(name);
  if (STORED_KEYS.has(key)) return [{ at: "stored", name: value.slice(0, MAX_VERB_CHARS) }];
  // `?ui-force.RecordUi.getRecord=1`, `?logout`: the name itself says it.
  const isBare = value === "" || ((value === "1" || value === "true") && /[.:/]/.test(name));
  if (at === "query" && isBare && /[a-z]/i.test(name)) return [{ at, name: name.slice(0, MAX_VERB_CHARS) }];
  // `do[save]=Save`, `action:delete=…`: the verb stands in the name of what was pressed.
  const [, inName] = VERB_IN_NAME.exec(name) ?? [];
  if (inName !== undefined) return [{ at, name: inName.slice(0, MAX_VERB_CHARS) }];
  if (!VERB_KEYS.has(key) || value === "" || value.length > MAX_VERB_CHARS || wordsOf(value).length > MAX_VERB_WORDS) return [];
  return [{ at, name: value }];
}

/** A field whose value is JSON holds fields of its own. */
function withNested(field: BodyField): readonly BodyField[] {
  const text = field.value.trimStart();
  if ((text[0] !== "{" && text[0] !== "[") || text.length > MAX_NESTED_CHARS) return [field];
  const json = parseJson(field.value);
  const inner = json === null ? null : flattenJson(json);
  if (inner === null || inner.length === 0) return [field];
  return inner.map(({ name, value }) => ({ name: `${field.name}${name.startsWith("[") || name === "" ? "" : "."}${name}`, value }));
}

function slotsOf({ address, polled, written }: OperationFacts, parts: BodyParts, query: readonly BodyField[], fields: readonly BodyField[]): readonly Slot[] {
  const ids = (address?.segments ?? []).filter((segment) => pathName(segment).name === null);
  const isBytes = parts.kind === "opaque" || (parts.kind === "text" && fields.length === 0 && polled === null);
  return [
    ...ids.map((value, at) => ({ name: `path {${at}}`, value })),
    ...query.map(({ name, value }) => ({ name: `?${name}`, value })),
    ...fields,
    ...parts.files.map(({ name, filename }) => ({ name: `file ${name}`, value: filename })),
    ...(isBytes ? [{ name: parts.kind, value: parts.kind === "text" && parts.whole ? parts.text : (parts.digest ?? "unknown") }] : []),
    ...written.map(([name, value]) => ({ name: `header ${name.toLowerCase()}`, value })),
  ];
}
