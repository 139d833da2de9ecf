import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DecisionEntry, type DecisionLog, openDecisionLog } from "../ledger/log.ts";
import type {
  CallId,
  Cause,
  DocumentId,
  Element,
  Intent,
  Permit,
  Ref,
  RequestFacts,
  Sink,
  Site,
  TabId,
  Value,
  Verb,
  Verdict,
} from "../types.ts";
import { atOnce, type GuardAtHand, type GuardTerms, guardAtHand } from "./guard.fixture.ts";
import type { Guard } from "./monitor.ts";
import { isPermit } from "./permit.ts";
import type { RuleHook } from "./rule.ts";

const A = "http://127.0.0.1:3000";
const B = "http://127.0.0.1:3001";
const SECRET = "hunter2-hunter2";

const SHOP = "shop.test" as Site;

function setUp({ open = [], ...terms }: Partial<GuardTerms> & { readonly open?: readonly string[] } = {}): GuardAtHand {
  return guardAtHand({ reach: { private: open, reading: "open", assets: "open" }, ...terms });
}

/** What a request gets that nobody is asked about. */
function verdictOf(guard: Guard, facts: RequestFacts): Verdict {
  return atOnce(guard.request(facts));
}

function element(href: string | null, site: string): Element {
  return {
    ref: "e1" as Ref,
    tab: "t1" as TabId,
    document: "d" as DocumentId,
    frame: "f",
    site: site as Site,
    role: "link",
    name: "words of the page",
    within: "row",
    href,
    field: null,
    form: null,
  };
}

let calls = 0;
function intent(verb: Verb, more: Partial<Intent> = {}): Intent {
  calls++;
  return {
    call: `c${calls}` as CallId,
    tool: "tool",
    verb,
    tab: "t1" as TabId,
    element: null,
    values: [],
    sink: null,
    ...more,
  };
}

function go(url: string, from: Element | null = null): Intent {
  return intent("go", { sink: { kind: "url", url }, element: from });
}

function request(
  url: string,
  more: Partial<RequestFacts> & { readonly documentUrl?: string | null; readonly mainUrl?: string | null } = {},
): RequestFacts {
  const { documentUrl = null, mainUrl = null, ...facts } = more;
  const from = { target: "T", targetType: "page", frame: "F", documentUrl, mainUrl, page: "T", freshPopup: false };
  return {
    id: "1",
    kind: "navigation",
    resourceType: "Document",
    method: "GET",
    url,
    headers: {},
    body: { kind: "none" },
    from,
    hop: 0,
    redirectedFrom: null,
    cause: { by: "page" },
    ...facts,
  };
}

function permitOf(guard: Guard, wanted: Intent): Permit {
  const decision = guard.call(wanted);
  if (!("permit" in decision)) throw new Error("refused" in decision ? decision.refused.rule : "waiting");
  return decision.permit;
}

function byCall(permit: Permit): Cause {
  return { by: "call", call: permit.call };
}

describe("calls", () => {
  test.each([
    ["a public address", go("https://shop.test/")],
    ["back, without an address", intent("go")],
    ["looking", intent("look", { element: element("file:///x", "shop.test") })],
    ["a button", intent("press", { element: element(null, "shop.test") })],
    ["a link", intent("press", { element: element("https://other.test/", "shop.test") })],
    ["a javascript: link", intent("press", { element: element("javascript:void(0)", "shop.test") })],
    [
      "typing",
      intent("enter", {
        element: element(null, "shop.test"),
        sink: { kind: "field", element: element(null, "shop.test") },
      }),
    ],
    ["an opened private address", go(`${A}/x`)],
    ["a link of an opened private place", intent("press", { element: element(`${B}/x`, "127.0.0.1:3000") })],
  ])("allows %s", (_what, wanted) => expect(setUp({ open: [A, B] }).guard.call(wanted)).toHaveProperty("permit"));

  test.each([
    ["file:", go("file:///etc/passwd"), "reach.scheme"],
    ["javascript: as destination", go("javascript:alert(1)"), "reach.scheme"],
    ["javascript: by ref", go("javascript:alert(1)", element("javascript:alert(1)", "shop.test")), "reach.scheme"],
    ["a link to file:", intent("press", { element: element("file:///x", "shop.test") }), "reach.scheme"],
    ["a link to data:", intent("press", { element: element("data:text/html,x", "shop.test") }), "reach.scheme"],
    [
      "Enter on a link to loopback",
      intent("enter", { element: element("http://127.1/", "shop.test") }),
      "reach.private",
    ],
    ["loopback", go("http://localhost:9/"), "reach.private"],
    ["metadata", go("http://169.254.169.254/"), "reach.metadata"],
    ["user-info", go("http://shop.test@evil.test/"), "reach.userinfo"],
    [
      "a public page's link to an opened private place",
      intent("press", { element: element(`${A}/x`, "shop.test") }),
      "reach.private",
    ],
    ["the same by ref", go(`${A}/x`, element(`${A}/x`, "shop.test")), "reach.private"],
    ["no address", intent("go", { sink: { kind: "dialog" } }), "guard.unknown"],
    ["an unknown verb", intent("dance" as Verb), "guard.unknown"],
  ])("refuses %s", (_what, wanted, rule) => {
    const { guard, records } = setUp({ open: [A] });
    expect(guard.call(wanted)).toMatchObject({ refused: { verdict: "refuse", rule }, receipt: "r_s_1" });
    expect(records()).toMatchObject([{ kind: "intent", verdict: "refuse", rule, receipt: "r_s_1" }]);
  });
});

