import { describe, expect, test } from "vitest";
import { cpuTime } from "../../../test/cpu-time.ts";
import { describeEffect } from "./describe.ts";
import type { EffectFacts } from "./facts.ts";
import { matchesPath } from "./path-pattern.ts";
import { type EffectEntry, effectsPolicy, isReadLike, permitsEffect } from "./policy.ts";
import { bodyOf, FETCH, FORM, JSON_TYPE } from "./request.fixture.ts";

const CART = { site: "shop.test", method: "POST", path: "/cart/*" };

function entryOf(settings: unknown): EffectEntry {
  const [entry] = effectsPolicy({ allow: [settings] }).allow;
  if (entry === undefined) throw new Error("no entry");
  return entry;
}

function permits(settings: unknown, facts: Partial<EffectFacts>): boolean {
  return permitsEffect(entryOf(settings), describeEffect({ ...FETCH, ...facts }));
}

describe("what may stand in effects.allow", () => {
  test("as the documentation shows it", () => {
    const entry = entryOf({ ...CART, fields: ["id", "qty"], max: 5 });
    expect(entry).toMatchObject({
      method: "POST",
      max: 5,
      fields: new Set(["id", "qty"]),
      site: { host: "shop.test" },
      path: { text: "/cart/*", isExact: false },
    });
  });
  test("nothing", () => expect(effectsPolicy()).toEqual({ allow: [], readLike: [] }));
  test.each(["http://127.0.0.1:3000", "localhost:3000", "[::1]:8080", "https://shop.test:8443"])("site %s", (site) =>
    expect(entryOf({ ...CART, site }).site.host).not.toBe(""),
  );

  test.each([
    ["not an object", "shop.test"],
    ["null", null],
    ["a list", [CART]],
    ["an unknown key", { ...CART, fileds: ["a"] }],
    ["no site", { method: "POST", path: "/" }],
    ["no method", { site: "shop.test", path: "/" }],
    ["no path", { site: "shop.test", method: "POST" }],
    ["an empty site", { ...CART, site: "" }],
    ["a wildcard in the site", { ...CART, site: "*.shop.test" }],
    ["a path in the site", { ...CART, site: "shop.test/cart" }],
    ["another scheme", { ...CART, site: "ws://shop.test" }],
    ["a public suffix", { ...CART, site: "co.uk" }],
    ["a metadata service", { ...CART, site: "169.254.169.254" }],
    ["a number as site", { ...CART, site: 1 }],
    ["an empty method", { ...CART, method: "" }],
    ["lower case", { ...CART, method: "post" }],
    ["any method", { ...CART, method: "*" }],
    ["a method that changes nothing", { ...CART, method: "OPTIONS" }],
    ["an empty path", { ...CART, path: "" }],
    ["a relative path", { ...CART, path: "cart" }],
    ["a query", { ...CART, path: "/cart?id=1" }],
    ["a fragment", { ...CART, path: "/cart#x" }],
    ["a backslash", { ...CART, path: "/cart\\x" }],
    ["a blank", { ...CART, path: "/cart x" }],
    ["dots", { ...CART, path: "/a/../cart" }],
    ["** beside other signs", { ...CART, path: "/a**" }],
    ["*** ", { ...CART, path: "/***" }],
    ["fields that are no list", { ...CART, fields: "id" }],
    ["an empty field", { ...CART, fields: [""] }],
    ["a number as field", { ...CART, fields: [1] }],
    ["a wildcard as field", { ...CART, fields: ["*"] }],
    ["operations that are no list", { ...CART, operations: "add" }],
    ["no operation at all", { ...CART, operations: [] }],
    ["a wildcard as operation", { ...CART, operations: ["get*"] }],
    ["a wildcard as parameter", { ...CART, query: ["*"] }],
    ["max 0", { ...CART, max: 0 }],
    ["max 1.5", { ...CART, max: 1.5 }],
    ["max as text", { ...CART, max: "5" }],
    ["max null", { ...CART, max: null }],
  ])("%s is an error that names the list", (_what, entry) => {
    expect(() => effectsPolicy({ allow: [CART, entry] })).toThrow(/^effects\.allow: /);
  });

  test.each([
    ["an unknown key", { site: "shop.test", path: "/g", method: "POST" }],
    ["no operation at all", { site: "shop.test", path: "/g", operations: [] }],
    ["an empty operation", { site: "shop.test", path: "/g", operations: [""] }],
    ["a wildcard", { site: "shop.test", path: "/g", operations: ["get*"] }],
    ["no path", { site: "shop.test" }],
  ])("readLike: %s", (_what, entry) =>
    expect(() => effectsPolicy({ readLike: [entry] })).toThrow(/^effects\.readLike: /),
  );

  test("a list that is none", () => {
    const settings: { allow: readonly unknown[] } = JSON.parse('{"allow":{}}');
    expect(() => effectsPolicy(settings)).toThrow("effects.allow: is not a list");
  });
  test("the entry is named", () =>
    expect(() => effectsPolicy({ allow: [{ ...CART, max: 0 }] })).toThrow(
      JSON.stringify(JSON.stringify({ ...CART, max: 0 }).slice(0, 20)).slice(1, 20),
    ));
});

