import type { z } from "zod";
import { type Entry, type Face, table } from "./table.ts";

type Table = typeof table;
/** A key's path, `browser.path`. */
export type KeyPath = keyof Table;

type Stored<P extends KeyPath> = z.output<Table[P]["kind"]["schema"]>;
/** Entries that may be written short. */
type InShort = "effects.allow" | "effects.readLike" | "sites";
type Given<P extends KeyPath> = P extends "private"
  ? readonly string[]
  : P extends InShort
    ? Stored<P> extends readonly (infer Entry)[]
      ? readonly (string | Entry)[]
      : never
    : Stored<P>;
type ValueOf<P extends KeyPath> =
  | Stored<P>
  | (undefined extends Table[P]["defaults"]["mcp" | "run" | "read" | "library"] ? undefined : never);

type Nested<P extends string, V> = P extends `${infer Head}.${infer Rest}`
  ? { readonly [K in Head]: Nested<Rest, V> }
  : { readonly [K in P]: V };
type NestedOptional<P extends string, V> = P extends `${infer Head}.${infer Rest}`
  ? { readonly [K in Head]?: NestedOptional<Rest, V> }
  : { readonly [K in P]?: V };
type All<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void ? I : never;
type Flat<T> = T extends readonly unknown[] | string
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Flat<T[K]> }
    : T;

/**
 * The configuration as rooms use it: every key there, `undefined` only where nothing is set and nothing is the default.
 * Frozen.
 */
export type Config = Flat<All<{ [P in KeyPath]: Nested<P, ValueOf<P>> }[KeyPath]>>;
/** The configuration as a file or a program gives it: every key optional. */
export type ConfigInput = Flat<All<{ [P in KeyPath]: NestedOptional<P, Given<P>> }[KeyPath]>>;

export const entries: readonly (readonly [KeyPath, Entry])[] = Object.entries(table).map(([path, entry]) => [
  path as KeyPath,
  entry,
]);
export const keyPaths: readonly KeyPath[] = entries.map(([path]) => path);

/** The keys that mean something to a face. */
export function keysOf(face: Face): readonly (readonly [KeyPath, Entry])[] {
  return entries.filter(([, entry]) => entry.faces.includes(face));
}

export function entryOf(path: KeyPath): Entry {
  return table[path];
}

export function isKeyPath(path: string): path is KeyPath {
  return Object.hasOwn(table, path);
}

/** Whether `path` is an object with keys below it, like `browser`. */
export function isSection(path: string): boolean {
  return keyPaths.some((key) => key.startsWith(`${path}.`));
}

/** From values by path to the nested, frozen configuration. */
export function nest(values: ReadonlyMap<KeyPath, unknown>): Config {
  const root = section();
  for (const path of keyPaths) {
    const parts = path.split(".");
    const last = parts.pop() ?? path;
    let inner = root;
    for (const part of parts) {
      const existing = inner[part];
      const next = isRecord(existing) ? existing : section();
      inner[part] = next;
      inner = next;
    }
    inner[last] = freeze(values.get(path));
  }
  return freeze(root) as Config;
}

function section(): Record<string, unknown> {
  return {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(Object.freeze(value))) freeze(inner);
  return value;
}
