import { siteOf } from "../gate/index.ts";
import { count, plainOr, quoted, type Shown, several } from "./escape.ts";
import type { Fact } from "./fit.ts";
import { hostShown, placeLines } from "./place.ts";

const METHOD = /^[A-Z]{1,20}$/;
const OPERATION_KIND = /^[a-z]{1,20}$/;
const MAX_WORD_CHARS = 80;
/** Names are shown longer only where addresses and values are. */
const MAX_NAME_CHARS = 200;
const MIN_ADDRESS_CHARS = 300;
/** Values of one name that come one after another share lines of about this length, from this many on. */
const FEWEST_TOGETHER = 4;
const TOGETHER_CHARS = 400;
/** More could never be shown, and none of them is looked at. */
const MAX_VALUES = 4_000;
const DIGEST_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Where a value comes from, as far as its text tells. */
export type ValueSource = "task" | "agent" | "page";

const SOURCES: Readonly<Record<ValueSource, string>> = {
  task: "in the task",
  agent: "typed by the agent",
  page: "from the page",
};

/** A held request, as far as it is shown. Strings are as they will be sent; what must stay secret comes masked. */
export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  /** The method it asks to be treated as. */
  readonly override: string | null;
  /** Of GraphQL and JSON-RPC. */
  readonly operations: readonly { readonly kind: string; readonly name: string }[] | null;
  /**
   * What else there is to know of it, a line each: who sends it and when, where that is not plainly what the agent did.
   * Fixed words.
   */
  readonly notes: readonly string[];
  /** Headers that the page wrote. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly files: readonly { readonly name: string; readonly filename: string; readonly bytes: number }[];
  /** A body that is a text without fields. */
  readonly text: string | null;
  /** Length of a body, or of its part, that cannot be inspected. */
  readonly opaqueBytes: number | null;
  /** SHA-256 in hex of the body; null without a body, or when not all of it is known. */
  readonly bodyDigest: string | null;
  /** Address of the document that asks; null when it is not known. */
  readonly documentUrl: string | null;
  readonly credentials: boolean;
}

export interface RequestShown {
  readonly facts: readonly Fact[];
  /** Addresses, names and values of which not all is shown. */
  readonly cuts: number;
  /** Every byte of the body stands in a line, or would if lines were longer. */
  readonly isInspected: boolean;
}

/** One fact a line, in this order; `limit`: characters of a value or an address in a line. */
export function requestFacts(
  request: AskedRequest,
  at: { readonly number: number; readonly of: number },
  sourceOf: (value: string) => ValueSource,
  limit: number,
): RequestShown {
  let cuts = 0;
  const counted = (shown: Shown): string => {
    if (shown.cut) cuts += 1;
    return shown.line;
  };
  const value = (text: string): string => counted(quoted(text, limit));
  const name = (text: string): string => counted(quoted(text, Math.min(limit, MAX_NAME_CHARS)));
  const facts: Fact[] = [];
  const add = (kind: Fact["kind"], line: string, holds = 1): void =>
    void facts.push({ line, kind, holds, isPlace: kind === "request" || kind === "fact" });

  const place = placeLines(request.url);
  const number = at.of === 1 ? "" : ` ${at.number} of ${at.of}`;
  add(
    "request",
    `request${number}: ${plainOr(request.method, METHOD, MAX_WORD_CHARS)} ${counted(quoted(request.url, Math.max(limit, MIN_ADDRESS_CHARS)))}`,
  );
  for (const line of [...place.lines, ...crossSite(request)]) add("fact", line);
  for (const note of request.notes) add("fact", note);
  if (request.credentials) add("fact", "credentials: cookies or a sign-in go with it");
  if (request.override !== null)
    add("fact", `method override: it asks to be treated as ${plainOr(request.override, METHOD, MAX_WORD_CHARS)}`);
  for (const operation of request.operations ?? []) {
    add("operation", `operation: ${plainOr(operation.kind, OPERATION_KIND, MAX_WORD_CHARS)} ${name(operation.name)}`);
  }
  for (const header of request.headers) add("header", `header: ${name(header.name)} = ${value(header.value)}`);
  for (const group of grouped(request.fields, sourceOf)) {
    const values = group.values.map(value);
    for (const some of packed(values))
      add("field", `field, ${SOURCES[group.source]}: ${name(group.name)} = ${some.join(", ")}`, some.length);
  }
  if (request.fields.length > MAX_VALUES)
    add("field", "more fields than can be shown", request.fields.length - MAX_VALUES);
  for (const file of request.files)
    add(
      "file",
      `file: ${name(file.name)} = ${value(file.filename)}, ${several(file.bytes, "byte")}, cannot be inspected`,
    );
  if (request.text !== null) add("body", `body, ${SOURCES[sourceOf(request.text)]}: ${value(request.text)}`);
  const isShown = request.fields.length + request.files.length > 0 || request.text !== null;
  const isEmpty = request.bodyDigest === null || request.bodyDigest === DIGEST_OF_NOTHING;
  if (request.opaqueBytes !== null) add("body", `body: ${several(request.opaqueBytes, "byte")}, cannot be inspected`);
  else if (!isShown) add("body", isEmpty ? "body: empty" : "body: cannot be inspected");
  const isInspected =
    place.isKnown &&
    request.opaqueBytes === null &&
    request.files.length === 0 &&
    (isShown || isEmpty) &&
    request.fields.length <= MAX_VALUES;
  return { facts, cuts, isInspected };
}

/** Names that come more than once, with how often. */
export function repeatedNames(requests: readonly AskedRequest[]): readonly (readonly [name: string, times: number])[] {
  const counts = new Map<string, number>();
  for (const { fields } of requests) for (const { name } of fields) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, times]) => times > 1);
}

export function repeatedLine(name: string, times: number): string {
  return `repeated field ${quoted(name, MAX_WORD_CHARS).line}: ${count(times)} values`;
}

function crossSite({ url, documentUrl }: AskedRequest): readonly string[] {
  if (documentUrl === null) return ["asked by: no document is known"];
  const from = siteOf(documentUrl);
  const to = siteOf(url);
  if (from !== null && from === to) return [];
  return [
    `cross-site: a page of ${from === null ? "no site" : hostShown(from)} sends this to ${to === null ? "no site" : hostShown(to)}`,
  ];
}

interface Group {
  readonly name: string;
  readonly source: ValueSource;
  readonly values: string[];
}

/** Neighbours of one name and one source. */
function grouped(fields: AskedRequest["fields"], sourceOf: (value: string) => ValueSource): readonly Group[] {
  const groups: Group[] = [];
  for (const { name, value } of fields.slice(0, MAX_VALUES)) {
    const source = sourceOf(value);
    const last = groups.at(-1);
    if (last?.name === name && last.source === source) last.values.push(value);
    else groups.push({ name, source, values: [value] });
  }
  return groups;
}

function packed(values: readonly string[]): readonly (readonly string[])[] {
  if (values.length < FEWEST_TOGETHER) return values.map((value) => [value]);
  const lines: string[][] = [];
  let length = TOGETHER_CHARS;
  for (const value of values) {
    const last = lines.at(-1);
    if (last === undefined || length + value.length > TOGETHER_CHARS) {
      lines.push([value]);
      length = value.length;
    } else {
      last.push(value);
      length += value.length + 2;
    }
  }
  return lines;
}
