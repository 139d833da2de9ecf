import { type BodyField, type BodyFile, MAX_FIELDS, MAX_READ_BYTES, type Parsed, textOf } from "./parts.ts";

const BOUNDARY = /^[0-9A-Za-z'()+_,./:=?-]{1,70}$/;
/** Headers of one part; what browsers write is far below. */
const MAX_HEADER_BYTES = 8_192;
const BLANK_LINE = new Uint8Array([13, 10, 13, 10]);
const DISPOSITION = /^form-data; name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?$/;

/**
 * Reads multipart/form-data as browsers write it, byte by byte. Null for anything else: text before the first or after
 * the last delimiter, a delimiter inside of a value, other headers, other orders, because a server may read those in
 * another way.
 */
export function parseMultipart(bytes: Uint8Array, boundary: string | undefined): Parsed {
  if (boundary === undefined || !BOUNDARY.test(boundary)) return null;
  const delimiter = latin1Bytes(`--${boundary}`);
  const fields: BodyField[] = [];
  const files: BodyFile[] = [];
  if (indexOf(bytes, delimiter, 0) !== 0) return null;
  let read = 0;
  for (let at = delimiter.length; ; ) {
    if (isAt(bytes, at, "--")) return restIsEmpty(bytes, at + 2) ? { fields, files } : null;
    if (!isAt(bytes, at, "\r\n") || fields.length + files.length === MAX_FIELDS) return null;
    const next = indexOf(bytes, delimiter, at);
    if (next === -1 || !isAt(bytes, next - 2, "\r\n")) return null;
    const part = readPart(bytes.subarray(at + 2, next - 2));
    if (part === null) return null;
    if ("filename" in part) files.push(part);
    else fields.push(part);
    read += "filename" in part ? part.filename.length : part.value.length;
    if (read > MAX_READ_BYTES) return null;
    at = next + delimiter.length;
  }
}

function readPart(bytes: Uint8Array): BodyField | BodyFile | null {
  const blank = indexOf(bytes.subarray(0, MAX_HEADER_BYTES), BLANK_LINE, 0);
  const head = blank === -1 ? null : textOf(bytes.subarray(0, blank));
  if (head === null) return null;
  const content = bytes.subarray(blank + BLANK_LINE.length);
  const headers = headersOf(head);
  const [, name, filename] = DISPOSITION.exec(headers?.get("content-disposition") ?? "") ?? [];
  if (headers === null || name === undefined) return null;
  const type = headers.get("content-type");
  if (filename !== undefined || type !== undefined) return { name, filename: filename ?? "", bytes: content.length };
  const value = content.length > MAX_READ_BYTES ? null : textOf(content);
  return value === null ? null : { name, value };
}

function headersOf(head: string): ReadonlyMap<string, string> | null {
  const headers = new Map<string, string>();
  for (const line of head.split("\r\n")) {
    const [, name, value] = /^(content-disposition|content-type): ([^\r\n]+)$/i.exec(line) ?? [];
    if (name === undefined || value === undefined || headers.has(name.toLowerCase())) return null;
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function restIsEmpty(bytes: Uint8Array, at: number): boolean {
  return at === bytes.length || (at + 2 === bytes.length && isAt(bytes, at, "\r\n"));
}

function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  return at >= 0 && [...text].every((sign, index) => bytes[at + index] === sign.charCodeAt(0));
}

/** Node's own search: a body may have a hundred million bytes. */
function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(wanted, from);
}

function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}
