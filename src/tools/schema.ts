import * as z from "zod";

type JsonObject = Record<string, unknown>;

/**
 * Keywords that cost tokens in every request of every client and help no model. `additionalProperties: false` too: our
 * own validation refuses unknown arguments with the list of known ones, model APIs that want the keyword add it
 * themselves, and some refuse a schema that has it. Patterns, formats and string lengths are in the descriptions where
 * they matter; several model APIs reject them.
 */
const NOISE = new Set(["$schema", "$id", "id", "propertyNames", "format", "pattern", "minLength", "maxLength"]);
/** Values of these map names to schemas; a property may be called like a keyword. */
const NAMED = new Set(["properties", "$defs"]);
const DATA = new Set(["enum", "default", "examples", "required"]);
const COMBINERS = ["oneOf", "anyOf", "allOf"] as const;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function leanValue(keyword: string, value: unknown): unknown {
  if (DATA.has(keyword)) return value;
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? lean(item) : item));
  if (!isObject(value)) return value;
  return NAMED.has(keyword)
    ? Object.fromEntries(
        Object.entries(value).map(([name, schema]) => [name, isObject(schema) ? lean(schema) : schema]),
      )
    : lean(value);
}

function lean(schema: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (NOISE.has(keyword)) continue;
    if (keyword === "additionalProperties" && (!isObject(value) || Object.keys(value).length === 0)) continue;
    // zod's bounds of a safe integer.
    if (
      typeof value === "number" &&
      Math.abs(value) === Number.MAX_SAFE_INTEGER &&
      (keyword === "minimum" || keyword === "maximum")
    )
      continue;
    // Spellings that every model API knows.
    if (keyword === "const") out.enum = [value];
    else if (keyword === "exclusiveMinimum" && schema.type === "integer" && Number.isInteger(value))
      out.minimum = Number(value) + 1;
    else out[keyword === "oneOf" ? "anyOf" : keyword] = leanValue(keyword, value);
  }
  return out;
}

/**
 * The JSON schema of a tool's arguments as models see it: types, names, descriptions, choices, bounds of numbers and
 * lists, what is required. It describes; it does not validate: the zod object does. Throws a TypeError (a mistake in a
 * definition) when the root would not be a plain object: some model APIs refuse every tool of a request that has
 * `oneOf`, `anyOf` or `allOf` there.
 */
export function toolSchema(schema: z.ZodObject): Readonly<JsonObject> {
  const root = lean(z.toJSONSchema(schema, { io: "input" }));
  if (root.type !== "object" || COMBINERS.some((keyword) => keyword in root))
    throw new TypeError("The schema of a tool's arguments must be a plain object at its root.");
  return root;
}
