import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { naked, type RawRequest, raw, request, served, TOKENS, toolCall } from "../src/mcp/http/serve.fixture.ts";

// A-139: whatever is wrong with a request, it is refused before any tool runs. The verdict is the counter of the
// sessions' calls.

const MEGABYTE = 1_048_576;
const big = JSON.stringify({ ...JSON.parse(toolCall()), padding: "x".repeat(2 * MEGABYTE) });
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "raw", version: "0" } },
};

interface Attack {
  readonly what: string;
  /** Statuses that refuse it. */
  readonly status: number;
  readonly change: (port: number) => RawRequest;
  /** What would run the tool if only the SDK looked at it. */
  readonly naked: boolean;
}

const headers = (
  what: string,
  status: number,
  naked: boolean,
  change: (port: number) => NonNullable<RawRequest["headers"]>,
): Attack => ({
  what,
  status,
  naked,
  change: (port) => ({ headers: change(port) }),
});
const target = (written: string): Attack => ({
  what: `target ${written}`,
  status: 404,
  naked: true,
  change: () => ({ target: written }),
});
const body = (what: string, status: number, text: string): Attack => ({
  what,
  status,
  naked: false,
  change: () => ({ body: text }),
});

const attacks: readonly Attack[] = [
  headers("another origin", 403, true, () => ({ Origin: "https://evil.test" })),
  headers("an opaque origin", 403, true, () => ({ Origin: "null" })),
  headers("an empty origin", 403, true, () => ({ Origin: "" })),
  headers("our own origin", 403, true, (port) => ({ Origin: `http://127.0.0.1:${port}` })),
  headers("a browser's request", 403, true, () => ({ "Sec-Fetch-Site": "same-origin" })),
  headers("an address typed into a browser", 403, true, () => ({ "Sec-Fetch-Site": "none" })),
  headers("no Host", 403, true, () => ({ Host: null })),
  headers("an empty Host", 403, true, () => ({ Host: "" })),
  headers("a rebinding name", 403, true, (port) => ({ Host: `rebound.test:${port}` })),
  headers("a rebinding name below ours", 403, true, (port) => ({ Host: `127.0.0.1.evil.test:${port}` })),
  headers("user-info before ours", 403, true, (port) => ({ Host: `evil@127.0.0.1:${port}` })),
  headers("a path behind ours", 403, true, (port) => ({ Host: `127.0.0.1:${port}/x` })),
  headers("no port", 403, true, () => ({ Host: "127.0.0.1" })),
  headers("another port", 403, true, (port) => ({ Host: `127.0.0.1:${port + 1}` })),
  headers("a port with a zero in front", 403, true, (port) => ({ Host: `127.0.0.1:0${port}` })),
  headers("a short address", 403, true, (port) => ({ Host: `127.1:${port}` })),
  headers("another loopback address", 403, true, (port) => ({ Host: `127.0.0.2:${port}` })),
  headers("a number for an address", 403, true, (port) => ({ Host: `2130706433:${port}` })),
  headers("all addresses", 403, true, (port) => ({ Host: `0.0.0.0:${port}` })),
  headers("IPv6 loopback", 403, true, (port) => ({ Host: `[::1]:${port}` })),
  headers("a name with a dot at its end", 403, true, (port) => ({ Host: `localhost.:${port}` })),
  headers("two Hosts, the right one first", 403, true, (port) => ({ Host: [`127.0.0.1:${port}`, "evil.test"] })),
  headers("two Hosts, the right one last", 403, true, (port) => ({ Host: ["evil.test", `127.0.0.1:${port}`] })),
  headers("the right Host twice", 403, true, (port) => ({ Host: [`127.0.0.1:${port}`, `127.0.0.1:${port}`] })),
  headers("no token", 401, true, () => ({ Authorization: null })),
  headers("an empty token", 401, true, () => ({ Authorization: "Bearer " })),
  headers("a wrong token", 401, true, () => ({ Authorization: "Bearer third-token-of-the-test" })),
  headers("the beginning of a token", 401, true, () => ({ Authorization: `Bearer ${TOKENS[0].slice(0, -1)}` })),
  headers("more than a token", 401, true, () => ({ Authorization: `Bearer ${TOKENS[0]}x` })),
  headers("both tokens", 401, true, () => ({ Authorization: `Bearer ${TOKENS[0]},${TOKENS[1]}` })),
  headers("a wrong and a right one", 401, true, () => ({ Authorization: ["Bearer wrong", `Bearer ${TOKENS[0]}`] })),
  headers("a token without its scheme", 401, true, () => ({ Authorization: TOKENS[0] })),
  headers("another scheme", 401, true, () => ({
    Authorization: `Basic ${Buffer.from(`user:${TOKENS[0]}`).toString("base64")}`,
  })),
  headers("the token as a cookie", 401, true, () => ({
    Authorization: null,
    Cookie: `token=${TOKENS[0]}; Authorization=Bearer ${TOKENS[0]}`,
  })),
  headers("text/plain", 415, false, () => ({ "Content-Type": "text/plain" })),
  headers("a form's encoding", 415, false, () => ({ "Content-Type": "application/x-www-form-urlencoded" })),
  headers("no content type", 415, false, () => ({ "Content-Type": null })),
  headers("text/plain that speaks of JSON", 415, false, () => ({ "Content-Type": "text/plain; application/json" })),
  headers("two content types", 415, true, () => ({ "Content-Type": ["application/json", "text/plain"] })),
  headers("JSON in another charset", 415, true, () => ({ "Content-Type": "application/json; charset=utf-7" })),
  headers("a packed body", 415, true, () => ({ "Content-Encoding": "identity" })),
  target("/"),
  target("/mcp/"),
  target("/MCP"),
  target("/mcp?"),
  target("/mcp?session_id=00000000000000000000000000000000"),
  target(`/mcp?access_token=${TOKENS[0]}`),
  target("//mcp"),
  target("/x/../mcp"),
  target("/%6dcp"),
  target("http://evil.test/mcp"),
  target("http://127.0.0.1/mcp"),
  { what: "PUT", status: 405, naked: false, change: () => ({ method: "PUT" }) },
  { what: "PATCH", status: 405, naked: false, change: () => ({ method: "PATCH" }) },
  { what: "OPTIONS", status: 405, naked: false, change: () => ({ method: "OPTIONS" }) },
  {
    what: "a preflight",
    status: 403,
    naked: false,
    change: () => ({
      method: "OPTIONS",
      headers: {
        Origin: "https://evil.test",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
        Authorization: null,
      },
    }),
  },
  {
    what: "a stream without a token",
    status: 401,
    naked: false,
    change: () => ({ method: "GET", headers: { Authorization: null, Accept: "text/event-stream" } }),
  },
  {
    what: "a stream without a session",
    status: 400,
    naked: false,
    change: () => ({ method: "GET", headers: { Accept: "text/event-stream" } }),
  },
  {
    what: "a stream of a guessed session",
    status: 404,
    naked: false,
    change: () => ({ method: "GET", headers: { Accept: "text/event-stream", "Mcp-Session-Id": "0".repeat(32) } }),
  },
  {
    what: "the end of a guessed session",
    status: 404,
    naked: false,
    change: () => ({ method: "DELETE", headers: { "Mcp-Session-Id": "0".repeat(32) } }),
  },
  body("a batch", 400, `[${toolCall()}]`),
  body("a batch that begins a session", 400, JSON.stringify([initialize, JSON.parse(toolCall())])),
  body("2 MB", 413, big),
  body("broken JSON", 400, toolCall().slice(0, -1)),
  body("two objects", 400, `${toolCall()}${toolCall()}`),
  body("a text", 400, '"tools/call"'),
  body("null", 400, "null"),
  body("nothing", 400, ""),
  body("a hundred thousand brackets", 400, "[".repeat(100_000)),
];

