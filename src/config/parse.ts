import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { ConfigError } from "./error.ts";
import { named } from "./words.ts";

const DEEPEST_LEVELS = 32;

/** A file's content as plain objects without prototype, lists and scalars. */
export interface Parsed {
  readonly value: unknown;
  /** Line of the key or item at that path, from 1; null when it is not known. */
  line(path: readonly (string | number)[]): number | null;
}

export type Format = "json" | "yaml";

/** By the name's ending; files without a known one by their first character. */
export function formatOf(name: string, text: string): Format {
  if (/\.jsonc?$/i.test(name)) return "json";
  if (/\.ya?ml$/i.test(name)) return "yaml";
  return /^\s*[{/]/.test(text) ? "json" : "yaml";
}

/**
 * Throws ConfigError with the line: malformed, a key given twice, nested too deeply. `name` is how the file is called
 * in errors.
 */
export function parseConfig(name: string, source: string): Parsed {
  const text = source.replace(/^\uFEFF/, "");
  try {
    return formatOf(name, text) === "json" ? parseJson(name, text) : parseYaml(name, text);
  } catch (error) {
    if (ConfigError.is(error)) throw error;
    // Both parsers recurse; the stack's end is how too deep a file shows.
    throw new ConfigError(`${name}: cannot be read, it is nested too deeply or refers to itself`, { cause: error });
  }
}

function parseJson(name: string, text: string): Parsed {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined)
    throw new ConfigError(
      `${name}:${lineAt(text, first.offset)}: not valid JSON: ${jsonProblems[printParseErrorCode(first.error)] ?? "unexpected text"}`,
    );
  const offsets = new Map<string, number>();
  const lineOf = (offset: number) => lineAt(text, offset);
  const value = root === undefined ? bare() : jsonValue(root, [], { name, offsets, lineOf });
  return { value, line: lineFinder(offsets, lineOf) };
}

interface Walk {
  readonly name: string;
  /** Offsets, not lines: counting lines for each node would be quadratic. */
  readonly offsets: Map<string, number>;
  lineOf(offset: number): number;
}

function lineFinder(offsets: ReadonlyMap<string, number>, lineOf: (offset: number) => number): Parsed["line"] {
  return (path) => {
    const offset = offsets.get(pathKey(path));
    return offset === undefined ? null : lineOf(offset);
  };
}

function jsonValue(node: Node, path: readonly (string | number)[], walk: Walk): unknown {
  if (node.type === "array") {
    return (node.children ?? []).map((child, index) => {
      const inner = deeper(path, index, child.offset, walk);
      walk.offsets.set(pathKey(inner), child.offset);
      return jsonValue(child, inner, walk);
    });
  }
  if (node.type !== "object") return node.value;
  const object = bare();
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    const key = String(keyNode?.value);
    const inner = deeper(path, key, property.offset, walk);
    claim(object, key, inner, property.offset, walk);
    object[key] = valueNode === undefined ? undefined : jsonValue(valueNode, inner, walk);
  }
  return object;
}

function parseYaml(name: string, text: string): Parsed {
  const counter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: counter,
    uniqueKeys: true,
    version: "1.2",
    schema: "core",
    merge: false,
    prettyErrors: false,
  });
  // A warning is a tag or directive that was not understood: nothing here is read by guess.
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) {
    throw new ConfigError(
      `${name}:${counter.linePos(first.pos[0]).line}: not valid YAML: ${first.message.split("\n", 1)[0]}`,
    );
  }
  const offsets = new Map<string, number>();
  const lineOf = (offset: number) => counter.linePos(offset).line;
  const value = yamlValue(document.contents, [], { name, offsets, lineOf });
  return { value: value ?? bare(), line: lineFinder(offsets, lineOf) };
}

function yamlValue(node: unknown, path: readonly (string | number)[], walk: Walk): unknown {
  if (node === null || isScalar(node)) return node === null ? null : node.value;
  const offset = offsetOf(node);
  if (isAlias(node))
    throw new ConfigError(
      `${walk.name}:${walk.lineOf(offset)}: an alias (*${node.source}) cannot be used here, write the value out`,
    );
  if (isSeq(node)) {
    return node.items.map((item, index) => {
      const inner = deeper(path, index, offsetOf(item), walk);
      walk.offsets.set(pathKey(inner), offsetOf(item));
      return yamlValue(item, inner, walk);
    });
  }
  if (!isMap(node)) throw new ConfigError(`${walk.name}:${walk.lineOf(offset)}: not understood`);
  const object = bare();
  for (const pair of node.items) {
    if (!isScalar(pair.key)) throw new ConfigError(`${walk.name}:${walk.lineOf(offset)}: a key must be a name`);
    const key = String(pair.key.value);
    const inner = deeper(path, key, offsetOf(pair.key), walk);
    claim(object, key, inner, offsetOf(pair.key), walk);
    object[key] = yamlValue(pair.value, inner, walk);
  }
  return object;
}

function offsetOf(node: unknown): number {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : 0;
}

function deeper(
  path: readonly (string | number)[],
  next: string | number,
  offset: number,
  walk: Walk,
): readonly (string | number)[] {
  if (path.length >= DEEPEST_LEVELS) throw new ConfigError(`${walk.name}:${walk.lineOf(offset)}: nested too deeply`);
  return [...path, next];
}

function claim(object: object, key: string, path: readonly (string | number)[], offset: number, walk: Walk): void {
  if (Object.hasOwn(object, key))
    throw new ConfigError(`${walk.name}:${walk.lineOf(offset)}: ${named(path.join("."))} is given twice`);
  walk.offsets.set(pathKey(path), offset);
}

// No prototype: `__proto__` is a key like any other, and unknown like any other.
function bare(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function pathKey(path: readonly (string | number)[]): string {
  return JSON.stringify(path);
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let index = text.indexOf("\n"); index !== -1 && index < offset; index = text.indexOf("\n", index + 1)) line++;
  return line;
}

const jsonProblems: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  InvalidSymbol: "unexpected word",
  InvalidNumberFormat: "not a number",
  PropertyNameExpected: "a key in double quotes is expected",
  ValueExpected: "a value is expected",
  ColonExpected: "a colon is expected",
  CommaExpected: "a comma is expected",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "text after the end",
};
