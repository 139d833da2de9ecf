import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { Failure } from "../errors.ts";
import { socketChannel } from "./socket-channel.ts";

const TOKEN = "t0ken-4711";
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

interface Answering {
  readonly port: number;
  readonly asked: readonly string[];
  readonly sockets: readonly WebSocket[];
}

/** Answers `/json/version` with what is given, and opens WebSockets. */
async function answering(
  answer: (port: number) => { readonly status?: number; readonly body: string; readonly location?: string },
): Promise<Answering> {
  const asked: string[] = [];
  const sockets: WebSocket[] = [];
  const http = createHttpServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ""}`.trim());
    const { status = 200, body, location } = answer((http.address() as AddressInfo).port);
    response.writeHead(status, location === undefined ? {} : { location });
    response.end(body);
  });
  const ws = new WebSocketServer({ server: http });
  ws.on("connection", (socket, request) => {
    asked.push(`ws ${request.url} ${request.headers.authorization ?? ""}`.trim());
    sockets.push(socket);
    socket.on("message", (data) => socket.send(String(data)));
  });
  closing.push(() => ws.close());
  return { port: await listening(http), asked, sockets };
}

async function failure(
  endpoint: string,
  options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
): Promise<Failure> {
  const error: unknown = await socketChannel(endpoint, { timeoutMs: 2_000, ...options }).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!Failure.is(error)) throw new Error(`no failure: ${String(error)}`);
  expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(TOKEN);
  expect(error.cause).toBeUndefined();
  return error;
}

describe("a channel over a WebSocket", () => {
  test("carries messages both ways and ends once, from either side", async () => {
    const server = await answering(() => ({ body: "" }));
    const channel = await socketChannel(`ws://127.0.0.1:${server.port}/devtools/browser/1?a=b`, { timeoutMs: 2_000 });
    let ends = 0;
    channel.onclose = () => ends++;
    const echoed = new Promise((resolve) => {
      channel.onmessage = resolve;
    });
    channel.send({ id: 1, method: "A.b", params: { text: "ü" } });
    expect(await echoed).toEqual({ id: 1, method: "A.b", params: { text: "ü" } });
    expect(server.asked).toEqual(["ws /devtools/browser/1?a=b"]);
    server.sockets[0]?.terminate();
    await expect.poll(() => ends).toBe(1);
    channel.send({ id: 2 });
    channel.close();
    expect(ends).toBe(1);

    const other = await socketChannel(`ws://127.0.0.1:${server.port}/`, { timeoutMs: 2_000 });
    const gone = once(server.sockets[1] as WebSocket, "close");
    other.close();
    await gone;
  });

  test.each(["nonsense", "[]", "4", '"x"'])("%s is not the protocol: nothing more is read", async (text) => {
    const server = await answering(() => ({ body: "" }));
    const channel = await socketChannel(`ws://127.0.0.1:${server.port}/`, { timeoutMs: 2_000 });
    const messages: unknown[] = [];
    channel.onmessage = (message) => messages.push(message);
    const ended = new Promise<void>((resolve) => {
      channel.onclose = resolve;
    });
    server.sockets[0]?.send(text);
    server.sockets[0]?.send('{"id":1}');
    await ended;
    expect(messages).toEqual([]);
  });

  test("asks an http address for its path, and goes nowhere else whatever it answers", async () => {
    const server = await answering(() => ({
      body: JSON.stringify({ webSocketDebuggerUrl: "ws://evil.test:1/devtools/browser/7?x=1" }),
    }));
    for (const endpoint of [`http://127.0.0.1:${server.port}`, `http://127.0.0.1:${server.port}/`]) {
      (await socketChannel(endpoint, { timeoutMs: 2_000 })).close();
    }
    (
      await socketChannel(`http://user:${TOKEN}@127.0.0.1:${server.port}/team/?token=${TOKEN}`, { timeoutMs: 2_000 })
    ).close();
    const basic = `Basic ${Buffer.from(`user:${TOKEN}`).toString("base64")}`;
    expect(server.asked).toEqual([
      "/json/version",
      "ws /devtools/browser/7?x=1",
      "/json/version",
      "ws /devtools/browser/7?x=1",
      `/team/json/version?token=${TOKEN} ${basic}`,
      `ws /devtools/browser/7?x=1 ${basic}`,
    ]);
  });
});

describe("where no browser answers", () => {
  const bodies: readonly [string, { readonly status?: number; readonly body: string; readonly location?: string }][] = [
    ["no JSON", { body: `<h1>${TOKEN}</h1>` }],
    ["another JSON", { body: `{"a":"${TOKEN}"}` }],
    ["a list", { body: `["${TOKEN}"]` }],
    ["no address", { body: `{"webSocketDebuggerUrl":"${TOKEN}"}` }],
    ["an error", { status: 500, body: TOKEN }],
    ["a redirect", { status: 302, body: "", location: `http://127.0.0.1:1/${TOKEN}` }],
    ["too much", { body: "x".repeat(1_000_000) }],
  ];
  test.each(bodies)("%s is a failure in fixed words", async (_, answer) => {
    const server = await answering(() => answer);
    const error = await failure(`http://127.0.0.1:${server.port}/?token=${TOKEN}`);
    expect(error.code).toBe("no_browser");
    expect(error.message).toMatch(/^No browser answers at the address to attach to\. /);
    expect(server.asked).toHaveLength(1);
  });

  test.each([
    `ws://127.0.0.1:1/${TOKEN}`,
    `wss://127.0.0.1:1/${TOKEN}`,
    `http://127.0.0.1:1/${TOKEN}`,
    `https://${TOKEN}.invalid/`,
    `ws://x:y/${TOKEN}`,
  ])("%s fails at once", async (endpoint) => {
    expect((await failure(endpoint)).code).toBe("no_browser");
  });

  test.each(["ws", "http", "wss", "https"])(
    "a server that accepts %s and says nothing, and a caller who gives up",
    async (scheme) => {
      const port = await listening(createServer((socket) => closing.push(() => socket.destroy())));
      const endpoint = `${scheme}://127.0.0.1:${port}/${TOKEN}`;
      const before = performance.now();
      const late = await failure(endpoint, { timeoutMs: 100 });
      expect(performance.now() - before).toBeLessThan(1_000);
      expect([late.code, late.message]).toEqual([
        "no_browser",
        expect.stringContaining("did not answer within 100 ms"),
      ]);
      expect((await failure(endpoint, { signal: AbortSignal.timeout(50) })).code).toBe("cancelled");
      expect((await failure(endpoint, { signal: AbortSignal.abort() })).code).toBe("cancelled");
    },
  );
});