describe("over HTTP, by hand (A-139)", () => {
  it("the control: the same call with nothing wrong counts", async () => {
    const { face, calls } = await served();
    const { status, body: text, head } = await raw(face.port, request(face.port));
    expect([status, calls()]).toEqual([200, 1]);
    expect(text).toContain('"structuredContent":{"ok":true}');
    expect(head).not.toContain("access-control");
  });

  it.each(["localhost", "LOCALHOST"])("%s is a name of ours, too", async (name) => {
    const { face, calls } = await served();
    const { status } = await raw(face.port, request(face.port, { headers: { Host: `${name}:${face.port}` } }));
    expect([status, calls()]).toEqual([200, 1]);
  });

  it.each(attacks.map((attack) => [attack.what, attack] as const))(
    "%s",
    async (_, { status, change, naked: wouldRun }) => {
      const { face, calls, log } = await served();
      const refused = await raw(face.port, request(face.port, change(face.port)));
      expect([refused.status, calls()]).toEqual([status, 0]);
      expect(refused.head).not.toContain("access-control");
      expect(`${refused.head}${refused.body}${log.join("")}`).not.toContain("evil.test");
      expect(`${refused.body}${log.join("")}`).not.toContain(TOKENS[0]);
      // The server is well afterwards.
      expect((await raw(face.port, request(face.port))).status).toBe(200);
      expect(calls()).toBe(1);
      if (wouldRun) {
        const without = await naked();
        await raw(without.port, request(without.port, change(without.port)));
        expect(without.calls()).toBe(1);
      }
    },
  );

  it("2 MB in pieces of unknown length", async () => {
    const { face, calls } = await served();
    const pieces = Array.from(
      { length: 32 },
      () => `${(MEGABYTE / 16).toString(16)}\r\n${"x".repeat(MEGABYTE / 16)}\r\n`,
    ).join("");
    const head = request(face.port, { headers: { "Content-Length": null, "Transfer-Encoding": "chunked" }, body: "" });
    expect((await raw(face.port, `${head}${pieces}0\r\n\r\n`)).status).toBe(413);
    expect(calls()).toBe(0);
  });

  it("a length and pieces at once: nobody may see two requests in it", async () => {
    const { face, calls } = await served();
    const smuggled = request(face.port, {
      headers: { "Transfer-Encoding": "chunked" },
      body: `0\r\n\r\n${request(face.port)}`,
    });
    expect((await raw(face.port, smuggled)).status).toBe(400);
    expect(calls()).toBe(0);
  });

  it("deep arguments break the call, not the server", async () => {
    const { face, calls } = await served();
    const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    await raw(
      face.port,
      request(face.port, { body: toolCall("snapshot").replace('"arguments":{}', `"arguments":${deep}`) }),
    );
    const before = calls();
    expect((await raw(face.port, request(face.port))).status).toBe(200);
    expect(calls()).toBe(before + 1);
  });

  it.each([
    ["the head", () => "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1"],
    ["the body", (port: number) => request(port, { headers: { "Content-Length": "1000" }, body: "{" })],
  ])("who is slow with %s is cut off", async (_, text) => {
    const { face, calls } = await served({ limits: { headMs: 200, requestMs: 400 } });
    const ended = new Promise<string>((resolve) => {
      const socket = connect(face.port, "127.0.0.1");
      let read = "";
      socket.on("data", (chunk) => (read += chunk.toString()));
      socket.on("error", () => {});
      socket.on("close", () => resolve(read));
      socket.write(text(face.port));
    });
    expect(await ended).toContain("408");
    expect(calls()).toBe(0);
  });

  it("a token's session is of no use to another token, nor is its place in the URL", async () => {
    const { face, calls, sessions } = await served();
    const legacy = { "MCP-Protocol-Version": null, "MCP-Method": null, "MCP-Name": null };
    const begun = await raw(face.port, request(face.port, { headers: legacy, body: JSON.stringify(initialize) }));
    const id = /mcp-session-id: (\S+)/.exec(begun.head)?.[1] ?? "";
    const call = JSON.stringify({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "click", arguments: {} },
    });
    const with_ = async (token: string, target_: string, session: string | null) =>
      (
        await raw(
          face.port,
          request(face.port, {
            target: target_,
            headers: { ...legacy, Authorization: `Bearer ${token}`, "Mcp-Session-Id": session },
            body: call,
          }),
        )
      ).status;
    expect(await with_(TOKENS[1], "/mcp", id)).toBe(404);
    expect(await with_(TOKENS[0], `/mcp?mcp-session-id=${id}`, null)).toBe(404);
    expect(await with_(TOKENS[0], `/mcp/${id}`, null)).toBe(404);
    expect(await with_("third-token-of-the-test", "/mcp", id)).toBe(401);
    expect(calls()).toBe(0);
    expect(await with_(TOKENS[0], "/mcp", id)).toBe(200);
    expect(sessions.map((all) => all.map(({ clicks }) => clicks))).toEqual([[1], [0]]);
  });

  it("nothing listens beside loopback", async () => {
    const { face } = await served();
    await expect(raw(face.port, request(face.port), "127.0.0.2")).rejects.toThrow();
  });
});
