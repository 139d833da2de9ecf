import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AskingSession, questionOf } from "./asking.fixture.ts";
import { HeldCalls } from "./held.ts";
import { createServer } from "./server.ts";

interface Asked {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}
type Person = (asked: Asked, number: number) => ElicitResult | Promise<ElicitResult>;
type Capability = { readonly form?: Record<string, never>; readonly url?: Record<string, never> } | null;

interface Connected {
  readonly asked: Asked[];
  call(
    name: string,
    args?: Record<string, unknown>,
    options?: { signal?: AbortSignal; onprogress?: (progress: unknown) => void },
  ): Promise<unknown>;
}

interface Place {
  readonly session: AskingSession;
  readonly clock: { ms: number };
  readonly held: HeldCalls;
  readonly near: InMemoryTransport;
}

const self = { name: "test", version: "0" };
const yes: ElicitResult = { action: "accept", content: { answer: "once" } };
const PERSON_MS = 5_000;

/** The server as it stands behind stdio, in one process with its client. */
function serve(session: AskingSession, progressEveryMs = 10_000): Place {
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const held = new HeldCalls(now);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(
    ({ era }) => createServer(session, { info: { name: "chaperone", version: "9" }, era, held, now, progressEveryMs }),
    {
      transport: far,
    },
  );
  onTestFinished(() => handle.close());
  return { session, clock, held, near };
}

async function newClient(
  mode: "auto" | "legacy",
  near: InMemoryTransport,
  person: Person,
  capability: Capability,
): Promise<Connected> {
  const client = new Client(self, {
    versionNegotiation: { mode },
    capabilities: capability === null ? {} : { elicitation: capability },
  });
  const asked: Asked[] = [];
  if (capability !== null)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const one = params as unknown as Asked;
      asked.push(one);
      return person(one, asked.length);
    });
  await client.connect(near);
  onTestFinished(() => client.close());
  return { asked, call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, options) };
}

async function oldClient(near: InMemoryTransport, person: Person, capability: Capability): Promise<Connected> {
  const client = new OldClient(self, { capabilities: capability === null ? {} : { elicitation: capability } });
  const asked: Asked[] = [];
  if (capability !== null)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const one = params as unknown as Asked;
      asked.push(one);
      return person(one, asked.length);
    });
  await client.connect(near as Parameters<OldClient["connect"]>[0]);
  onTestFinished(() => client.close());
  return {
    asked,
    call: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, undefined, options),
  };
}

const structure = (result: unknown): unknown => (result as { structuredContent?: unknown }).structuredContent;

