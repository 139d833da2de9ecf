import { randomBytes } from "node:crypto";
import type * as playwright from "playwright-core";
import type { ProxyEvent } from "../../proxy/options.ts";
import { newContext } from "../context.ts";
import { cancelled, Deadline } from "../deadline.ts";
import { type Canary, startCanary } from "./canary.ts";
import type { Certificate } from "./certificate.ts";
import { BESIDE_PROXY, channelsOver, type SelfTestChannel, type StoppedBy, type Turn } from "./channels.ts";
import type { OwnTraffic } from "./own-traffic.ts";

const TOKEN_BYTES = 16;
const CLOSE_MS = 2_000;

export interface SelfTestOptions {
  readonly browser: playwright.Browser;
  readonly own: OwnTraffic;
  readonly headless: boolean;
  /** One that the browser takes: then all is tried over TLS. */
  readonly certificate?: Certificate | undefined;
  /** For the whole test. */
  readonly timeoutMs: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What became of one channel. `arrived`: at its own listener, or at the proxy although it should end before that, or
 * where it could share a connection with requests.
 */
export interface ChannelOutcome {
  readonly name: string;
  readonly arrived: boolean;
  /** Where it was last seen; `browser`: nothing was seen of it. */
  readonly seen: StoppedBy;
}

export interface SelfTestReport {
  readonly channels: readonly ChannelOutcome[];
  /** The page was there, all was tried, and the image that was allowed arrived: else the rest proves nothing. */
  readonly proves: boolean;
  readonly tookMs: number;
}

/**
 * Lets a page of ours try every channel in a context of its own (EG-9). Rejects with `Failure` cancelled; every other
 * trouble is a report that proves nothing.
 */
export async function runSelfTest(options: SelfTestOptions): Promise<SelfTestReport> {
  const startedAt = options.now();
  const time = new Deadline({
    totalMs: options.timeoutMs,
    kind: "navigation",
    now: options.now,
    signal: options.signal,
  });
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const canary = await startCanary(token, options.certificate);
  const tried = channelsOver(options.certificate === undefined ? "http" : "https");
  const events: ProxyEvent[] = [];
  const requested = new Set<number>();
  options.own.begin({
    token,
    allowed: canary.allowed,
    onRequest: (address) => void requested.add(URL.canParse(address) ? Number(new URL(address).port) : 0),
    onProxy: (event) => void events.push(event),
  });
  let whole = false;
  try {
    await tryAll(options, tried, canary, time);
    whole = true;
  } catch {
    if (time.signal.aborted) throw cancelled();
  } finally {
    options.own.end();
    await canary.close();
  }
  const atProxy = new Set(events.map(({ port }) => port));
  const atRequests = new Set(events.filter(({ door }) => door === "requests").map(({ port }) => port));
  const channels = tried.map((channel): ChannelOutcome => {
    const port = canary.portOf(channel);
    return {
      name: channel.name,
      arrived:
        canary.reached(channel) ||
        (channel.stoppedBy !== "proxy" && atProxy.has(port)) ||
        (channel.socket === true && atRequests.has(port)),
      seen: atProxy.has(port) ? "proxy" : requested.has(port) ? "wire" : "browser",
    };
  });
  const beside = whole && !events.some(({ verdict, port }) => verdict === "open" && port === canary.pagePort);
  return {
    channels: [...channels, { name: BESIDE_PROXY, arrived: beside, seen: "proxy" }],
    proves: whole && canary.controlReached(),
    tookMs: Math.round(options.now() - startedAt),
  };
}

async function tryAll(
  { browser, headless, now }: SelfTestOptions,
  tried: readonly SelfTestChannel[],
  canary: Canary,
  time: Deadline,
): Promise<void> {
  const context = await time.within(
    newContext(browser, { headless, sharesClipboard: false, userAgent: "", storageState: undefined }),
  );
  try {
    const page = await time.within(context.newPage());
    await time.within(page.goto(canary.address, { waitUntil: "load", timeout: 0 }));
    const attempt = (channels: readonly SelfTestChannel[]): Promise<void> =>
      time.within(page.evaluate(tryOf(channels)));
    const of = (turn: Turn): readonly SelfTestChannel[] =>
      tried.filter((channel) => (channel.turn ?? "together") === turn);
    await attempt(of("together"));
    await attempt(of("frames"));
    for (const channel of [...of("pressed"), ...of("last")]) await attempt([channel]);
    await time.within(page.goto(canary.nextAddress, { waitUntil: "load", timeout: 0 }));
  } finally {
    await new Deadline({ totalMs: CLOSE_MS, kind: "navigation", now }).within(context.close()).catch(() => {});
  }
}

function tryOf(channels: readonly SelfTestChannel[]): string {
  return `tryChannels(${JSON.stringify(channels.map(({ name }) => name))}).then(() => {})`;
}