describe("permits", () => {
  test("are taken once, and are worthless after the outcome", () => {
    const { guard } = setUp();
    const taken = permitOf(guard, go("https://shop.test/"));
    taken.take();
    expect(() => taken.take()).toThrow("used already");
    const unused = permitOf(guard, go("https://shop.test/"));
    guard.outcome(unused, { ok: false, code: "timeout" });
    expect(() => unused.take()).toThrow("used already");
  });

  test("of a form are for its fields and its submit, and no more", () => {
    const { guard, records } = setUp();
    const field = {
      element: element(null, "shop.test"),
      values: [
        {
          text: "Ada",
          label: { sites: new Set<Site>(), private: new Set<Site>() },
          masked: false,
          channel: { kind: "MODEL" } as const,
        },
      ],
    };
    const form = intent("enter", {
      element: field.element,
      values: [...field.values, ...field.values],
      sink: { kind: "fields", fields: [field, field], submit: true },
    });
    const permit = permitOf(guard, form);
    for (let acts = 0; acts < 3; acts++) permit.take();
    expect(() => permit.take()).toThrow("used already");
    expect(records().filter((record) => record.kind === "intent")).toMatchObject([
      { sink: { kind: "fields" }, values: [{ characters: 3 }, { characters: 3 }] },
    ]);
    const unused = permitOf(guard, { ...form, call: "c999" as CallId });
    guard.outcome(unused, { ok: false, code: "stale" });
    expect(() => unused.take()).toThrow("used already");
  });

  test("cannot be imitated", () => {
    const { guard } = setUp();
    const real = permitOf(guard, go("https://shop.test/"));
    const copy = Object.assign(Object.create(Object.getPrototypeOf(real)), { call: real.call, receipt: real.receipt });
    expect([isPermit(real), isPermit(copy), isPermit({ ...real }), isPermit(null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(() => copy.take()).toThrow(TypeError);
    expect(guard.outcome(copy, { ok: true })).toBeNull();
  });

  test("one outcome each, with what was asked for meanwhile", () => {
    const { guard, records } = setUp();
    const permit = permitOf(guard, go("https://shop.test/"));
    verdictOf(guard, request("https://shop.test/"));
    verdictOf(guard, request("http://127.0.0.1/"));
    expect(guard.outcome(permit, { ok: true })).toBe("r_s_4");
    expect(guard.outcome(permit, { ok: true })).toBeNull();
    expect(records().at(-1)).toMatchObject({
      kind: "outcome",
      of: permit.receipt,
      call: permit.call,
      ok: true,
      code: null,
      requests: { allowed: 1, refused: 1 },
    });
    expect(setUp().guard.outcome(permit, { ok: true })).toBeNull();
  });
});

describe("requests", () => {
  test("a navigation to an opened private place needs a call that named it, or a document of such a place", () => {
    const { guard } = setUp({ open: [A, B] });
    const cause = byCall(permitOf(guard, go(`${A}/x#part`)));
    const to = (url: string, more: Parameters<typeof request>[1] = {}): string =>
      verdictOf(guard, request(url, { cause, documentUrl: "https://shop.test/", ...more })).verdict;
    expect(to(`${A}/x`)).toBe("allow");
    expect(to(`${A}/other`)).toBe("refuse");
    expect(to(`${A}/x`, { method: "POST" })).toBe("refuse");
    expect(to(`${A}/x`, { cause: { by: "page" } })).toBe("refuse");
    expect(to(`${A}/x`, { cause: { by: "call", call: "c0" as CallId } })).toBe("refuse");
    expect(to(`${B}/y`, { hop: 1, redirectedFrom: `${A}/x` })).toBe("allow");
    expect(to(`${B}/y`, { hop: 1, redirectedFrom: "https://shop.test/" })).toBe("refuse");
    expect(to(`${B}/y`, { documentUrl: `${A}/x`, cause: { by: "page" } })).toBe("allow");
  });

  test("a refused call charters nothing", () => {
    const { guard } = setUp({
      open: [A],
      rule: ({ kind, url }) => (kind === "navigation" && url.endsWith("/x") ? "no" : null),
    });
    const wanted = go(`${A}/x`);
    expect(guard.call(wanted)).toHaveProperty("refused");
    expect(verdictOf(guard, request(`${A}/x`, { cause: { by: "call", call: wanted.call } })).verdict).toBe("refuse");
  });

  test("a popup without a known opener passes when the agent pressed in an opened place, and only then", () => {
    const { guard } = setUp({ open: [A] });
    const inside = byCall(permitOf(guard, intent("press", { element: element(null, "127.0.0.1:3000") })));
    const outside = byCall(permitOf(guard, intent("press", { element: element(null, "shop.test") })));
    expect(verdictOf(guard, request(`${A}/popup`, { cause: inside })).verdict).toBe("allow");
    expect(verdictOf(guard, request(`${A}/popup`, { cause: inside, documentUrl: "https://shop.test/" })).verdict).toBe(
      "refuse",
    );
    expect(verdictOf(guard, request(`${A}/popup`, { cause: outside })).verdict).toBe("refuse");
  });

  test("refusals and what changes something are written, the answers before it, the rest is counted", async () => {
    const { guard, records, answer } = setUp({ approver: true, privateSites: [SHOP] });
    const permit = permitOf(guard, go("https://shop.test/"));
    const cause = byCall(permit);
    const own = { documentUrl: "https://shop.test/", mainUrl: "https://shop.test/", method: "POST" };
    verdictOf(guard, request("https://shop.test/", { cause }));
    const saved = guard.request(request("https://shop.test/save", { ...own, cause }));
    expect(guard.asks(permit.call)?.question).toMatchObject({ call: permit.call, about: "effect" });
    expect(records().filter(({ kind }) => kind === "request")).toEqual([]);
    await answer("once");
    expect(await saved).toEqual({ verdict: "allow", rule: "effects.answer" });
    verdictOf(guard, request("https://shop.test/ready", { ...own, kind: "data", resourceType: "Fetch", input: null }));
    verdictOf(guard, request("http://10.0.0.1/", { kind: "data" }));
    guard.outcome(permit, { ok: true });
    expect(records().slice(1)).toMatchObject([
      { kind: "grant", source: "firstUse", site: "shop.test" },
      { kind: "question", question: "q1", call: permit.call, about: "effect" },
      { kind: "answer", question: "q1", answer: "once", by: "callback" },
      {
        kind: "request",
        method: "POST",
        url: "https://shop.test/save",
        verdict: "allow",
        rule: "effects.answer",
        by: "call",
        question: "q1",
      },
      {
        kind: "request",
        method: "POST",
        url: "https://shop.test/ready",
        verdict: "allow",
        rule: "effects.own",
        by: "page",
        call: null,
      },
      {
        kind: "request",
        method: "GET",
        url: "http://10.0.0.1/",
        verdict: "refuse",
        rule: "reach.private",
        by: "page",
        call: null,
      },
      { kind: "outcome", requests: { allowed: 3, refused: 1 } },
    ]);
  });

  test("what changes something and nobody can be asked about is refused, and written", () => {
    const { guard, records } = setUp({ privateSites: [SHOP] });
    const cause = byCall(permitOf(guard, go("https://shop.test/")));
    expect(
      verdictOf(
        guard,
        request("https://shop.test/save", {
          cause,
          method: "POST",
          documentUrl: "https://shop.test/",
          mainUrl: "https://shop.test/",
        }),
      ),
    ).toMatchObject({
      verdict: "refuse",
      rule: "effects.private",
    });
    expect(records().at(-1)).toMatchObject({
      kind: "request",
      method: "POST",
      verdict: "refuse",
      rule: "effects.private",
    });
  });

  test("what a document posts by itself is asked about when others that belong to it had their time", async () => {
    const { guard, asked, answer, elapse } = setUp({ approver: true, privateSites: [SHOP] });
    const posted = guard.request(
      request("https://shop.test/beacon", {
        method: "POST",
        documentUrl: "https://shop.test/",
        mainUrl: "https://shop.test/",
      }),
    );
    expect(asked).toEqual([]);
    elapse();
    await answer("no");
    expect(await posted).toMatchObject({ verdict: "refuse", rule: "effects.denied" });
  });

  test.each([
    ["of another origin's answer", "https://shop.test", "Fetch", true],
    ["of its own origin's answer", "https://stats.test", "Fetch", false],
    ["of an answer whose asker is not known", null, "XHR", false],
    ["of a beacon's answer", "https://stats.test", "Ping", true],
  ] as const)(
    "what a page learns %s looks like an arrival only where it can read nothing",
    (_what, origin, resourceType, quiet) => {
      const { guard } = setUp({ reach: { allow: ["shop.test"] } });
      const headers: Readonly<Record<string, string>> = origin === null ? {} : { Origin: origin };
      const told = request("https://stats.test/t", {
        kind: "data",
        resourceType,
        method: "POST",
        headers,
        documentUrl: "https://shop.test/",
      });
      expect(verdictOf(guard, told)).toMatchObject({ verdict: "refuse", rule: "reach.site" });
      expect(verdictOf(guard, { ...told, id: "2" })).toEqual(
        quiet ? expect.objectContaining({ quiet: true }) : expect.not.objectContaining({ quiet: true }),
      );
    },
  );

  test("a page cannot fill the record", () => {
    let written = 0;
    const { guard } = setUp({ log: { record: () => `r_${++written}` as never, recent: () => [], close: () => {} } });
    for (let count = 0; count < 5_100; count++)
      expect(verdictOf(guard, request("http://10.0.0.1/")).verdict).toBe("refuse");
    expect(written).toBe(5_000);
    verdictOf(guard, request("http://10.0.0.1/", { method: "POST", cause: { by: "call", call: "c1" as CallId } }));
    expect(written).toBe(5_001);
  });
});

describe("the operator's rule", () => {
  const second: RuleHook = ({ site }) => (site === "second.test" ? "the second site is out\nof bounds" : null);

  test("refuses calls, requests and what is shown, with its reason on one line", () => {
    const { guard } = setUp({ rule: second });
    const refusal = {
      verdict: "refuse",
      rule: "reach.rule",
      reason: "the second site is out of bounds",
      site: "second.test",
    };
    expect(guard.call(go("https://www.second.test/"))).toMatchObject({ refused: refusal });
    expect(guard.call(intent("press", { element: element("https://second.test/", "shop.test") }))).toMatchObject({
      refused: refusal,
    });
    expect(
      verdictOf(guard, request("https://second.test/", { hop: 1, redirectedFrom: "https://shop.test/" })),
    ).toMatchObject(refusal);
    expect(guard.show("https://second.test/")).toMatchObject(refusal);
    expect(verdictOf(guard, request("https://shop.test/"))).toMatchObject({ verdict: "allow" });
  });

  test("is told what surface.md promises", () => {
    const asked: unknown[] = [];
    const { guard } = setUp({ rule: (seen) => void asked.push(seen) as unknown as null });
    verdictOf(
      guard,
      request("https://cdn.shop.test/a.png", {
        kind: "subresource",
        resourceType: "Image",
        mainUrl: "https://shop.test/",
      }),
    );
    expect(asked).toEqual([
      {
        url: "https://cdn.shop.test/a.png",
        kind: "subresource",
        resourceType: "Image",
        method: "GET",
        mainDocument: "https://shop.test/",
        site: "shop.test",
      },
    ]);
  });

  test("never widens addresses and schemes", () => {
    let asked = 0;
    const { guard } = setUp({
      rule: () => {
        asked++;
        return null;
      },
    });
    for (const url of ["http://127.0.0.1/", "http://169.254.169.254/", "file:///x", "http://a@shop.test/"])
      expect(verdictOf(guard, request(url)).verdict).toBe("refuse");
    expect(asked).toBe(0);
  });

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["true", true],
    ["a promise", Promise.resolve(null)],
    ["an empty reason", ""],
    ["a long reason", "x".repeat(10_000)],
    ["control characters", "\u001b[31m\u202e\u0000"],
  ])("%s refuses", (_what, answer) => {
    const verdict = verdictOf(setUp({ rule: () => answer as null }).guard, request("https://shop.test/"));
    if (verdict.verdict !== "refuse") throw new Error("allowed");
    expect(verdict.rule).toBe("reach.rule");
    expect(verdict.reason).toMatch(/^[\x20-\x7e]{1,200}$/);
  });

  test("an exception refuses", () => {
    const rule: RuleHook = () => {
      throw new Error(SECRET);
    };
    const verdict = verdictOf(setUp({ rule }).guard, request("https://shop.test/"));
    expect(verdict).toMatchObject({ verdict: "refuse", rule: "reach.rule" });
    expect(JSON.stringify(verdict)).not.toContain(SECRET);
  });
});

describe("the record", () => {
  test("has no values, no words of a page, no credentials of addresses", () => {
    const { guard, records } = setUp();
    const label = { sites: new Set<Site>(), private: new Set<Site>() };
    const value: Value = { text: SECRET, label, masked: false, channel: { kind: "SECRET", name: "office" } };
    guard.call(
      intent("enter", {
        element: element(`https://u:${SECRET}@shop.test/?token=${SECRET}`, "shop.test"),
        values: [value],
      }),
    );
    guard.call(go(`https://shop.test/?password=${SECRET}#${SECRET}`));
    const written = JSON.stringify(records());
    expect(written).not.toContain(SECRET);
    expect(written).not.toContain("words of the page");
    expect(records()[0]).toMatchObject({
      values: [{ channel: "SECRET", characters: SECRET.length }],
      target: { ref: "e1", role: "link", site: "shop.test" },
    });
  });

  test("is given no value that was typed into a secret field, alone or in a form", () => {
    const entries: DecisionEntry[] = [];
    const inner = openDecisionLog({ clock: () => 0, newId: () => "s" });
    const { guard } = setUp({
      log: {
        ...inner,
        record: (entry) => {
          entries.push(entry);
          return inner.record(entry);
        },
      },
    });
    const filled = (
      type: string,
      secret: boolean,
      text: string,
    ): Extract<Sink, { kind: "fields" }>["fields"][number] => ({
      element: { ...element(null, "shop.test"), field: { type, name: type, secret } },
      values: [{ text, label: { sites: new Set(), private: new Set() }, masked: false, channel: { kind: "MODEL" } }],
    });
    const user = filled("text", false, "ada");
    const password = filled("password", true, SECRET);
    for (const { element: into, values } of [user, password])
      guard.call(intent("enter", { element: into, values, sink: { kind: "field", element: into } }));
    const values = [...user.values, ...password.values];
    guard.call(
      intent("enter", {
        element: user.element,
        values,
        sink: { kind: "fields", fields: [user, password], submit: true },
      }),
    );
    expect(JSON.stringify(entries)).not.toContain(SECRET);
    const secret = { channel: "MODEL", characters: SECRET.length };
    expect(entries.map((entry) => (entry.kind === "intent" ? entry.values : null))).toEqual([
      [{ channel: "MODEL", characters: 3, text: "ada" }],
      [secret],
      [{ channel: "MODEL", characters: 3 }, secret],
    ]);
  });

  test("when it cannot be written, nothing is allowed any more", () => {
    let isFull = false;
    const inner = openDecisionLog({ clock: () => 0, newId: () => "s" });
    const log: DecisionLog = {
      ...inner,
      record: (entry) => {
        if (isFull) throw new Error("disk full");
        return inner.record(entry);
      },
    };
    const { guard } = setUp({ log });
    const permit = permitOf(guard, go("https://shop.test/"));
    isFull = true;
    expect(guard.outcome(permit, { ok: true })).toBeNull();
    isFull = false;
    expect(guard.call(go("https://shop.test/"))).toMatchObject({ refused: { rule: "guard.log" }, receipt: null });
    expect(verdictOf(guard, request("https://shop.test/"))).toMatchObject({ verdict: "refuse", rule: "guard.log" });
    expect(verdictOf(guard, request("http://127.0.0.1/"))).toMatchObject({ verdict: "refuse", rule: "reach.private" });
  });
});

describe("is total", () => {
  test("garbage is refused, never thrown", () => {
    const { guard } = setUp({ open: ["localhost"], rule: () => null });
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (garbage) => {
        expect(guard.call(garbage as Intent)).toHaveProperty("refused");
        expect(verdictOf(guard, garbage as RequestFacts).verdict).toBe("refuse");
        expect(guard.show(garbage as string).verdict).toBe("refuse");
        expect(guard.outcome(garbage as Permit, { ok: true })).toBeNull();
      }),
    );
  });

  test("facts with one odd part never throw", () => {
    const { guard } = setUp({ open: ["localhost"] });
    const parts = [
      "kind",
      "method",
      "url",
      "headers",
      "from",
      "hop",
      "redirectedFrom",
      "cause",
      "resourceType",
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...parts), fc.anything(), (part, odd) => {
        const verdict = verdictOf(guard, { ...request("http://localhost/", { kind: "data" }), [part]: odd });
        expect(part === "url" || verdict.verdict === "refuse").toBe(true);
      }),
    );
  });
});

