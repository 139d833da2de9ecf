import { connect } from "node:net";
import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Approver } from "../../types.ts";
import { questionOf } from "../asking.fixture.ts";
import { raw, request, type Served, served, TOKENS, toolCall } from "./serve.fixture.ts";

interface Connected {
  readonly sessionId: string | undefined;
  tools(): Promise<readonly string[]>;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
  /** How often its person was. */
  asked(): number;
  /** Says that it goes, where the revision has a way to. */
  leave(): Promise<void>;
}

const self = { name: "test", version: "0" };
const PERSON_MS = 5_000;
const yes: ElicitResult = { action: "accept", content: { answer: "once" } };
type Place = Pick<Served, "url" | "clock">;

function person(clock: { ms: number }) {
  let asked = 0;
  const sitter = async (): Promise<ElicitResult> => {
    asked += 1;
    clock.ms += PERSON_MS;
    return yes;
  };
  return { sitter, asked: () => asked };
}

async function newClient(mode: "auto" | "legacy", { url, clock }: Place, token: string): Promise<Connected> {
  const client = new Client(self, { versionNegotiation: { mode }, capabilities: { elicitation: {} } });
  const { sitter, asked } = person(clock);
  client.setRequestHandler("elicitation/create", sitter);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    sessionId: transport.sessionId,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}, signal) => client.callTool({ name, arguments: args }, signal ? { signal } : {}),
    asked,
    leave: () => transport.terminateSession(),
  };
}

async function oldClient({ url, clock }: Place, token: string): Promise<Connected> {
  const client = new OldClient(self, { capabilities: { elicitation: {} } });
  const { sitter, asked } = person(clock);
  client.setRequestHandler(ElicitRequestSchema, sitter);
  const transport = new OldTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  onTestFinished(() => client.close());
  return {
    sessionId: transport.sessionId,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}, signal) => client.callTool({ name, arguments: args }, undefined, signal ? { signal } : {}),
    asked,
    leave: () => transport.terminateSession(),
  };
}

const structure = (result: unknown): unknown => (result as { structuredContent?: unknown }).structuredContent;

describe.each<[string, (place: Place, token: string) => Promise<Connected>]>([
  ["client 2, 2026-07-28", (place, token) => newClient("auto", place, token)],
  ["client 2, 2025 revision", (place, token) => newClient("legacy", place, token)],
  ["client 1", oldClient],
])("%s", (generation, connect) => {
  it("lists, calls, and is asked while its call waits", async () => {
    const place = await served();
    const client = await connect(place, TOKENS[0]);
    expect(await client.tools()).toEqual(["click", "wait_for", "snapshot"]);
    expect(structure(await client.call("snapshot"))).toEqual({ ok: true });
    expect(structure(await client.call("click", { target: "e1" }))).toMatchObject({ ok: true, effects: 1 });
    expect(place.sessions.map((all) => all.map(({ clicks, effects }) => [clicks, effects]))).toEqual([
      [[1, 1]],
      [[0, 0]],
    ]);
  });

  it("a wrong token gets no connection", async () => {
    const place = await served();
    await expect(connect(place, "not-the-token-of-the-test")).rejects.toThrow();
    expect(place.calls()).toBe(0);
  });

  it("one token is one browser session for all its clients, another token another (MC-10)", async () => {
    const place = await served();
    const [one, same, other] = await Promise.all([
      connect(place, TOKENS[0]),
      connect(place, TOKENS[0]),
      connect(place, TOKENS[1]),
    ]);
    await Promise.all([one.call("click"), same.call("click"), other.call("click")]);
    expect(place.sessions.map((all) => all.map(({ clicks }) => clicks))).toEqual([[2], [1]]);
  });

  it("a call that the client gives up is aborted", async () => {
    const place = await served();
    const { sessions } = place;
    const client = await connect(place, TOKENS[0]);
    const [session] = sessions[0] ?? [];
    const controller = new AbortController();
    let aborted = false;
    if (session)
      session.call = (_tool, _args, options) =>
        new Promise((resolve) => {
          options?.signal?.addEventListener("abort", () => {
            aborted = true;
            resolve({ envelope: { ok: false } });
          });
          setImmediate(() => controller.abort());
        });
    await expect(client.call("snapshot", {}, controller.signal)).rejects.toThrow();
    await vi.waitFor(() => expect(aborted).toBe(true));
  });

  it("after a while without a call the session ends, and the next call has a new one", async () => {
    let idle: (() => void) | null = null;
    const setTimer = (call: () => void) => {
      idle = call;
      return () => {
        idle = null;
      };
    };
    const place = await served({ idleMs: 1, setTimer });
    const { sessions } = place;
    const client = await connect(place, TOKENS[0]);
    await client.call("snapshot");
    await vi.waitFor(() => expect(idle).not.toBe(null));
    (idle as (() => void) | null)?.();
    await vi.waitFor(() => expect(sessions[0]?.map(({ closed }) => closed)).toEqual([1]));
    // A 2025 client's own session has ended with it: it begins anew.
    const again = generation.endsWith("2026-07-28") ? client : await connect(place, TOKENS[0]);
    expect(structure(await again.call("snapshot"))).toEqual({ ok: true });
    if (again !== client) await expect(client.call("snapshot")).rejects.toThrow();
    expect(sessions[0]).toHaveLength(2);
  });

  it("the end closes every session, running calls aborted, and every connection", async () => {
    const place = await served();
    const { sessions } = place;
    const client = await connect(place, TOKENS[0]);
    const [session] = sessions[0] ?? [];
    let running = (): void => {};
    const isRunning = new Promise<void>((resolve) => (running = resolve));
    let aborted = false;
    if (session)
      session.call = (_tool, _args, options) =>
        new Promise((resolve) => {
          running();
          options?.signal?.addEventListener("abort", () => {
            aborted = true;
            resolve({ envelope: { ok: false } });
          });
        });
    client.call("wait_for").catch(() => {});
    await isRunning;
    await place.face.close();
    expect([aborted, sessions.map((all) => all.map(({ closed }) => closed))]).toEqual([true, [[1], [1]]]);
    await expect(raw(place.face.port, request(place.face.port))).rejects.toThrow();
  });
});