describe("paths", () => {
  const pattern = (path: string) => entryOf({ ...CART, path }).path;
  test.each([
    ["/cart/*", "/cart/12"],
    ["/cart/*", "/cart/"],
    ["/cart/a*z", "/cart/abcz"],
    ["/cart/*b*", "/cart/abc"],
    ["/**", "/"],
    ["/**/a/**/b", "/a/x/a/b/b"],
    ["/**/a/*/b", "/a/a/x/b"],
    ["/**", "/a/b/c"],
    ["/a/**/z", "/a/z"],
    ["/a/**/z", "/a/b/c/z"],
    ["/", "/"],
    ["/%C3%BC", "/%C3%BC"],
    ["/ü", "/%C3%BC"],
    ["/a%2Fb", "/a%2fb"],
    ["/a%2Fb/*", "/a%2fb/1"],
    ["/%2A", "/*"],
  ])("%s covers %s", (path, actual) => expect(matchesPath(pattern(path), actual)).toBe(true));
  test.each([
    ["/cart/*", "/cart"],
    ["/cart/*", "/cart/1/2"],
    ["/cart/a*a", "/cart/a"],
    ["/cart/*", "/carts/1"],
    ["/cart", "/cart/"],
    ["/cart", "/Cart"],
    ["/a/**/z", "/a/b"],
    ["/a/b", "/a%2Fb"],
    ["/*", "/a%2Fb"],
    ["/cart/*", "/cart/..%2fadmin"],
    ["/cart/*", "/cart/..%5cadmin"],
    ["/cart/*", "/cart/%5c..%5cadmin"],
    ["/cart/*", "/cart/..%252fadmin"],
    ["/cart/*", "/cart/%25252fadmin"],
    ["/cart/*", "/cart/%252525252fadmin"],
    ["/cart/*", "/cart/..;x=1"],
    ["/cart/*", "/cart/%00"],
    ["/cart/**", "/cart/..;/admin"],
    ["/cart/**", "/cart/a/..%2f..%2fadmin"],
    ["/**/pay", "/x%2fy/pay"],
    ["/a*", "/a%2Fb"],
    ["/%2A", "/a"],
    ["/**/a/**/b", "/b/a"],
    ["/**/delete", "/a/deleted"],
  ])("%s does not cover %s", (path, actual) => expect(matchesPath(pattern(path), actual)).toBe(false));
  test("nothing makes it slow", () => {
    const spentMs = cpuTime();
    expect(matchesPath(pattern("/**/a/**/a/**/b"), `/${"a/".repeat(50_000)}`)).toBe(false);
    expect(matchesPath(pattern(`/${"*a".repeat(500)}b`), `/${"a".repeat(50_000)}`)).toBe(false);
    expect(spentMs()).toBeLessThan(2_000);
  });
});

