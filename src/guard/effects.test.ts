import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/runs.ts";
import type {
  Body,
  CallId,
  Choice,
  DocumentId,
  Element,
  Intent,
  Ref,
  RequestFacts,
  Site,
  TabId,
  Value,
  Verb,
  Verdict,
} from "../types.ts";
import { atOnce, type GuardAtHand, type GuardTerms, guardAtHand } from "./guard.fixture.ts";

const SHOP = "https://shop.test/";
let ids = 0;

function bytes(text: string): Body {
  const raw = Buffer.from(text);
  return {
    kind: "bytes",
    contentType: "application/x-www-form-urlencoded",
    bytes: raw,
    digest: createHash("sha256").update(raw).digest("hex"),
  };
}

/** A POST of a page of the shop. */
function post(
  path: string,
  body: string,
  input: CallId | null,
  more: Partial<RequestFacts> = {},
  document = "D",
): RequestFacts {
  return {
    id: `r${++ids}`,
    kind: "data",
    resourceType: "Fetch",
    method: "POST",
    url: new URL(path, SHOP).href,
    headers: { origin: "https://shop.test" },
    body: bytes(body),
    from: {
      target: "T",
      targetType: "page",
      frame: "T",
      documentUrl: SHOP,
      document,
      mainUrl: SHOP,
      page: "T",
      freshPopup: false,
    },
    hop: 0,
    redirectedFrom: null,
    cause: { by: "page" },
    input,
    ...more,
  };
}

function fieldOfShop(name: string): Element {
  return {
    ref: "e1" as Ref,
    tab: "t1" as TabId,
    document: "D" as DocumentId,
    frame: "T",
    site: "shop.test" as Site,
    role: "textbox",
    name,
    within: null,
    href: null,
    field: null,
    form: null,
  };
}

function typed(text: string): Value {
  return { text, label: { sites: new Set(), private: new Set() }, masked: false, channel: { kind: "MODEL" } };
}

/** A session on the shop, and its acts. */
class Shop {
  readonly at: GuardAtHand;
  #calls = 0;

  constructor(terms: Partial<GuardTerms> = {}) {
    this.at = guardAtHand({
      reach: { allow: ["shop.test"] },
      privateSites: ["shop.test" as Site],
      approver: true,
      ...terms,
    });
  }

  /** The agent's input: its call, permitted. */
  input(verb: Verb = "press", more: Partial<Intent> = {}, group: CallId | null = null): CallId {
    const call = `c${++this.#calls}` as CallId;
    const decision = this.at.guard.call(
      { call, tool: "click", verb, tab: "t1" as TabId, element: null, values: [], sink: null, ...more },
      { group },
    );
    if (!("permit" in decision)) throw new Error("not permitted");
    return call;
  }

  /** What becomes of a request; null as long as it waits. */
  send(facts: RequestFacts): { verdict: Verdict | null; readonly settled: Promise<Verdict> } {
    const settled = Promise.resolve(this.at.guard.request(facts));
    const sent: { verdict: Verdict | null; readonly settled: Promise<Verdict> } = { verdict: null, settled };
    void settled.then((verdict) => {
      sent.verdict = verdict;
    });
    return sent;
  }
}

const ruleOf = (verdict: Verdict | null): string => (verdict === null ? "held" : `${verdict.verdict} ${verdict.rule}`);

