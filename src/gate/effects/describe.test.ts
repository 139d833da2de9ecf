import { describe, expect, test } from "vitest";
import { describeEffect } from "./describe.ts";
import type { Described, EffectFacts } from "./facts.ts";
import { bodyOf, FETCH, FORM, JSON_TYPE } from "./request.fixture.ts";

function of(facts: Partial<EffectFacts>): Described {
  return describeEffect({ ...FETCH, ...facts });
}

function posting(contentType: string, content: string, facts: Partial<EffectFacts> = {}): Described {
  return of({ body: bodyOf(contentType, content), ...facts });
}

test("the facts of a form", () => {
  expect(posting(FORM, "qty=2&id=9", { url: "https://www.shop.test/cart?x=1#top", method: "POST" })).toMatchObject({
    method: "POST",
    isUnsafe: true,
    isGetEffect: false,
    override: null,
    operations: null,
    isQuery: false,
    place: "POST https://www.shop.test/cart",
    origin: "https://www.shop.test",
    path: "/cart",
    site: "shop.test",
    url: "https://www.shop.test/cart?x=1",
    crossSite: false,
    firstParty: true,
    isReport: false,
  });
});

test.each([
  ["GET", false],
  ["HEAD", false],
  ["OPTIONS", false],
  ["POST", true],
  ["PUT", true],
  ["PATCH", true],
  ["DELETE", true],
  ["get", true],
  ["PROPFIND", true],
  ["", true],
])("method %s", (method, isUnsafe) => expect(of({ method }).isUnsafe).toBe(isUnsafe));

describe("override", () => {
  test.each<[Partial<EffectFacts>, string | null]>([
    [{}, null],
    [{ headers: { "X-HTTP-Method-Override": "delete" } }, "DELETE"],
    [{ headers: { "x-method-override": "PUT" } }, "PUT"],
    [{ headers: { "X-Http-Method": " patch " } }, "PATCH"],
    [{ url: "https://shop.test/?_method=put" }, "PUT"],
    [{ url: "https://shop.test/?_METHOD=put" }, "PUT"],
    [{ body: bodyOf(FORM, "a=1&_method=delete") }, "DELETE"],
    [{ body: bodyOf(FORM, ".method=delete") }, "DELETE"],
    [{ body: bodyOf(JSON_TYPE, '{"_method":"DELETE"}') }, "DELETE"],
    [
      {
        body: bodyOf(
          "multipart/form-data; boundary=b",
          '--b\r\nContent-Disposition: form-data; name="_method"\r\n\r\nPUT\r\n--b--\r\n',
        ),
      },
      "PUT",
    ],
    [{ body: bodyOf("text/plain", '{"_method":"DELETE"}') }, "DELETE"],
    [{ url: "https://shop.test/?_method=get", body: bodyOf(FORM, "_method=delete") }, "DELETE"],
    [{ headers: { "X-HTTP-Method-Override": "GET" } }, "GET"],
    [{ body: bodyOf(FORM, "method=delete&payment_method=x") }, null],
  ])("%j", (facts, override) => expect(of(facts).override).toBe(override));
});

