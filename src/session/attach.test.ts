import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningBrowser, runningBrowser } from "../../test/running-browser.ts";
import type { Verdict } from "../types.ts";
import { attachLive } from "./attach.ts";
import { OwnTraffic } from "./self-test/own-traffic.ts";
import { runSelfTest } from "./self-test/run.ts";

const LIMIT_MS = 60_000;

let browser: RunningBrowser;
beforeAll(async () => {
  browser = await runningBrowser();
});
afterAll(() => browser?.[Symbol.asyncDispose]());

/**
 * That each of them is heard when nothing is in its way, and that silence means something, is tested beside the
 * self-test.
 */
test("of the self-test's channels, only WebRTC over UDP gets out of our context in somebody's browser", {
  timeout: LIMIT_MS,
}, async () => {
  const refuse: Verdict = {
    verdict: "refuse",
    rule: "reach.site",
    reason: "Only the self-test runs here.",
    remedy: "",
    operator: null,
    site: null,
  };
  const own = new OwnTraffic();
  const live = await attachLive({
    browser: { headless: true, sandbox: true, cdpUrl: browser.endpoint },
    egress: own.egress({ allowAddress: () => false, hostMap: new Map(), onDecision: () => {} }),
    startTimeoutMs: LIMIT_MS,
    judge: own.judge({ request: () => refuse }),
    causeOf: () => ({ cause: { by: "page" }, input: null }),
    onRequest: () => {},
    onResponse: () => {},
    onEnd: () => {},
    now: () => performance.now(),
  });
  try {
    expect(live.proxied).toBe(true);
    const attached = live.context.browser();
    if (attached === null) throw new Error("no browser");
    const { channels, proves } = await runSelfTest({
      browser: attached,
      own,
      headless: true,
      timeoutMs: LIMIT_MS,
      now: () => performance.now(),
    });
    expect(proves).toBe(true);
    const arrived = channels.filter(({ arrived }) => arrived);
    expect(arrived.filter(({ seen }) => seen !== "proxy").map(({ name }) => name)).toEqual([
      "WebRTC by STUN over UDP",
      "WebRTC by TURN over UDP",
    ]);
    // Its flags are not ours, so these come as far as the proxy, which refuses them.
    const seen = arrived.filter((channel) => channel.seen === "proxy").map(({ name }) => name);
    // On a busy machine the peer's look-up comes after its channel was given up.
    expect(seen.filter((name) => name !== "name look-up by WebRTC")).toEqual([
      "speculation prefetch",
      "speculation prerender",
      "payment manifest",
      "federated sign-in",
    ]);
  } finally {
    await live.close();
  }
});