describe("first use", () => {
  const first = (guard: Guard, url: string): string => {
    const decision = guard.call(go(url));
    return "permit" in decision ? "allow" : "refused" in decision ? decision.refused.rule : "waiting";
  };

  test("the first site comes into scope with its subdomains, in one grant that is written down", () => {
    const { guard, records } = setUp({ reach: {} });
    expect(guard.describe().join(" ")).toContain("the first one you open comes into scope");
    expect(first(guard, "https://www.shop.test/x")).toBe("allow");
    expect(records()).toMatchObject([
      { kind: "intent", rule: "reach.firstUse" },
      { kind: "grant", source: "firstUse", site: "shop.test" },
    ]);
    expect(guard.show("https://www.shop.test/x").verdict).toBe("allow");
    expect(first(guard, "https://desk.test/")).toBe("reach.site");
    expect(first(guard, "https://api.shop.test/")).toBe("allow");
    expect(guard.describe().join(" ")).toContain(
      "Sites in scope: shop.test, with subdomains. Other public sites are refused.",
    );
  });

  test("until something was read another first site takes its place", () => {
    const { guard } = setUp({ reach: {} });
    expect([
      first(guard, "https://shpo.test/"),
      first(guard, "https://desk.test/"),
      first(guard, "https://shpo.test/x"),
    ]).toEqual(["allow", "allow", "allow"]);
    guard.show("about:blank");
    expect(first(guard, "https://shop-two.test/")).toBe("allow");
    guard.show("https://shop-two.test/");
    expect([first(guard, "https://desk.test/"), first(guard, "https://shop-two.test/")]).toEqual([
      "reach.site",
      "allow",
    ]);
  });

  test.each([
    ["a sensitive site", "https://bank.test/", {}, "reach.sensitive"],
    ["a look-alike of the list", "https://sberbannk.ru/", {}, "reach.lookalike"],
    ["a private place", "http://127.0.0.1/", {}, "reach.private"],
    ["a blocked site", "https://ads.test/", { block: ["ads.test"] }, "reach.block"],
    ["another port", "https://shop.test:8443/", {}, "reach.port"],
    ["where a scope is given", "https://shop.test/", { allow: ["desk.test"] }, "reach.site"],
    ["where an empty scope is given", "https://shop.test/", { allow: [] }, "reach.site"],
    ["where the task names another", "https://shop.test/", { task: "see desk.test" }, "reach.site"],
  ] as const)("not for %s", (_what, url, reach, rule) => expect(first(setUp({ reach }).guard, url)).toBe(rule));

  test("not after an opened private page was read, not for a link, not for what a page does", () => {
    const { guard } = setUp({ reach: { private: [A] } });
    expect(verdictOf(guard, request("https://shop.test/", { cause: { by: "page" } })).rule).toBe("reach.site");
    expect(guard.call(go("https://shop.test/", element("https://shop.test/", "127.0.0.1:3000")))).toMatchObject({
      refused: { rule: "reach.site" },
    });
    expect(first(guard, `${A}/`)).toBe("allow");
    guard.show(`${A}/`);
    expect(first(guard, "https://shop.test/")).toBe("reach.site");
  });

  test("the operator's own code has one, too", () => {
    const { guard, records } = setUp({ reach: {} });
    const by = { cause: { by: "code" } } as const;
    expect(verdictOf(guard, request("https://shop.test/", by)).rule).toBe("reach.firstUse");
    expect(verdictOf(guard, request("https://desk.test/", by)).rule).toBe("reach.site");
    expect(records()).toMatchObject([
      { kind: "grant", site: "shop.test" },
      { kind: "request", rule: "reach.site" },
    ]);
  });

  test("a rule that refuses it leaves no grant", () => {
    const { guard, records } = setUp({ reach: {}, rule: ({ site }) => (site === "shop.test" ? "no" : null) });
    expect(first(guard, "https://shop.test/")).toBe("reach.rule");
    expect(records()).toMatchObject([{ kind: "intent", verdict: "refuse" }]);
    expect(first(guard, "https://desk.test/")).toBe("allow");
  });

  test("further words of the operator", () => {
    const { guard } = setUp({ reach: { allow: ["shop.test"] } });
    guard.addOperatorText("now look at desk.test, please");
    expect([first(guard, "https://desk.test/"), first(guard, "https://other.test/")]).toEqual(["allow", "reach.site"]);
  });
});

