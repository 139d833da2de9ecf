import { describe, expect, test } from "vitest";
import { recordingServer } from "../../test/servers.ts";
import { ask, RawClient, testedProxy } from "./proxy.fixture.ts";

const get = (host: string, more = "") => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
const last = (host: string) => get(host, "Connection: close\r\n");
const openTunnel = (host: string) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

describe("where a connection goes", () => {
  test("only where a way is open, and the way is asked for each request of a kept connection", async () => {
    await using server = await recordingServer();
    const asked: string[] = [];
    await using proxy = await testedProxy({
      isOpen: (host, port, path) => {
        asked.push(`${path} ${host}`);
        return port === server.port && host === "a.test" && asked.length < 3;
      },
    });
    using client = new RawClient(proxy.port);
    for (const _ of [1, 2]) {
      client.forget();
      client.say(get(`a.test:${server.port}`));
      await client.hear("not found");
    }
    client.say(get(`a.test:${server.port}`));
    await client.ended;
    expect(client.text).toContain("HTTP/1.1 502 ");
    expect(server.hits.length).toBe(2);
    expect(server.connections.total).toBe(1);
    expect(await ask(proxy.port, openTunnel(`127.0.0.1:${server.port}`))).toMatch(/^HTTP\/1\.1 502 /);
    expect(asked).toEqual(["/ a.test", "/ a.test", "/ a.test", "null 127.0.0.1"]);
  });

  test("a question that throws is a no", async () => {
    await using server = await recordingServer();
    const broken = () => {
      throw new Error("broken");
    };
    for (const options of [
      { isOpen: broken },
      { allowAddress: broken },
      { allowTunnel: broken },
      { onDecision: broken },
    ]) {
      await using proxy = await testedProxy(options);
      if (!("allowTunnel" in options))
        expect(await ask(proxy.port, last(`a.test:${server.port}`))).toContain("HTTP/1.1 502 ");
      expect(await ask(proxy.port, `${openTunnel(`a.test:${server.port}`)}GET /`)).not.toContain("not found");
    }
    expect(server.connections.total).toBe(0);
  });

  test.each([
    [["127.0.0.1", "10.0.0.1"], "proxy.address"],
    [["10.0.0.1", "127.0.0.1"], "proxy.address"],
    [["127.0.0.1", "fe80::1%lo"], "proxy.name"],
    [["127.0.0.1", "localhost"], "proxy.name"],
    [[], "proxy.name"],
    [Array.from({ length: 1_000 }, () => "127.0.0.1"), "proxy.name"],
  ])("the answer %s: %s", async (answers, rule) => {
    await using server = await recordingServer();
    await using proxy = await testedProxy({
      resolve: () => Promise.resolve(answers),
      allowAddress: (address) => address === "127.0.0.1",
    });
    for (const text of [last(`a.test:${server.port}`), openTunnel(`a.test:${server.port}`)])
      expect(await ask(proxy.port, text)).toMatch(/^HTTP\/1\.1 502 /);
    expect(proxy.rules()).toEqual([rule, rule]);
    expect(server.connections.total).toBe(0);
  });

  test("refusal, failing name and dead server give the page one and the same answer", async () => {
    await using proxy = await testedProxy({
      allowAddress: (_address, host) => host !== "private.test",
      resolve: (host) =>
        host === "nowhere.test" ? Promise.reject(new Error("no such name")) : Promise.resolve(["127.0.0.1"]),
      isOpen: (host) => host !== "closed.test",
    });
    const hosts = ["private.test:9", "nowhere.test:9", "dead.test:9", "closed.test:9"];
    expect(new Set(await Promise.all(hosts.map((host) => ask(proxy.port, last(host))))).size).toBe(1);
    expect(new Set(await Promise.all(hosts.map((host) => ask(proxy.port, openTunnel(host))))).size).toBe(1);
    expect([...new Set(proxy.rules())].sort()).toEqual(["proxy.address", "proxy.connect", "proxy.name", "proxy.way"]);
  });

  test("literals are checked as they are, loopback too", async () => {
    await using server = await recordingServer();
    const checked: unknown[] = [];
    await using proxy = await testedProxy({
      allowAddress: (...all) => {
        checked.push(all);
        return false;
      },
    });
    await ask(proxy.port, last(`127.0.0.1:${server.port}`));
    await ask(proxy.port, openTunnel(`[::1]:${server.port}`));
    expect(checked).toEqual([
      ["127.0.0.1", "127.0.0.1", server.port],
      ["::1", "::1", server.port],
    ]);
    expect(server.connections.total).toBe(0);
  });

  test("never to the proxy itself, by whatever name", async () => {
    await using proxy = await testedProxy({
      resolve: (host) => Promise.resolve([host === "six.test" ? "::ffff:127.0.0.1" : "0.0.0.0"]),
    });
    for (const host of ["127.0.0.1", "a.test", "six.test", "[::ffff:7f00:1]"]) {
      expect(await ask(proxy.port, last(`${host}:${proxy.port}`))).toContain("HTTP/1.1 502 ");
      expect(await ask(proxy.port, openTunnel(`${host}:${proxy.port}`))).toContain("HTTP/1.1 502 ");
    }
    expect(new Set(proxy.rules())).toEqual(new Set(["proxy.own_port"]));
  });

  test("a name that changes its mind is not asked again on a kept connection, and checked again on a new one", async () => {
    await using server = await recordingServer();
    let now = 0;
    let asked = 0;
    await using proxy = await testedProxy({
      now: () => now,
      resolve: () => Promise.resolve([["127.0.0.1"], ["10.0.0.1"]][Math.min(asked++, 1)] ?? []),
      allowAddress: (address) => address === "127.0.0.1",
    });
    using client = new RawClient(proxy.port);
    for (const _ of [1, 2]) {
      client.forget();
      client.say(get(`a.test:${server.port}`));
      await client.hear("not found");
      now += 60_000;
    }
    expect(asked).toBe(1);
    expect(await ask(proxy.port, last(`a.test:${server.port}`))).toContain("HTTP/1.1 502 ");
    expect(proxy.rules()).toEqual(["proxy.address"]);
    expect(server.connections.total).toBe(1);
  });

  test("one look-up serves connections made at once and shortly after; a failure is not kept", async () => {
    let asked = 0;
    let now = 0;
    await using server = await recordingServer();
    await using proxy = await testedProxy({
      now: () => now,
      resolve: async () => {
        asked += 1;
        if (asked === 1) throw new Error("server failed");
        return ["127.0.0.1"];
      },
    });
    const text = last(`a.test:${server.port}`);
    expect(await ask(proxy.port, text)).toContain(" 502 ");
    await Promise.all([1, 2, 3].map(() => ask(proxy.port, text)));
    expect(asked).toBe(2);
    now += 4_000;
    await ask(proxy.port, text);
    expect(asked).toBe(2);
    now += 4_000;
    await ask(proxy.port, text);
    expect(asked).toBe(3);
  });

  test("a name that takes too long is a refusal, and its late answer changes nothing", async () => {
    let answer: (addresses: string[]) => void = () => undefined;
    await using server = await recordingServer();
    await using proxy = await testedProxy({
      limits: { lookupMs: 50 },
      resolve: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    expect(await ask(proxy.port, last(`a.test:${server.port}`))).toContain(" 502 ");
    answer(["127.0.0.1"]);
    expect(proxy.rules()).toEqual(["proxy.name"]);
    expect(server.connections.total).toBe(0);
  });

  test("the next checked address is tried when one does not answer", async () => {
    await using server = await recordingServer();
    await using proxy = await testedProxy({ resolve: () => Promise.resolve(["127.0.0.2", "::1", "127.0.0.1"]) });
    expect(await ask(proxy.port, last(`a.test:${server.port}`))).toContain("404");
  });

  test("a mapped name is served from its place on any port, without address check, only while its way is open", async () => {
    await using server = await recordingServer();
    const hostMap = new Map([["shop.test", { host: "127.0.0.1", port: server.port }]]);
    await using proxy = await testedProxy({
      hostMap,
      allowAddress: () => false,
      isOpen: (_host, port) => port !== 81,
      resolve: () => Promise.reject(new Error("not asked")),
    });
    expect(await ask(proxy.port, last("shop.test"))).toContain("404");
    expect(await ask(proxy.port, last("shop.test:9"))).toContain("404");
    expect(await ask(proxy.port, last("shop.test:81"))).toContain("502");
    expect(await ask(proxy.port, last("a.shop.test"))).toContain("502");
    expect(server.hits.map((hit) => hit.headers.host)).toEqual(["shop.test", "shop.test:9"]);
  });
});
