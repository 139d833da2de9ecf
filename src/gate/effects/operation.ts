import type { Address } from "./address.ts";
import type { RequestOperation, Slot, VerbName } from "./facts.ts";
import { isIrreversibleCommand } from "./irreversible.ts";
import { flattenJson, parseJson } from "./json.ts";
import type { Operation } from "./operations.ts";
import type { BodyField, BodyParts } from "./parts.ts";
import type { Polled } from "./polling.ts";
import { lastKey } from "./shape.ts";
import { ordersChange } from "./signs.ts";
import { NOUNS } from "./verbs.ts";
import { wordsOf } from "./words.ts";

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
    "operationname persistedqueryname queryname fbapireqfriendlyname friendlyname descriptor actionname methodname todo submit commit button btn step job " +
    "commandname commandtype operationtype actiontype requesttype mutationname"
  ).split(" "),
);
const VERB_IN_NAME = /^(?:do|action|act|op|cmd|command|submit|button|btn|task)[[:.]([A-Za-z][\w-]*)\]?$/i;
/** What was pressed, as forms name their buttons: `btnDelete`, `ctl00$Main$lnkRemove`, `form:deleteButton`. */
const PRESSED =
  /^(?:btn|button|cmd|bt|lnk|link|submit)[_-]?([A-Z][A-Za-z]*|[a-z]+)$|^([A-Za-z]+?)[_-]?(?:Btn|Button|_btn|_button)$/;
/** Names a kind of thing, or of message: a verb where the value is one, or where one program takes them all. */
const TYPE_KEYS: ReadonlySet<string> = new Set("type kind event msg message name t".split(" "));
/**
 * Of these the value names a document that a server has: with another value another thing happens, and nothing says
 * what.
 */
const STORED_KEYS: ReadonlySet<string> = new Set(
  "docid documentid queryid sha256hash hash persistedquery queryhash".split(" "),
);
/** Headers by which servers choose what they do. */
const VERB_HEADER =
  /^(?:next-action|soapaction|x-amz-target|destination|overwrite|action|x-[a-z-]*(?:action|operation|command|method|target)|rpc-method|hx-trigger-name|turbo-frame)$/i;
const EXTENSION =
  /\.(?:php\d?|phtml|aspx?|ashx|asmx|svc|jspx?|jsf|do|action|cgi|pl|py|rb|html?|xhtml|json|xml|cfm|dll|exe|owa)$/i;
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
  const headers = written
    .filter(([name]) => VERB_HEADER.test(name))
    .map(([, value]): VerbName => ({ at: "header", name: value }));
  const isPaging = fields.some(turnsPage);
  const isOne = isDispatcher(address?.segments.at(-1) ?? "");
  const named = [
    ...query.flatMap((one) => verbsIn(one, "query")),
    ...fields
      .filter(({ name }) => !(isPaging && USED_CONTROL.test(name)))
      .flatMap((one) => [...verbsIn(one, "field"), ...typesIn(one, isOne || polled !== null)]),
  ];
  const ran = operations.flatMap(({ kind, name, fields: roots }): readonly VerbName[] =>
    kind === "method"
      ? [{ at: "rpc", name }]
      : [...(name === "" ? [] : [name]), ...roots].map((one) => ({ at: "graphql", name: one })),
  );
  const events = (polled?.events ?? []).map((name): VerbName => ({ at: "rpc", name: name.slice(0, MAX_VERB_CHARS) }));
  const last = path.at(-1);
  const isPolled = polled !== null && isTransportPlace(path);
  // Of a transport the path says nothing of what is sent over it.
  const verbs = [
    ...ran,
    ...events,
    ...headers,
    ...named,
    ...(last === undefined || isPolled ? [] : [{ at: "path", name: last } as const]),
  ];
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
    isDispatcher: isPolled || isOne,
    isTransport: isPolled && events.length === 0,
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
function isTransportPlace(path: readonly string[]): boolean {
  const last = path.at(-1) ?? "";
  if (/^(?:handshake|connect|subscribe|unsubscribe|disconnect)$/.test(last))
    return BAYEUX_PLACE.test(path.at(-2) ?? "");
  return TRANSPORT_PLACE.test(last) || BAYEUX_PLACE.test(last);
}

const BAYEUX_PLACE = /^(?:cometd|bayeux|faye)$/i;
const TRANSPORT_PLACE =
  /^(?:(?:socket|engine)\.?io|primus[\w-]*|signalr|sockjs|xhr(?:_streaming|_send)?|[\w-]*hub|realtime|(?:long)?poll(?:ing)?)$/i;

