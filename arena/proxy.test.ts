import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { descendantsOf } from "../src/browser/processes.fixture.ts";
import { isPublicAddress } from "../src/guard/index.ts";
import { type OpenedSession, openSession } from "../src/index.ts";
import { type Egress, startEgress } from "../src/session/egress.ts";
import type { RequestFacts } from "../src/types.ts";
import { chromiumProgram } from "../test/chromium-program.ts";
import { INTERNAL_WORDS, openWorld, type World } from "./world.ts";

/** A proxy that waits longer for the rest of a head has been heard out. */
const HEARD_MS = 1_500;
const SLOW_CLIENTS = 100;
const HUGE_BYTES = 1_048_576;

/** `I`: the internal listener, `S`: a site whose way is open, `P`: the proxy itself; each with its port. */
const PROBES: readonly (readonly [name: string, bytes: string])[] = [
  ["an absolute address inside", "GET http://I/ HTTP/1.1\r\nHost: I\r\n\r\n"],
  ["an absolute address inside, by another spelling", "GET http://localhost:N/ HTTP/1.1\r\nHost: localhost:N\r\n\r\n"],
  ["an absolute address inside, for the host of an open site", "GET http://I/ HTTP/1.1\r\nHost: S\r\n\r\n"],
  ["an open site's address for a host inside", "GET http://S/ HTTP/1.1\r\nHost: I\r\n\r\n"],
  ["a path for a host inside", "GET / HTTP/1.1\r\nHost: I\r\n\r\n"],
  ["CONNECT inside", "CONNECT I HTTP/1.1\r\nHost: I\r\n\r\nGET / HTTP/1.1\r\nHost: I\r\n\r\n"],
  ["CONNECT inside for an open site", "CONNECT I HTTP/1.1\r\nHost: S\r\n\r\nGET / HTTP/1.1\r\nHost: I\r\n\r\n"],
  [
    "CONNECT to an open site for a host inside",
    "CONNECT S HTTP/1.1\r\nHost: I\r\n\r\nGET / HTTP/1.1\r\nHost: I\r\n\r\n",
  ],
  [
    "CONNECT to an open site and a plain request inside of it",
    "CONNECT S HTTP/1.1\r\nHost: S\r\n\r\nGET http://I/ HTTP/1.1\r\nHost: I\r\n\r\n",
  ],
  [
    "smuggling by length and chunks",
    "POST http://S/ HTTP/1.1\r\nHost: S\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://I/ HTTP/1.1\r\nHost: I\r\n\r\n",
  ],
  [
    "smuggling by two lengths",
    "POST http://S/ HTTP/1.1\r\nHost: S\r\nContent-Length: 0\r\nContent-Length: 40\r\n\r\nGET http://I/ HTTP/1.1\r\nHost: I\r\n\r\n",
  ],
  ["smuggling by a header over two lines", "GET http://S/ HTTP/1.1\r\nHost: S\r\nX: a\r\n Host: I\r\n\r\n"],
  [
    "a second request without waiting",
    "GET http://S/fence HTTP/1.1\r\nHost: S\r\n\r\nGET http://I/ HTTP/1.1\r\nHost: I\r\n\r\n",
  ],
  ["a huge header", `GET http://I/ HTTP/1.1\r\nHost: I\r\nX: ${"x".repeat(HUGE_BYTES)}\r\n\r\n`],
  ["very many headers", `GET http://I/ HTTP/1.1\r\nHost: I\r\n${"X: x\r\n".repeat(HUGE_BYTES / 6)}\r\n`],
  ["a head that never ends", "GET http://I/ HTTP/1.1\r\nHost: I\r\nX: "],
  ["the proxy itself", "GET http://P/ HTTP/1.1\r\nHost: P\r\n\r\n"],
  ["CONNECT to the proxy itself", "CONNECT P HTTP/1.1\r\nHost: P\r\n\r\nGET http://I/ HTTP/1.1\r\nHost: I\r\n\r\n"],
];

/** All that comes until the other side ends it, or is silent for long. */
async function heard(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.setTimeout(HEARD_MS, () => socket.destroy());
  socket.on("end", () => socket.destroy());
  socket.write(bytes);
  await once(socket, "close");
  return text;
}

