import { once } from "node:events";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { launchBrowser, type Rig } from "../browser/launch.ts";
import { selfSigned } from "../session/self-test/certificate.ts";
import { pipeChannel } from "../wire/channel.ts";
import { Wire } from "../wire/wire.ts";
import { browserPeers } from "./peers.ts";
import { testedProxy } from "./proxy.fixture.ts";
import { Ways } from "./ways.ts";

const LIMIT_MS = 30_000;

/** A server of HTTP/2 that takes sockets inside of its connections (RFC 8441), and those of HTTP/1.1. */
async function socketServer() {
  const arrived: string[] = [];
  const server = createSecureServer({
    ...selfSigned("shop.test"),
    allowHTTP1: true,
    settings: { enableConnectProtocol: true },
  });
  server.on("stream", (stream, headers) => {
    arrived.push(`h2 ${headers[":method"]} ${headers[":path"]}`);
    stream.on("error", () => undefined);
    if (headers[":method"] === "CONNECT") {
      stream.respond({ ":status": 200 });
      stream.on("data", () => arrived.push("h2 data"));
      return;
    }
    stream.respond({ ":status": 200, "content-type": "text/html" });
    stream.end("<title>by HTTP/2</title>");
  });
  server.on("upgrade", (request, socket) => {
    arrived.push(`h1 ${request.url}`);
    socket.destroy();
  });
  server.on("sessionError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    arrived,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** What came of a page by HTTP/2 that opens a socket to its own host, where sockets have a way or not. */
async function tried(options: { readonly rig: Rig; readonly socketsMay: boolean }) {
  const ways = new Ways(() => performance.now());
  let group: number | null = null;
  await using proxy = await testedProxy({
    isOpen: (host, port, path) => ways.isOpen(host, port, path),
    whenOpen: (host, port) => ways.whenOpen(host, port),
    allowTunnel: (host, port, kind) => ways.allowsTunnelInTime(host, port, kind),
    peers: browserPeers(() => group),
  });
  await using server = await socketServer();
  const launched = await launchBrowser({ proxy, rig: options.rig });
  group = launched.pid;
  try {
    const wire = new Wire({
      channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
      judge: {
        request: (facts) => {
          if (facts.kind !== "socket" || options.socketsMay) ways.open(facts.url);
          return { verdict: "allow", rule: "reach.scope" };
        },
      },
      worldSource: "0",
      causeOf: () => ({ cause: { by: "page" }, input: null }),
      now: () => performance.now(),
    });
    await wire.start(LIMIT_MS);
    const browser = await chromium.connectOverCDP(wire.transport());
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    await page.goto(`https://shop.test:${server.port}/`);
    expect(await page.title()).toBe("by HTTP/2");
    const outcome = await page.evaluate(
      (to) =>
        new Promise((resolve) => {
          const socket = new WebSocket(to);
          socket.onerror = () => resolve("error");
          socket.onopen = () => {
            socket.send("words");
            void fetch("/after").then(() => resolve("open"));
          };
        }),
      `wss://shop.test:${server.port}/socket`,
    );
    const sockets = server.arrived.filter((line) => /CONNECT|data|h1/.test(line));
    return {
      outcome,
      sockets,
      refused: proxy.events
        .filter(({ verdict, door }) => verdict === "refused" && door === "sockets")
        .map(({ rule }) => rule),
    };
  } finally {
    await launched.close();
  }
}

/** A browser that speaks HTTP/2, as one may that is attached to. */
const speaking: Rig = { flags: (flags) => flags.filter((flag) => flag !== "--disable-http2") };
/** With one proxy for everything, as it is usually given. */
const one: Rig = {
  flags: (flags) =>
    speaking.flags?.(flags).map((flag) => flag.replace(/^--proxy-server=http=([^;]+);.*/, "--proxy-server=$1")) ?? [],
};

test("a socket never rides in the HTTP/2 connection of a page", { timeout: LIMIT_MS }, async () => {
  const { outcome, sockets, refused } = await tried({ socketsMay: false, rig: speaking });
  expect([outcome, sockets]).toEqual(["error", []]);
  expect(new Set(refused)).toEqual(new Set(["proxy.tunnel_kind"]));
});

test("with a way of its own it arrives, by a connection of its own", { timeout: LIMIT_MS }, async () => {
  expect((await tried({ socketsMay: true, rig: speaking })).sockets).toEqual(["h1 /socket"]);
});

test("where sockets have no proxy of their own it does, with all that it says", { timeout: LIMIT_MS }, async () => {
  expect(await tried({ socketsMay: false, rig: one })).toEqual({
    outcome: "open",
    sockets: ["h2 CONNECT /socket", "h2 data"],
    refused: [],
  });
});
