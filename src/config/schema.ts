import { z } from "zod";
import { entries } from "./shape.ts";
import type { Entry } from "./table.ts";

type Json = Readonly<Record<string, unknown>>;

interface Section {
  readonly [key: string]: Section | Entry;
}

/** JSON schema (2020-12) of a configuration file, for editors. What it refuses, loading refuses too. */
export function configJsonSchema(): Json {
  const { properties, ...rest } = sectionSchema(sections());
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Chaperone configuration",
    ...rest,
    properties: {
      $schema: { type: "string", description: "Where this schema is, for editors; not read." },
      ...properties,
    },
  };
}

function sections(): Section {
  const root: Record<string, Section | Entry> = {};
  for (const [path, entry] of entries) {
    const parts = path.split(".");
    const last = parts.pop() ?? path;
    let inner = root;
    for (const part of parts) {
      const existing = inner[part];
      const next: Record<string, Section | Entry> = existing === undefined || isEntry(existing) ? {} : { ...existing };
      inner[part] = next;
      inner = next;
    }
    inner[last] = entry;
  }
  return root;
}

function sectionSchema(section: Section): {
  readonly type: "object";
  readonly additionalProperties: false;
  readonly properties: Json;
} {
  const properties = Object.fromEntries(
    Object.entries(section).map(([key, inner]) => [key, isEntry(inner) ? entrySchema(inner) : sectionSchema(inner)]),
  );
  return { type: "object", additionalProperties: false, properties };
}

function entrySchema(entry: Entry): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(entry.kind.schema, { io: "input" });
  const values = new Set(Object.values(entry.defaults));
  const [same] = values;
  const fallback = values.size === 1 && same !== undefined ? { default: same } : {};
  return { description: `${entry.does}.`, ...schema, ...fallback, examples: [entry.example] };
}

function isEntry(value: Section | Entry): value is Entry {
  return "kind" in value && "flag" in value && "does" in value;
}
