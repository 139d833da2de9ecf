import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import { chromiumProgram } from "../test/chromium-program.ts";
import { Controls } from "../test/controls.ts";
import { failure } from "../test/failure.ts";
import { plainWhenNeeded } from "./plain.ts";
import { openWorld, type World } from "./world.ts";

/** A program that thinks before it answers, as most do: what a page that measures would find. */
const ANSWER_AFTER_MS = 200;
/** Bounds for a busy machine. */
const TEST_MS = 180_000;
/**
 * How sure a page may be that of two probes the slower one was the one with the open port: 0.5 is a guess, 1 is always.
 */
const GUESS = 0.5;
/** A page that measures anything finds this at least. */
const SURE = 0.95;

type Means = "fetch" | "picture" | "frame" | "socket";
/**
 * How often with the guard and without. Chromium makes the sockets of a page wait that saw many fail. `mostOff`:
 * further from a guess comes less than once in 10,000 times by chance.
 */
const MEANS: readonly (readonly [
  Means,
  { readonly guarded: Amount; readonly unguarded: Amount; readonly mostOff: number },
])[] = [
  ["fetch", { guarded: { pages: 1, rounds: 60 }, unguarded: { pages: 1, rounds: 15 }, mostOff: 0.25 }],
  ["picture", { guarded: { pages: 1, rounds: 60 }, unguarded: { pages: 1, rounds: 15 }, mostOff: 0.25 }],
  ["socket", { guarded: { pages: 5, rounds: 4, atOnce: true }, unguarded: { pages: 4, rounds: 2 }, mostOff: 0.4 }],
  // It never ends there, so all are given up after the same time.
  ["frame", { guarded: { pages: 5, rounds: 2, atOnce: true }, unguarded: { pages: 1, rounds: 4 }, mostOff: 0.5 }],
];
interface Amount {
  readonly pages: number;
  readonly rounds: number;
  /** Each takes its places in an order of its own, so what one page does to another falls on all of them. */
  readonly atOnce?: true;
}
type Place = "open" | "closed" | "nowhere";
/** What a page got of one probe: in words, and after how long. */
interface Got {
  readonly place: Place;
  readonly said: string;
  readonly ms: number;
}

interface Probing {
  readonly means: Means;
  readonly places: readonly (readonly [Place, string])[];
  readonly rounds: number;
  readonly patienceMs: number;
}

/**
 * Runs in the page. All kinds of places take turns in random order, so that what else the machine does falls on all of
 * them.
 */
function probing({ means, places, rounds, patienceMs }: Probing): Promise<readonly Got[]> {
  const tried: Readonly<Record<Means, (at: string) => Promise<string>>> = {
    fetch: (at) =>
      fetch(`http://${at}/fetch`).then(
        () => "answer",
        (error: Error) => `${error.name}: ${error.message}`,
      ),
    picture: (at) =>
      new Promise((done) => {
        const image = new Image();
        image.onload = () => done("load");
        image.onerror = () => done("error");
        image.src = `http://${at}/picture?${Math.random()}`;
      }),
    frame: (at) =>
      new Promise((done) => {
        const frame = document.createElement("iframe");
        frame.onload = () => {
          frame.remove();
          done("load");
        };
        frame.src = `http://${at}/frame`;
        document.body.append(frame);
        setTimeout(() => {
          frame.remove();
          done("nothing");
        }, patienceMs);
      }),
    socket: (at) =>
      new Promise((done) => {
        const socket = new WebSocket(`ws://${at}/socket`);
        socket.onclose = (event) => done(`closed ${event.code} ${event.reason} ${event.wasClean}`);
        socket.onopen = () => done("open");
      }),
  };
  return (async () => {
    const all: Got[] = [];
    for (let round = 0; round < rounds; round++)
      for (const [place, at] of places.toSorted(() => Math.random() - 0.5)) {
        const startedAt = performance.now();
        const said = await tried[means](at);
        all.push({ place, said, ms: performance.now() - startedAt });
      }
    return all;
  })();
}

