import { type BodyField, MAX_FIELDS } from "./parts.ts";

/**
 * Reads `a=1&b=2`; null when a percent sign starts no byte, what they spell is not UTF-8, there is a NUL, or there are
 * too many fields.
 */
export function parseUrlencoded(text: string): readonly BodyField[] | null {
  const fields: BodyField[] = [];
  for (let at = 0; at <= text.length; ) {
    const end = text.indexOf("&", at);
    const pair = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length + 1 : end + 1;
    if (pair === "") continue;
    if (fields.length === MAX_FIELDS) return null;
    const sign = pair.indexOf("=");
    const name = decoded(sign === -1 ? pair : pair.slice(0, sign));
    const value = sign === -1 ? "" : decoded(pair.slice(sign + 1));
    if (name === null || value === null) return null;
    fields.push({ name, value });
  }
  return fields;
}

function decoded(text: string): string | null {
  try {
    const plain = decodeURIComponent(text.replaceAll("+", " "));
    return plain.includes("\0") ? null : plain;
  } catch {
    return null;
  }
}