describe("permits", () => {
  const url = "https://shop.test/cart/12";
  test.each<[string, unknown, Partial<EffectFacts>]>([
    ["the place", CART, { url }],
    ["a subdomain", CART, { url: "https://www.shop.test/cart/12" }],
    ["a query, where no fields are listed", CART, { url: `${url}?a=1` }],
    ["fewer fields than listed", { ...CART, fields: ["id", "qty"] }, { url, body: bodyOf(FORM, "id=1") }],
    ["no body", { ...CART, fields: [] }, { url }],
    ["JSON", { ...CART, fields: ["items[].id"] }, { url, body: bodyOf(JSON_TYPE, '{"items":[{"id":1},{"id":2}]}') }],
    ["irreversible by an exact path", { ...CART, path: "/pay" }, { url: "https://shop.test/pay" }],
    [
      "its own override",
      { ...CART, method: "PUT" },
      { url, method: "PUT", headers: { "x-http-method-override": "PUT" } },
    ],
    ["HEAD, as GET", { ...CART, method: "GET" }, { url, method: "HEAD" }],
    ["what is listed of its query", { ...CART, query: ["a", "b"] }, { url: `${url}?a=1&a=2` }],
    ["no query, where none is listed", { ...CART, query: [] }, { url }],
    [
      "the query beside fields",
      { ...CART, query: ["a"], fields: ["id"] },
      { url: `${url}?a=1`, body: bodyOf(FORM, "id=1") },
    ],
    [
      "a field that names the operation",
      { ...CART, operations: ["add"] },
      { url, body: bodyOf(FORM, "action=add&id=1") },
    ],
    ["a parameter that names it", { ...CART, operations: ["add"] }, { url: `${url}?action=add` }],
    [
      "a method of JSON-RPC",
      { ...CART, operations: ["cart.add"] },
      { url, body: bodyOf(JSON_TYPE, '{"jsonrpc":"2.0","id":1,"method":"cart.add"}') },
    ],
    [
      "GraphQL by name and root",
      { ...CART, operations: ["Add", "addItem"] },
      { url, body: bodyOf(JSON_TYPE, '{"query":"mutation Add { addItem(id: 1) { id } }"}') },
    ],
    ["a header that names it", { ...CART, operations: ["Cart.Add"] }, { url, headers: { SOAPAction: "Cart.Add" } }],
    ["any body where no fields are listed", CART, { url, body: bodyOf("application/octet-stream", "x") }],
  ])("%s", (_what, settings, facts) => expect(permits(settings, facts)).toBe(true));

  test.each<[string, unknown, Partial<EffectFacts>]>([
    ["another method", CART, { url, method: "PUT" }],
    ["another path", CART, { url: "https://shop.test/checkout" }],
    ["another site", CART, { url: "https://evil.test/cart/12" }],
    ["a name in front", CART, { url: "https://shop.test.evil.test/cart/12" }],
    ["another port", CART, { url: "https://shop.test:8443/cart/12" }],
    ["another scheme", { ...CART, site: "https://shop.test" }, { url: "http://shop.test/cart/12" }],
    ["one field more", { ...CART, fields: ["id"] }, { url, body: bodyOf(FORM, "id=1&role=admin") }],
    [
      "one field more in the query",
      { ...CART, fields: ["id"] },
      { url: `${url}?role=admin`, body: bodyOf(FORM, "id=1") },
    ],
    ["one key more", { ...CART, fields: ["id"] }, { url, body: bodyOf(JSON_TYPE, '{"id":1,"a":{"role":1}}') }],
    ["text instead of fields", { ...CART, fields: ["id"] }, { url, body: bodyOf("text/plain", "id=1") }],
    ["what cannot be inspected", { ...CART, fields: [] }, { url, body: bodyOf("application/octet-stream", "x") }],
    ["a stream", { ...CART, fields: [] }, { url, body: { kind: "opaque", contentType: FORM, knownBytes: 0 } }],
    [
      "a file",
      { ...CART, fields: ["f"] },
      {
        url,
        body: bodyOf(
          "multipart/form-data; boundary=b",
          '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\nx\r\n--b--\r\n',
        ),
      },
    ],
    ["irreversible under a wildcard", { ...CART, path: "/**" }, { url: "https://shop.test/pay" }],
    [
      "irreversible by its label under a wildcard",
      CART,
      { url, element: { role: "button", name: "Delete", formMethod: null } },
    ],
    ["another method in disguise", CART, { url, headers: { "x-http-method-override": "PATCH" } }],
    ["one parameter more", { ...CART, query: ["a"] }, { url: `${url}?a=1&b=1` }],
    [
      "a field more beside a listed query",
      { ...CART, query: ["a"], fields: ["id"] },
      { url: `${url}?a=1`, body: bodyOf(FORM, "a=1") },
    ],
    ["another operation", { ...CART, operations: ["add"] }, { url, body: bodyOf(FORM, "action=remove") }],
    [
      "one operation more",
      { ...CART, operations: ["add"] },
      { url: `${url}?action=remove`, body: bodyOf(FORM, "action=add") },
    ],
    ["no operation where one is listed", { ...CART, operations: ["add"] }, { url }],
    [
      "the last part of its path as operation",
      { ...CART, path: "/cart/add", operations: ["add"] },
      { url: "https://shop.test/cart/add" },
    ],
    [
      "a call more in a batch",
      { ...CART, operations: ["a"] },
      { url, body: bodyOf(JSON_TYPE, '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]') },
    ],
    [
      "calls that are not all understood",
      { ...CART, operations: ["a"] },
      { url, body: bodyOf("text/plain", '{"jsonrpc":"2.0","method":"a"}') },
    ],
    [
      "an operation that cannot be inspected",
      { ...CART, operations: ["add"] },
      { url: `${url}?action=add`, body: bodyOf("application/octet-stream", "x") },
    ],
    [
      "a stored document",
      { ...CART, operations: ["Add"] },
      { url, body: bodyOf(JSON_TYPE, '{"operationName":"Add","extensions":{"persistedQuery":{"sha256Hash":"ab"}}}') },
    ],
    ["the same in the body", { ...CART, fields: ["_method", "id"] }, { url, body: bodyOf(FORM, "_method=put&id=1") }],
  ])("not %s", (_what, settings, facts) => expect(permits(settings, facts)).toBe(false));
});

