import { expect, test } from "vitest";
import { cpuTime } from "../../../test/cpu-time.ts";
import { parseGraphql } from "./graphql.ts";

const QUERY = { kind: "query", name: "", fields: ["a"] };

test.each([
  ["{ a }", [QUERY]],
  ["query { a }", [QUERY]],
  ["query Q { a }", [{ ...QUERY, name: "Q" }]],
  [
    "query Q($x: Int = 1, $y: In = {a: [1, 2]}) @d(a: {b: 1}) { a(x: $x) @include(if: $y) { b { c } } }",
    [{ ...QUERY, name: "Q" }],
  ],
  ["mutation M { x: deletePost(id: 1) { id } }", [{ kind: "mutation", name: "M", fields: ["deletePost"] }]],
  ["subscription { s }", [{ kind: "subscription", name: "", fields: ["s"] }]],
  [
    "query A { a } mutation B { b }",
    [
      { ...QUERY, name: "A" },
      { kind: "mutation", name: "B", fields: ["b"] },
    ],
  ],
  ["# mutation { x }\n{ a }", [QUERY]],
  ["#\r{ a }", [QUERY]],
  ["# {\nmutation { b } # }", [{ kind: "mutation", name: "", fields: ["b"] }]],
  ['{ a(x: "} mutation { b") }', [QUERY]],
  ['{ a(x: "\\"} mutation { b") }', [QUERY]],
  ['{ a(x: """ " } mutation { b \\""" """) }', [QUERY]],
  ["{ a, ...F } fragment F on T { b ...G } fragment G on T { c ...F }", [{ ...QUERY, fields: ["a", "b", "c"] }]],
  ["mutation { ... on M { ...F } } fragment F on M { pay }", [{ kind: "mutation", name: "", fields: ["pay"] }]],
  ["mutation { ... @include(if: true) { pay } }", [{ kind: "mutation", name: "", fields: ["pay"] }]],
  ["{ mutation { subscription } }", [{ ...QUERY, fields: ["mutation"] }]],
  ["query mutation { a }", [{ ...QUERY, name: "mutation" }]],
  ["{ query: a }", [QUERY]],
  ["\ufeff{ a }", [QUERY]],
  ['"Says what it does" query { a }', [QUERY]],
])("%s", (text, expected) => expect(parseGraphql(text)).toEqual(expected));

test.each([
  "",
  "a",
  "{",
  "{}",
  "{ a",
  "{ a } }",
  "{ a ) }",
  "{ a(x: [1) }",
  "query",
  "query { }",
  "{ a } x",
  "{ a } mutation",
  "type T { a: Int }",
  "extend type T { a: Int }",
  "fragment F on T { a }",
  "{ a } fragment F on T { a } fragment F on T { b }",
  "fragment on on T { a } { a }",
  '{ a(x: "\n") }',
  '{ a(x: """ ) }',
  "{ a; b }",
  "{ a } 'mutation'",
  "{ a } ​mutation { b }",
  `${"{a".repeat(200)}${"}".repeat(200)}`,
])("%j is no document", (text) => expect(parseGraphql(text)).toBeNull());

test("long documents take no longer than their length", () => {
  const spentMs = cpuTime();
  expect(parseGraphql(`{ ${"a ".repeat(500_000)} }`)).toBeNull();
  expect(parseGraphql(`{ a(x: "${"\\\\".repeat(500_000)}") }`)).not.toBeNull();
  expect(parseGraphql(`{ a ${"#".repeat(1_000_000)}\n}`)).not.toBeNull();
  expect(spentMs()).toBeLessThan(1_000);
});
