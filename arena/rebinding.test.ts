import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenedSession, openToolbox } from "../src/assembly/open.ts";
import { configFromObject } from "../src/config/index.ts";
import { chromiumProgram } from "../test/chromium-program.ts";
import { Controls } from "../test/controls.ts";
import { failure } from "../test/failure.ts";
import { startPlain } from "./plain.ts";
import { INTERNAL_WORDS, openWorld, type World } from "./world.ts";

/**
 * Belongs to somebody, but nobody is asked there: what is let through to it goes to a proxy of ours that plays the
 * internet.
 */
const PUBLIC = "93.184.216.34";
const INSIDE = "127.0.0.1";
/** What a name answers at first and ever after, as with a time to live of 0. */
const NAMES: Readonly<Record<string, readonly [first: readonly string[], later: readonly string[]]>> = {
  "once.test": [[PUBLIC], [INSIDE]],
  "both.test": [[PUBLIC], [INSIDE, PUBLIC]],
};
/** Longer than any answer is kept, on a busy machine, too. */
const REBOUND_MS = 60_000;
const TEST_MS = 180_000;

/**
 * It asks its own server for more, over new connections and kept ones, as picture, frame, and fetch, until one fails or
 * has the words of another place.
 */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><p>words that stay</p><output></output><script type="module">
  const told = [];
  const once = async (n) => {
    document.body.append(Object.assign(new Image(), { src: "/picture?" + n }));
    if (n % 8 === 0) { document.querySelector("iframe")?.remove(); document.body.append(Object.assign(document.createElement("iframe"), { src: "/frame?" + n })); }
    const answer = await fetch((n % 2 ? "/kept?" : "/new?") + n, { cache: "no-store" });
    return answer.ok ? answer.text() : "failed";
  };
  for (let n = 1; told.length === 0; n++) {
    const got = await once(n).catch(() => "failed");
    if (got !== "public") told.push(got);
    await new Promise((r) => setTimeout(r, 50));
  }
  document.querySelector("output").textContent = "at the end: " + told[0];
</script>`;

function answerAsPublic(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? "/", "http://public.test");
  // The proxy before it is asked for absolute addresses; every other of its connections is kept.
  response.writeHead(200, { "content-type": "text/html", ...(pathname === "/kept" ? {} : { connection: "close" }) });
  response.end(pathname === "/" ? PAGE : "public");
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A resolver of its own for each browser. */
function resolver(): {
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly asked: Map<string, number>;
} {
  const asked = new Map<string, number>();
  return {
    asked,
    resolve: (host) => {
      const answer = NAMES[host];
      if (answer === undefined) return Promise.reject(new Error("no such name"));
      const before = asked.get(host) ?? 0;
      asked.set(host, before + 1);
      return Promise.resolve(answer[before === 0 ? 0 : 1]);
    },
  };
}

const controls = new Controls("rebinding");
const guardedNames = resolver();
const servers: Server[] = [];
let world: World;
let internet: { readonly requests: string[]; readonly port: number };
let session: OpenedSession;
const at = (name: string): string => `http://${name}:${world.at.internalPort}`;

beforeAll(async () => {
  world = await openWorld();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answerAsPublic(request, response);
  });
  servers.push(server);
  internet = { requests, port: await listening(server) };
  const allow = ["shop.test", ...Object.keys(NAMES).map((name) => `${name}:${world.at.internalPort}`)];
  const { config } = configFromObject("library", {
    allow,
    hostMap: world.hostMap,
    browser: { path: chromiumProgram(), proxy: `http://127.0.0.1:${internet.port}` },
  });
  session = openToolbox(config, { resolve: guardedNames.resolve });
});
afterAll(async () => {
  controls.close();
  await session.close();
  await world.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

test("A-91: names that are public at first and 127.0.0.1 after lead nowhere: over new and kept connections, as fetch, picture, frame and navigation", {
  timeout: TEST_MS,
}, async () => {
  for (const name of Object.keys(NAMES)) {
    await session.call("tabs", { action: "new" });
    expect((await session.call("navigate", { url: `${at(name)}/` })).envelope).toMatchObject({ ok: true });
  }
  const tabs = ((await session.call("tabs", {})).envelope.tabs ?? []) as readonly { readonly id: string }[];
  for (const [index, name] of Object.keys(NAMES).entries()) {
    await session.call("tabs", { action: "select", tab: tabs.at(index - Object.keys(NAMES).length)?.id ?? "" });
    await expect.poll(() => read(session), { timeout: REBOUND_MS, interval: 200 }).toContain("at the end: failed");
    expect(guardedNames.asked.get(name)).toBeGreaterThan(1);
    expect(internet.requests).toContain(`${at(name)}/kept?1`);
    const { envelope } = await session.call("navigate", { url: `${at(name)}/navigation` });
    expect(envelope).toMatchObject({ ok: false, refused: { rule: "reach.private" } });
    const text = await read(session);
    expect(text).toContain("words that stay");
    expect(text).not.toContain(INTERNAL_WORDS);
  }
  expect(world.internal).toMatchObject({ requests: [], connections: 0 });
});

// Chromium's own resolver cannot be given answers, so the one without the guard asks a proxy that looks up each name
// anew, as a browser that keeps no answer would.
test.for(Object.entries(NAMES))(
  "A-91: a browser that goes where each answer leads reads what is inside, from the page of %s",
  { timeout: TEST_MS },
  async ([name, answers], { task }) => {
    const got = await controls.outcome(`A-91 ${name}`, { page: PAGE, answers }, () => readNaively(name));
    const received = [`a request inside: ${got.asked}`];
    expect(
      got,
      failure(task, { scenario: `A-91 ${name}`, expected: "the page reads what is inside", received }),
    ).toEqual({ read: true, asked: true });
  },
);

async function readNaively(name: string): Promise<{ readonly read: boolean; readonly asked: boolean }> {
  world.clear();
  const { resolve } = resolver();
  const naive = createServer(async (request, response) => {
    const url = new URL(request.url ?? "");
    const [address] = await resolve(url.hostname).catch(() => [PUBLIC]);
    if (address === PUBLIC) return answerAsPublic(request, response);
    const inner = ask({ host: address, port: url.port, path: url.pathname, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    inner.on("error", () => response.destroy());
    inner.end();
  });
  servers.push(naive);
  const plain = await startPlain({
    args: [`--proxy-server=127.0.0.1:${await listening(naive)}`, "--proxy-bypass-list=<-loopback>"],
  });
  try {
    const page = await plain.context.newPage();
    await page.goto(`${at(name)}/`);
    await expect.poll(() => page.locator("output").textContent(), { timeout: REBOUND_MS }).toMatch(/at the end: ./);
    return {
      read: (await page.locator("output").textContent())?.includes(INTERNAL_WORDS) === true,
      asked: world.internal.requests.length > 0,
    };
  } finally {
    await plain.close();
  }
}

async function read(from: OpenedSession): Promise<string> {
  return JSON.stringify((await from.call("get_text", {})).envelope);
}
