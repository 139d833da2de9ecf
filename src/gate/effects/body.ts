import type { Body } from "../../types.ts";
import { type ContentType, contentTypeOf } from "./content-type.ts";
import { headerOf } from "./headers.ts";
import { flattenJson, type Json, parseJson } from "./json.ts";
import { parseMultipart } from "./multipart.ts";
import { type BodyParts, MAX_READ_BYTES, type Parsed, textOf } from "./parts.ts";
import { parseUrlencoded } from "./urlencoded.ts";

const NOTHING: BodyParts = { kind: "none", fields: [], files: [], text: "", bytes: 0, digest: null, whole: true };

/**
 * Reads a body by what its content type says it is; what is not exactly that is `opaque`, never guessed. `headers`: a
 * content-encoding makes it opaque. Never throws. At most `MAX_READ_BYTES` are parsed, contents of files aside, which
 * are only measured.
 */
export function readBody(body: Body, headers: Readonly<Record<string, string>> = {}): BodyParts {
  return readWithJson(body, headers).parts;
}

/** The same with the tree, where it is JSON by its content type. */
export function readWithJson(
  body: Body,
  headers: Readonly<Record<string, string>>,
): { readonly parts: BodyParts; readonly json: Json | null } {
  switch (body.kind) {
    case "none":
      return { parts: NOTHING, json: null };
    case "bytes": {
      const encoding = headerOf(headers, "content-encoding");
      const isPlain = encoding === null || encoding.trim().toLowerCase() === "identity";
      const { json = null, ...read } =
        (isPlain ? readBytes(body.bytes, contentTypeOf(body.contentType)) : null) ?? opaque();
      return { parts: { ...read, bytes: body.bytes.length, digest: body.digest }, json };
    }
    case "opaque":
      return { parts: { ...opaque(), bytes: body.knownBytes, digest: null }, json: null };
    default:
      body satisfies never;
      return { parts: { ...opaque(), bytes: 0, digest: null }, json: null };
  }
}

type Read = Omit<BodyParts, "bytes" | "digest"> & { readonly json?: Json };

function opaque(): Read {
  return { kind: "opaque", fields: [], files: [], text: "", whole: false };
}

function readBytes(bytes: Uint8Array, type: ContentType | null): Read | null {
  if (type === null || !isUtf8(type)) return null;
  if (type.type === "multipart/form-data") return asFields(parseMultipart(bytes, type.parameters.get("boundary")));
  if (isText(type.type)) return readText(bytes);
  if (bytes.length > MAX_READ_BYTES) return null;
  const text = textOf(bytes);
  if (text === null) return null;
  if (type.type === "application/x-www-form-urlencoded") return asFields(withoutFiles(parseUrlencoded(text)));
  const json = isJson(type.type) ? parseJson(text) : null;
  const read = json === null ? null : asFields(withoutFiles(flattenJson(json)));
  return json === null || read === null ? null : { ...read, json };
}

function isUtf8({ parameters }: ContentType): boolean {
  return ["utf-8", "utf8"].includes((parameters.get("charset") ?? "utf-8").toLowerCase());
}

function isJson(type: string): boolean {
  return type === "application/json" || type === "text/json" || /^application\/[^/]+\+json$/.test(type);
}

function isText(type: string): boolean {
  return type === "text/plain" || type === "application/graphql";
}

function readText(bytes: Uint8Array): Read | null {
  const whole = bytes.length <= MAX_READ_BYTES;
  const text = textOf(whole ? bytes : bytes.subarray(0, endOfSign(bytes, MAX_READ_BYTES)));
  return text === null ? null : { kind: "text", fields: [], files: [], text, whole };
}

/** Where the last whole sign at or before `at` ends. */
function endOfSign(bytes: Uint8Array, at: number): number {
  let end = at;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

function withoutFiles(fields: ReturnType<typeof parseUrlencoded>): Parsed {
  return fields === null ? null : { fields, files: [] };
}

function asFields(parsed: Parsed): Read | null {
  return parsed === null
    ? null
    : { kind: "fields", fields: parsed.fields, files: parsed.files, text: "", whole: parsed.files.length === 0 };
}