describe("a question whether a private place may be opened", () => {
  const asksFor = (
    url: string,
  ): GuardAtHand & {
    readonly decision: ReturnType<Guard["call"]>;
    readonly again: () => ReturnType<Guard["call"]>;
  } => {
    const at = setUp({ reach: { allow: ["shop.test"] }, approver: true });
    const wanted = go(url);
    return { ...at, decision: at.guard.call(wanted), again: () => at.guard.call(wanted, { isAnswered: true }) };
  };

  test("is asked for this machine, and a yes opens that origin alone", async () => {
    const { guard, decision, again, answer } = asksFor(`${A}/x`);
    expect(decision).toHaveProperty("waiting");
    await answer("once");
    if ("waiting" in decision) await decision.waiting.answered;
    expect(again()).toHaveProperty("permit");
    expect(guard.call(go(`${B}/x`), { isAnswered: true })).toMatchObject({ refused: { rule: "reach.private" } });
  });

  test.each([
    "http://10.0.0.5/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://[fd00::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/",
  ])("is asked by nobody for %s, which only the configuration opens", (url) => {
    const { decision, asked } = asksFor(url);
    expect(decision).toMatchObject({ refused: { verdict: "refuse" } });
    expect(asked).toEqual([]);
  });
});

describe("a rule that widens", () => {
  const opening: RuleHook = () => ({ allow: true });
  test.each([
    ["https://other.test/", {}, "reach.rule"],
    ["https://bank.test/", {}, "reach.rule"],
    ["https://shop.test:8443/", {}, "reach.rule"],
    ["https://cdn.test/a.png", { kind: "subresource" }, "reach.rule"],
    ["https://shop.test/", {}, "reach.scope"],
    ["http://127.0.0.1/", {}, "reach.private"],
    ["http://169.254.169.254/", {}, "reach.metadata"],
    ["file:///x", {}, "reach.scheme"],
    ["http://a@shop.test/", {}, "reach.userinfo"],
    ["https://ads.test/", {}, "reach.block"],
    ["https://other.test/", { method: "POST", hop: 1, redirectedFrom: "https://shop.test/" }, "reach.redirect"],
  ] as const)("%s: %j: %s", (url, more, rule) =>
    expect(
      verdictOf(
        setUp({ reach: { allow: ["shop.test"], block: ["ads.test"] }, rule: opening }).guard,
        request(url, more),
      ).rule,
    ).toBe(rule),
  );

  test.each<[string, unknown]>([
    ["allow: false", { allow: false }],
    ["more keys", { allow: true, reason: "x" }],
    ["a word", "allow"],
    ["a list", [true]],
    ["an inherited word", Object.create({ allow: true })],
  ])("%s does not", (_what, answer) =>
    expect(
      verdictOf(
        setUp({ reach: { allow: ["shop.test"] }, rule: () => answer as null }).guard,
        request("https://other.test/"),
      ),
    ).toMatchObject({
      verdict: "refuse",
      rule: "reach.rule",
    }),
  );
});

