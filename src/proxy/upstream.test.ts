import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { recordingServer } from "../../test/servers.ts";
import { ask, RawClient, testedProxy } from "./proxy.fixture.ts";
import type { Upstream } from "./route.ts";

const last = (host: string) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
const openTunnel = (host: string) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const AUTHORIZATION = "Basic YWRhOnNlY3JldA==";

/** Another machine's proxy, as far as a test on one machine can have one: everything but 127.0.0.2 counts as public. */
const at = (port: number): Upstream => ({
  host: "127.0.0.1",
  port,
  authorization: AUTHORIZATION,
  takes: (address) => address !== "127.0.0.2",
});

/** A proxy that does with a connection what a test says, and keeps what it heard. */
async function strangeProxy(answer: (socket: Socket, head: string) => void) {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      heard.push(bytes.toString("latin1"));
      answer(socket, bytes.toString("latin1"));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    if (server.listening) await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, heard, close, [Symbol.asyncDispose]: close };
}

describe("an upstream proxy", () => {
  test("gets plain requests whole, tunnels as CONNECT, by name, and keeps its password to itself", async () => {
    await using server = await recordingServer();
    await using upstream = await testedProxy();
    const asked: string[] = [];
    await using proxy = await testedProxy({
      upstream: at(upstream.port),
      resolve: (host) => {
        asked.push(host);
        return Promise.resolve(["192.0.2.1"]);
      },
    });
    expect(await ask(proxy.port, last(`a.test:${server.port}`))).toContain("404");
    using tunnel = new RawClient(proxy.port);
    tunnel.say(openTunnel(`a.test:${server.port}`));
    await tunnel.hear("200");
    tunnel.say(`GET /inside HTTP/1.1\r\nHost: a.test\r\n\r\n`);
    await tunnel.hear("not found");
    expect(server.hits.map((hit) => [hit.path, hit.headers["proxy-authorization"]])).toEqual([
      ["/", undefined],
      ["/inside", undefined],
    ]);
    expect(upstream.events.filter(({ verdict }) => verdict === "open").map(({ host, port }) => [host, port])).toEqual([
      ["a.test", server.port],
      ["a.test", server.port],
    ]);
    expect(new Set(asked)).toEqual(new Set(["a.test"]));
  });

  test("one kept connection asks for its name once, in one form", async () => {
    await using server = await recordingServer();
    await using upstream = await testedProxy();
    let asked = 0;
    let now = 0;
    await using proxy = await testedProxy({
      upstream: at(upstream.port),
      now: () => now,
      resolve: () => {
        asked += 1;
        return Promise.resolve(["192.0.2.1"]);
      },
    });
    using client = new RawClient(proxy.port);
    for (const _ of [1, 2, 3]) {
      client.forget();
      client.say(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
      await client.hear("not found");
      now += 60_000;
    }
    expect([asked, server.hits.length, upstream.events.filter(({ verdict }) => verdict === "open").length]).toEqual([
      1, 3, 3,
    ]);
  });

  test.each<[string, readonly string[] | null, string]>([
    ["a name that leads to a refused address", ["192.0.2.1", "10.0.0.1"], "proxy.address"],
    ["a name without an address", null, "proxy.name"],
  ])("is not asked for %s", async (_, answer, rule) => {
    await using upstream = await strangeProxy((socket) => socket.end());
    await using proxy = await testedProxy({
      upstream: at(upstream.port),
      allowAddress: (address) => address !== "10.0.0.1",
      resolve: () => (answer === null ? Promise.reject(new Error("no such name")) : Promise.resolve(answer)),
    });
    for (const text of [
      last("a.test"),
      openTunnel("a.test:443"),
      ...(answer === null ? [] : [last("10.0.0.1"), openTunnel("10.0.0.1:80")]),
    ])
      expect(await ask(proxy.port, text)).toMatch(/^HTTP\/1\.1 502 /);
    expect(await proxy.whyNot("https://a.test/")).toBe(rule);
    expect(new Set(proxy.rules())).toEqual(new Set([rule]));
    expect(upstream.heard).toEqual([]);
  });

  test("is not asked for what is not in the public internet, nor for mapped names", async () => {
    await using server = await recordingServer();
    await using upstream = await strangeProxy((socket) => socket.end());
    const direct: Upstream = { ...at(upstream.port), takes: () => false };
    await using proxy = await testedProxy({
      upstream: direct,
      hostMap: new Map([["shop.test", { host: "127.0.0.1", port: server.port }]]),
    });
    for (const host of [`127.0.0.1:${server.port}`, `inner.test:${server.port}`, "shop.test"]) {
      expect(await ask(proxy.port, last(host))).toContain("404");
      using tunnel = new RawClient(proxy.port);
      tunnel.say(openTunnel(host.includes(":") ? host : `${host}:443`));
      await tunnel.hear("200");
      tunnel.say("GET /inside HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await tunnel.hear("not found");
    }
    expect(server.hits.map(({ headers }) => headers["proxy-authorization"])).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
    expect(upstream.heard).toEqual([]);
  });

  test("the password never goes to a server whose name has come to lead elsewhere", async () => {
    await using server = await recordingServer();
    await using upstream = await strangeProxy((socket) => socket.destroy());
    let asked = 0;
    let now = 0;
    await using proxy = await testedProxy({
      upstream: { ...at(upstream.port), takes: (address) => address !== "127.0.0.1" },
      now: () => (now += 60_000),
      resolve: () => Promise.resolve([asked++ === 0 ? "192.0.2.1" : "127.0.0.1"]),
    });
    expect(await ask(proxy.port, last(`a.test:${server.port}`))).toMatch(/^HTTP\/1\.1 502 /);
    expect(proxy.rules()).toEqual(["proxy.address"]);
    expect(await ask(proxy.port, last(`a.test:${server.port}`))).toContain("404");
    expect(server.hits.map(({ headers }) => headers["proxy-authorization"])).toEqual([undefined]);
  });

  const says = (text: string) => (socket: Socket) => void socket.end(text);
  test.each<[string, (socket: Socket) => void]>([
    [
      "wants another password",
      says("HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm=x\r\ncontent-length: 0\r\n\r\n"),
    ],
    ["is not allowed to", says("HTTP/1.1 403 No\r\ncontent-length: 5\r\n\r\nnever")],
    ["cannot", says("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n")],
    ["sends elsewhere", says("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n")],
    ["speaks something else", says("SSH-2.0-OpenSSH_9.2\r\n")],
    ["answers without end", (socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}`)],
    ["hangs up", (socket) => void socket.destroy()],
    ["never answers", () => undefined],
    ["answers a byte at a time", (socket) => void setInterval(() => socket.write("H"), 20).unref()],
  ])("no tunnel and no way around one that %s", async (_, answer) => {
    await using server = await recordingServer();
    await using upstream = await strangeProxy(answer);
    await using proxy = await testedProxy({ upstream: at(upstream.port), limits: { connectMs: 300 } });
    expect(await ask(proxy.port, openTunnel(`a.test:${server.port}`))).toMatch(/^HTTP\/1\.1 502 \r\n/);
    expect(proxy.rules()).toEqual(["proxy.upstream"]);
    expect(upstream.heard).toHaveLength(1);
    expect(upstream.heard[0]).toMatch(
      new RegExp(
        `^CONNECT a\\.test:${server.port} HTTP/1\\.1\r\n(.+\r\n)*proxy-authorization: ${AUTHORIZATION}\r\n`,
        "i",
      ),
    );
    expect(server.connections.total).toBe(0);
  });

  test("a plain request that it wants another password for is refused, and nobody is asked for one", async () => {
    await using server = await recordingServer();
    await using upstream = await strangeProxy(
      says("HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm=x\r\ncontent-length: 5\r\n\r\nnever"),
    );
    await using proxy = await testedProxy({ upstream: at(upstream.port) });
    const heard = await ask(proxy.port, last(`a.test:${server.port}`));
    expect(heard).toMatch(/^HTTP\/1\.1 502 /);
    expect(heard).not.toMatch(/authenticate|never/);
    expect(proxy.rules()).toEqual(["proxy.upstream"]);
    expect(upstream.heard[0]).toMatch(
      new RegExp(
        `^GET http://a\\.test:${server.port}/ HTTP/1\\.1\r\n(.+\r\n)*proxy-authorization: ${AUTHORIZATION}\r\n`,
        "i",
      ),
    );
    expect(server.connections.total).toBe(0);
  });

  test("one that is down, or whose own name is not known, is a failure and never a way around", async () => {
    await using server = await recordingServer();
    const gone = await strangeProxy(() => undefined);
    await gone.close();
    for (const upstream of [at(gone.port), { ...at(9), host: "proxy.test" }]) {
      const resolve = (host: string) =>
        host === "proxy.test" ? Promise.reject(new Error("no such name")) : Promise.resolve(["127.0.0.1"]);
      await using proxy = await testedProxy({ upstream, resolve });
      for (const text of [last(`a.test:${server.port}`), openTunnel(`a.test:${server.port}`)])
        expect(await ask(proxy.port, text)).toMatch(/^HTTP\/1\.1 502 /);
      expect(proxy.rules()).toEqual(["proxy.upstream", "proxy.upstream"]);
    }
    expect(server.connections.total).toBe(0);
    await using control = await testedProxy();
    expect(await ask(control.port, last(`a.test:${server.port}`))).toContain("404");
  });
});
