/** `type/subtype; name=value`, taken apart. */
export interface ContentType {
  /** Lower case. */
  readonly type: string;
  /** Names in lower case, values as written. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const TYPE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*`);
const PARAMETER = new RegExp(`;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\\\r\\n]|\\\\[ -~])*)"))?[ \\t]*`, "y");
const MAX_CHARS = 1_000;

/** Null for anything that two readers could read in two ways: a list, a parameter given twice, a broken quote. */
export function contentTypeOf(header: string): ContentType | null {
  if (header.length > MAX_CHARS) return null;
  const start = TYPE.exec(header);
  if (start?.[1] === undefined) return null;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = start[0].length;
  while (PARAMETER.lastIndex < header.length) {
    const found = PARAMETER.exec(header);
    if (found === null) return null;
    const name = found[1]?.toLowerCase();
    if (name === undefined) continue;
    if (parameters.has(name)) return null;
    parameters.set(name, found[2] ?? (found[3] ?? "").replace(/\\(.)/g, "$1"));
  }
  return { type: start[1].toLowerCase(), parameters };
}