describe.each<[string, (near: InMemoryTransport, person: Person, capability: Capability) => Promise<Connected>]>([
  ["client 2, 2026-07-28", (near, person, capability) => newClient("auto", near, person, capability)],
  ["client 2, 2025 revision", (near, person, capability) => newClient("legacy", near, person, capability)],
  ["client 1", oldClient],
])("%s", (generation, connect) => {
  async function person(
    answer: ElicitResult | Person,
    { session = new AskingSession(), capability = {} as Capability, thinksMs = PERSON_MS } = {},
  ) {
    const place = serve(session);
    const client = await connect(
      place.near,
      (asked, number) => {
        place.clock.ms += thinksMs;
        return typeof answer === "function" ? answer(asked, number) : answer;
      },
      capability,
    );
    return { ...place, client };
  }

  it("asks the person while the call waits, and the one click goes on", async () => {
    const { session, client } = await person(yes);
    const result = await client.call("click", { target: "e1" });
    expect(result).toMatchObject({ structuredContent: { ok: true, effects: 1 } });
    expect(result).not.toHaveProperty("isError");
    expect([session.clicks, session.effects, session.aborts, session.answers]).toEqual([1, 1, 0, [{ answer: "once" }]]);
    expect(client.asked.map(({ message }) => message)).toEqual([
      'POST https://desk.test/status\nstatus: "closed" (typed by the agent)',
    ]);
    expect(client.asked[0]?.requestedSchema.properties.answer).toMatchObject({
      enum: ["no", "once", "form"],
      default: "no",
    });
  });

  it.each<[string, ElicitResult | Person, { readonly answer: string; readonly code?: string } | null]>([
    ["no", { action: "accept", content: { answer: "no" } }, { answer: "no" }],
    ["decline", { action: "decline" }, { answer: "no" }],
    ["cancel", { action: "cancel" }, null],
    ["a choice that was not offered", { action: "accept", content: { answer: "task" } }, null],
    ["an empty form", { action: "accept", content: {} }, null],
    [
      "an error",
      () => {
        throw new Error("the dialog broke");
      },
      null,
    ],
  ])("%s: no effect, the call ends", async (what, answer, expected) => {
    const { session, client } = await person(answer);
    const called = client.call("click");
    // A 2026 client whose person handler throws never comes back; the others' errors are answers.
    if (what === "an error" && generation.endsWith("2026-07-28")) {
      await expect(called).rejects.toThrow();
      expect([session.answers, session.clicks, session.effects]).toEqual([[], 1, 0]);
      return;
    }
    expect(structure(await called)).toMatchObject({ effects: 0 });
    expect([session.answers, session.clicks, session.effects]).toEqual([[expected], 1, 0]);
  });

  it.each<[string, ElicitResult]>([
    ["yes", yes],
    ["decline", { action: "decline" }],
  ])("%s in no time is nobody's answer (A-133)", async (_, answer) => {
    const { session, client } = await person(answer, { thinksMs: 299 });
    await client.call("click");
    expect([session.answers, session.effects]).toEqual([[null], 0]);
    // The control: the same answer from somebody who needs time to read counts.
    const slower = await person(answer, { thinksMs: 300 });
    await slower.client.call("click");
    expect(slower.session.answers).not.toEqual([null]);
  });

  it("the code is passed on as it was typed", async () => {
    const session = new AskingSession([questionOf({ code: "4711", effect: "irreversible", choices: ["once", "no"] })]);
    const { client } = await person({ action: "accept", content: { answer: "once", code: "4712" } }, { session });
    await client.call("click");
    expect(client.asked[0]?.requestedSchema.properties).toHaveProperty("code");
    expect(session.answers).toEqual([{ answer: "once", code: "4712" }]);
  });

  it.each<[string, Capability]>([
    ["none", null],
    ["addresses only", { url: {} }],
  ])("no way to show a form (%s): the session is offered no approver", async (_, capability) => {
    const { session, client } = await person(yes, { capability });
    expect(structure(await client.call("click"))).toMatchObject({ effects: 0 });
    expect([session.offered, session.clicks]).toEqual([[false], 1]);
  });

  it("several questions of one call come one after another", async () => {
    const session = new AskingSession([questionOf(), questionOf({ lines: ["second"] })]);
    const { client } = await person((asked) => (asked.message === "second" ? { action: "decline" } : yes), { session });
    expect(structure(await client.call("click"))).toMatchObject({ effects: 1 });
    expect([session.answers, session.clicks]).toEqual([[{ answer: "once" }, { answer: "no" }], 1]);
  });

  it("an answer elsewhere ends the question, and a late one here is no second", async () => {
    const { session, client } = await person(() => {
      session.elsewhere.abort();
      return yes;
    });
    expect(structure(await client.call("click"))).toMatchObject({ ok: true, effects: 0 });
    expect([session.answers, session.clicks]).toEqual([[null], 1]);
  });

  it("cancelled while its person thinks: a 2025 call ends, the request of a 2026 one has ended already", async () => {
    const modern = generation.endsWith("2026-07-28");
    const controller = new AbortController();
    const { session, client } = await person(() => {
      controller.abort();
      return yes;
    });
    await expect(client.call("click", {}, { signal: controller.signal })).rejects.toThrow();
    if (!modern) await vi.waitFor(() => expect(session.aborts).toBe(1));
    await client.call("snapshot");
    expect([session.clicks, session.effects, session.aborts]).toEqual([1, 0, modern ? 0 : 1]);
  });

  it("fifty calls at once have their own questions and answers", async () => {
    const { session, client } = await person(yes);
    await Promise.all(Array.from({ length: 50 }, (_one, index) => client.call("click", { index })));
    expect([session.clicks, session.effects]).toEqual([50, 50]);
  });

  it("what is pending is passed on, and the answer counts when it comes", async () => {
    const session = new AskingSession();
    let giveUp = (): void => {};
    let answer = (): void => {};
    session.patience = new Promise((resolve) => (giveUp = resolve));
    const answering = new Promise<ElicitResult>((resolve) => (answer = () => resolve(yes)));
    const { client } = await person(
      () => {
        giveUp();
        if (generation.endsWith("2026-07-28")) answer();
        return answering;
      },
      { session },
    );
    const result = await client.call("click");
    expect(result).not.toHaveProperty("isError");
    if (generation.endsWith("2026-07-28")) {
      expect(structure(result)).toEqual({ ok: true, waited: { approval: "q1" }, effects: 1 });
    } else {
      expect(structure(result)).toEqual({
        ok: false,
        pending: { approval: "q1", expires_in_s: 255, note: "Nothing was sent yet." },
      });
      answer();
      expect(structure(await client.call("wait_for", { approval: "q1" }))).toMatchObject({ effects: 1 });
    }
    expect([session.clicks, session.effects]).toEqual([1, 1]);
  });
});