describe("a request that changes something", () => {
  test("waits until its call has come to rest, and goes with a yes to it", async () => {
    const shop = new Shop();
    const call = shop.input();
    const sent = shop.send(post("/cart", "id=1", call));
    await Promise.resolve();
    expect(shop.at.asked).toHaveLength(0);
    expect(shop.at.guard.asks(call)).not.toBeNull();
    await expect.poll(() => shop.at.asked.length).toBe(1);
    expect(sent.verdict).toBeNull();
    await shop.at.answer("once");
    expect(ruleOf(await sent.settled)).toBe("allow effects.answer");
  });

  test("does not go with a no, and says whose", async () => {
    const shop = new Shop();
    const call = shop.input();
    const sent = shop.send(post("/cart", "id=1", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer("no");
    expect(ruleOf(await sent.settled)).toBe("refuse effects.denied");
  });

  test("is refused at once where nobody can be asked, with the line that would allow it", () => {
    const shop = new Shop({ approver: false });
    const verdict = atOnce(shop.at.guard.request(post("/cart/add", "id=1", shop.input())));
    expect(verdict).toMatchObject({
      verdict: "refuse",
      rule: "effects.private",
      operator: '--allow-effect "POST https://shop.test/cart/add"',
    });
  });

  test("goes without a question by a grant, as often as that says", () => {
    const shop = new Shop({
      approver: false,
      effects: { allow: [{ site: "shop.test", method: "POST", path: "/cart/*", fields: ["id"], max: 2 }] },
    });
    const rules = [1, 2, 3].map((id) =>
      ruleOf(atOnce(shop.at.guard.request(post("/cart/add", `id=${id}`, shop.input())))),
    );
    expect(rules).toEqual(["allow effects.grant", "allow effects.grant", "refuse effects.private"]);
  });

  test("never leaves in read mode, whoever could be asked", () => {
    const shop = new Shop({ mode: "read" });
    expect(ruleOf(atOnce(shop.at.guard.request(post("/cart", "id=1", shop.input()))))).toBe("refuse effects.readMode");
  });

  test("is recorded and let go under observe", () => {
    const shop = new Shop({ profile: "observe" });
    expect(ruleOf(atOnce(shop.at.guard.request(post("/cart", "id=1", shop.input()))))).toBe("allow effects.private");
    expect(shop.at.records().filter(({ kind }) => kind === "request")).toHaveLength(1);
  });
});

describe("one input, one question", () => {
  test("all that it causes stands in it, and goes or stays together", async () => {
    const shop = new Shop();
    const call = shop.input();
    const sent = ["/a", "/b", "/c"].map((path) => shop.send(post(path, "x=1", call)));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    expect(shop.at.asked[0]?.requests).toHaveLength(3);
    await shop.at.answer("once");
    expect(await Promise.all(sent.map(async ({ settled }) => ruleOf(await settled)))).toEqual(
      Array(3).fill("allow effects.answer"),
    );
  });

  test("what comes while somebody is asked is asked about next, the worst first", async () => {
    const shop = new Shop();
    const call = shop.input();
    const first = shop.send(post("/a", "x=1", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    const second = [shop.send(post("/b", "y=1", call)), shop.send(post("/b/delete", "y=1", call))];
    await shop.at.answer("once");
    expect(ruleOf(await first.settled)).toBe("allow effects.answer");
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(2);
    expect(shop.at.asked[1]?.lines.find((line) => line.startsWith("request"))).toContain("/b/delete");
    await shop.at.answer("no");
    expect(await Promise.all(second.map(async ({ settled }) => ruleOf(await settled)))).toEqual(
      Array(2).fill("refuse effects.denied"),
    );
  });

  test("asks five times at most, then says so", async () => {
    const shop = new Shop();
    const call = shop.input();
    for (let times = 1; times <= 5; times++) {
      const sent = shop.send(post(`/${"abcde"[times]}/remove`, "x=1", call));
      shop.at.guard.asks(call);
      await expect.poll(() => shop.at.asked.length).toBe(times);
      await shop.at.answer("once");
      await sent.settled;
    }
    expect(ruleOf(atOnce(shop.at.guard.request(post("/f/remove", "x=1", call))))).toBe("refuse effects.many");
  });

  test.each<[Choice, string]>([
    ["no", "refuse effects.denied"],
    ["task", "allow effects.grant"],
  ])(
    "where not all can be shown the worst is asked about alone, and %s counts for all that is the same operation",
    async (choice, rule) => {
      const shop = new Shop();
      const call = shop.input();
      const words = encodeURIComponent("a word ".repeat(100));
      const sent = Array.from({ length: 20 }, (_, at) =>
        shop.send(post(`/notes/${at}/title`, `x=${at}&words=${words}`, call)),
      );
      shop.at.guard.asks(call);
      await expect.poll(() => shop.at.asked.length).toBe(1);
      expect(shop.at.asked[0]?.requests).toHaveLength(1);
      await shop.at.answer(choice);
      const rules = await Promise.all(sent.map(async ({ settled }) => ruleOf(await settled)));
      expect(rules).toEqual([choice === "no" ? rule : "allow effects.answer", ...Array(19).fill(rule)]);
      expect(shop.at.asked).toHaveLength(1);
    },
  );

  test("what plainly follows from a yes passes: at its place, with no id that was not in it; the same once more is asked about", async () => {
    const shop = new Shop();
    const call = shop.input();
    const first = shop.send(post("/notes/12/title", "x=1", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer("once");
    await first.settled;
    expect(ruleOf(atOnce(shop.at.guard.request(post("/notes/12/index", "y=1", call))))).toBe("allow effects.follows");
    for (const again of [
      post("/notes/12/title", "x=1", call),
      post("/notes/12/index", "id=99", call),
      post("/settings/index", "y=1", call),
      post("/notes/12/remove", "y=1", call),
    ])
      expect(shop.send(again).verdict).toBeNull();
    await Promise.resolve();
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(2);
    expect(shop.at.asked[1]?.requests).toHaveLength(4);
    await shop.at.answer("no");
  });

  test("where its answer sends it on to, another path, query or host, is judged anew; a slash at the end is none", async () => {
    const shop = new Shop();
    const call = shop.input();
    const first = shop.send(post("/notes/12/title", "x=1", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer("once");
    await first.settled;
    const sentOn = (path: string): RequestFacts =>
      post(path, "x=1", call, { hop: 1, redirectedFrom: new URL("/notes/12/title", SHOP).href });
    expect(ruleOf(atOnce(shop.at.guard.request(sentOn("/notes/12/title/"))))).toBe("allow effects.follows");
    for (const path of ["/notes/12/title?all=1", "/notes/12/index"]) expect(shop.send(sentOn(path)).verdict).toBeNull();
  });

  test("what somebody said no to follows from no answer to something else", async () => {
    const shop = new Shop();
    for (const [path, choice] of [
      ["/notes/12/hide", "no"],
      ["/notes/12/title", "once"],
    ] as const) {
      const call = shop.input();
      const sent = shop.send(post(path, "x=1", call));
      shop.at.guard.asks(call);
      await expect.poll(() => shop.at.waiting()).toBe(1);
      await shop.at.answer(choice);
      await sent.settled;
      if (choice === "no") continue;
      const again = shop.send(post("/notes/12/hide", "x=1", call));
      await Promise.resolve();
      expect(ruleOf(again.verdict)).toBe("held");
    }
  });

  test("another input asks anew for the very same", async () => {
    const shop = new Shop();
    for (let times = 1; times <= 2; times++) {
      const call = shop.input();
      const sent = shop.send(post("/a", "x=1", call));
      shop.at.guard.asks(call);
      await expect.poll(() => shop.at.asked.length).toBe(times);
      await shop.at.answer("once");
      expect(ruleOf(await sent.settled)).toBe("allow effects.answer");
    }
  });

  test("calls of a batch are one input, and each may send the same", async () => {
    const shop = new Shop();
    const first = shop.input();
    const one = shop.send(post("/archive", "id=1", first));
    const second = shop.input("press", {}, first);
    const two = shop.send(post("/archive", "id=1", second));
    shop.at.guard.asks(second);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    expect(shop.at.asked[0]?.requests).toHaveLength(2);
    await shop.at.answer("once");
    expect([ruleOf(await one.settled), ruleOf(await two.settled)]).toEqual([
      "allow effects.answer",
      "allow effects.answer",
    ]);
  });

  test("long after its call, requests that come close to one another are asked about together", async () => {
    const shop = new Shop();
    const call = shop.input();
    expect(shop.at.guard.asks(call)).toBeNull();
    const sent = ["/a", "/b"].map((path) => shop.send(post(path, "x=1", call)));
    expect(shop.at.asked).toHaveLength(0);
    shop.at.elapse();
    await expect.poll(() => shop.at.asked.length).toBe(1);
    expect(shop.at.asked[0]?.requests).toHaveLength(2);
    await shop.at.answer("no");
    await Promise.all(sent.map(({ settled }) => settled));
  });

  test("three times no for the same thing end asking for it", async () => {
    const shop = new Shop();
    for (let times = 1; times <= 3; times++) {
      const call = shop.input();
      const sent = shop.send(post("/like", `id=${times}`, call));
      shop.at.guard.asks(call);
      await expect.poll(() => shop.at.asked.length).toBe(times);
      await shop.at.answer("no");
      await sent.settled;
    }
    expect(ruleOf(atOnce(shop.at.guard.request(post("/like", "id=4", shop.input()))))).toBe("refuse effects.private");
    expect(shop.at.asked).toHaveLength(3);
  });
});

describe("a wider answer", () => {
  test.each<[string, Choice, readonly (readonly [string, string, string, string])[]]>([
    [
      "edits in a document",
      "form",
      [
        ["/doc/save", "text=b", "D", "allow effects.grant"],
        ["/doc/save", "text=b", "E", "held"],
        ["/doc/share", "text=b", "D", "held"],
      ],
    ],
    [
      "an operation",
      "task",
      [
        ["/doc/save", "text=c", "E", "allow effects.grant"],
        ["/other", "text=c", "D", "held"],
      ],
    ],
  ])("is for %s", async (_what, choice, later) => {
    const shop = new Shop();
    const call = shop.input();
    const first = shop.send(post("/doc/save", "text=a", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer(choice);
    await first.settled;
    for (const [path, body, document, rule] of later) {
      const sent = shop.send(post(path, body, shop.input(), {}, document));
      await Promise.resolve();
      expect([path, document, ruleOf(sent.verdict)]).toEqual([path, document, rule]);
    }
  });
});

describe("the answer for an operation", () => {
  test("frees the slots that were shown, and no other", async () => {
    const shop = new Shop();
    const call = shop.input();
    const first = shop.send(post("/labels", "id=1&shade=red", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer("task");
    await first.settled;
    expect(ruleOf(await shop.send(post("/labels", "id=2&shade=blue", shop.input())).settled)).toBe(
      "allow effects.grant",
    );
    for (const other of ["id=2&shade=blue&role=owner", "id=2&shade=blue&size=3"]) {
      const sent = shop.send(post("/labels", other, shop.input()));
      await Promise.resolve();
      expect(ruleOf(sent.verdict)).toBe("held");
    }
  });
});

describe("a page that gave up while somebody was asked", () => {
  async function yesThatCameTooLate(): Promise<Shop> {
    const shop = new Shop();
    const call = shop.input();
    const facts = post("/pay-later", "x=1", call);
    const sent = shop.send(facts);
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer("once");
    await sent.settled;
    shop.at.guard.released(facts, false);
    return shop;
  }

  test("may send the very same once more", async () => {
    const shop = await yesThatCameTooLate();
    const call = shop.input();
    expect(ruleOf(atOnce(shop.at.guard.request(post("/pay-later", "x=1", call))))).toBe("allow effects.grant");
    shop.send(post("/pay-later", "x=1", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(2);
  });

  test.each([
    ["other bytes", "x=2", "D", {}],
    ["another document", "x=1", "E", {}],
    ["a header of the page", "x=1", "D", { "X-Amount": "9000" }],
  ])("%s are asked about", async (_what, body, document, headers) => {
    const shop = await yesThatCameTooLate();
    const call = shop.input();
    const sent = shop.send(
      post("/pay-later", body, call, { headers: { origin: "https://shop.test", ...headers } }, document),
    );
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(2);
    expect(sent.verdict).toBeNull();
  });
});

/** A text that goes into a field of the shop's page. */
function typing(field: Element): Partial<Intent> {
  return { tool: "type_text", element: field, values: [typed("lilac")], sink: { kind: "field", element: field } };
}

const note: Element = { ...fieldOfShop("Note"), field: { type: "text", name: "note", secret: false } };
const password: Element = { ...fieldOfShop("Password"), field: { type: "password", name: "password", secret: true } };

describe("what a page sends by itself", () => {
  test("passes before any input, and in the values that it had afterwards, but not with what the agent typed", async () => {
    const shop = new Shop();
    expect(ruleOf(atOnce(shop.at.guard.request(post("/state", "seq=1&mode=a", null))))).toBe("allow effects.own");
    const call = shop.input("enter", typing(note));
    expect(ruleOf(atOnce(shop.at.guard.request(post("/state", "seq=2&mode=a", call))))).toBe("allow effects.learned");
    const sent = [shop.send(post("/state", "seq=3&mode=b", call)), shop.send(post("/state", "seq=lilac&mode=a", call))];
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    expect(sent.map(({ verdict }) => verdict)).toEqual([null, null]);
  });

  test("what a person said no to is not its own: a queue that repeats it at the next load is refused", async () => {
    const shop = new Shop();
    const call = shop.input();
    const sent = shop.send(post("/like", "id=1", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer("no");
    await sent.settled;
    expect(ruleOf(atOnce(shop.at.guard.request(post("/like", "id=1", null, {}, "E"))))).toBe("refuse effects.denied");
  });

  test("a form that sends itself off, and what deletes, are asked about", async () => {
    const shop = new Shop();
    const sent = [
      shop.send(post("/items", "x=1", null, { kind: "navigation", resourceType: "Document" })),
      shop.send(post("/items/3", "x=1", null, { method: "DELETE" })),
    ];
    shop.at.elapse();
    await expect.poll(() => shop.at.asked.length).toBeGreaterThan(0);
    expect(sent.map(({ verdict }) => verdict)).toEqual([null, null]);
  });
});

describe("what was typed and has not been seen", () => {
  test("keeps the next unsafe request of the input from passing, whatever it says; once seen whole it does not", async () => {
    const shop = new Shop({ privateSites: [] });
    const call = shop.input("enter", typing(note));
    const rewritten = shop.send(post("/comments", "body=%26%23108%3Bilac", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer("once");
    await rewritten.settled;
    const again = shop.send(post("/other", "x=1", shop.input()));
    shop.at.elapse();
    shop.at.guard.asks("c2" as CallId);
    await expect.poll(() => shop.at.asked.length).toBe(2);
    await shop.at.answer("no");
    await again.settled;
  });

  test("a site without anything of a person is asked about nothing else", () => {
    const shop = new Shop({ privateSites: [] });
    expect(ruleOf(atOnce(shop.at.guard.request(post("/consent", "all=0", shop.input()))))).toBe("allow effects.plain");
  });
});

describe("hosts of a private site", () => {
  test("the one that was opened first is no other host's, where the operator named one", async () => {
    const shop = new Shop();
    const opens = post("/", "", null, {
      method: "GET",
      url: "https://corner.shop.test/",
      kind: "navigation",
      resourceType: "Document",
      body: { kind: "none" },
    });
    const call = shop.input("go", { tool: "navigate", sink: { kind: "url", url: "https://corner.shop.test/" } });
    await shop.at.guard.request({ ...opens, cause: { by: "call", call } });
    const of = (url: string): RequestFacts => {
      const facts = post("/", "q=1", null, { url, headers: { origin: "https://corner.shop.test" } });
      return {
        ...facts,
        from: { ...facts.from, documentUrl: "https://corner.shop.test/", mainUrl: "https://corner.shop.test/" },
      };
    };
    expect(ruleOf(await shop.send(of("https://corner.shop.test/search")).settled)).toBe("allow effects.reads");
    expect(ruleOf(await shop.send(of("https://api.shop.test/search")).settled)).toBe("allow effects.reads");
    const held = shop.send(of("https://shop.test/search"));
    await Promise.resolve();
    expect(ruleOf(held.verdict)).toBe("held");
  });
});

describe("what cannot be inspected", () => {
  const opaque = (path: string, input: CallId | null): RequestFacts =>
    post(path, "", input, { body: { kind: "opaque", contentType: "application/x-protobuf", knownBytes: 40 } });

  test("is asked about at a site without anything of a person, too, unless the page sent its like before anybody touched it", async () => {
    const shop = new Shop({ privateSites: [] });
    expect(ruleOf(await shop.send(opaque("/beat", null)).settled)).toBe("allow effects.own");
    const call = shop.input();
    expect(ruleOf(await shop.send(opaque("/beat", call)).settled)).toBe("allow effects.plain");
    const held = shop.send(opaque("/other", call));
    await Promise.resolve();
    expect(ruleOf(held.verdict)).toBe("held");
  });
});

describe("workers", () => {
  const search = (from: Partial<RequestFacts["from"]>): RequestFacts => {
    const facts = post("/search", "q=1", null);
    return { ...facts, from: { ...facts.from, target: "W", targetType: "worker", document: null, ...from } };
  };

  test.each<[string, Partial<RequestFacts["from"]>]>([
    ["made of a blob:", { documentUrl: "blob:https://shop.test/6f1c" }],
    ["of no tab", { documentUrl: "https://shop.test/worker.js", page: null, mainUrl: null }],
    ["of no tab, made of a blob:", { documentUrl: "blob:https://shop.test/6f1c", page: null, mainUrl: null }],
  ])("one %s is of its maker's site", async (_what, from) => {
    expect(ruleOf(await new Shop().send(search(from)).settled)).toBe("allow effects.reads");
  });

  test.each<[string, Partial<RequestFacts["from"]>]>([
    ["of another site's blob:", { documentUrl: "blob:https://evil.test/6f1c" }],
    ["of a blob: of nobody's", { documentUrl: "blob:null/6f1c" }],
    ["below another site's document", { documentUrl: "blob:https://shop.test/6f1c", mainUrl: "https://evil.test/" }],
  ])("one %s is not", async (_what, from) => {
    const sent = new Shop().send(search(from));
    await Promise.resolve();
    expect(ruleOf(sent.verdict)).not.toMatch(/^allow/);
  });
});

test("a card's number is no password: a payment is asked about as one, with its code", async () => {
  const shop = new Shop();
  const call = shop.input("enter", typing(password));
  shop.send(post("/payment/charge", "card=lilac&amount=4900", call));
  shop.at.guard.asks(call);
  await expect.poll(() => shop.at.asked.length).toBe(1);
  expect(shop.at.asked[0]?.lines.join("\n")).not.toContain("sign in at");
  expect(shop.at.asked[0]?.code).not.toBeNull();
});

describe("what makes a site private", () => {
  test("a password that leaves for it", async () => {
    const shop = new Shop({ privateSites: [] });
    const call = shop.input("enter", typing(password));
    const sent = shop.send(post("/login", "password=lilac", call, { kind: "navigation", resourceType: "Document" }));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    expect(shop.at.asked[0]?.lines[0]).toBe("sign in at shop.test: one yes is for all its steps");
    await shop.at.answer("once");
    await sent.settled;
    expect(shop.send(post("/items", "x=1", shop.input())).verdict).toBeNull();
  });

  test.each<[string, (shop: Shop) => void]>([
    ["a control to sign out", (shop) => shop.at.guard.noticed("shop.test" as Site)],
    [
      "a page that sends Authorization",
      (shop) =>
        void shop.at.guard.request(
          post("/feed", "", null, { method: "GET", body: { kind: "none" }, headers: { Authorization: "Bearer x" } }),
        ),
    ],
    [
      "a sign-in that is handed over to it",
      (shop) =>
        void shop.at.guard.request(
          post("/callback?code=0123456789abcdef&state=x", "", null, {
            method: "GET",
            kind: "navigation",
            resourceType: "Document",
            body: { kind: "none" },
          }),
        ),
    ],
  ])("%s", (_what, happens) => {
    const shop = new Shop({ privateSites: [] });
    happens(shop);
    const sent = shop.send(post("/items", "x=1", shop.input()));
    expect(sent.verdict).toBeNull();
  });
});

test("what was typed into a secret field is in no question, whatever the page calls it", async () => {
  const shop = new Shop();
  const field: Element = { ...fieldOfShop("hint"), field: { type: "password", name: "hint", secret: true } };
  const call = shop.input("enter", {
    element: field,
    values: [typed("hunter2-hunter2")],
    sink: { kind: "field", element: field },
  });
  const sent = shop.send(post("/login", "hint=hunter2-hunter2&remember=yes", call));
  shop.at.guard.asks(call);
  await expect.poll(() => shop.at.asked.length).toBe(1);
  const question = JSON.stringify(shop.at.asked[0]);
  expect(question).toContain("remember");
  expect(question).not.toContain("hunter2-hunter2");
  await shop.at.answer("no");
  await sent.settled;
});

const choices = ["once", "form", "task", "no"] as const;

test("in any order of inputs, requests and answers nothing leaves that nobody said yes to, and a yes lets each request go once", async () => {
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("send" as const),
        path: fc.constantFrom("/a", "/b", "/delete"),
        body: fc.constantFrom("x=1", "x=2", "y=1"),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ do: "input" as const }) },
    { weight: 2, arbitrary: fc.constant({ do: "rest" as const }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("answer" as const), choice: fc.constantFrom<Choice>(...choices) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: "giveUp" as const }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const shop = new Shop();
      let call = shop.input();
      let answered = 0;
      const left: { readonly key: string; readonly rule: string }[] = [];
      const yes: (readonly { readonly choice: Choice; readonly digests: readonly string[] }[])[] = [];
      const settle = async (): Promise<void> => {
        for (let turn = 0; turn < 6; turn++) await Promise.resolve();
      };
      for (const one of steps) {
        if (one.do === "input") call = shop.input();
        else if (one.do === "rest") shop.at.guard.asks(call);
        else if (one.do === "giveUp") shop.at.guard.drop(call);
        else if (one.do === "send") {
          const facts = post(one.path, one.body, call);
          void Promise.resolve(shop.at.guard.request(facts)).then((verdict) => {
            if (verdict.verdict === "allow") left.push({ key: `${call} ${one.path} ${one.body}`, rule: verdict.rule });
          });
        } else if (shop.at.asked.length > answered) {
          const question = shop.at.asked[answered];
          answered += 1;
          if (question?.choices.includes(one.choice) === true) {
            await shop.at.answer(one.choice);
            if (one.choice !== "no") yes.push([{ choice: one.choice, digests: question.requests }]);
          } else await shop.at.answer("no");
        }
        await settle();
      }
      const answers = yes.flat();
      const onAnswers = left.filter(({ rule }) => rule === "effects.answer");
      expect(left.every(({ rule }) => ["effects.answer", "effects.grant", "effects.follows"].includes(rule))).toBe(
        true,
      );
      expect(onAnswers.length).toBeLessThanOrEqual(answers.reduce((sum, { digests }) => sum + digests.length, 0));
      if (answers.every(({ choice }) => choice === "once"))
        expect(left.every(({ rule }) => rule !== "effects.grant")).toBe(true);
      if (answers.length === 0) expect(left).toEqual([]);
      expect(left.some(({ key, rule }) => key.includes("/delete") && rule !== "effects.answer")).toBe(false);
    }),
    { numRuns: runs(100) },
  );
});
