import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { live, personAt } from "./person.ts";
import { buttonSite, connectHttp, elapsed, LIMIT_MS, serve, stateDirectory } from "./support.ts";

const TOKENS = ["first-token-of-the-test", "second-token-of-the-test"] as const;
/** Longer than any program pretends to think. */
const THINKS_MS = 400;

test("two tokens are two sessions: neither answers the other's questions, nor has its grants", {
  timeout: LIMIT_MS,
}, async () => {
  const site = await buttonSite();
  const state = stateDirectory();
  const { url, end } = await serve(
    ["--private", site.url, "--approve", "elicitation", "--approve", "console"],
    TOKENS,
    state.path,
  );
  const click = { target: 'button "Close it"' };

  // Who fulfils nothing by itself holds the state of its question in its hand.
  const byHand = async (token: string) => {
    const client = new Client(
      { name: "hand", version: "1" },
      {
        versionNegotiation: { mode: "auto" },
        capabilities: { elicitation: {} },
        inputRequired: { autoFulfill: false },
      },
    );
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
    );
    const call = async (params: object): Promise<Record<string, unknown>> =>
      client.callTool(
        params as Parameters<Client["callTool"]>[0],
        { allowInputRequired: true } as Parameters<Client["callTool"]>[1],
      );
    return { call, close: () => client.close() };
  };
  const ada = await byHand(TOKENS[0]);
  const eve = await byHand(TOKENS[1]);
  for (const one of [ada, eve]) await one.call({ name: "navigate", arguments: { url: site.url } });

  const asked = await ada.call({ name: "click", arguments: click });
  const { requestState } = asked as { requestState?: string };
  expect(requestState).toEqual(expect.any(String));
  const answer = (choice: string) => ({
    name: "click",
    arguments: click,
    requestState,
    inputResponses: { question: { action: "accept", content: { answer: choice } } },
  });
  await elapsed(THINKS_MS);
  expect(await eve.call(answer("once"))).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "bad_arguments" } },
  });
  expect(await eve.call({ name: "wait_for", arguments: { approval: "q1" } })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "no_match" } },
  });
  expect(site.posts()).toBe(0);
  // Nor does her console; each session has its own.
  const sessions = await live(state.path);
  expect(sessions).toHaveLength(2);
  for (const { sessionId } of sessions) {
    using person = await personAt(state.path, (session) => session.sessionId === sessionId);
    const { open } = await person.until(({ open: now }) => now.length <= 1 && person.port > 0);
    if (open.length === 0)
      expect(await person.post("/answer", { id: "q1", digest: "0".repeat(64), answer: "once" })).toMatchObject({
        status: 409,
      });
  }
  expect(site.posts()).toBe(0);

  // Her own can, and the wider yes is hers alone.
  expect(await ada.call(answer("task"))).toMatchObject({ structuredContent: { ok: true } });
  expect(site.posts()).toBe(1);
  expect(await ada.call({ name: "click", arguments: click })).toMatchObject({ structuredContent: { ok: true } });
  expect(site.posts()).toBe(2);
  const hers = await eve.call({ name: "click", arguments: click });
  expect(hers).toMatchObject({ requestState: expect.any(String) });
  expect(site.posts()).toBe(2);

  // A third client with the first token is in the first session, whatever its revision.
  const same = await connectHttp("2025", url, TOKENS[0]);
  expect((await same.call("click", click)).structured).toMatchObject({ ok: true });
  expect(site.posts()).toBe(3);
  for (const one of [ada, eve, same]) await one.close();
  await end();
  expect(await live(state.path)).toEqual([]);
  await site.close();
  state.remove();
});
