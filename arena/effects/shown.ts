import { isUtf8 } from "node:buffer";
import type { Question } from "../../src/index.ts";
import type { Hit } from "./sites.ts";

/** Read back from a question's lines: what somebody who reads them knows of one request. */
export interface ReadRequest {
  readonly method: string;
  readonly url: Literal;
  readonly lines: readonly string[];
}

/** A text in quotes; `of` and `tail` where it is cut. */
interface Literal {
  readonly text: string;
  readonly cut: { readonly shown: number; readonly of: number; readonly tail: string } | null;
}

const LITERAL =
  /"((?:[^"\\]|\\.)*)"(?: \(written right to left\))?(?: \(shown ([\d,]+) of ([\d,]+) characters, ends with "((?:[^"\\]|\\.)*)"\))?/y;
const METHOD = /^[A-Z]{1,20}$/;
/** Names whose values are shown to nobody. */
const SECRET_NAMES = /(^|[._[-])(password|passwd|passphrase|pwd)]?$/i;
const SECRET = "(secret)";

export function requestsOf({ lines }: Question): readonly ReadRequest[] {
  const requests: { method: string; url: Literal; lines: string[] }[] = [];
  for (const line of lines) {
    const [, method, rest] = /^request(?: \d+ of \d+)?: ((?:[A-Z]+|"(?:[^"\\]|\\.)*")) (.*)$/.exec(line) ?? [];
    if (method !== undefined && rest !== undefined) {
      const [url] = literals(rest);
      if (url !== undefined)
        requests.push({ method: METHOD.test(method) ? method : (literals(method)[0]?.text ?? ""), url, lines: [line] });
    } else requests.at(-1)?.lines.push(line);
  }
  return requests;
}

/**
 * What the server received and that request's lines did not say; null when they said it all, or said that something is
 * cut.
 */
export function unsaidBy(read: ReadRequest, question: Question, hit: Hit): string | null {
  if (read.method !== hit.method) return `method ${read.method}`;
  if (!says(read.url, hit.url)) return `address ${read.url.text}`;
  const override = hit.headers["x-http-method-override"];
  if (
    override !== undefined &&
    !read.lines.some((line) => line === `method override: it asks to be treated as ${override}`)
  )
    return `override ${override}`;
  const header = differingHeader(read, hit);
  if (header !== null) return header;
  const isPart = question.lines.some((line) => line.startsWith("this cannot be shown whole"));
  if (isPart && (question.choices.length > 2 || question.effect === "reversible")) return "cut, and waved through";
  const shown = read.lines.flatMap(sayingOf);
  const received = receivedIn(hit);
  const missing: Said[] = [];
  const left = [...shown];
  for (const said of received) {
    const at = left.findIndex((other) => isSame(other, said));
    if (at === -1) missing.push(said);
    else left.splice(at, 1);
  }
  if (left.length > 0) return `shown, but not sent: ${JSON.stringify(left[0])}`;
  const isSaidSo = question.lines.some((line) =>
    /^this cannot be shown whole; left out: .*\d (fields?|texts?|files?)\b/.test(line),
  );
  return missing.length > 0 && !isSaidSo ? `not shown: ${JSON.stringify(missing[0])}` : null;
}

/** Of headers that only a page writes. */
function differingHeader({ lines }: ReadRequest, { headers }: Hit): string | null {
  const said = lines
    .filter((line) => line.startsWith("header: "))
    .map((line) => literals(line.slice("header: ".length)));
  const shown = new Map(said.map(([name, value]) => [name?.text.toLowerCase() ?? "", value?.text ?? ""]));
  const names = [...shown.keys(), ...Object.keys(headers)].filter((name) => name.startsWith("x-"));
  const differing = names.find((name) => shown.get(name) !== headers[name]);
  return differing === undefined ? null : `header ${differing}`;
}

interface Said {
  readonly is: "field" | "file" | "text" | "opaque" | "empty";
  readonly name: string;
  readonly value: Literal;
}

function isSame(shown: Said, received: Said): boolean {
  if (shown.is !== received.is || shown.name !== received.name) return false;
  if (shown.is === "field" && shown.value.text === SECRET && SECRET_NAMES.test(shown.name)) return true;
  return says(shown.value, received.value.text);
}

function says({ text, cut }: Literal, whole: string): boolean {
  if (cut === null) return text === whole;
  return cut.shown === text.length && whole.startsWith(text) && cut.of === whole.length && whole.endsWith(cut.tail);
}

function sayingOf(line: string): readonly Said[] {
  if (/^field, [^:]+: /.test(line)) {
    const [name, ...values] = literals(line.replace(/^field, [^:]+: /, ""));
    return values.map((value) => ({ is: "field", name: name?.text ?? "", value }));
  }
  if (line.startsWith("file: ")) {
    const [name, filename] = literals(line.slice("file: ".length));
    return filename === undefined ? [] : [{ is: "file", name: name?.text ?? "", value: filename }];
  }
  const [, bytes] = /^body: ([\d,]+) bytes?, cannot be inspected$/.exec(line) ?? [];
  if (bytes !== undefined) return [{ is: "opaque", name: "", value: plain(bytes.replaceAll(",", "")) }];
  if (line === "body: empty") return [{ is: "empty", name: "", value: plain("") }];
  return /^body, [^:]+: /.test(line)
    ? literals(line.replace(/^body, [^:]+: /, "")).map((value) => ({ is: "text", name: "", value }))
    : [];
}

/** All texts in quotes of a line that has nothing but them and what joins them. */
function literals(line: string): readonly Literal[] {
  const found: Literal[] = [];
  for (let at = 0; at < line.length; ) {
    LITERAL.lastIndex = at;
    const [all, text, shown, of, tail] = LITERAL.exec(line) ?? [];
    if (all === undefined || text === undefined) return found;
    const cut =
      shown === undefined || of === undefined
        ? null
        : { shown: numberOf(shown), of: numberOf(of), tail: unescaped(tail ?? "") };
    found.push({ text: unescaped(text), cut });
    at = LITERAL.lastIndex;
    const [joint = ""] = /^(?: = |, )/.exec(line.slice(at)) ?? [];
    at += Math.max(joint.length, 1);
  }
  return found;
}

function unescaped(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}

function numberOf(text: string): number {
  return Number(text.replaceAll(",", ""));
}

function plain(text: string): Literal {
  return { text, cut: null };
}

/** Taken apart here once more, by other means than the product's. */
function receivedIn({ headers, body }: Hit): readonly Said[] {
  if (body.length === 0) return [{ is: "empty", name: "", value: plain("") }];
  const type = headers["content-type"] ?? "";
  const said = (is: Said["is"], name: string, value: string): Said => ({ is, name, value: plain(value) });
  if (type.startsWith("application/x-www-form-urlencoded"))
    return [...new URLSearchParams(body.toString())].map(([name, value]) => said("field", name, value));
  if (type.startsWith("multipart/form-data"))
    return partsOf(body, type).map(({ name, filename, value }) =>
      said(filename === null ? "field" : "file", name, filename ?? value),
    );
  if (type.startsWith("application/json"))
    return flat(JSON.parse(body.toString()), "").map(([name, value]) => said("field", name, value));
  if (/^(text\/plain|application\/graphql)/.test(type) && isUtf8(body) && !body.includes(0))
    return [said("text", "", body.toString())];
  return [said("opaque", "", String(body.length))];
}

function partsOf(
  body: Buffer,
  type: string,
): readonly { readonly name: string; readonly filename: string | null; readonly value: string }[] {
  const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? "";
  const parts = body.toString("latin1").split(`--${boundary}`).slice(1, -1);
  const text = (latin: string): string => Buffer.from(latin, "latin1").toString();
  return parts.map((part) => {
    const [head = "", ...rest] = part.slice(2).split("\r\n\r\n");
    const [, name = ""] = /name="([^"]*)"/.exec(head) ?? [];
    const [, filename] = /filename="([^"]*)"/.exec(head) ?? [];
    return {
      name: text(name),
      filename: filename === undefined ? null : text(filename),
      value: text(rest.join("\r\n\r\n").slice(0, -2)),
    };
  });
}

/** Of keys that are plain words only. */
function flat(value: unknown, at: string): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null)
    return [[at, typeof value === "string" ? value : JSON.stringify(value)]];
  const inner = Array.isArray(value)
    ? value.map((each: unknown, index) => [`${at}[${index}]`, each] as const)
    : Object.entries(value).map(([key, each]) => [at === "" ? key : `${at}.${key}`, each as unknown] as const);
  if (inner.length === 0) return [[at, Array.isArray(value) ? "[]" : "{}"]];
  return inner.flatMap(([name, each]) => flat(each, name));
}