/** The part of all pairs in which the first took longer, a tie counting half (Mann-Whitney). */
function longer(of: readonly Got[], first: Place, second: Place): number {
  const times = (place: Place): readonly number[] => of.filter((got) => got.place === place).map(({ ms }) => ms);
  const pairs = times(first).flatMap((a) => times(second).map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  return pairs.reduce<number>((sum, each) => sum + each, 0) / pairs.length;
}

const GUARDED_PATIENCE_MS = 150;
const UNGUARDED_PATIENCE_MS = 5_000;

async function probed(
  newPage: () => Promise<Page>,
  { pages, rounds, atOnce }: Amount,
  rest: Omit<Probing, "rounds">,
): Promise<readonly Got[]> {
  const one = async (): Promise<readonly Got[]> => {
    const page = await newPage();
    await page.goto("http://shop.test/probes");
    const got = await page.evaluate(probing, { ...rest, rounds });
    await page.close();
    return got;
  };
  if (atOnce) return (await Promise.all(Array.from({ length: pages }, one))).flat();
  const got: Got[] = [];
  for (let count = 0; count < pages; count++) got.push(...(await one()));
  return got;
}

let world: World;
let inside: Server;
const controls = new Controls("probes");
const plain = plainWhenNeeded(() => ({ hostMap: world.hostMap }));
let session: OpenedSession;
let places: readonly (readonly [Place, string])[];
let arrived = 0;

beforeAll(async () => {
  world = await openWorld();
  inside = createServer((_request, response) => void setTimeout(() => response.end("inside"), ANSWER_AFTER_MS));
  inside.on("connection", () => {
    arrived += 1;
  });
  inside.listen(0, "127.0.0.1");
  const gone = createTcpServer().listen(0, "127.0.0.1");
  await Promise.all([once(inside, "listening"), once(gone, "listening")]);
  const [openPort, closedPort] = [inside, gone].map((server) => (server.address() as AddressInfo).port);
  gone.close();
  places = [
    ["open", `127.0.0.1:${openPort}`],
    ["closed", `127.0.0.1:${closedPort}`],
    ["nowhere", `nobody.intranet.test:${openPort}`],
  ];
  session = await openSession({ allow: ["shop.test"], hostMap: world.hostMap, browser: { path: chromiumProgram() } });
});
afterAll(async () => {
  controls.close();
  await Promise.all([session.close(), plain.close()]);
  await world.close();
  inside.closeAllConnections();
  inside.close();
});

describe.each(MEANS)(
  "A-108: an open port, a closed one and a name that nobody has, by %s",
  (means, { guarded, unguarded, mostOff }) => {
    test("are the same to a page: in words and in time", { timeout: TEST_MS }, async () => {
      arrived = 0;
      const got = await probed(() => session.page(), guarded, { means, places, patienceMs: GUARDED_PATIENCE_MS });
      expect(got.length).toBe(guarded.pages * guarded.rounds * places.length);
      expect(new Set(got.map(({ said }) => said)).size).toBe(1);
      const off = (first: Place, second: Place): number => Math.abs(longer(got, first, second) - GUESS);
      expect(off("open", "closed")).toBeLessThan(mostOff);
      expect(off("open", "nowhere")).toBeLessThan(mostOff);
      expect(off("closed", "nowhere")).toBeLessThan(mostOff);
      expect(arrived).toBe(0);
    });

    test("differ without the guard", { timeout: TEST_MS }, async ({ task }) => {
      const content = { means, probing: probing.toString(), answerAfterMs: ANSWER_AFTER_MS, ...unguarded };
      const told = await controls.outcome(`A-108 probes by ${means}`, content, async () => {
        arrived = 0;
        const context = await plain.context();
        const got = await probed(() => context.newPage(), unguarded, {
          means,
          places: places.slice(0, 2),
          patienceMs: UNGUARDED_PATIENCE_MS,
        });
        // An error's page takes its time, too: of a frame what tells is that it ends at all.
        const differ =
          means === "frame" ? got.every(({ said }) => said === "load") : longer(got, "open", "closed") > SURE;
        return { differ, arrived: arrived > 0 };
      });
      const received = [`an arrival: ${told.arrived}`];
      expect(
        told,
        failure(task, {
          scenario: `A-108 by ${means}`,
          expected: "plain Chromium tells an open port from a closed one",
          received,
        }),
      ).toEqual({
        differ: true,
        arrived: true,
      });
    });
  },
);
