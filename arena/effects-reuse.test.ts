import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallableSession, type OpenedSession, openSession } from "../src/index.ts";
import { document, openSites, type Sites } from "./effects/sites.ts";

const PAGE = "http://shop.test/given-up";
const SEND = `fetch("http://shop.test/pay-out", { method: "POST", body: new URLSearchParams({ amount: "10" }) }).catch(() => {}).finally(() => fetch("/tried"))`;

/** A click sends, and gives up when it is told that somebody is asked; then it asks for /gone. */
const GIVEN_UP = document(
  `<button id="go">Go</button><button id="same">Same</button><button id="header">Header</button><iframe id="inner"></iframe>`,
  `const stop = new AbortController();
   go.onclick = () => { fetch("/pay-out", { method: "POST", body: new URLSearchParams({ amount: "10" }), signal: stop.signal }).catch(() => {}); };
   same.onclick = () => { ${SEND}; };
   header.onclick = () => { fetch("/pay-out", { method: "POST", headers: { "X-HTTP-Method-Override": "DELETE" }, body: new URLSearchParams({ amount: "10" }) }).catch(() => {}).finally(() => fetch("/tried")); };
   if (self !== top || location.hash === "#send") { ${SEND}; }
   const signal = new WebSocket("ws://shop.test/signal"); signal.onopen = () => fetch("/ready");
   signal.onmessage = ({ data }) => { if (data !== "asked" || self !== top) return; stop.abort(); fetch("/gone"); };`,
);

let sites: Sites;
let session: OpenedSession;
let isFirst = true;
let asked = 0;

beforeAll(async () => {
  sites = await openSites();
  session = await openSession({
    mode: "act",
    allow: ["shop.test", "desk.test"],
    sites: [
      { site: "shop.test", private: true },
      { site: "desk.test", private: true },
    ],
    // Over it the page is told that somebody is asked.
    effects: { allow: [{ site: "shop.test", method: "GET", path: "/signal" }] },
    hostMap: sites.hostMap,
    // Yes to the first, no to all that come after it.
    async approve() {
      asked += 1;
      if (!isFirst) return { answer: "no" };
      isFirst = false;
      sites.tell("asked");
      // A request that the page makes after it gave up the other one: the browser has dropped that one by then.
      await sites.when((hits) => hits.some(({ path }) => path === "/gone"));
      return { answer: "once" };
    },
  });
});
afterAll(async () => {
  await session?.close();
  await sites?.close();
});

const call = async (tool: string, args: object) =>
  (await (session as unknown as CallableSession).call(tool, args)).envelope;
const click = (name: string) => call("click", { target: `button "${name}"` });
const triedTimes = (times: number) =>
  sites.when((hits) => hits.filter(({ path }) => path === "/tried").length >= times);

const inTurn =
  (...acts: readonly (() => Promise<unknown>)[]) =>
  async (): Promise<void> => {
    for (const act of acts) await act();
  };

describe("A-70: a yes whose request was given up", () => {
  test.each<readonly [who: string, arrived: number, questions: number, act: () => Promise<unknown>]>([
    ["holds for the same request of the same document", 1, 1, () => click("Same")],
    [
      "holds once",
      1,
      2,
      inTurn(
        () => click("Same"),
        () => triedTimes(1),
        () => click("Same"),
        () => triedTimes(2),
      ),
    ],
    ["does not hold for another header", 0, 2, () => click("Header")],
    [
      "does not hold after another page was there",
      0,
      2,
      inTurn(
        () => call("navigate", { url: "http://shop.test/other" }),
        () => call("navigate", { url: PAGE }),
        () => click("Same"),
      ),
    ],
    [
      "does not hold for another tab",
      0,
      2,
      inTurn(
        () => call("tabs", { action: "new" }),
        () => call("navigate", { url: PAGE }),
        () => click("Same"),
      ),
    ],
    ["does not hold for a frame with the same address", 0, 2, () => call("click", { target: 'button "Frame"' })],
    [
      "does not hold for another origin",
      0,
      2,
      inTurn(
        () => call("navigate", { url: "http://desk.test/other-origin" }),
        () => click("Same"),
      ),
    ],
  ])("%s", async (who, arrived, questions, act) => {
    const isFrame = who.includes("frame");
    const page = isFrame
      ? GIVEN_UP.replace("<iframe", `<button onclick="inner.src = location.href">Frame</button><iframe`)
      : GIVEN_UP;
    sites.serve({ "shop.test/given-up": page, "desk.test/other-origin": GIVEN_UP });
    isFirst = true;
    asked = 0;
    session.addOperatorText("Next.");
    await call("navigate", { url: PAGE });
    expect(await sites.when((hits) => hits.some(({ path }) => path === "/ready"))).toBe(true);
    await click("Go");
    expect(sites.hits.filter(({ path }) => path === "/pay-out")).toEqual([]);
    await act();
    expect(await triedTimes(1)).toBe(true);
    await call("navigate", { url: "http://shop.test/fence" });
    expect(sites.hits.filter(({ method, path }) => method === "POST" && path === "/pay-out")).toHaveLength(arrived);
    expect(asked).toBe(questions);
  });
});