/** Identifiers of a path: what machines give, with digits or signs in it. Null stands for one. */
function pathName(segment: string): { readonly name: string | null } {
  const plain = segment.replace(/;.*$/, "").replace(EXTENSION, "");
  return { name: isId(plain) ? null : plain };
}

/** Whether a name in an address or a value stands for one thing among many. */
export function isId(text: string): boolean {
  if (text === "" || /^v\d+(?:\.\d+)?$/i.test(text)) return text === "";
  if (/^\d+$/.test(text) || text.includes("=") || /^[A-Z][A-Z\d]{1,9}-\d+$/.test(text)) return true;
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
  const [, changed] = CHANGED_ROWS.exec(name) ?? [];
  if (changed !== undefined) return [{ at, name: changed }];
  // A control is named by where it stands; the last part says what it does.
  if (USED_CONTROL.test(name) && value !== "")
    return [{ at, name: pressedIn(lastControl(value)) ?? lastControl(value) }];
  const pressed = value === "" || value === "false" || value === "0" ? null : pressedIn(lastControl(name));
  if (pressed !== null) return [{ at, name: pressed.slice(0, MAX_VERB_CHARS) }];
  if (!VERB_KEYS.has(key) || value === "" || value.length > MAX_VERB_CHARS || wordsOf(value).length > MAX_VERB_WORDS)
    return [];
  return [{ at, name: value }];
}

/** Rows that a table sends back in one go, by what became of them. */
const CHANGED_ROWS = /^(created|updated|deleted|destroyed|inserted|removed)\[/i;
/** Which control of a page that posts itself was used. */
const USED_CONTROL = /^(?:__EVENTTARGET|javax\.faces\.source)$/;

/** A list that is paged or sorted by posting its page. */
export function turnsPage({ name, value }: BodyField): boolean {
  return name === "__EVENTARGUMENT" && /^(?:Page|Sort)\$/.test(value);
}

/** `ctl00$Main$grid$btnDelete`, `form:deleteBtn`: its own name. */
function lastControl(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("$"), name.lastIndexOf(":")) + 1).replace(/\[[^\]]*\]$/, "");
}

/** What the control of that name does; null where it is no button and orders nothing. */
function pressedIn(control: string): string | null {
  const [, behind, before] = PRESSED.exec(control) ?? [];
  if (behind !== undefined || before !== undefined) return behind ?? before ?? null;
  return isIrreversibleCommand(control) && wordsOf(control).length <= 2 && !NOUNS.has(control.toLowerCase())
    ? control
    : null;
}

/** The type of a message that says what to do. `isOne`: one program takes all types. */
function typesIn({ name, value }: BodyField, isOne: boolean): readonly VerbName[] {
  if (!TYPE_KEYS.has(lastKey(name)) || value === "" || value.length > MAX_TYPE_CHARS || /\s/.test(value)) return [];
  const isTop = !/[.[]/.test(name.replace(/^\[\d+\]\.?/, ""));
  return isTop && (isOne || (wordsOf(value).length > 1 && ordersChange(value))) ? [{ at: "field", name: value }] : [];
}

const MAX_TYPE_CHARS = 60;

/** A field whose value is JSON holds fields of its own. */
function withNested(field: BodyField): readonly BodyField[] {
  const text = field.value.trimStart();
  if ((text[0] !== "{" && text[0] !== "[") || text.length > MAX_NESTED_CHARS) return [field];
  const json = parseJson(field.value);
  const inner = json === null ? null : flattenJson(json);
  if (inner === null || inner.length === 0) return [field];
  return inner.map(({ name, value }) => ({
    name: `${field.name}${name.startsWith("[") || name === "" ? "" : "."}${name}`,
    value,
  }));
}

function slotsOf(
  { address, polled, written }: OperationFacts,
  parts: BodyParts,
  query: readonly BodyField[],
  fields: readonly BodyField[],
): readonly Slot[] {
  const ids = (address?.segments ?? []).filter((segment) => pathName(segment).name === null);
  const isBytes = parts.kind === "opaque" || (parts.kind === "text" && fields.length === 0 && polled === null);
  return [
    ...ids.map((value, at) => ({ name: `path {${at}}`, value })),
    ...query.map(({ name, value }) => ({ name: `?${name}`, value })),
    ...fields,
    ...parts.files.map(({ name, filename }) => ({ name: `file ${name}`, value: filename })),
    ...(isBytes
      ? [{ name: parts.kind, value: parts.kind === "text" && parts.whole ? parts.text : (parts.digest ?? "unknown") }]
      : []),
    ...written.map(([name, value]) => ({ name: `header ${name.toLowerCase()}`, value })),
  ];
}