describe("read-like", () => {
  const graphql = { url: "https://shop.test/graphql", documentUrl: "https://shop.test/" };
  const query = bodyOf(JSON_TYPE, '{"query":"{ a }"}');
  const mutation = bodyOf(JSON_TYPE, '{"query":"mutation { a }"}');
  const rpc = (...methods: readonly string[]) =>
    bodyOf(JSON_TYPE, JSON.stringify(methods.map((method) => ({ jsonrpc: "2.0", id: 1, method }))));
  const reads = (entry: object, facts: Partial<EffectFacts>) =>
    isReadLike(
      effectsPolicy({ readLike: [{ site: "shop.test", path: "/graphql", ...entry }] }),
      describeEffect({ ...FETCH, ...graphql, ...facts }),
    );

  test("a path", () => {
    expect(reads({}, { body: mutation })).toBe(true);
    expect(reads({}, { url: "https://shop.test/graphql/x" })).toBe(false);
    expect(reads({}, { method: "DELETE" })).toBe(false);
    expect(reads({}, { headers: { "x-http-method-override": "DELETE" } })).toBe(false);
  });
  test("queries", () => {
    expect(reads({ operations: ["query"] }, { body: query })).toBe(true);
    expect(reads({ operations: ["query"] }, { body: mutation })).toBe(false);
    expect(reads({ operations: ["query"] }, { body: rpc("query") })).toBe(true);
    expect(reads({ operations: ["query"] }, { body: bodyOf(JSON_TYPE, '{"id":"stored"}') })).toBe(false);
    expect(reads({ operations: ["query"] }, {})).toBe(false);
  });
  test("what is named elsewhere", () => {
    const stored = bodyOf(JSON_TYPE, '{"operationName":"View","extensions":{"persistedQuery":{"sha256Hash":"ab12"}}}');
    expect(reads({ operations: ["View", "ab12"] }, { body: stored })).toBe(true);
    expect(reads({ operations: ["View"] }, { body: stored })).toBe(false);
    expect(reads({ operations: ["GetItems"] }, { headers: { SOAPAction: "GetItems" } })).toBe(true);
    expect(
      reads({ operations: ["GetItems"] }, { headers: { SOAPAction: "GetItems" }, body: bodyOf(FORM, "action=delete") }),
    ).toBe(false);
    expect(reads({ operations: ["graphql"] }, {})).toBe(false);
  });
  test("methods", () => {
    expect(reads({ operations: ["getItems"] }, { body: rpc("getItems") })).toBe(true);
    expect(reads({ operations: ["getItems", "getUsers"] }, { body: rpc("getItems", "getUsers") })).toBe(true);
    expect(reads({ operations: ["getItems"] }, { body: rpc("getItems", "deleteItem") })).toBe(false);
    expect(
      reads(
        { operations: ["getItems"] },
        { body: bodyOf(JSON_TYPE, '{"jsonrpc":"2.0","method":"getItems","method":"deleteItem"}') },
      ),
    ).toBe(false);
    expect(
      reads(
        { operations: ["getItems"] },
        { body: bodyOf(JSON_TYPE, '[{"jsonrpc":"2.0","method":"getItems"},{"action":"delete"}]') },
      ),
    ).toBe(false);
    expect(
      reads({ operations: ["getItems"] }, { body: bodyOf("text/plain", '{"jsonrpc":"2.0","method":"getItems"}') }),
    ).toBe(false);
  });
});
