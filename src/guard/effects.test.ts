import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/runs.ts";
import type { Body, CallId, Choice, DocumentId, Element, Intent, Ref, RequestFacts, Site, TabId, Value, Verb, Verdict } from "../types.ts";
import { atOnce, type GuardAtHand, type GuardTerms, guardAtHand } from "./guard.fixture.ts";

const SHOP = "https://shop.test/";
let ids = 0;

function bytes(text: string): Body {
  const raw = Buffer.from(text);
  return { kind: "bytes", contentType: "application/x-www-form-urlencoded", bytes: raw, digest: createHash("sha256").update(raw).digest("hex") };
}

/** A POST of a page of the shop. */
function post(path: string, body: string, input: CallId | null, more: Partial<RequestFacts> = {}, document = "D"): RequestFacts {
  return {
    id: `r${++ids}`,
    kind: "data",
    resourceType: "Fetch",
    method: "POST",
    url: new URL(path, SHOP).href,
    headers: { origin: "https://shop.test" },
    body: bytes(body),
    from: { target: "T", targetType: "page", frame: "T", documentUrl: SHOP, document, mainUrl: SHOP, page: "T", freshPopup: false },
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
    this.at = guardAtHand({ reach: { allow: ["shop.test"] }, privateSites: ["shop.test" as Site], approver: true, ...terms });
  }

  /** The agent's input: its call, permitted. */
  input(verb: Verb = "press", more: Partial<Intent> = {}, group: CallId | null = null): CallId {
    const call = `c${++this.#calls}` as CallId;
    const decision = this.at.guard.call({ call, tool: "click", verb, tab: "t1" as TabId, element: null, values: [], sink: null, ...more }, { group });
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
    expect(verdict).toMatchObject({ verdict: "refuse", rule: "effects.unsafe", operator: '--allow-effect "POST https://shop.test/cart/add"' });
  });

  test("goes without a question by a grant, as often as that says", () => {
    const shop = new Shop({ approver: false, effects: { allow: [{ site: "shop.test", method: "POST", path: "/cart/*", fields: ["id"], max: 2 }] } });
    const rules = [1, 2, 3].map((id) => ruleOf(atOnce(shop.at.guard.request(post("/cart/add", `id=${id}`, shop.input())))));
    expect(rules).toEqual(["allow effects.grant", "allow effects.grant", "refuse effects.unsafe"]);
  });

  test("never leaves in read mode, whoever could be asked", () => {
    const shop = new Shop({ mode: "read" });
    expect(ruleOf(atOnce(shop.at.guard.request(post("/cart", "id=1", shop.input()))))).toBe("refuse effects.read");
  });

  test("is recorded and let go under observe", () => {
    const shop = new Shop({ profile: "observe" });
    expect(ruleOf(atOnce(shop.at.guard.request(post("/cart", "id=1", shop.input()))))).toBe("allow effects.unsafe");
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
    expect(await Promise.all(sent.map(async ({ settled }) => ruleOf(await settled)))).toEqual(Array(3).fill("allow effects.answer"));
  });

  test("what comes on top of it is refused, and nobody is asked", async () => {
    const shop = new Shop();
    const call = shop.input();
    const first = shop.send(post("/a", "x=1", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    expect(ruleOf(atOnce(shop.at.guard.request(post("/b", "y=1", call))))).toBe("refuse effects.once");
    await shop.at.answer("once");
    await first.settled;
    expect(ruleOf(atOnce(shop.at.guard.request(post("/b", "y=1", call))))).toBe("refuse effects.once");
    expect(shop.at.asked).toHaveLength(1);
  });

  test("the same again after it left is answered 204", async () => {
    const shop = new Shop();
    const call = shop.input();
    const first = shop.send(post("/a", "x=1", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    await shop.at.answer("once");
    await first.settled;
    expect(atOnce(shop.at.guard.request(post("/a", "x=1", call)))).toMatchObject({ rule: "effects.again", quiet: true });
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
    expect([ruleOf(await one.settled), ruleOf(await two.settled)]).toEqual(["allow effects.answer", "allow effects.answer"]);
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
    expect(ruleOf(atOnce(shop.at.guard.request(post("/like", "id=4", shop.input()))))).toBe("refuse effects.unsafe");
    expect(shop.at.asked).toHaveLength(3);
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
    const sent = shop.send(post("/pay-later", body, call, { headers: { origin: "https://shop.test", ...headers } }, document));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(2);
    expect(sent.verdict).toBeNull();
  });
});

describe("what a page sends by itself", () => {
  test("passes before any input, and in the same shape afterwards, but not with what the agent typed", async () => {
    const shop = new Shop();
    expect(ruleOf(atOnce(shop.at.guard.request(post("/ping", "at=1", null))))).toBe("allow effects.own");
    const call = shop.input("enter", { element: fieldOfShop("Note"), values: [typed("lilac")] });
    expect(ruleOf(atOnce(shop.at.guard.request(post("/ping", "at=2", call))))).toBe("allow effects.repeat");
    const sent = shop.send(post("/ping", "at=lilac", call));
    shop.at.guard.asks(call);
    await expect.poll(() => shop.at.asked.length).toBe(1);
    expect(sent.verdict).toBeNull();
  });

  test("is not its own once it was refused: a queue that repeats it at the next load asks like anybody", () => {
    const shop = new Shop({ approver: false });
    expect(ruleOf(atOnce(shop.at.guard.request(post("/like", "id=1", shop.input()))))).toBe("refuse effects.unsafe");
    expect(ruleOf(atOnce(shop.at.guard.request(post("/like", "id=1", null, {}, "E"))))).toBe("refuse effects.unsafe");
  });
});

test("what was typed into a secret field is in no question, whatever the page calls it", async () => {
  const shop = new Shop();
  const field: Element = { ...fieldOfShop("hint"), field: { type: "password", name: "hint", secret: true } };
  const call = shop.input("enter", { element: field, values: [typed("hunter2-hunter2")], sink: { kind: "field", element: field } });
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
      arbitrary: fc.record({ do: fc.constant("send" as const), path: fc.constantFrom("/a", "/b", "/delete"), body: fc.constantFrom("x=1", "x=2", "y=1") }),
    },
    { weight: 2, arbitrary: fc.constant({ do: "input" as const }) },
    { weight: 2, arbitrary: fc.constant({ do: "rest" as const }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("answer" as const), choice: fc.constantFrom<Choice>(...choices) }) },
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
      expect(left.every(({ rule }) => rule === "effects.answer" || rule === "effects.grant")).toBe(true);
      expect(onAnswers.length).toBeLessThanOrEqual(answers.reduce((sum, { digests }) => sum + digests.length, 0));
      if (answers.every(({ choice }) => choice === "once")) expect(left.length).toBe(onAnswers.length);
      expect(left.some(({ key, rule }) => key.includes("/delete") && rule === "effects.grant")).toBe(false);
    }),
    { numRuns: runs(100) },
  );
});