/** A request of the page that the wire let go. */
function letGo(egress: Egress, url: string): void {
  const facts: RequestFacts = {
    id: "r1",
    kind: "navigation",
    resourceType: "Document",
    method: "GET",
    url,
    headers: {},
    body: { kind: "none" },
    from: {
      target: "t",
      targetType: "page",
      frame: "t",
      documentUrl: null,
      mainUrl: null,
      page: "t",
      freshPopup: false,
    },
    hop: 0,
    redirectedFrom: null,
    cause: { by: "page" },
  };
  egress.seen({ facts, networkId: null, verdict: { verdict: "allow", rule: "reach.scope" } });
}

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const written = (bytes: string, ownPort: number): string =>
  bytes
    .replaceAll(/\bI\b(?!:)/g, `127.0.0.1:${world.at.internalPort}`)
    .replaceAll(/:N\b/g, `:${world.at.internalPort}`)
    .replaceAll(/\bS\b/g, "shop.test")
    .replaceAll(/\bP\b/g, `127.0.0.1:${ownPort}`);

describe("A-112: a session's way out, asked by raw bytes that count as its browser's", () => {
  let egress: Egress;
  beforeAll(async () => {
    const [host = "", port = ""] = (world.hostMap["shop.test"] ?? "").split(":");
    egress = await startEgress({
      allowAddress: (address) => isPublicAddress(address),
      hostMap: new Map([["shop.test", { host, port: Number(port) }]]),
      onDecision: () => {},
      now: () => performance.now(),
    });
    egress.belongsTo({ check: () => Promise.resolve("browser") });
    letGo(egress, "http://shop.test/");
    // Even where the wire let one through, the address is checked.
    letGo(egress, `http://127.0.0.1:${world.at.internalPort}/`);
    letGo(egress, `http://127.0.0.1:${egress.address.port}/`);
  });
  afterAll(() => egress.close());

  test("serves what is in order", async () => {
    world.clear();
    expect(
      await heard(
        egress.address.port,
        "GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n",
      ),
    ).toContain("at shop.test/");
  });

  test.each(PROBES)("%s reaches nothing inside", async (_name, bytes) => {
    world.clear();
    const text = await heard(egress.address.port, written(bytes, egress.address.port));
    expect(text).not.toContain(INTERNAL_WORDS);
    expect(world.internal).toMatchObject({ requests: [], connections: 0 });
  });

  test("slow clients keep nobody else out", async () => {
    world.clear();
    const slow: Socket[] = [];
    for (let count = 0; count < SLOW_CLIENTS; count++) {
      const socket = connect(egress.address.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write("GET http://shop.test/ HTTP/1.1\r\nHost: sh");
      slow.push(socket);
    }
    await Promise.all(slow.map((socket) => (socket.connecting ? once(socket, "connect") : undefined)));
    expect(
      await heard(
        egress.address.port,
        "GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n",
      ),
    ).toContain("at shop.test/");
    for (const socket of slow) socket.destroy();
  });
});

describe("A-112: a running session's proxy", () => {
  let session: OpenedSession;
  let port: number;
  beforeAll(async () => {
    session = await openSession({
      allow: ["shop.test"],
      private: ["localhost"],
      hostMap: world.hostMap,
      browser: { path: chromiumProgram() },
    });
    await session.call("navigate", { url: "http://shop.test/" });
    const [flag = ""] = descendantsOf(process.pid).flatMap(({ args }) =>
      args.filter((argument) => argument.startsWith("--proxy-server=")),
    );
    port = Number(/:(\d+)/.exec(flag)?.[1]);
  });
  afterAll(() => session.close());

  test.each<readonly [name: string, bytes: string]>([
    ["what is in order", "GET http://S/ HTTP/1.1\r\nHost: S\r\n\r\n"],
    ...PROBES,
  ])("opens nothing to a program that is not its Chromium: %s", async (_name, bytes) => {
    world.clear();
    // What is not even a request may be told so.
    expect(await heard(port, written(bytes, port))).toMatch(/^(HTTP\/1\.1 400 Bad Request\r\n\r\n)?$/);
    expect(world.internal).toMatchObject({ requests: [], connections: 0 });
    expect(world.own.requests).toEqual([]);
  });

  test.each(["127.0.0.1", "localhost", "[::1]", "2130706433", "x.localhost"])(
    "is closed to its own browser as %s, where all of loopback is opened",
    async (host) => {
      const { envelope } = await session.call("navigate", { url: `http://${host}:${port}/` });
      expect(envelope).toMatchObject({ ok: false, refused: { rule: expect.stringMatching(/^(reach|proxy)\./) } });
    },
  );

  test("while another port of loopback is not", async () => {
    expect(
      (await session.call("navigate", { url: `http://localhost:${world.at.internalPort}/` })).envelope,
    ).toMatchObject({ ok: true });
  });
});
