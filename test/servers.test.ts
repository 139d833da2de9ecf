import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { type RecordingServer, recordingServer } from "./servers.ts";

test("pages are served and what arrives is kept, query and body too", async () => {
  await using server = await recordingServer();
  server.html("/", "<title>Hello</title>", { "x-extra": "1" });
  const answer = await fetch(`${server.url}/?a=1`, { method: "POST", body: "späm", headers: { "x-mine": "2" } });
  expect([answer.status, answer.headers.get("x-extra"), await answer.text()]).toEqual([
    200,
    "1",
    "<title>Hello</title>",
  ]);
  expect(server.hits).toMatchObject([
    {
      method: "POST",
      path: "/?a=1",
      body: "späm",
      complete: true,
      upgrade: false,
      headers: { "x-mine": "2", host: server.host },
    },
  ]);
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
});

test("handlers by path come before the fallback, the last one counts", async () => {
  await using server = await recordingServer((_request, response, hit) => response.end(`fallback ${hit.path}`));
  server.on("/own", (_request, response) => response.end("first"));
  server.on("/own", (_request, response) => response.end("second"));
  expect(await text(`${server.url}/own?x`)).toBe("second");
  expect(await text(`${server.url}/other`)).toBe("fallback /other");
  await using plain = await recordingServer();
  expect((await fetch(`${plain.url}/other`)).status).toBe(404);
});

test("hitsTo ignores the query unless it is asked for", async () => {
  await using server = await recordingServer();
  await Promise.all(["/a?x=1", "/a?x=2", "/b", "/ab"].map((path) => fetch(`${server.url}${path}`)));
  expect(server.hitsTo("/a")).toHaveLength(2);
  expect(server.hitsTo("/a?x=1")).toHaveLength(1);
  expect(server.hitsTo("/nothing")).toHaveLength(0);
});

test("waitForHit sees hits of before and after, counts, and says what arrived instead", async () => {
  await using server = await recordingServer();
  const later = server.waitForHit("/a", { count: 2 });
  await fetch(`${server.url}/a?n=1`);
  await fetch(`${server.url}/a?n=2`);
  expect((await later).path).toBe("/a?n=2");
  expect((await server.waitForHit("/a")).path).toBe("/a?n=1");
  await expect(server.waitForHit("/b", { timeoutMs: 20 })).rejects.toThrow(
    /No hit 1 of \/b .* within 20 ms\. Arrived: GET \/a\?n=1, GET \/a\?n=2\./,
  );
});

test("a request whose body never comes has arrived but is not complete", async () => {
  await using server = await recordingServer();
  using client = await open(server);
  client.socket.write("POST /slow HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc");
  await expect.poll(() => server.hitsTo("/slow")).toMatchObject([{ body: "abc", complete: false }]);
  await expect(server.waitForHit("/slow", { timeoutMs: 20 })).rejects.toThrow("Arrived: POST /slow");
});

test("WebSocket handshakes are hits and are accepted", async () => {
  await using server = await recordingServer();
  using client = await open(server);
  client.socket.write(
    "GET /socket?a HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  const [answer] = await once(client.socket, "data");
  // The example of RFC 6455, section 1.3.
  expect(String(answer)).toMatch(/^HTTP\/1\.1 101 [\s\S]*sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/);
  expect(server.hitsTo("/socket")).toMatchObject([{ upgrade: true, complete: true }]);
  expect(server.connections).toEqual({ total: 1, silent: 0, malformed: 0 });
});

test("connections without a request are counted, broken ones too", async () => {
  await using server = await recordingServer();
  using silent = await open(server);
  await expect.poll(() => server.connections).toEqual({ total: 1, silent: 1, malformed: 0 });
  using tls = await open(server);
  tls.socket.write(Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 1, 2, 3, 4, 5]));
  await once(tls.socket, "close");
  expect(server.connections).toEqual({ total: 2, silent: 2, malformed: 1 });
  silent.socket.write("GET /late HTTP/1.1\r\nhost: x\r\n\r\n");
  await server.waitForHit("/late");
  expect(server.connections).toEqual({ total: 2, silent: 1, malformed: 1 });
  expect(server.hits).toHaveLength(1);
});

test("clear forgets hits and counts and keeps the pages", async () => {
  await using server = await recordingServer();
  server.html("/", "kept");
  using silent = await open(server);
  expect(await text(server.url)).toBe("kept");
  server.clear();
  expect(server.hits).toEqual([]);
  silent.socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(silent.socket, "data");
  expect(server.connections).toEqual({ total: 0, silent: 0, malformed: 0 });
  expect(server.hitsTo("/")).toHaveLength(1);
});

test("close ends open connections and may be called twice", async () => {
  const server = await recordingServer();
  using client = await open(server);
  await expect.poll(() => server.connections.total).toBe(1);
  const closed = once(client.socket, "close");
  await server.close();
  await closed;
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow();
});

async function text(url: string): Promise<string> {
  return (await fetch(url)).text();
}

async function open(server: RecordingServer): Promise<{ socket: Socket } & Disposable> {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  return { socket, [Symbol.dispose]: () => socket.destroy() };
}
