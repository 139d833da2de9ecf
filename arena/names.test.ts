import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openToolbox } from "../src/assembly/open.ts";
import { configFromObject } from "../src/config/index.ts";
import { startEgress } from "../src/session/egress.ts";
import { chromiumProgram } from "../test/chromium-program.ts";
import { openWorld, type World } from "./world.ts";

/**
 * Documentation has no address that is public, so one that nobody is asked at: no connection is tried where any answer
 * is refused.
 */
const PUBLIC = "93.184.216.34";
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  "inside.test": ["127.0.0.1"],
  "six.test": ["::1"],
  "mixed.test": [PUBLIC, "127.0.0.1"],
  "mixed-six.test": [PUBLIC, "::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "metadata.test": ["169.254.169.254"],
  "intranet.test": ["10.0.0.1"],
  "empty.test": [],
  "huge.test": Array.from({ length: 1_000 }, () => "127.0.0.1"),
  "lying.test": ["localhost"],
};
const SLOW = "slow.test";
const AT_ONCE = "inside.test";
const NAMES = [...Object.keys(ANSWERS), SLOW];
/**
 * Two seconds for the look-up, and time for the rest of the call; on a busy machine as much more as a call takes
 * where the answer is there at once.
 */
const REFUSED_WITHIN_MS = 4_000;
/** Bounds for a busy machine. */
const FIRED_MS = 60_000;
const TEST_MS = 120_000;

const resolve = (host: string): Promise<readonly string[]> => {
  if (host === SLOW) return new Promise(() => {});
  const answer = ANSWERS[host];
  return answer === undefined ? Promise.reject(new Error("no such name")) : Promise.resolve(answer);
};

let world: World;
let session: OpenedSession;
let opened: OpenedSession;

beforeAll(async () => {
  world = await openWorld();
  const port = world.at.internalPort;
  const open = (more: Parameters<typeof configFromObject>[1]): OpenedSession =>
    openToolbox(
      configFromObject("library", { ...more, hostMap: world.hostMap, browser: { path: chromiumProgram() } }).config,
      { resolve },
    );
  session = open({ allow: ["shop.test", ...NAMES.map((name) => `${name}:${port}`)] });
  opened = open({ allow: ["shop.test", `inside.test:${port}`], private: [`http://inside.test:${port}`] });
});
afterAll(async () => {
  await Promise.all([session.close(), opened.close()]);
  await world.close();
});

describe.each(NAMES)("A-90, A-92: %s", (name) => {
  test("leads nowhere: as navigation, picture and fetch", { timeout: TEST_MS }, async () => {
    world.clear();
    const url = `http://${name}:${world.at.internalPort}`;
    world.serve({
      "shop.test/names": {
        body: `<link rel="icon" href="data:,"><p>stays<img src="${url}/picture"><script>fetch("${url}/fetch", { mode: "no-cors" }).catch(() => fetch("/fired"))</script>`,
      },
    });
    await session.call("navigate", { url: "http://shop.test/names" });
    await expect
      .poll(() => world.own.requests.some((line) => line.endsWith("/fired")), { timeout: FIRED_MS })
      .toBe(true);
    const ms = await refusedAfter(`${url}/navigation`);
    const more =
      ms < REFUSED_WITHIN_MS ? 0 : await refusedAfter(`http://${AT_ONCE}:${world.at.internalPort}/navigation`);
    expect(ms).toBeLessThan(REFUSED_WITHIN_MS + more);
    expect(JSON.stringify((await session.call("get_text", {})).envelope)).toContain("stays");
    expect(world.internal).toMatchObject({ requests: [], connections: 0 });
  });
});

/** How long the session takes to refuse it, in ms. */
async function refusedAfter(url: string): Promise<number> {
  const startedAt = performance.now();
  const { envelope } = await session.call("navigate", { url });
  expect(envelope).toMatchObject({ ok: false, refused: { rule: expect.stringMatching(/^(reach|proxy)\./) } });
  return performance.now() - startedAt;
}

test("where its operator opened it, such a name leads inside", async () => {
  world.clear();
  expect(
    (await opened.call("navigate", { url: `http://inside.test:${world.at.internalPort}/` })).envelope,
  ).toMatchObject({ ok: true });
  expect(world.internal.requests).toContain("GET inside.test/");
});

test("A-112: another program of this machine gets nothing through the proxy", async () => {
  world.clear();
  const egress = await startEgress({
    allowAddress: () => true,
    hostMap: new Map(),
    onDecision: () => {},
    now: () => performance.now(),
  });
  try {
    const inside = `127.0.0.1:${world.at.internalPort}`;
    for (const head of [
      `GET http://${inside}/ HTTP/1.1\r\nhost: ${inside}`,
      `CONNECT ${inside} HTTP/1.1\r\nhost: ${inside}`,
      `CONNECT ${inside} HTTP/1.1\r\nhost: shop.test`,
      `GET / HTTP/1.1\r\nhost: ${inside}`,
    ]) {
      const socket = connect(egress.address.port, egress.address.host);
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.end(`${head}\r\n\r\n`);
      expect(await text(socket).catch(() => "")).not.toMatch(/^HTTP\/1\.1 2/);
    }
  } finally {
    await egress.close();
  }
  expect(world.internal).toMatchObject({ requests: [], connections: 0 });
});
