import { isAbsolute, join, resolve } from "node:path";
import { ConfigError } from "./error.ts";
import type { Parsed } from "./parse.ts";
import { entries, entryOf, isKeyPath, isSection, type KeyPath, keyPaths } from "./shape.ts";
import { type Entry, OTHER_VARIABLES, variableOf } from "./table.ts";
import { hint, named, shown } from "./words.ts";

/**
 * Values of one origin, checked; `source` says where each was written: `--private`, `CHAPERONE_PRIVATE`,
 * `/home/ada/config.jsonc:3`.
 */
export type Layer = ReadonlyMap<KeyPath, { readonly value: unknown; readonly source: string }>;

/** Where relative paths of a layer start. */
export interface Base {
  readonly directory: string;
  readonly homedir: string;
}

/** Longest value of a variable or argument. */
const LONGEST_TEXT_CHARACTERS = 65_536;
const SCHEMA_KEY = "$schema";

/** From a file's content. Throws ConfigError with file and line: unknown key, wrong type. */
export function layerFromFile(name: string, parsed: Parsed, base: Base): Layer {
  const at = (path: readonly string[], index?: number) => {
    const line = (index === undefined ? null : parsed.line([...path, index])) ?? parsed.line(path);
    return line === null ? name : `${name}:${line}`;
  };
  return layerFromObject(parsed.value, base, { at, whole: name, ignored: [SCHEMA_KEY] });
}

/** From a program's object. */
export function layerFromInput(input: unknown, base: Base): Layer {
  return layerFromObject(input, base, { at: () => "options", whole: "options", ignored: [] });
}

interface ObjectSource {
  at(path: readonly string[], index?: number): string;
  readonly whole: string;
  /** Keys at the top that are known and mean nothing. */
  readonly ignored: readonly string[];
}

function layerFromObject(root: unknown, base: Base, source: ObjectSource): Layer {
  if (!isObject(root)) throw new ConfigError(`${source.whole}: must be an object with keys, got ${shown(root)}`);
  const layer = new Map<KeyPath, { value: unknown; source: string }>();
  collect(root, []);
  return layer;

  function collect(object: object, above: readonly string[]): void {
    for (const [key, value] of Object.entries(object)) {
      const path = [...above, key];
      const joined = path.join(".");
      if (above.length === 0 && source.ignored.includes(key) && typeof value === "string") continue;
      // A dotted key would otherwise be taken for a nested one.
      if (!key.includes(".") && isKeyPath(joined)) {
        // An absent optional property of a program's object.
        if (value === undefined) continue;
        const where = (index?: number) => `${source.at(path, index)}: ${joined}`;
        layer.set(joined, { value: checked(entryOf(joined), value, where, base), source: source.at(path) });
      } else if (!key.includes(".") && isSection(joined)) {
        if (value === undefined) continue;
        if (!isObject(value))
          throw new ConfigError(`${source.at(path)}: ${joined} must be an object with keys, got ${shown(value)}`);
        collect(value, path);
      } else {
        throw new ConfigError(`${source.at(path)}: unknown key ${named(joined)}${hint(joined, keyPaths)}`);
      }
    }
  }
}

/** From the environment: every `CHAPERONE_…` variable must be one that is known; empty ones count as not set. */
export function layerFromEnvironment(env: Readonly<Record<string, string | undefined>>, base: Base): Layer {
  const known = new Map(entries.map(([path, entry]) => [variableOf(entry), path]));
  const layer = new Map<KeyPath, { value: unknown; source: string }>();
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith("CHAPERONE_") || OTHER_VARIABLES.includes(name)) continue;
    const path = known.get(name);
    if (path === undefined)
      throw new ConfigError(
        `unknown environment variable ${named(name)}${hint(name, [...known.keys(), ...OTHER_VARIABLES])}`,
      );
    if (text === undefined || text === "") continue;
    if (text.length > LONGEST_TEXT_CHARACTERS)
      throw new ConfigError(`${name}: longer than ${LONGEST_TEXT_CHARACTERS} characters`);
    const entry = entryOf(path);
    layer.set(path, { value: fromVariable(entry, name, text, base), source: name });
  }
  return layer;
}

// The variable says what the option says: CHAPERONE_HEADED=true is --headed.
function fromVariable(entry: Entry, name: string, text: string, base: Base): unknown {
  const value = checked(entry, entry.kind.fromText(text), () => name, base);
  return "sets" in entry.flag && !entry.flag.sets ? !value : value;
}

/** What the command line gave: true for a switch, else the arguments in their order. */
export type FlagValues = ReadonlyMap<KeyPath, true | readonly string[]>;

export function layerFromFlags(flags: FlagValues, base: Base): Layer {
  const layer = new Map<KeyPath, { value: unknown; source: string }>();
  for (const [path, given] of flags) {
    const entry = entryOf(path);
    layer.set(path, { value: fromFlag(entry, given, base), source: entry.flag.name });
  }
  return layer;
}

function fromFlag(entry: Entry, given: true | readonly string[], base: Base): unknown {
  const { name } = entry.flag;
  if ("sets" in entry.flag) return entry.flag.sets;
  const texts = given === true ? [] : given;
  const [first] = texts;
  if (first === undefined) throw new ConfigError(`${name} needs ${entry.flag.argument}`);
  for (const text of texts) {
    if (text.startsWith("--"))
      throw new ConfigError(`${name} needs ${entry.flag.argument}, got the option ${named(text)}`);
    if (text.length > LONGEST_TEXT_CHARACTERS)
      throw new ConfigError(`${name}: longer than ${LONGEST_TEXT_CHARACTERS} characters`);
  }
  if (entry.kind.list) return checked(entry, texts, () => name, base);
  if (texts.length > 1) throw new ConfigError(`${name} is given ${texts.length} times: give it once`);
  return checked(entry, entry.kind.fromText(first), () => name, base);
}

function checked(entry: Entry, value: unknown, where: (index?: number) => string, base: Base): unknown {
  const result = entry.kind.schema.safeParse(value);
  if (result.success) return entry.kind.path ? resolved(result.data, base) : result.data;
  const [issue] = result.error.issues;
  // The gate names the entry and what is wrong with it.
  if (issue?.code === "custom" && issue.params?.said === true) {
    throw new ConfigError(
      `${where(typeof issue.path[0] === "number" ? issue.path[0] : undefined)}: ${issue.message.replace(/^[\w.]+: /, "")}`,
    );
  }
  const index = issue?.path[0];
  const culprit = Array.isArray(value) && typeof index === "number" ? value[index] : value;
  throw new ConfigError(
    `${where(typeof index === "number" ? index : undefined)} must be ${entry.kind.expects}, got ${entry.kind.secret ? "something else (not shown)" : shown(culprit)}`,
  );
}

function resolved(value: unknown, base: Base): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, base));
  if (typeof value !== "string") return value;
  if (value === "~" || value.startsWith("~/")) return join(base.homedir, value.slice(1));
  return isAbsolute(value) ? value : resolve(base.directory, value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