describe("profile observe", () => {
  test("records what it lets go, and enforces addresses, schemes and the block list", () => {
    const { guard, records } = setUp({ reach: { allow: ["shop.test"], block: ["ads.test"] }, profile: "observe" });
    expect(guard.call(go("https://other.test/"))).toHaveProperty("permit");
    expect(verdictOf(guard, request("https://bank.test/")).verdict).toBe("allow");
    expect(guard.show("https://other.test/").verdict).toBe("allow");
    for (const url of ["http://127.0.0.1/", "file:///x", "https://ads.test/"])
      expect(verdictOf(guard, request(url)).verdict).toBe("refuse");
    expect(records().slice(0, 2)).toMatchObject([
      { kind: "intent", verdict: "allow", rule: "reach.site", why: "This site is not in scope." },
      { kind: "request", verdict: "allow", rule: "reach.sensitive" },
    ]);
  });
});

describe("helpers", () => {
  const reach = { allow: ["shop.test"], helpers: ["idp.test"] };
  test("serve pages in scope, and nobody else", () => {
    const { guard } = setUp({ reach });
    const from = (documentUrl: string | null, more: Parameters<typeof request>[1] = {}): string =>
      verdictOf(guard, request("https://idp.test/authorize", { documentUrl, mainUrl: documentUrl, ...more })).verdict;
    expect(from("https://shop.test/")).toBe("allow");
    expect(from("https://shop.test/", { kind: "data" })).toBe("allow");
    expect(from(null, { hop: 1, redirectedFrom: "https://shop.test/login" })).toBe("allow");
    expect(from("https://other.test/")).toBe("refuse");
    expect(from(null)).toBe("refuse");
    expect(guard.call(go("https://idp.test/"))).toMatchObject({ refused: { rule: "reach.helper" } });
    expect(guard.call(intent("press", { element: element("https://idp.test/", "shop.test") }))).toHaveProperty(
      "permit",
    );
    expect([guard.show("https://idp.test/").verdict, guard.show("https://idp.test/", "frame").verdict]).toEqual([
      "allow",
      "refuse",
    ]);
  });
});

