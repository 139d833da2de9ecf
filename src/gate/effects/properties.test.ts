import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import type { Body, Cause, RequestKind, Site } from "../../types.ts";
import { readBody } from "./body.ts";
import { decideEffect, type EffectState } from "./decide.ts";
import { describeEffect } from "./describe.ts";
import type { EffectFacts } from "./facts.ts";
import { parseGraphql } from "./graphql.ts";
import { effectsPolicy, permitsEffect } from "./policy.ts";
import { ACTED, bodyOf, FETCH, FORM, JSON_TYPE } from "./request.fixture.ts";
import type { TypedText } from "./typed.ts";

const KINDS: readonly RequestKind[] = [
  "navigation",
  "subframe",
  "data",
  "subresource",
  "worker",
  "prefetch",
  "socket",
  "unknown",
];
const CAUSES: readonly Cause["by"][] = ["call", "page", "person", "signIn", "browser", "code"];
const TYPES = [
  FORM,
  JSON_TYPE,
  "text/plain",
  "multipart/form-data; boundary=b",
  "application/graphql",
  "application/octet-stream",
  "",
  "x",
  `${FORM}; charset=latin1`,
];
const URLS = [
  "https://shop.test/items",
  "https://api.shop.test/graphql",
  "https://evil.test/x",
  "https://shop.test/logout",
  "http://127.0.0.1:1/",
  "about:blank",
  "data:text/html,x",
  "://",
];
const SITES = ["https://shop.test/", "https://evil.test/", "data:text/html,x", null];

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.json().map((text) => new TextEncoder().encode(text)),
  fc.webQueryParameters().map((text) => new TextEncoder().encode(text)),
  fc
    .constantFrom(
      '{"query":"{ a }"}',
      '{"query":"mutation { a }"}',
      "a=1&b=2",
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
    )
    .map((text) => new TextEncoder().encode(text)),
);
const bodies: fc.Arbitrary<Body> = fc.oneof(
  fc.constant<Body>({ kind: "none" }),
  fc.record({ kind: fc.constant("opaque" as const), contentType: fc.constantFrom(...TYPES), knownBytes: fc.nat() }),
  fc.tuple(fc.constantFrom(...TYPES), contents).map(([type, bytes]) => bodyOf(type, bytes)),
);
const requests: fc.Arbitrary<EffectFacts> = fc.record({
  method: fc.oneof(fc.constantFrom("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "get", ""), fc.string()),
  url: fc.oneof(fc.constantFrom(...URLS), fc.webUrl({ withQueryParameters: true }), fc.string()),
  kind: fc.constantFrom(...KINDS),
  resourceType: fc.constantFrom("Fetch", "Document", "Ping", "Image", ""),
  headers: fc.dictionary(
    fc.constantFrom("origin", "X-HTTP-Method-Override", "content-encoding", "x-note"),
    fc.constantFrom("null", "DELETE", "gzip", "https://evil.test", "green"),
  ),
  body: bodies,
  documentUrl: fc.constantFrom(...SITES),
  mainUrl: fc.constantFrom(...SITES),
  hop: fc.nat(3),
  isPrivateSite: fc.boolean(),
  element: fc.option(
    fc.record({
      role: fc.constantFrom("button", "link"),
      name: fc.string(),
      formMethod: fc.constantFrom("get", "post", null),
    }),
  ),
});
const texts: fc.Arbitrary<TypedText> = fc.record({
  text: fc.string(),
  site: fc.constantFrom(null, "shop.test" as Site),
  isSearch: fc.boolean(),
  isChosen: fc.boolean(),
  isSecret: fc.boolean(),
  isShown: fc.boolean(),
});
const states: fc.Arbitrary<EffectState> = fc.record({
  mode: fc.constantFrom("read", "act"),
  by: fc.constantFrom(...CAUSES),
  isStrict: fc.boolean(),
  isPrivate: fc.boolean(),
  isPrivateDocument: fc.boolean(),
  isTouched: fc.boolean(),
  isByInput: fc.boolean(),
  isChosen: fc.boolean(),
  isNamedHost: fc.boolean(),
  isClosed: fc.boolean(),
  typed: fc.array(texts, { maxLength: 3 }),
  hasUnseen: fc.boolean(),
  isLearned: fc.boolean(),
  isKnownForm: fc.boolean(),
  knowsSlot: fc.constantFrom(
    () => false,
    () => true,
  ),
  isGraphqlPlace: fc.boolean(),
  isFollowing: fc.boolean(),
  isOwnDraft: fc.constant(false),
  isSigningIn: fc.constant(false),
  freeLeft: fc.integer({ min: -1, max: 2 }),
  grant: fc.constantFrom(null, null, null, "g1"),
});
const policy = effectsPolicy({ readLike: [{ site: "api.shop.test", path: "/**", operations: ["query", "getItems"] }] });

describe("decisions", () => {
  test("a request with an unsafe method is always decided about", () => {
    fc.assert(
      fc.property(requests, states, (facts, state) => {
        if (["GET", "HEAD", "OPTIONS"].includes(facts.method)) return;
        expect(decideEffect(policy, describeEffect(facts), state).is).not.toBe("none");
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("in read mode nothing passes but what is listed and queries", () => {
    fc.assert(
      fc.property(requests, states, (facts, state) => {
        const decision = decideEffect(policy, describeEffect(facts), { ...state, mode: "read" });
        if (decision.is === "pass")
          expect(["effects.readLike", "effects.reads", "effects.upkeep"]).toContain(decision.rule);
        expect(decision.is).not.toBe("ask");
      }),
      { numRuns: runs(500) },
    );
  });

  test("one typed value more never makes a request pass", () => {
    fc.assert(
      fc.property(requests, states, texts, (facts, state, value) => {
        const described = describeEffect(facts);
        const before = decideEffect(policy, described, state);
        const after = decideEffect(policy, described, { ...state, typed: [...state.typed, value] });
        if (after.is === "pass") expect(before.is).toBe("pass");
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("what the agent typed never passes by itself, wherever the page puts it", () => {
    const value = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((text) => text.trim() !== "" && !/\p{Surrogate}|\0/u.test(text));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 2, 3, 4), states, (typed, where, state) => {
        const url = new URL("https://shop.test/items");
        if (where === 0) url.searchParams.set("a", typed);
        const content = [
          bodyOf(FORM, ""),
          bodyOf(FORM, new URLSearchParams({ a: typed }).toString()),
          bodyOf(JSON_TYPE, JSON.stringify({ a: [typed] })),
          bodyOf("text/plain", typed),
          bodyOf(FORM, new URLSearchParams({ a: Buffer.from(typed).toString("base64") }).toString()),
        ][where];
        const described = describeEffect({ ...FETCH, url: url.href, body: content ?? { kind: "none" } });
        const one = { text: typed, site: null, isSearch: false, isChosen: false, isSecret: true, isShown: false };
        const decision = decideEffect(effectsPolicy(), described, {
          ...state,
          mode: "act",
          by: "page",
          grant: null,
          isClosed: false,
          typed: [one],
        });
        expect(decision.is).toBe("ask");
      }),
      { numRuns: runs(500) },
    );
  });

  test("across sites nothing of a person's passes because of who sent it, but a session that prolongs itself", () => {
    fc.assert(
      fc.property(requests, states, fc.boolean(), (facts, state, isOfDocument) => {
        const described = describeEffect({ ...facts, documentUrl: "https://elsewhere.test/" });
        const whose = isOfDocument ? { isPrivateDocument: true } : { isPrivate: true };
        const decision = decideEffect(effectsPolicy(), described, {
          ...state,
          ...whose,
          mode: "act",
          by: "page",
          grant: null,
        });
        if (decision.is === "pass") expect(decision.rule).toBe("effects.upkeep");
      }),
      { numRuns: 1_000 },
    );
  });

  test("nothing with a sign of a stake passes on a private site, whatever it is called besides", () => {
    const [role, status] = [bodyOf(JSON_TYPE, '{"role":"owner"}'), bodyOf(JSON_TYPE, '{"status":"published"}')];
    const SLOTS: ReadonlySet<Body> = new Set([role, status]);
    const signs = fc.constantFrom<Partial<EffectFacts>>(
      { method: "DELETE" },
      { headers: { "X-HTTP-Method-Override": "DELETE" } },
      { body: role },
      { body: bodyOf(FORM, "action=delete&id=3") },
      { body: status },
      { body: bodyOf(JSON_TYPE, '{"jsonrpc":"2.0","id":1,"method":"deleteAll"}') },
      { body: bodyOf(JSON_TYPE, '{"query":"mutation { pay }"}') },
    );
    const places = fc.constantFrom(
      "/api/search",
      "/api/heartbeat",
      "/posts/1/autosaves",
      "/graphql",
      "/api/getItems",
      "/x",
    );
    fc.assert(
      fc.property(signs, places, states, (sign, path, state) => {
        // In a read such a value is what is looked for.
        if (path.endsWith("/search") || path.endsWith("/getItems"))
          fc.pre(sign.body === undefined || !SLOTS.has(sign.body));
        const described = describeEffect({ ...FETCH, url: `https://shop.test${path}`, ...sign });
        const whose = {
          mode: "act",
          by: "page",
          isPrivate: true,
          isNamedHost: true,
          isLearned: false,
          knowsSlot: () => false,
          grant: null,
        } as const;
        expect(decideEffect(effectsPolicy(), described, { ...state, ...whose }).is).not.toBe("pass");
      }),
      { numRuns: runs(500) },
    );
  });

  test("what cannot be judged is refused", () => {
    const broken = new Proxy(describeEffect(FETCH), {
      get: () => {
        throw new Error("broken");
      },
    });
    expect(
      decideEffect(effectsPolicy(), broken, {
        ...ACTED,
        isTouched: false,
        isLearned: true,
      }),
    ).toEqual({
      is: "refuse",
      rule: "effects.failed",
    });
  });
});

describe("bodies", () => {
  test("any bytes of any type are answered, and whole is never said of what is not shown", () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...TYPES), fc.string()), contents, (type, bytes) => {
        const parts = readBody(bodyOf(type, bytes));
        expect(parts.bytes).toBe(bytes.length);
        if (parts.kind === "opaque") expect(parts).toMatchObject({ fields: [], files: [], text: "", whole: false });
        if (parts.files.length > 0) expect(parts.whole).toBe(false);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test("a byte more, less or other: another digest or what cannot be inspected, and another text where text is shown", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TYPES),
        contents,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (type, bytes, at, by) => {
          fc.pre(bytes.length > 0);
          const other = Uint8Array.from(bytes);
          other[at % bytes.length] = ((other[at % bytes.length] ?? 0) + by) % 256;
          const [before, after] = [readBody(bodyOf(type, bytes)), readBody(bodyOf(type, other))];
          expect(after.digest).toBe(createHash("sha256").update(other).digest("hex"));
          expect(after.digest).not.toBe(before.digest);
          if (before.kind === "text" && after.kind === "text") expect(after.text).not.toBe(before.text);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test("what a browser sends as a form is read as it was filled in", () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(pairs, (fields) => {
        fc.pre(fields.every((pair) => pair.every((text) => !/\p{Surrogate}|\0/u.test(text))));
        const parts = readBody(
          bodyOf(FORM, new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()),
        );
        expect(parts.fields).toEqual(fields.map(([name, value]) => ({ name, value })));
      }),
    );
  });

  test("JSON is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.json().map((text) => text.slice(1)),
        ),
        (text) => {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          expect(readBody(bodyOf(JSON_TYPE, text)).kind).toBe(isJson ? "fields" : "opaque");
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

describe("GraphQL", () => {
  const noise = fc.constantFrom("", " ", "\n", ",", "# mutation { x }\n", '"}"', "{ a }");
  const value = fc.constantFrom("1", '"} mutation { x"', '"""\n}\\""" { """', "{a: [1]}", "$v", "E");
  const selection = fc
    .tuple(fc.constantFrom("a", "x: b", "mutation", "... on T { c }", "... { d }"), value)
    .map(([field, given]) => (/^\w+$/.test(field) ? `{ ${field}(v: ${given}) { e } }` : `{ ${field} }`));
  const operation = (kind: string) =>
    fc
      .tuple(fc.constantFrom("", "N"), fc.constantFrom("", "($v: T = {a: 1})", "@d(x: 1)"), selection)
      .map(([name, more, set]) => `${kind} ${name} ${more} ${set}`);
  const definitions = fc.array(
    fc.oneof(
      operation("query"),
      fc.tuple(selection).map(([set]) => `fragment F on T ${set}`),
    ),
    { maxLength: 2 },
  );

  test("a document with a mutation or a subscription is never read-only, wherever it stands", () => {
    fc.assert(
      fc.property(
        definitions,
        fc.oneof(operation("mutation"), operation("subscription")),
        definitions,
        noise,
        fc.boolean(),
        (before, unsafe, after, between, isBatch) => {
          const query = [...before, unsafe, ...after].join(`\n${between}`);
          const call = { query, operationName: "N" };
          for (const content of [isBatch ? [{ query: "{ a }" }, call] : call]) {
            expect(describeEffect({ ...FETCH, body: bodyOf(JSON_TYPE, JSON.stringify(content)) }).isQuery).toBe(false);
          }
          expect(describeEffect({ ...FETCH, body: bodyOf("application/graphql", query) }).isQuery).toBe(false);
          expect(
            describeEffect({ ...FETCH, method: "GET", url: `https://shop.test/g?query=${encodeURIComponent(query)}` })
              .isGetEffect,
          ).toBe(true);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test("queries alone are", () => {
    fc.assert(
      fc.property(fc.array(operation("query"), { minLength: 1, maxLength: 3 }), (queries) => {
        expect(parseGraphql(queries.join(" # x\n"))?.map(({ kind }) => kind)).toEqual(queries.map(() => "query"));
        expect(
          describeEffect({ ...FETCH, body: bodyOf(JSON_TYPE, JSON.stringify({ query: queries.join("\n") })) }).isQuery,
        ).toBe(true);
      }),
    );
  });

  test("any text is answered", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}()[]@!$:=|&."\\#\n abq1') })),
        (text) => void parseGraphql(text),
      ),
      { numRuns: runs(1_000) },
    );
  });
});

test("an entry with fields permits no field that it does not list", () => {
  const [entry] = effectsPolicy({
    allow: [{ site: "shop.test", method: "POST", path: "/**", fields: ["id", "qty"] }],
  }).allow;
  if (entry === undefined) throw new Error("no entry");
  fc.assert(
    fc.property(requests, (facts) => {
      const described = describeEffect({ ...facts, method: "POST" });
      if (!permitsEffect(entry, described)) return;
      expect(described.parts.fields.every(({ name }) => name === "id" || name === "qty")).toBe(true);
      expect(described.parts.whole).toBe(true);
      expect(described.effect).not.toBe("irreversible");
    }),
    { numRuns: runs(500) },
  );
});