describe("operations", () => {
  const query = { kind: "query", name: "", fields: ["a"] };
  test.each<[string, Partial<EffectFacts>, unknown]>([
    [
      "JSON",
      { body: bodyOf(JSON_TYPE, '{"query":"{ a }","variables":{"x":1},"operationName":null,"extensions":null}') },
      [query],
    ],
    ["a batch", { body: bodyOf(JSON_TYPE, '[{"query":"{ a }"},{"query":"{ a }"}]') }, [query, query]],
    ["application/graphql", { body: bodyOf("application/graphql", "{ a }") }, [query]],
    ["a form", { body: bodyOf(FORM, "query=%7B+a+%7D") }, [query]],
    ["the address", { url: "https://shop.test/graphql?query={a}" }, [query]],
    [
      "both",
      { url: "https://shop.test/graphql?query={a}", body: bodyOf(JSON_TYPE, '{"query":"{ a }"}') },
      [query, query],
    ],
    [
      "a name in the address",
      { url: "https://shop.test/graphql?op=A", body: bodyOf(JSON_TYPE, '{"query":"{ a }"}') },
      [query],
    ],
  ])("queries by %s are read-only", (_what, facts, operations) =>
    expect(of(facts)).toMatchObject({ operations, isQuery: true }),
  );

  test.each<[string, Partial<EffectFacts>]>([
    ["a mutation", { body: bodyOf(JSON_TYPE, '{"query":"mutation { a }"}') }],
    [
      "a mutation beside a query",
      { body: bodyOf(JSON_TYPE, '{"query":"query A { a } mutation B { b }","operationName":"A"}') },
    ],
    ["a mutation in a batch", { body: bodyOf(JSON_TYPE, '[{"query":"{ a }"},{"query":"mutation { a }"}]') }],
    [
      "a mutation in the address",
      { url: "https://shop.test/graphql?query=mutation{a}", body: bodyOf(JSON_TYPE, '{"query":"{ a }"}') },
    ],
    ["a mutation in the second parameter", { url: "https://shop.test/graphql?query={a}&query=mutation{a}" }],
    ["a key twice", { body: bodyOf(JSON_TYPE, '{"query":"{ a }","query":"mutation { a }"}') }],
    ["a field twice", { body: bodyOf(FORM, "query={a}&query=mutation{a}") }],
    ["a stored document", { body: bodyOf(JSON_TYPE, '{"extensions":{"persistedQuery":{"sha256Hash":"x"}}}') }],
    [
      "a stored document beside a query",
      { body: bodyOf(JSON_TYPE, '{"query":"{ a }","extensions":{"persistedQuery":{"sha256Hash":"x"}}}') },
    ],
    [
      "a stored document in the address",
      { url: "https://shop.test/graphql?documentId=x", body: bodyOf(JSON_TYPE, '{"query":"{ a }"}') },
    ],
    ["an unknown key", { body: bodyOf(JSON_TYPE, '{"query":"{ a }","action":"delete"}') }],
    ["an element of another kind", { body: bodyOf(JSON_TYPE, '[{"query":"{ a }"},{"id":1}]') }],
    ["an empty batch", { body: bodyOf(JSON_TYPE, "[]") }],
    [
      "a file beside it",
      {
        body: bodyOf(
          "multipart/form-data; boundary=b",
          '--b\r\nContent-Disposition: form-data; name="query"\r\n\r\n{a}\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n1\r\n--b--\r\n',
        ),
      },
    ],
    ["no content type", { body: bodyOf("", '{"query":"{ a }"}') }],
    ["text", { body: bodyOf("text/plain", '{"query":"{ a }"}') }],
    ["a search", { body: bodyOf(FORM, "query=kettle") }],
    [
      "a body that is something else",
      { url: "https://shop.test/graphql?query={a}", body: bodyOf(FORM, "action=delete") },
    ],
    ["nothing", {}],
  ])("%s is not", (_what, facts) => expect(of(facts).isQuery).toBe(false));

  test("what somebody pressed does not make a query an effect", () =>
    expect(
      posting(JSON_TYPE, '{"query":"{ a }"}', { element: { role: "button", name: "Delete", formMethod: null } })
        .isQuery,
    ).toBe(true));

  test("JSON-RPC", () => {
    expect(posting(JSON_TYPE, '{"jsonrpc":"2.0","id":1,"method":"getItems","params":[]}')).toMatchObject({
      operations: [{ kind: "method", name: "getItems", fields: [] }],
      isQuery: false,
    });
    expect(posting(JSON_TYPE, '{"method":"getItems"}').operations).toBeNull();
    expect(posting(JSON_TYPE, '{"jsonrpc":"2.0","method":"a","method":"b"}').operations).toBeNull();
  });
});

describe("whose request it is", () => {
  test.each<[string, Partial<EffectFacts>, boolean, boolean]>([
    ["another host of the site", { url: "https://api.shop.test/x" }, false, true],
    ["another site", { url: "https://evil.test/x" }, true, false],
    ["an unknown document", { documentUrl: null }, true, false],
    ["a foreign frame", { documentUrl: "https://evil.test/" }, true, false],
    ["a foreign frame to itself", { url: "https://evil.test/x", documentUrl: "https://evil.test/" }, false, false],
    ["an unknown tab", { mainUrl: null }, false, false],
    ["a header that says otherwise", { headers: { Origin: "https://evil.test" } }, true, false],
    ["a header that says nothing", { headers: { origin: "null" } }, false, false],
    ["a header that agrees", { headers: { origin: "https://www.shop.test" } }, false, true],
    ["a document without an address", { documentUrl: "data:text/html,x" }, true, false],
    [
      "another port of an address",
      { url: "http://127.0.0.1:1/x", documentUrl: "http://127.0.0.1:2/", mainUrl: "http://127.0.0.1:2/" },
      true,
      false,
    ],
  ])("%s", (_what, facts, crossSite, firstParty) => expect(of(facts)).toMatchObject({ crossSite, firstParty }));
});

