/** What a body says, as names and values for people to read. Nothing is judged here. */

const LONGEST_VALUE = 160;
const MOST_FIELDS = 60;
const DEEPEST = 4;

/**
 * @param {string} type
 * @param {string} body
 * @returns {Record<string, string>}
 */
export function fieldsOf(type, body) {
  if (body === "") return {};
  if (type.startsWith("application/x-www-form-urlencoded")) return cut([...new URLSearchParams(body)]);
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/.exec(type)?.[1];
  if (boundary !== undefined) {
    return cut(
      body.split(`--${boundary}`).flatMap((part) => {
        const name = /name="([^"]*)"/.exec(part)?.[1];
        return name === undefined ? [] : [[name, part.slice(part.indexOf("\r\n\r\n") + 4).trimEnd()]];
      }),
    );
  }
  try {
    return cut(leaves(JSON.parse(body), "", 0));
  } catch {
    return cut([["(text)", body]]);
  }
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {number} depth
 * @returns {[string, string][]}
 */
function leaves(value, path, depth) {
  if (typeof value !== "object" || value === null || depth >= DEEPEST)
    return [[path, typeof value === "string" ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leaves(inner, path === "" ? name : `${path}.${name}`, depth + 1),
  );
}

/** @param {(readonly string[])[]} entries */
function cut(entries) {
  const shown = entries
    .slice(0, MOST_FIELDS)
    .map(([name = "", value = ""]) => [
      name,
      value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value,
    ]);
  return Object.fromEntries(
    entries.length > MOST_FIELDS ? [...shown, ["…", `${entries.length - MOST_FIELDS} more`]] : shown,
  );
}
