import { describe, expect, it } from "vitest";
import * as z from "zod";
import { toolSchema } from "./schema.ts";

const root = (properties: Record<string, unknown>, required?: readonly string[]) => ({
  type: "object",
  properties,
  ...(required ? { required } : {}),
});

describe("toolSchema", () => {
  it.each<[string, z.ZodObject, unknown]>([
    ["no arguments", z.strictObject({}), root({})],
    [
      "descriptions and what is required",
      z.strictObject({ a: z.string().describe("An a."), b: z.boolean().optional() }),
      root({ a: { type: "string", description: "An a." }, b: { type: "boolean" } }, ["a"]),
    ],
    [
      "choices",
      z.strictObject({ a: z.enum(["up", "down"]).optional() }),
      root({ a: { type: "string", enum: ["up", "down"] } }),
    ],
    [
      "a default is not required and stays",
      z.strictObject({ a: z.enum(["up", "down"]).default("up") }),
      root({ a: { default: "up", type: "string", enum: ["up", "down"] } }),
    ],
    [
      "bounds that help",
      z.strictObject({ a: z.int().min(1).max(9), b: z.number().gt(0) }),
      root({ a: { type: "integer", minimum: 1, maximum: 9 }, b: { type: "number", exclusiveMinimum: 0 } }, ["a", "b"]),
    ],
    [
      "an integer above 0 is one from 1",
      z.strictObject({ a: z.int().positive() }),
      root({ a: { type: "integer", minimum: 1 } }, ["a"]),
    ],
    ["zod's bounds of any integer go", z.strictObject({ a: z.int() }), root({ a: { type: "integer" } }, ["a"])],
    [
      "list bounds",
      z.strictObject({ a: z.array(z.string()).min(1).max(3) }),
      root({ a: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 } }, ["a"]),
    ],
    [
      "formats, patterns, lengths go",
      z.strictObject({
        a: z.url(),
        b: z
          .string()
          .regex(/^e\d+$/)
          .min(1)
          .max(9),
      }),
      root({ a: { type: "string" }, b: { type: "string" } }, ["a", "b"]),
    ],
    [
      "a constant is a choice of one",
      z.strictObject({ a: z.literal("x") }),
      root({ a: { type: "string", enum: ["x"] } }, ["a"]),
    ],
    [
      "nested objects are lean too",
      z.strictObject({ fields: z.array(z.strictObject({ target: z.string().min(1) })) }),
      root({ fields: { type: "array", items: root({ target: { type: "string" } }, ["target"]) } }, ["fields"]),
    ],
    ["any map", z.strictObject({ a: z.record(z.string(), z.unknown()) }), root({ a: { type: "object" } }, ["a"])],
    [
      "a map of numbers",
      z.strictObject({ a: z.record(z.string(), z.number()) }),
      root({ a: { type: "object", additionalProperties: { type: "number" } } }, ["a"]),
    ],
    [
      "either or, below the root",
      z.strictObject({ a: z.union([z.string(), z.array(z.url())]) }),
      root({ a: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] } }, ["a"]),
    ],
    [
      "tagged either or",
      z.strictObject({
        a: z.discriminatedUnion("k", [z.strictObject({ k: z.literal("x") }), z.strictObject({ k: z.literal("y") })]),
      }),
      root(
        {
          a: {
            anyOf: [
              root({ k: { type: "string", enum: ["x"] } }, ["k"]),
              root({ k: { type: "string", enum: ["y"] } }, ["k"]),
            ],
          },
        },
        ["a"],
      ),
    ],
    [
      "properties named like keywords stay",
      z.strictObject({
        format: z.enum(["text", "elements"]).optional(),
        pattern: z.string().optional(),
        const: z.string().optional(),
        id: z.string().optional(),
        additionalProperties: z.boolean().optional(),
      }),
      root({
        format: { type: "string", enum: ["text", "elements"] },
        pattern: { type: "string" },
        const: { type: "string" },
        id: { type: "string" },
        additionalProperties: { type: "boolean" },
      }),
    ],
  ])("%s", (_, schema, expected) => {
    expect(toolSchema(schema)).toEqual(expected);
  });

  it("has no key that only costs tokens, whatever the root is", () => {
    expect(JSON.stringify(toolSchema(z.object({ a: z.string() })))).toBe(
      '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}',
    );
    expect(toolSchema(z.looseObject({}))).toEqual({ type: "object", properties: {} });
  });

  it("refuses a root that some model APIs refuse", () => {
    const combined = z.strictObject({ a: z.string() }).meta({ anyOf: [] });
    expect(() => toolSchema(combined)).toThrow(TypeError);
  });
});