describe("progress", () => {
  it.each(["auto", "legacy"] as const)("comes while a call waits, and stops after it (%s)", async (mode) => {
    const session = new AskingSession();
    const { near, clock } = serve(session, 5);
    let told = 0;
    let enough = (): void => {};
    const toldTwice = new Promise<void>((resolve) => (enough = resolve));
    // In the 2026 revision the request has ended while the person thinks: there the wait after the answer counts.
    const client = await newClient(
      mode,
      near,
      async () => {
        clock.ms += PERSON_MS;
        if (mode === "legacy") await toldTwice;
        return yes;
      },
      {},
    );
    if (mode === "auto") session.call = async () => toldTwice.then(() => ({ envelope: { ok: true } }));
    const onprogress = () => {
      told += 1;
      if (told === 2) enough();
    };
    await client.call("click", {}, { onprogress });
    expect(told).toBeGreaterThanOrEqual(2);
    const after = told;
    await client.call("snapshot");
    expect(told).toBe(after);
  });
});

describe("what a 2026-07-28 client may send in place of an answer", () => {
  const elicited = { question: { action: "accept", content: { answer: "once" } } };
  interface Required {
    readonly requestState: string;
    readonly inputRequests: Readonly<Record<string, unknown>>;
  }

  /** A client that handles questions itself. */
  async function manual(session = new AskingSession(), place = serve(session)) {
    const client = new Client(self, {
      versionNegotiation: { mode: "auto" },
      capabilities: { elicitation: {} },
      inputRequired: { autoFulfill: false },
    });
    await client.connect(place.near);
    onTestFinished(() => client.close());
    const call = (params: Record<string, unknown>): Promise<unknown> =>
      client.callTool(
        params as unknown as Parameters<Client["callTool"]>[0],
        { allowInputRequired: true } as Parameters<Client["callTool"]>[1],
      );
    const first = async (args: Record<string, unknown> = { target: "e1" }): Promise<Required> =>
      (await call({ name: "click", arguments: args })) as unknown as Required;
    return { ...place, call, first };
  }

  it("the state with the same call and an answer resumes it (control)", async () => {
    const { session, clock, held, call, first } = await manual();
    const { requestState, inputRequests } = await first({ target: "e1", options: { b: 1, a: 2 } });
    expect(Object.keys(inputRequests)).toEqual(["question"]);
    expect(held.open).toBe(1);
    clock.ms += PERSON_MS;
    const result = await call({
      name: "click",
      arguments: { options: { a: 2, b: 1 }, target: "e1" },
      requestState,
      inputResponses: elicited,
    });
    expect(structure(result)).toMatchObject({ ok: true, effects: 1 });
    expect([session.clicks, held.open]).toEqual([1, 0]);
  });

  it.each<[string, (state: string) => Record<string, unknown>]>([
    [
      "other arguments",
      (requestState) => ({ name: "click", arguments: { target: "e2" }, requestState, inputResponses: elicited }),
    ],
    [
      "one argument more",
      (requestState) => ({
        name: "click",
        arguments: { target: "e1", count: 2 },
        requestState,
        inputResponses: elicited,
      }),
    ],
    [
      "another tool",
      (requestState) => ({ name: "snapshot", arguments: { target: "e1" }, requestState, inputResponses: elicited }),
    ],
    [
      "a state that was touched",
      (state) => ({
        name: "click",
        arguments: { target: "e1" },
        requestState: `${state.slice(0, -2)}AA`,
        inputResponses: elicited,
      }),
    ],
    [
      "a state of nobody's",
      () => ({ name: "click", arguments: { target: "e1" }, requestState: "q1", inputResponses: elicited }),
    ],
    [
      "an empty state",
      () => ({ name: "click", arguments: { target: "e1" }, requestState: "", inputResponses: elicited }),
    ],
  ])("%s: bad_arguments, and the question stays open", async (_, params) => {
    const { session, clock, call, first } = await manual();
    const { requestState } = await first();
    clock.ms += PERSON_MS;
    expect(await call(params(requestState))).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "bad_arguments" } },
    });
    expect([session.answers, session.clicks, session.effects]).toEqual([[], 1, 0]);
    expect(
      structure(await call({ name: "click", arguments: { target: "e1" }, requestState, inputResponses: elicited })),
    ).toMatchObject({ effects: 1 });
  });

  it("a state twice: the second time is bad_arguments", async () => {
    const { session, clock, call, first } = await manual();
    const { requestState } = await first();
    clock.ms += PERSON_MS;
    const again = { name: "click", arguments: { target: "e1" }, requestState, inputResponses: elicited };
    const results = await Promise.all([call(again), call(again)]);
    expect(results.map(structure)).toMatchObject([{ ok: true }, { error: { code: "bad_arguments" } }]);
    expect([session.clicks, session.effects]).toEqual([1, 1]);
  });

  it("a state of another session is unknown here", async () => {
    const mine = await manual();
    const theirs = await manual();
    const { requestState } = await theirs.first();
    mine.clock.ms += PERSON_MS;
    const result = await mine.call({
      name: "click",
      arguments: { target: "e1" },
      requestState,
      inputResponses: elicited,
    });
    expect(structure(result)).toMatchObject({ error: { code: "bad_arguments" } });
    expect([mine.session.clicks, theirs.session.answers]).toEqual([0, []]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["no responses", {}],
    ["the response to another question", { inputResponses: { other: elicited.question } }],
    ["an answer without a question's key", { inputResponses: elicited.question }],
    [
      "an answer in a wrapper",
      { inputResponses: { question: { method: "elicitation/create", result: elicited.question } } },
    ],
  ])("%s: the channel has no answer", async (_, responses) => {
    const { session, clock, call, first } = await manual();
    const { requestState } = await first();
    clock.ms += PERSON_MS;
    expect(
      structure(await call({ name: "click", arguments: { target: "e1" }, requestState, ...responses })),
    ).toMatchObject({ effects: 0 });
    expect([session.answers, session.clicks]).toEqual([[null], 1]);
  });

  it("responses without a state are no answer to anything: a call of its own", async () => {
    const { session, call } = await manual();
    const result = await call({ name: "click", arguments: { target: "e1" }, inputResponses: elicited });
    expect(result).toMatchObject({ resultType: "input_required" });
    expect([session.answers, session.effects]).toEqual([[], 0]);
  });

  it("who answers after the session gave up waiting gets what came of it", async () => {
    const session = new AskingSession();
    let giveUp = (): void => {};
    session.patience = new Promise((resolve) => (giveUp = resolve));
    const { clock, call, first } = await manual(session);
    const { requestState } = await first();
    giveUp();
    clock.ms += 60_000;
    const result = await call({ name: "click", arguments: { target: "e1" }, requestState, inputResponses: elicited });
    expect(structure(result)).toEqual({ ok: true, waited: { approval: "q1" }, effects: 1 });
    expect(session.clicks).toBe(1);
  });

  it("questions that nobody comes back for end with the session", async () => {
    const { session, held, first } = await manual();
    await first();
    held.close();
    await vi.waitFor(() => expect([session.answers, session.aborts, held.open]).toEqual([[null], 1, 0]));
  });

  it("those that were answered elsewhere make room, and are open no longer", async () => {
    const { session, held, first, call } = await manual();
    const { requestState } = await first({ index: 0 });
    for (let index = 1; index < 64; index++) await first({ index });
    session.elsewhere.abort();
    expect(held.open).toBe(0);
    // Who comes late gets what came of the call.
    expect(
      structure(await call({ name: "click", arguments: { index: 0 }, requestState, inputResponses: elicited })),
    ).toMatchObject({ effects: 0 });
    Object.assign(session, { elsewhere: new AbortController() });
    await first({ index: 64 });
    await first({ index: 65 });
    expect([held.open, session.clicks]).toEqual([2, 66]);
  });

  it("a question beyond what is kept has no way to the client", async () => {
    const { session, first, call } = await manual();
    for (let index = 0; index < 64; index++) await first({ index });
    expect(structure(await call({ name: "click", arguments: { index: 64 } }))).toMatchObject({ effects: 0 });
    expect(session.answers).toEqual([null]);
  });
});