describe("what a page asks for after its call has ended", () => {
  /** The first call's approver asks once more when it is over. */
  async function asksLater(place: Served, first: Connected) {
    const [session] = place.sessions[0] ?? [];
    let approver: Approver | undefined;
    if (session)
      session.call = async (_tool, _args, options) => {
        approver ??= options?.approver;
        return { envelope: { ok: true } };
      };
    await first.call("snapshot");
    const withdrawn = new AbortController();
    onTestFinished(() => withdrawn.abort());
    const ask = () => approver?.ask(questionOf(), withdrawn.signal);
    return { later: ask(), ask };
  }

  it.each<["auto" | "legacy"]>([["auto"], ["legacy"]])(
    "is no other client's to answer, where it is a 2025 client's; the other is %s",
    async (mode) => {
      const place = await served();
      const ada = await newClient("legacy", place, TOKENS[0]);
      const bob = await newClient(mode, place, TOKENS[0]);
      const { later } = await asksLater(place, ada);
      await bob.call("snapshot");
      await bob.call("snapshot");
      expect([ada.asked(), bob.asked()]).toEqual([0, 0]);
      // The control: its own next call takes it along.
      await ada.call("snapshot");
      expect(await later).toEqual({ answer: "once" });
      expect([ada.asked(), bob.asked()]).toEqual([1, 0]);
    },
  );

  it("ends with its 2025 client, and so does what comes after that", async () => {
    const place = await served();
    const ada = await newClient("legacy", place, TOKENS[0]);
    const { later, ask } = await asksLater(place, ada);
    await ada.leave();
    expect([await later, await ask()]).toEqual([null, null]);
  });
});

