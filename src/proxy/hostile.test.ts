import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { recordingServer } from "../../test/servers.ts";
import { type anybody, ask, RawClient, testedProxy } from "./proxy.fixture.ts";

const small = {
  headMs: 150,
  idleMs: 300,
  keepAliveMs: 300,
  halfOpenMs: 100,
  sniffMs: 150,
  connectMs: 500,
  lookupMs: 150,
};

/** `P` stands for the port of a server that must not hear of it. */
const malformed: readonly (readonly [name: string, request: string])[] = [
  [
    "content-length and transfer-encoding",
    "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  [
    "transfer-encoding and content-length",
    "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
  ],
  [
    "two content-lengths",
    "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd",
  ],
  [
    "two equal content-lengths",
    "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
  ],
  ["a list of content-lengths", "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nContent-Length: 4, 4\r\n\r\nabcd"],
  ["a signed content-length", "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nContent-Length: +4\r\n\r\nabcd"],
  [
    "another transfer-encoding",
    "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  ],
  [
    "chunked said twice",
    "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  ["a blank before the colon", "GET http://a.test:P/ HTTP/1.1\r\nHost : a.test:P\r\n\r\n"],
  [
    "a blank before the encoding's colon",
    "POST http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
  ],
  ["a bare line feed", "GET http://a.test:P/ HTTP/1.1\nHost: a.test:P\n\n"],
  ["a bare carriage return in a value", "GET http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nX: a\rHost: b\r\n\r\n"],
  ["a NUL in a value", "GET http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nX: a\0b\r\n\r\n"],
  ["a NUL in the target", "GET http://a.test:P/\0 HTTP/1.1\r\nHost: a.test:P\r\n\r\n"],
  ["bad UTF-8 in the target", "GET http://a.test:P/\xff\xfe HTTP/1.1\r\nHost: a.test:P\r\n\r\n"],
  ["bad UTF-8 in the host", "GET http://a\xff.test:P/ HTTP/1.1\r\nHost: a\xff.test:P\r\n\r\n"],
  ["no Host", "GET http://a.test:P/ HTTP/1.1\r\n\r\n"],
  ["another Host", "GET http://a.test:P/ HTTP/1.1\r\nHost: b.test:P\r\n\r\n"],
  ["another port in Host", "GET http://a.test:P/ HTTP/1.1\r\nHost: a.test\r\n\r\n"],
  ["two Hosts", "GET http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nHost: a.test:P\r\n\r\n"],
  ["HTTP/1.0", "GET http://a.test:P/ HTTP/1.0\r\nHost: a.test:P\r\n\r\n"],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a target without a host", "GET / HTTP/1.1\r\nHost: a.test:P\r\n\r\n"],
  ["a target without slashes", "GET a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\n\r\n"],
  ["https in plain", "GET https://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\n\r\n"],
  ["user-info in the target", "GET http://me:pw@a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\n\r\n"],
  ["a fragment in the target", "GET http://a.test:P/#x HTTP/1.1\r\nHost: a.test:P\r\n\r\n"],
  ["a backslash in the target's host", "GET http://a.test:P\\@b.test/ HTTP/1.1\r\nHost: a.test:P\r\n\r\n"],
  ["upper case in the host", "GET http://A.test:P/ HTTP/1.1\r\nHost: A.test:P\r\n\r\n"],
  ["a short address", "GET http://127.1:P/ HTTP/1.1\r\nHost: 127.1:P\r\n\r\n"],
  ["a number for an address", "GET http://2130706433:P/ HTTP/1.1\r\nHost: 2130706433:P\r\n\r\n"],
  ["an address with a zone", "GET http://[fe80::1%25lo]:P/ HTTP/1.1\r\nHost: [fe80::1%25lo]:P\r\n\r\n"],
  [
    "another header named by Connection",
    "GET http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nConnection: close, cookie\r\n\r\n",
  ],
  [
    "an upgrade",
    "GET http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  ],
  ["TLS", "\x16\x03\x01\x00\x05hello"],
  ["SOCKS", "\x05\x01\x00"],
  ["a port of 0", "GET http://a.test:0/ HTTP/1.1\r\nHost: a.test:0\r\n\r\n"],
  ["a port of 65536", "GET http://a.test:65536/ HTTP/1.1\r\nHost: a.test:65536\r\n\r\n"],
  ["no port after the colon", "GET http://a.test:/ HTTP/1.1\r\nHost: a.test:\r\n\r\n"],
  ["a host of 10,000 characters", `GET http://${"a".repeat(10_000)}:P/ HTTP/1.1\r\nHost: ${"a".repeat(10)}:P\r\n\r\n`],
  ["a head of 20,000 bytes", `GET http://a.test:P/ HTTP/1.1\r\nHost: a.test:P\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
  ...[
    "a.test",
    ":P",
    "a.test:",
    "a.test:0",
    "a.test:65536",
    "a.test:0080",
    "a.test: P",
    "a.test:P/",
    "a.test:P:P",
    "me@a.test:P",
    "http://a.test:P",
    "A.test:P",
    "127.1:P",
    "0x7f000001:P",
    "[::1:P",
    "::1:P",
    "[::1%25lo]:P",
    "[::ffff:127.0.0.1]:P",
    "a..test:P",
    `${"a".repeat(64)}.test:P`,
    "a%2etest:P",
    "",
  ].map((target) => [`CONNECT ${target}`, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`] as const),
  ["CONNECT with another Host", "CONNECT a.test:P HTTP/1.1\r\nHost: b.test:P\r\n\r\n"],
  ["CONNECT with a body", "CONNECT a.test:P HTTP/1.1\r\nHost: a.test:P\r\nContent-Length: 4\r\n\r\nabcd"],
  ["CONNECT in chunks", "CONNECT a.test:P HTTP/1.1\r\nHost: a.test:P\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
];

describe("A-112: what no browser would send", () => {
  test.each(malformed)("%s is answered 400 and goes nowhere", async (_name, request) => {
    await using server = await recordingServer();
    await using proxy = await testedProxy();
    const heard = await ask(
      proxy.port,
      request.replaceAll("P ", `${server.port} `).replaceAll(/:P(?=[\r/\\:]|$)/g, `:${server.port}`),
    );
    expect(heard).toMatch(/^(HTTP\/1\.1 400 |$)/);
    expect(heard).not.toContain("200");
    expect(server.connections.total).toBe(0);
    expect(proxy.rules()).toEqual(["proxy.malformed"]);
  });

  test("the same with nothing wrong arrives", async () => {
    await using server = await recordingServer();
    await using proxy = await testedProxy();
    using client = new RawClient(proxy.port);
    client.say(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
    expect(await client.hear("not found")).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(server.hits.length).toBe(1);
  });

  test("a value folded over lines reaches nobody as two headers", async () => {
    await using server = await recordingServer();
    await using proxy = await testedProxy();
    await ask(
      proxy.port,
      `GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\nX: a\r\n Evil: b\r\nConnection: close\r\n\r\n`,
    );
    for (const hit of server.hits) expect(Object.keys(hit.headers)).not.toContain("evil");
  });

  test("requests sent without waiting end the connection", async () => {
    await using server = await recordingServer();
    await using proxy = await testedProxy();
    const one = `GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`;
    expect(await ask(proxy.port, one + one)).not.toContain("HTTP/1.1 200");
    expect(server.hits.length).toBeLessThanOrEqual(1);
  });

  test("a body cannot carry a second request", async () => {
    await using server = await recordingServer();
    await using proxy = await testedProxy();
    using client = new RawClient(proxy.port);
    const inner = "GET /inner HTTP/1.1\r\nHost: a.test\r\n\r\n";
    client.say(
      `POST http://a.test:${server.port}/outer HTTP/1.1\r\nHost: a.test:${server.port}\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    );
    await client.hear("not found");
    expect(server.hits.map((hit) => hit.path)).toEqual(["/outer"]);
    expect(server.hits[0]?.body).toBe(inner);
  });
});

describe("A-112: clients that waste time and room", () => {
  test.each([
    ["says nothing", ""],
    ["never ends its head", "GET http://a.test/ HTTP/1.1\r\nHost: a"],
    ["starts no tunnel", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n"],
    ["never ends its hello", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n\x16\x03\x01\x07"],
  ])("one that %s is sent away", async (_name, text) => {
    await using proxy = await testedProxy({ limits: small, allowTunnel: () => true });
    const heard = await ask(proxy.port, text);
    expect(heard).toBe(text.startsWith("CONNECT") ? "HTTP/1.1 200 Connection established\r\n\r\n" : "");
  });

  test("one whose body stands still is sent away, and its server is let go", async () => {
    await using server = await recordingServer();
    await using proxy = await testedProxy({ limits: small });
    await ask(
      proxy.port,
      `POST http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\nContent-Length: 10\r\n\r\nabc`,
    );
    await expect.poll(() => server.hits.map((hit) => [hit.body, hit.complete])).toEqual([["abc", false]]);
    await expect.poll(() => proxy.events.map((event) => event.verdict)).toEqual(["open", "closed"]);
  });

  test("a quiet tunnel is ended", async () => {
    await using server = await recordingServer();
    await using proxy = await testedProxy({ limits: small });
    expect(
      await ask(proxy.port, `CONNECT a.test:${server.port} HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`),
    ).toContain(" 200 ");
  });

  test("connections beyond the cap are dropped at once, and there is room again after", async () => {
    await using proxy = await testedProxy({ limits: { connections: 3 } });
    const held = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = new RawClient(proxy.port);
        client.say("CONNECT");
        return client;
      }),
    );
    await expect.poll(() => proxy.connections()).toBe(3);
    expect(await ask(proxy.port, "")).toBe("");
    for (const client of held) client.socket.destroy();
    await expect.poll(() => proxy.connections()).toBe(0);
    expect(await ask(proxy.port, "nonsense\r\n\r\n")).toContain("400");
  });

  test("a stranger hears nothing, and one that cannot be told is bound by the ways", async () => {
    await using server = await recordingServer();
    const request = `GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\nConnection: close\r\n\r\n`;
    const as = async (check: typeof anybody.check, isOpen: boolean) => {
      await using proxy = await testedProxy({ peers: { check }, isOpen: () => isOpen });
      return [await ask(proxy.port, request), proxy.rules()];
    };
    expect(await as(() => Promise.resolve("stranger"), true)).toEqual(["", ["proxy.peer"]]);
    expect(await as(() => Promise.reject(new Error("broken")), true)).toEqual(["", ["proxy.peer"]]);
    expect((await as(() => Promise.resolve("unknown"), false))[1]).toEqual(["proxy.way"]);
    expect(server.connections.total).toBe(0);
    expect((await as(() => Promise.resolve("unknown"), true))[0]).toContain("404");
  });
});

test("after close nothing listens and nothing is connected", async () => {
  await using server = await recordingServer();
  const proxy = await testedProxy();
  using tunnel = new RawClient(proxy.port);
  tunnel.say(`CONNECT a.test:${server.port} HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
  await tunnel.hear("200");
  using idle = new RawClient(proxy.port);
  idle.say(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
  await idle.hear("not found");
  using silent = new RawClient(proxy.port);
  await expect.poll(() => proxy.connections()).toBe(3);
  await Promise.all([proxy.close(), proxy.close(), tunnel.ended, idle.ended, silent.ended]);
  expect(proxy.connections()).toBe(0);
  const again = connect({ host: "127.0.0.1", port: proxy.port });
  const refused = await new Promise((resolve) =>
    again.on("error", (error: NodeJS.ErrnoException) => resolve(error.code)),
  );
  expect(refused).toBe("ECONNREFUSED");
});