describe("reports", () => {
  test.each<[Partial<EffectFacts>, boolean]>([
    [{ resourceType: "Ping" }, true],
    [{ resourceType: "CSPViolationReport" }, true],
    [{ body: bodyOf("application/reports+json", "[]") }, true],
    [{ body: bodyOf("application/csp-report", "{}") }, true],
    [{ body: bodyOf(JSON_TYPE, "{}") }, false],
    [{ method: "GET", headers: { "content-type": "application/reports+json" } }, false],
    [{}, false],
  ])("%j", (facts, isReport) => expect(of(facts).isReport).toBe(isReport));
});

describe("operation", () => {
  const base = posting(JSON_TYPE, '{"id":1,"items":[{"n":1}],"action":"open"}').operation.key;
  const keyOf = (value: unknown, facts: Partial<EffectFacts> = {}) =>
    posting(JSON_TYPE, JSON.stringify(value), facts).operation.key;
  test.each<[string, unknown, Partial<EffectFacts>]>([
    ["another command", { id: 1, items: [{ n: 1 }], action: "delete" }, {}],
    ["another method", { id: 1, items: [{ n: 1 }], action: "open" }, { method: "PUT" }],
    ["another path", { id: 1, items: [{ n: 1 }], action: "open" }, { url: "https://shop.test/other" }],
    ["another host", { id: 1, items: [{ n: 1 }], action: "open" }, { url: "https://api.shop.test/items" }],
    [
      "another header that says what to do",
      { id: 1, items: [{ n: 1 }], action: "open" },
      { headers: { "Next-Action": "ab12" } },
    ],
  ])("%s is another one", (_what, value, facts) => expect(keyOf(value, facts)).not.toBe(base));
  test("values are slots", () => expect(keyOf({ action: "open", items: [{ n: 7 }], id: "x" })).toBe(base));
  test("ids of a path are slots", () => {
    expect(posting(FORM, "a=1", { url: "https://shop.test/items/12/note" }).operation.key).toBe(
      posting(FORM, "a=1", { url: "https://shop.test/items/13/note" }).operation.key,
    );
  });
  test("other operations count, whatever they are sent in", () => {
    const of = (query: string) => keyOf({ operationName: "X", query, variables: {} });
    expect(of("mutation X { seen }")).not.toBe(of("mutation X { pay }"));
    expect(keyOf({ jsonrpc: "2.0", id: 1, method: "seen" })).not.toBe(keyOf({ jsonrpc: "2.0", id: 1, method: "pay" }));
    expect(keyOf({ doc_id: "1", variables: {} })).not.toBe(keyOf({ doc_id: "2", variables: {} }));
    expect(keyOf({ extensions: { persistedQuery: { sha256Hash: "a" } } })).not.toBe(
      keyOf({ extensions: { persistedQuery: { sha256Hash: "b" } } }),
    );
  });
  test("what cannot be taken apart differs by its bytes", () => {
    const slots = (type: string, text: string) => posting(type, text).operation.slots;
    expect(slots("text/plain", "a")).not.toEqual(slots("text/plain", "b"));
    expect(slots("application/octet-stream", "a")).not.toEqual(slots("application/octet-stream", "b"));
  });
  test("JSON that does not say that it is, and JSON in a field, are taken apart", () => {
    expect(posting("text/plain", '{"at":1}').operation.slots).toEqual([{ name: "at", value: "1" }]);
    expect(posting(FORM, 'message={"actions":[{"descriptor":"a$getItems"}]}').operation.verbs).toEqual([
      { at: "field", name: "a$getItems" },
      { at: "path", name: "items" },
    ]);
  });
  test.each([
    ["https://shop.test/api/items", ["api", "items"]],
    ["https://shop.test/users/12/delete.php", ["users", "delete"]],
    ["https://shop.test/v2/items;jsessionid=1", ["v2", "items"]],
    ["https://shop.test/reviews/get/ref=cm_cr", ["reviews", "get"]],
  ])("path of %s", (url, path) => expect(posting(FORM, "", { url }).operation.path).toEqual(path));
});