describe("2025 sessions", () => {
  const initialize = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: self },
  });
  const legacy = { "MCP-Protocol-Version": null, "MCP-Method": null, "MCP-Name": null };
  const call = JSON.stringify({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "snapshot", arguments: {} },
  });

  async function begin(port: number, token: string): Promise<string> {
    const { status, head } = await raw(
      port,
      request(port, { headers: { ...legacy, Authorization: `Bearer ${token}` }, body: initialize }),
    );
    expect(status).toBe(200);
    return /mcp-session-id: (\S+)/.exec(head)?.[1] ?? "";
  }

  it("ids are 128 random bits, and one serves its own token only", async () => {
    const { face, calls } = await served();
    const id = await begin(face.port, TOKENS[0]);
    expect(id).toMatch(/^[\da-f]{32}$/);
    const with_ = (token: string, session: string | null) =>
      raw(
        face.port,
        request(face.port, {
          headers: { ...legacy, Authorization: `Bearer ${token}`, "Mcp-Session-Id": session },
          body: call,
        }),
      );
    expect((await with_(TOKENS[1], id)).status).toBe(404);
    expect((await with_(TOKENS[0], `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`)).status).toBe(404);
    expect((await with_(TOKENS[0], null)).status).toBe(400);
    expect((await with_(TOKENS[0], "")).status).toBe(404);
    expect(calls()).toBe(0);
    // The control: with its own id the same call reaches the tool.
    expect((await with_(TOKENS[0], id)).status).toBe(200);
    expect(calls()).toBe(1);
  });

  it("a client that says goodbye leaves nothing, and its id is no longer one", async () => {
    const place = await served();
    const { face, sessions, calls } = place;
    const client = await newClient("legacy", place, TOKENS[0]);
    await client.leave();
    const headers = { ...legacy, "Mcp-Session-Id": client.sessionId ?? "" };
    expect((await raw(face.port, request(face.port, { headers, body: call }))).status).toBe(404);
    expect([calls(), sessions[0]?.map(({ closed }) => closed)]).toEqual([0, [0]]);
  });

  it("of clients that leave without a word the quietest goes when there are too many", async () => {
    const { face } = await served();
    const ids: string[] = [];
    for (let index = 0; index < 33; index++) ids.push(await begin(face.port, TOKENS[0]));
    const statuses = [];
    for (const id of [ids[0], ids[1], ids[32]])
      statuses.push(
        (await raw(face.port, request(face.port, { headers: { ...legacy, "Mcp-Session-Id": id ?? "" }, body: call })))
          .status,
      );
    expect(statuses).toEqual([404, 200, 200]);
  });

  it("a thousand calls at once are all answered", async () => {
    const { url, calls } = await served();
    const session = await begin(Number(url.port), TOKENS[0]);
    const headers = {
      Authorization: `Bearer ${TOKENS[0]}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-11-25",
      "Mcp-Session-Id": session,
    };
    const answers = Array.from({ length: 1_000 }, async (_, index) => {
      const response = await fetch(url, {
        method: "POST",
        headers,
        body: call.replace(/"id":\s*\d+/, `"id":${index + 10}`),
      });
      await response.text();
      return response.status;
    });
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(calls()).toBe(1_000);
  });
});

describe("more than the clients of a token may have under way", () => {
  /** A server whose sessions answer when they are let, and calls of it. */
  async function busy(most: { calls: number; bytes: number }) {
    const place = await served({ most });
    let letGo = (): void => {};
    const free = new Promise<void>((resolve) => (letGo = resolve));
    for (const [session] of place.sessions)
      if (session) session.call = () => free.then(() => ({ envelope: { ok: true } }));
    /** Resolves with the head; a stream is read when `text` is asked for. */
    const call = (token: string, padding = 0) =>
      fetch(place.url, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${token}`,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          "MCP-Protocol-Version": "2026-07-28",
          "MCP-Method": "tools/call",
          "MCP-Name": "snapshot",
        },
        body: toolCall("snapshot", { padding: " ".repeat(padding) }),
      });
    return { call, letGo };
  }

  async function expectRefused(response: Response): Promise<void> {
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await response.text()).toContain("This one was not made");
  }

  async function expectResult(response: Response | undefined): Promise<void> {
    expect(response?.status).toBe(200);
    expect(await response?.text()).toContain('"ok":true');
  }

  it("calls: all are answered, those beyond with 429 and words", async () => {
    const { call, letGo } = await busy({ calls: 20, bytes: 1_000_000 });
    const taken = await Promise.all(Array.from({ length: 20 }, () => call(TOKENS[0])));
    const beyond = await Promise.all(Array.from({ length: 30 }, () => call(TOKENS[0])));
    for (const response of beyond) await expectRefused(response);
    const others = await call(TOKENS[1]);
    letGo();
    for (const response of [...taken, others]) await expectResult(response);
    await vi.waitFor(async () => expectResult(await call(TOKENS[0])));
  });

  it("bytes: what a call has sent counts until its answer is there", async () => {
    const { call, letGo } = await busy({ calls: 20, bytes: 30_000 });
    const large = await call(TOKENS[0], 20_000);
    await expectRefused(await call(TOKENS[0], 20_000));
    const small = await call(TOKENS[0], 1_000);
    letGo();
    for (const response of [large, small]) await expectResult(response);
    await vi.waitFor(async () => expectResult(await call(TOKENS[0], 20_000)));
  });

  it.each<[string, typeof oldClient]>([
    ["2026-07-28", (place, token) => newClient("auto", place, token)],
    ["2025", oldClient],
  ])("an answer finds its way all the same (%s)", async (_, connect) => {
    const place = await served({ most: { calls: 1, bytes: 1_000_000 } });
    const client = await connect(place, TOKENS[0]);
    expect(structure(await client.call("click"))).toMatchObject({ ok: true, effects: 1 });
  });
});

it("many connections that say nothing whole keep nobody out", async () => {
  const place = await served();
  const { hostname, port } = new URL(place.url);
  const sockets = Array.from({ length: 2_500 }, () => connect(Number(port), hostname));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  let refused = 0;
  for (const socket of sockets) {
    socket.on("error", () => {});
    socket.once("close", () => (refused += 1));
    socket.write("POST /mcp HTTP/1.1\r\nHost: ");
  }
  await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(400), 5_000);
  const began = performance.now();
  const client = await newClient("auto", place, TOKENS[0] ?? "");
  expect(await client.tools()).not.toEqual([]);
  // Those limits are longer.
  expect(performance.now() - began).toBeLessThan(5_000);
});
