/** Longer texts are cut: a page can make an address of megabytes. */
const MAX_TEXT_CHARS = 4_000;
const MAX_DEPTH = 8;

/**
 * What canonical JSON can hold of a value: texts well-formed and cut, absent members left out. Throws for what has no
 * place in JSON.
 */
export function plain(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new Error("a record is nested too deeply");
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error("a record holds a number that JSON has not");
    return value;
  }
  if (typeof value === "string")
    return wellFormed(
      value.length > MAX_TEXT_CHARS ? `${value.slice(0, MAX_TEXT_CHARS)}…(${value.length} characters)` : value,
    );
  if (Array.isArray(value)) return value.map((each) => plain(each, depth + 1));
  if (typeof value !== "object") throw new Error(`a record holds a ${typeof value}`);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]): [string, unknown][] =>
      each === undefined ? [] : [[wellFormed(name), plain(each, depth + 1)]],
    ),
  );
}

/** Half a surrogate pair, as cutting leaves it, has no UTF-8. */
function wellFormed(text: string): string {
  return text.replaceAll(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}