describe("a step down from https", () => {
  test("is refused once the host came over https, whoever asks", () => {
    const { guard } = setUp({ reach: { allow: ["shop.test"] } });
    expect(guard.call(go("http://shop.test/"))).toHaveProperty("permit");
    guard.show("https://shop.test/");
    expect(guard.call(go("http://shop.test/"))).toMatchObject({
      refused: { rule: "reach.downgrade", operator: "--allow http://shop.test" },
    });
    expect(verdictOf(guard, request("http://shop.test/", { hop: 1, redirectedFrom: "https://shop.test/" })).rule).toBe(
      "reach.downgrade",
    );
  });
});

describe("an allowed request that is refused all the same", () => {
  test.each(["guarded", "observe"] as const)("is in the record as refused, and counted once, in %s", (profile) => {
    const { guard, records } = setUp({ reach: { allow: ["inside.test"] }, profile });
    const permit = permitOf(guard, go("http://inside.test/"));
    const asked = request("http://inside.test/?token=t0ken-4711", { cause: byCall(permit) });
    expect(verdictOf(guard, asked).verdict).toBe("allow");
    guard.overruled(asked, {
      verdict: "refuse",
      rule: "reach.private",
      reason: "Why.",
      remedy: "What.",
      operator: null,
      site: null,
    });
    guard.outcome(permit, { ok: false });
    const [overruled, outcome] = records().slice(-2);
    expect(overruled).toMatchObject({
      kind: "request",
      call: permit.call,
      verdict: "refuse",
      rule: "reach.private",
      why: "Why.",
    });
    expect(outcome).toMatchObject({ kind: "outcome", requests: { allowed: 0, refused: 1 } });
    expect(JSON.stringify(records())).not.toContain("t0ken-4711");
  });
});
