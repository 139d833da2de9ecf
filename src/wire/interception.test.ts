import { describe, expect, test } from "vitest";
import type { RequestFacts, Verdict } from "../types.ts";
import type { Channel, Message } from "./channel.ts";
import { Wire } from "./wire.ts";

// The browser is played: what counts is what the wire tells it to do with a request.

const ALLOW: Verdict = { verdict: "allow", rule: "effects.plain" };
const REFUSE: Verdict = {
  verdict: "refuse",
  rule: "effects.denied",
  reason: "no",
  remedy: "",
  operator: null,
  site: null,
};
const PAGE = "https://shop.test/";
const ANSWERS = new Set(["Fetch.continueRequest", "Fetch.failRequest", "Fetch.fulfillRequest"]);

type Judge = (facts: RequestFacts, onHold?: () => void) => Verdict | Promise<Verdict>;

interface Played {
  readonly judged: readonly RequestFacts[];
  /** Of each allowed request, whether it left. */
  readonly released: readonly boolean[];
  /** A document of the tab's main frame is there. */
  commit(loaderId: string): void;
  /** A request is held. Resolves with what the wire answers. */
  pause(resourceType: string, more?: object, request?: object): Promise<Message>;
}

function play(judge: Judge): Played {
  const judged: RequestFacts[] = [];
  const released: boolean[] = [];
  const waiting = new Map<string, (answer: Message) => void>();
  let count = 0;
  const channel: Channel = {
    onmessage: null,
    skips: null,
    onclose: null,
    close() {},
    send(message) {
      const { requestId = "" } = (message.params ?? {}) as { readonly requestId?: string };
      if (ANSWERS.has(message.method ?? "")) waiting.get(requestId)?.(message);
      if (message.id !== undefined) queueMicrotask(() => channel.onmessage?.({ id: message.id ?? 0, result: {} }));
    },
  };
  new Wire({
    channel,
    judge: {
      request(facts, onHold) {
        judged.push(facts);
        return judge(facts, onHold);
      },
      released: (_facts, sent) => released.push(sent),
    },
    worldSource: "",
    causeOf: () => ({ cause: { by: "page" }, input: null }),
    now: () => 0,
  });
  const tell = (method: string, params: object, sessionId?: string): void =>
    channel.onmessage?.({ method, params, ...(sessionId !== undefined && { sessionId }) });
  const commit = (loaderId: string): void =>
    tell("Page.frameNavigated", { frame: { id: "T", loaderId, url: PAGE } }, "S");
  tell("Target.targetCreated", { targetInfo: { targetId: "T", type: "page", url: PAGE } });
  tell("Target.attachedToTarget", {
    sessionId: "S",
    targetInfo: { targetId: "T", type: "page", url: PAGE },
    waitingForDebugger: false,
  });
  commit("L1");
  return {
    judged,
    released,
    commit,
    pause(resourceType, more = {}, request = {}) {
      const requestId = `r${++count}`;
      const answered = new Promise<Message>((resolve) => waiting.set(requestId, resolve));
      const asked = { url: `${PAGE}save`, method: "POST", headers: {}, ...request };
      tell("Fetch.requestPaused", {
        requestId,
        frameId: "T",
        resourceType,
        networkId: `n${count}`,
        request: asked,
        ...more,
      });
      return answered;
    },
  };
}

describe("a request that is held", () => {
  test("goes on with a yes, as it is, and fails with a no", async () => {
    for (const [verdict, method] of [
      [ALLOW, "Fetch.continueRequest"],
      [REFUSE, "Fetch.failRequest"],
    ] as const)
      expect(await play(() => verdict).pause("Fetch")).toMatchObject({ method, params: { requestId: "r1" } });
  });

  test.each<[string, Judge]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
  ])("fails when its judge %s", async (_what, judge) => {
    const played = play(judge);
    expect(await played.pause("Fetch")).toMatchObject({ method: "Fetch.failRequest" });
    expect(played.released).toEqual([]);
  });

  test("is judged hop by hop, each with where it came from", async () => {
    const played = play(({ hop }) => (hop === 2 ? REFUSE : ALLOW));
    expect(await played.pause("Fetch")).toMatchObject({ method: "Fetch.continueRequest" });
    expect(await played.pause("Fetch", { redirectedRequestId: "r1" }, { url: `${PAGE}on` })).toMatchObject({
      method: "Fetch.continueRequest",
    });
    expect(await played.pause("Fetch", { redirectedRequestId: "r2" }, { url: "https://evil.test/" })).toMatchObject({
      method: "Fetch.failRequest",
    });
    expect(played.judged.map(({ hop, redirectedFrom }) => [hop, redirectedFrom])).toEqual([
      [0, null],
      [1, `${PAGE}save`],
      [2, `${PAGE}on`],
    ]);
  });

  test("is a hop also where nothing is known of what came before", async () => {
    const played = play(() => ALLOW);
    await played.pause("Fetch", { redirectedRequestId: "lost" });
    expect(played.judged.map(({ hop, redirectedFrom }) => [hop, redirectedFrom])).toEqual([[1, null]]);
  });
});

describe("what a page is told of a request that is refused", () => {
  test.each(["Fetch", "XHR", "EventSource", "Preflight", "Image", "Script", "Stylesheet", "Font", "Media", "Other"])(
    "%s: that it failed",
    async (type) =>
      expect(await play(() => REFUSE).pause(type)).toMatchObject({
        method: "Fetch.failRequest",
        params: { errorReason: "BlockedByClient" },
      }),
  );

  test.each(["Document", "Ping", "CSPViolationReport"])("%s: nothing, a 204", async (type) =>
    expect(await play(() => REFUSE).pause(type)).toMatchObject({
      method: "Fetch.fulfillRequest",
      params: { responseCode: 204 },
    }),
  );

  test("a 204 also where the refusal says that it is a quiet one", async () =>
    expect(await play(() => ({ ...REFUSE, quiet: true })).pause("Fetch")).toMatchObject({
      method: "Fetch.fulfillRequest",
      params: { responseCode: 204 },
    }));
});

describe("a request that waits for a person", () => {
  /** Held until it is answered; in between the page does something. */
  async function meanwhile(
    resourceType: string,
    happens: (played: Played) => void,
    holds = true,
  ): Promise<{ readonly method: string | undefined; readonly released: readonly boolean[] }> {
    let answer: (verdict: Verdict) => void = () => {};
    let asked: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const played = play((_facts, onHold) => {
      if (holds) onHold?.();
      asked();
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    const answered = played.pause(resourceType);
    await isAsked;
    happens(played);
    answer(ALLOW);
    const { method } = await answered;
    await expect.poll(() => played.released.length).toBe(1);
    return { method, released: played.released };
  }

  test("leaves with a yes while its document is there", async () =>
    expect(await meanwhile("Fetch", () => {})).toEqual({ method: "Fetch.continueRequest", released: [true] }));

  test("does not leave for the document that took the place of its own, and is told to have not", async () =>
    expect(await meanwhile("Fetch", ({ commit }) => commit("L2"))).toEqual({
      method: "Fetch.failRequest",
      released: [false],
    }));

  test("leaves as the next document itself", async () =>
    expect(await meanwhile("Document", ({ commit }) => commit("L2"))).toEqual({
      method: "Fetch.continueRequest",
      released: [true],
    }));
});
