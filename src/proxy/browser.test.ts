import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordingServer } from "../../test/servers.ts";
import { type Launched, launchBrowser } from "../browser/launch.ts";
import { selfSigned } from "../session/self-test/certificate.ts";
import type { RequestFacts } from "../types.ts";
import { pipeChannel } from "../wire/channel.ts";
import { Wire } from "../wire/wire.ts";
import { browserPeers } from "./peers.ts";
import { ask, type TestedProxy, testedProxy } from "./proxy.fixture.ts";
import { Ways } from "./ways.ts";

let launched: Launched | undefined;
let proxy: TestedProxy;
let browser: Awaited<ReturnType<typeof chromium.connectOverCDP>>;
let releases: (facts: RequestFacts) => boolean = () => true;
let opens: (facts: RequestFacts) => boolean = () => true;
const ways = new Ways(() => performance.now());

beforeAll(async () => {
  proxy = await testedProxy({
    isOpen: (host, port, path) => ways.isOpen(host, port, path),
    whenOpen: (host, port) => ways.whenOpen(host, port),
    allowTunnel: (host, port, kind) => ways.allowsTunnelInTime(host, port, kind),
    peers: browserPeers(() => launched?.pid ?? null),
  });
  launched = await launchBrowser({ proxy });
  const wire = new Wire({
    channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
    judge: {
      request: (facts) => {
        if (!releases(facts))
          return { verdict: "refuse", rule: "reach.site", reason: "no", remedy: "", operator: null, site: null };
        if (opens(facts)) ways.open(facts.url);
        return { verdict: "allow", rule: "reach.scope" };
      },
    },
    worldSource: "0",
    causeOf: () => ({ cause: { by: "page" }, input: null }),
    now: () => performance.now(),
  });
  await wire.start(5_000);
  browser = await chromium.connectOverCDP(wire.transport());
});

afterAll(async () => {
  await launched?.close();
  await proxy.close();
});

beforeEach(() => {
  releases = () => true;
  opens = () => true;
});

async function open() {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

describe("Chromium behind the proxy", () => {
  test("loads a page and its parts by name, with nothing resolved by itself", async () => {
    await using server = await recordingServer();
    server.html("/", `<title>shop</title><img src="/a.png"><script src="/s.js"></script>`);
    server.on("/s.js", (_request, response) =>
      response.writeHead(200, { "content-type": "text/javascript" }).end("document.title += ' ready'"),
    );
    await using opened = await open();
    await opened.page.goto(`http://shop.test:${server.port}/`);
    expect(await opened.page.title()).toBe("shop ready");
    expect(server.hitsTo("/")[0]?.headers).toMatchObject({ host: `shop.test:${server.port}` });
    expect(JSON.stringify(server.hits.map((hit) => hit.headers))).not.toContain("proxy");
    await server.waitForHit("/a.png");
  });

  test("loopback goes through it too", async () => {
    await using server = await recordingServer();
    server.html("/", "<title>here</title>");
    await using opened = await open();
    await opened.page.goto(`${server.url}/`);
    expect(await opened.page.title()).toBe("here");
    await using closed = await recordingServer();
    opens = () => false;
    await expect(opened.page.goto(`${closed.url}/`)).rejects.toThrow();
    expect(closed.connections.total).toBe(0);
  });

  test("a post, its redirect, and a streamed answer arrive", async () => {
    await using server = await recordingServer();
    server.html("/", "<title>one</title>");
    server.on("/post", (_request, response) => response.writeHead(303, { location: "/done" }).end());
    server.on("/done", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("first ");
      response.end("second");
    });
    await using opened = await open();
    await opened.page.goto(`http://shop.test:${server.port}/`);
    const text = await opened.page.evaluate(async () =>
      (await fetch("/post", { method: "POST", body: "x".repeat(300_000) })).text(),
    );
    expect(text).toBe("first second");
    expect(server.hitsTo("/post")[0]?.body.length).toBe(300_000);
  });

  test("https arrives by a tunnel", async () => {
    const secure = createTlsServer(selfSigned("shop.test"), (_request, response) =>
      response.setHeader("content-type", "text/html").end("<title>secure</title>"),
    );
    secure.listen(0, "127.0.0.1");
    await once(secure, "listening");
    try {
      await using opened = await open();
      await opened.page.goto(`https://shop.test:${(secure.address() as AddressInfo).port}/`);
      expect(await opened.page.title()).toBe("secure");
      expect(proxy.events).toContainEqual(
        expect.objectContaining({ host: "shop.test", scheme: "connect", kind: "https", verdict: "open" }),
      );
    } finally {
      secure.closeAllConnections();
      secure.close();
    }
  });

  test.each(["ws", "wss"])("a %s: socket to a place without a way of its kind makes no connection", async (scheme) => {
    await using other = await recordingServer();
    await using server = await recordingServer();
    server.html("/", "<title>page</title>");
    await using opened = await open();
    await opened.page.goto(`http://shop.test:${server.port}/`);
    // An image of that place was let through, in both schemes; that opens nothing for sockets.
    opens = (facts) => facts.kind !== "socket";
    for (const released of ["http", "https"]) ways.open(`${released}://evil.test:${other.port}/a.png`);
    const tries = (address: string) =>
      opened.page.evaluate(
        (to) =>
          new Promise((resolve) =>
            Object.assign(new WebSocket(to), { onopen: () => resolve("open"), onerror: () => resolve("error") }),
          ),
        address,
      );
    expect(await tries(`${scheme}://evil.test:${other.port}/socket`)).toBe("error");
    expect(other.connections.total).toBe(0);
    // The control: with a way of its kind it arrives.
    ways.open(`${scheme}://evil.test:${other.port}/socket`);
    await tries(`${scheme}://evil.test:${other.port}/socket`);
    expect(other.connections.total).toBeGreaterThan(0);
    expect(proxy.events).toContainEqual(expect.objectContaining({ verdict: "open", kind: scheme, host: "evil.test" }));
  });

  test("what the wire did not release makes no connection: preconnect, prefetch, sockets, a host of its own", async () => {
    await using other = await recordingServer();
    await using server = await recordingServer();
    server.html(
      "/",
      `<title>page</title><link rel="preconnect" href="http://evil.test:${other.port}"><link rel="preconnect" href="https://evil.test:${other.port}">
       <link rel="dns-prefetch" href="http://evil.test"><script>new WebSocket("ws://evil.test:${other.port}/").onerror = () => { document.title = "tried" }</script>`,
    );
    releases = (facts) => facts.url.includes("shop.test");
    await using opened = await open();
    await opened.page.goto(`http://shop.test:${server.port}/`);
    await expect.poll(() => opened.page.title()).toBe("tried");
    await expect
      .poll(
        () =>
          proxy.events.filter(
            (event) => event.host === "evil.test" && event.port === other.port && event.rule === "proxy.way",
          ).length,
      )
      .toBeGreaterThan(0);
    expect(other.connections.total).toBe(0);
  });

  test("nobody but the browser is served", async () => {
    await using server = await recordingServer();
    server.html("/", "hello");
    ways.open(`http://shop.test:${server.port}/`);
    expect(
      await ask(proxy.port, `GET http://shop.test:${server.port}/ HTTP/1.1\r\nHost: shop.test:${server.port}\r\n\r\n`),
    ).toBe("");
    expect(server.connections.total).toBe(0);
    expect(proxy.events.at(-1)).toMatchObject({ verdict: "refused", rule: "proxy.peer" });
  });
});
