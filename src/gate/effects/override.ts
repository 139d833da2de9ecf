import { headerOf } from "./headers.ts";
import type { BodyField } from "./parts.ts";

const HEADERS = ["x-http-method-override", "x-http-method", "x-method-override"];
/** Names of parameters in lower case, with the signs that servers turn into underscores turned into them. */
const PARAMETERS: ReadonlySet<string> = new Set([
  "_method",
  "_http_method",
  "x_http_method_override",
  "x_http_method",
  "x_method_override",
  "http_method_override",
  "_httpmethod",
  "httpmethod",
]);
/** Of one value. */
const MAX_SCANNED_CHARS = 2_000;
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The method that a request asks to be taken for, in upper case; one that changes something goes before one that does
 * not. Null: it asks for none.
 */
export function overrideOf(headers: Readonly<Record<string, string>>, fields: readonly BodyField[]): string | null {
  const inHeaders = HEADERS.map((name) => headerOf(headers, name)).filter((value) => value !== null);
  const inFields = fields
    .flatMap(apart)
    .filter(({ name }) => /method/i.test(name) && PARAMETERS.has(parameterName(name)))
    .map(({ value }) => value);
  const methods = [...inHeaders, ...inFields].map((value) => value.trim().toUpperCase());
  return methods.find((method) => !isSafeMethod(method)) ?? methods[0] ?? null;
}

/** Some servers take a semicolon for an ampersand. */
function apart(field: BodyField): readonly BodyField[] {
  if (!field.value.includes(";")) return [field];
  const rest = field.value.slice(0, MAX_SCANNED_CHARS).split(";").slice(1);
  return [
    field,
    ...rest.map((pair) => ({
      name: pair.slice(0, Math.max(0, pair.indexOf("="))),
      value: pair.slice(pair.indexOf("=") + 1),
    })),
  ];
}

/** Methods that by their definition change nothing. Written otherwise than in upper case they are other methods. */
export function isSafeMethod(method: string): boolean {
  return SAFE.has(method);
}

function parameterName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s.[\]-]+/g, "_")
    .replace(/(?<=.)_+$/, "");
}
