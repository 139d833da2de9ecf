import { describe, expect, test } from "vitest";
import { oneOf } from "../../../test/runs.ts";
import type { Rig } from "../../browser/launch.ts";
import { Failure } from "../../errors.ts";
import type { ProxyEvent } from "../../proxy/options.ts";
import type { RequestSeen } from "../../wire/interception.ts";
import { type Live, startLive } from "../live.ts";
import { selfTestChannels } from "./channels.ts";
import type { ProvenBrowsers } from "./proven.ts";
import type { SelfTestReport } from "./run.ts";

const LIMIT_MS = 60_000;

interface Started {
  readonly failure: Failure | null;
  readonly report: SelfTestReport | null;
  /** What the session itself heard of the test's traffic. */
  readonly heard: readonly (RequestSeen | ProxyEvent)[];
}

async function start(
  options: { readonly rig?: Rig; readonly proven?: ProvenBrowsers | null; readonly signal?: AbortSignal } = {},
): Promise<Started> {
  const reports: SelfTestReport[] = [];
  const heard: (RequestSeen | ProxyEvent)[] = [];
  let live: Live | null = null;
  let failure: Failure | null = null;
  try {
    live = await startLive({
      browser: { path: process.env.CHAPERONE_BROWSER, headless: true, sandbox: true },
      egress: { allowAddress: () => false, hostMap: new Map(), onDecision: (event) => void heard.push(event) },
      startTimeoutMs: LIMIT_MS,
      judge: { request: () => Promise.reject(new Error("nothing is asked of the session's judge")) },
      causeOf: () => ({ cause: { by: "page" }, input: null }),
      onRequest: (seen) => void heard.push(seen),
      onResponse: () => {},
      onEnd: () => {},
      now: () => performance.now(),
      selfTest: { proven: options.proven ?? null, onReport: (report) => void reports.push(report) },
      rig: options.rig,
      signal: options.signal,
    });
  } catch (error) {
    if (!Failure.is(error)) throw error;
    failure = error;
  } finally {
    await live?.close();
  }
  return { failure, report: reports[0] ?? null, heard };
}

const arrivedIn = (report: SelfTestReport | null): readonly string[] =>
  (report?.channels ?? []).filter(({ arrived }) => arrived).map(({ name }) => name);

describe("the self-test", { timeout: LIMIT_MS }, () => {
  test("passes as Chromium is started, with the control, and the session hears nothing of it", async () => {
    const { failure, report, heard } = await start();
    expect(failure).toBeNull();
    expect(report?.proves).toBe(true);
    expect(arrivedIn(report)).toEqual([]);
    const ends = new Map(report?.channels.map(({ name, seen }) => [name, seen]));
    expect(selfTestChannels.map(({ name }) => [name, ends.get(name)])).toEqual(
      selfTestChannels.map(({ name, stoppedBy }) => [name, stoppedBy]),
    );
    expect(
      heard.filter((entry) => ("facts" in entry ? entry.facts.url.includes("127.0.0.1") : entry.host === "127.0.0.1")),
    ).toEqual([]);
  });

  const without = (shape: RegExp): Rig => ({ flags: (flags) => flags.filter((flag) => !shape.test(flag)) });
  const broken: readonly (readonly [without: string, rig: Rig, channel: string])[] = [
    ["<-loopback>", without(/^--proxy-bypass-list=/), "WebSocket"],
    [
      "a proxy for sockets",
      { flags: (flags) => flags.map((flag) => flag.replace(/^--proxy-server=http=([^;]+);.*/, "--proxy-server=$1")) },
      "WebSocket",
    ],
    ["the proxy", without(/^--proxy-server=/), "page beside the proxy"],
    ["the resolver rules", without(/^--host-resolver-rules=/), "name look-up by WebRTC"],
    [
      "the WebRTC policy",
      { ...without(/webrtc-ip-handling-policy/), preferences: ({ webrtc: _, ...others }) => others },
      "WebRTC by STUN over UDP",
    ],
    ["the flag against HTTP/2", without(/^--disable-http2$/), "early hint"],
    [
      "reports being off",
      {
        flags: (flags) =>
          flags.map((flag) => (flag.startsWith("--disable-features=") ? flag.replace("Reporting,", "") : flag)),
      },
      "report of a content policy",
    ],
    ["the preference against prediction", { preferences: ({ net: _, ...others }) => others }, "speculation prefetch"],
  ];
  test.each(oneOf(2, broken))(
    "without %s it is red with the channel's name, nothing starts, and it is not remembered",
    async (_, rig, channel) => {
      const remembered: string[] = [];
      const { failure, report } = await start({
        rig,
        proven: { has: () => false, add: (digest) => void remembered.push(digest) },
      });
      expect(arrivedIn(report)).toContain(channel);
      expect(failure).toMatchObject({
        code: "no_browser",
        message: expect.stringMatching(`^The self-test failed: .*${channel}`),
      });
      expect(remembered).toEqual([]);
    },
  );

  test.each<[string, Rig]>([
    ["the flag", without(/webrtc-ip-handling-policy/)],
    ["the preference", { preferences: ({ webrtc: _, ...others }) => others }],
  ])("the WebRTC policy holds without %s, too: it is set twice", async (_, rig) => {
    expect(await start({ rig })).toMatchObject({ failure: null, report: { proves: true } });
  });

  test("where its page cannot be reached it says that it proves nothing, and nothing starts", async () => {
    const nobody = "--proxy-server=http://127.0.0.1:1";
    const { failure, report } = await start({
      rig: { flags: (flags) => flags.map((flag) => (flag.startsWith("--proxy-server=") ? nobody : flag)) },
    });
    expect([report?.proves, arrivedIn(report)]).toEqual([false, []]);
    expect(failure).toMatchObject({
      code: "no_browser",
      message: expect.stringMatching(/^The self-test could not be done: .*proves nothing/),
    });
  });

  test("ends when it is cancelled", async () => {
    const cancel = new AbortController();
    // Asked just before it begins.
    const proven: ProvenBrowsers = {
      has: () => {
        queueMicrotask(() => cancel.abort());
        return false;
      },
      add: () => {},
    };
    const { failure, report } = await start({ proven, signal: cancel.signal });
    expect(failure?.code).toBe("cancelled");
    expect(report).toBeNull();
  });

  test("is done once for a browser and its flags", async () => {
    const passed = new Set<string>();
    const proven: ProvenBrowsers = { has: (digest) => passed.has(digest), add: (digest) => void passed.add(digest) };
    expect((await start({ proven })).report?.proves).toBe(true);
    expect((await start({ proven })).report).toBeNull();
    expect((await start({ proven, rig: { flags: (flags) => [...flags, "--lang=de"] } })).report?.proves).toBe(true);
    expect(passed.size).toBe(2);
  });
});
