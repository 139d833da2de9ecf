import { describe, expect, it } from "vitest";
import { configurationPage } from "./docs.ts";
import { layerFromEnvironment, layerFromFlags } from "./layers.ts";
import { configFromObject } from "./load.ts";
import { configJsonSchema } from "./schema.ts";
import { type ConfigInput, entries, isSection } from "./shape.ts";
import { FACES, variableOf } from "./table.ts";

const base = { directory: "/somewhere", homedir: "/home/ada" };

describe.each(entries.map(([path, entry]) => ({ path, entry })))("$path", ({ path, entry }) => {
  it("has defaults and an example that its own schema takes", () => {
    for (const face of FACES) {
      const value = entry.defaults[face];
      if (value !== undefined) expect(entry.kind.schema.safeParse(value).data).toEqual(value);
    }
    expect(entry.kind.schema.safeParse(entry.example).success).toBe(true);
    expect(FACES.every((face) => entry.defaults[face] !== undefined) || entry.unset !== undefined).toBe(true);
  });

  it("means the same as option, as variable and in a file", () => {
    const isMap = typeof entry.example === "object" && entry.example !== null && !Array.isArray(entry.example);
    const text = isMap
      ? Object.entries(entry.example ?? {}).map(([name, of]) => `${name}=${of}`)
      : [entry.example].flat().map(String);
    const sets = "sets" in entry.flag ? entry.flag.sets : null;
    const fromFlag = layerFromFlags(new Map([[path, sets === null ? text : true]]), base).get(path)?.value;
    const fromVariable = layerFromEnvironment(
      { [variableOf(entry)]: sets === null ? text.join(",") : "true" },
      base,
    ).get(path)?.value;
    expect(fromVariable).toStrictEqual(fromFlag);
    if (sets === null && !entry.kind.path) expect(fromFlag).toStrictEqual(entry.kind.schema.parse(entry.example));
    if (sets !== null) expect(fromFlag).toBe(sets);
  });

  it("is in the docs and in the schema", () => {
    const page = configurationPage([]);
    for (const word of [path, entry.flag.name, variableOf(entry), entry.does]) expect(page).toContain(word);
    let schema: unknown = configJsonSchema();
    for (const part of path.split(".")) {
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      schema = propertyOf(schema, part);
    }
    expect(schema).toMatchObject({ description: `${entry.does}.`, examples: [entry.example] });
  });

  it("refuses every other type in a program's object", () => {
    for (const wrong of [null, Symbol("x"), () => {}, 1n, Number.NaN, { a: 1 }, [[[]]], new Date(0)]) {
      const input = path.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), wrong);
      expect(() =>
        configFromObject(entry.faces[0] ?? "library", input as ConfigInput, {
          env: {},
          managed: { directory: "/nonexistent", ownerUid: 0 },
        }),
      ).toThrow(`${path} must be`);
    }
  });
});

it("has no key that is also a section, and no option or variable twice", () => {
  expect(entries.filter(([path]) => isSection(path))).toEqual([]);
  expect(new Set(entries.map(([, entry]) => entry.flag.name)).size).toBe(entries.length);
  expect(new Set(entries.map(([, entry]) => variableOf(entry))).size).toBe(entries.length);
});

function propertyOf(schema: unknown, name: string): unknown {
  if (typeof schema !== "object" || schema === null || !("properties" in schema)) return undefined;
  return new Map(Object.entries(schema.properties ?? {})).get(name);
}
