import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeEffect } from "./describe.ts";
import type { Described, EffectFacts } from "./facts.ts";
import { effectsPolicy, isReadLike, permitsEffect } from "./policy.ts";
import { bodyOf, FETCH, FORM, JSON_TYPE } from "./request.fixture.ts";
import { allowLine, hostLine, readLikeLine, readWritten, socketLine } from "./written.ts";

const shop = (path: string, facts: Partial<EffectFacts> = {}): Described =>
  describeEffect({ ...FETCH, url: `https://shop.test${path}`, ...facts });

function permits(line: string | null, described: Described): boolean {
  const read = line === null ? null : readWritten(line);
  return read !== null && effectsPolicy({ allow: [read] }).allow.every((entry) => permitsEffect(entry, described));
}

describe("the line for one request", () => {
  test.each<[string, Described, string]>([
    ["a place", shop("/cart/add"), "POST https://shop.test/cart/add"],
    ["ids are general", shop("/cart/items/1042"), "POST https://shop.test/cart/items/*"],
    [
      "but of what cannot be taken back",
      shop("/cart/items/1042", { method: "DELETE" }),
      "DELETE https://shop.test/cart/items/1042",
    ],
    ["parameters by name", shop("/cart?id=3&qty=2&id=4"), "POST https://shop.test/cart?id&qty"],
    ["what it asks for", shop("/api", { body: bodyOf(FORM, "action=like&id=3") }), "POST https://shop.test/api like"],
    [
      "calls",
      shop("/rpc", { body: bodyOf(JSON_TYPE, '{"jsonrpc":"2.0","id":1,"method":"tasks.complete"}') }),
      "POST https://shop.test/rpc tasks.complete",
    ],
    [
      "a header",
      shop("/dav/a.txt", { method: "MOVE", headers: { Destination: "/dav/old/a.txt" } }),
      "MOVE https://shop.test/dav/a.txt %2Fdav%2Fold%2Fa.txt",
    ],
    ["signs of a shell", shop("/a'b!c$d(e)*"), "POST https://shop.test/a%27b%21c%24d%28e%29%2A"],
    [
      "an encoded slash stays",
      shop("/projects/group%2Fshop/star"),
      "POST https://shop.test/projects/group%2Fshop/star",
    ],
    [
      "HEAD",
      shop("/orders/3/refund", { method: "HEAD", kind: "navigation", resourceType: "Document" }),
      "GET https://shop.test/orders/3/refund",
    ],
  ])("%s", (_what, described, line) => {
    expect(allowLine(described)).toBe(line);
    expect(permits(line, described)).toBe(true);
  });

  test("it permits nothing beside it", () => {
    expect(permits(allowLine(shop("/cart?id=3")), shop("/cart?id=3&role=admin"))).toBe(false);
    expect(permits(allowLine(shop("/cart/7")), shop("/cart/..%2fadmin"))).toBe(false);
    expect(
      permits(
        allowLine(shop("/api", { body: bodyOf(FORM, "action=like") })),
        shop("/api", { body: bodyOf(FORM, "action=follow") }),
      ),
    ).toBe(false);
  });

  const segment = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(
      "..",
      "%2f",
      "%5C",
      "%",
      "%AA@",
      "*",
      "**",
      "a b",
      "ü",
      "12",
      "$(x)",
      '"',
      "`",
      "?",
      "#",
      "\\",
      ";a=1",
    ),
  );
  test("every request has one that a shell takes as it is, and that permits it", () => {
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 5 }),
        fc.array(fc.tuple(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 })), { maxLength: 3 }),
        fc.array(fc.tuple(fc.constantFrom("action", "id", "name", "do[save]"), fc.string({ maxLength: 12 })), {
          maxLength: 3,
        }),
        fc.constantFrom("POST", "PUT", "PATCH", "DELETE"),
        (segments, query, fields, method) => {
          const url = new URL(`https://shop.test/${segments.join("/")}`);
          for (const [name, value] of query) url.searchParams.append(name, value);
          const body = bodyOf(FORM, new URLSearchParams([...fields]).toString());
          const described = describeEffect({ ...FETCH, method, url: url.href, body });
          const line = allowLine(described);
          expect(line).toMatch(/^[\w.~%*/:?& -]+$/);
          expect(permits(line, described)).toBe(true);
        },
      ),
    );
  });

  test("what is too long is left open, but for what cannot be taken back", () => {
    const long = `/${"a/".repeat(1_000)}b`;
    expect(permits(allowLine(shop(long)), shop(long))).toBe(true);
    expect(allowLine(shop(long, { method: "DELETE" }))).toBeNull();
  });
});

test("the line for a host, and for a socket", () => {
  expect(hostLine(shop("/p.gif?x=1", { method: "GET" }))).toBe("GET https://shop.test/**");
  expect(socketLine("wss://shop.test/live/*/room$")).toBe("GET https://shop.test/live/*/room%24");
});

describe("the line for what may only read", () => {
  const reads = (line: string | null, described: Described): boolean => {
    const read = line === null ? null : readWritten(line);
    return (
      read !== null &&
      isReadLike(
        effectsPolicy({ readLike: [{ site: read.site, path: read.path, operations: read.operations }] }),
        described,
      )
    );
  };
  const rpc = (method: string): Partial<EffectFacts> => ({
    body: bodyOf(JSON_TYPE, JSON.stringify({ jsonrpc: "2.0", id: 1, method })),
  });
  test.each<[string, Described, string]>([
    ["a method", shop("/rpc", rpc("tasks.list")), "https://shop.test/rpc tasks.list"],
    [
      "queries",
      shop("/data", { body: bodyOf(JSON_TYPE, '{"query":"query A { items { id } }"}') }),
      "https://shop.test/data query",
    ],
    [
      "a stored document",
      shop("/gql", {
        body: bodyOf(JSON_TYPE, '{"operationName":"ViewItem","extensions":{"persistedQuery":{"sha256Hash":"ab12"}}}'),
      }),
      "https://shop.test/gql ViewItem ab12",
    ],
    ["a field", shop("/ajax", { body: bodyOf(FORM, "action=get_items&page=2") }), "https://shop.test/ajax get_items"],
  ])("%s", (_what, described, line) => {
    expect(readLikeLine(described)).toBe(line);
    expect(reads(line, described)).toBe(true);
  });
  test.each<[string, Described]>([
    ["a method that changes", shop("/rpc", rpc("tasks.delete"))],
    ["one that might", shop("/rpc", rpc("tasks.complete"))],
    ["a mutation", shop("/data", { body: bodyOf(JSON_TYPE, '{"query":"mutation { a }"}') })],
    ["a place alone", shop("/items")],
    ["a role", shop("/ajax", { body: bodyOf(FORM, "action=get_items&role=owner") })],
    [
      "another method in disguise",
      shop("/rpc", { ...rpc("tasks.list"), headers: { "x-http-method-override": "DELETE" } }),
    ],
  ])("%s has none", (_what, described) => expect(readLikeLine(described)).toBeNull());
});
