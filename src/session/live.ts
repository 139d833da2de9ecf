import type * as playwright from "playwright-core";
import { type Launched, launchBrowser, type Rig } from "../browser/launch.ts";
import type { StorageState } from "../config/index.ts";
import { Failure } from "../errors.ts";
import { registerEngine } from "../page/engine.ts";
import { worldSource } from "../page/generated/world.ts";
import { browserPeers } from "../proxy/peers.ts";
import { pipeChannel } from "../wire/channel.ts";
import type { RequestSeen } from "../wire/interception.ts";
import { Wire, type WireOptions } from "../wire/wire.ts";
import { newContext } from "./context.ts";
import { type Egress, type EgressOptions, startEgress } from "./egress.ts";
import { loadPlaywright } from "./playwright.ts";
import { OwnTraffic } from "./self-test/own-traffic.ts";
import { type ProveOptions, proveBrowser } from "./self-test/prove.ts";
import { type OverruledJudge, withAddresses } from "./unreachable.ts";

export interface LiveOptions {
  readonly browser: {
    readonly path?: string | undefined;
    readonly headless: boolean;
    readonly sandbox: boolean;
    readonly cdpUrl?: string | undefined;
    /** Public keys whose certificates are taken as they are, as `launchBrowser` wants them. */
    readonly trustedKeys?: readonly string[] | undefined;
  };
  /** What the context begins with. */
  readonly storageState?: StorageState | undefined;
  /** What the egress proxy asks and tells. */
  readonly egress: Omit<EgressOptions, "now">;
  readonly startTimeoutMs: number;
  readonly judge: OverruledJudge;
  readonly causeOf: WireOptions["causeOf"];
  readonly onRequest: (seen: RequestSeen) => void;
  readonly onResponse: NonNullable<WireOptions["onResponse"]>;
  readonly onDriven?: WireOptions["onDriven"];
  readonly onLineLost?: WireOptions["onLineLost"];
  readonly onEnd: (reason: string) => void;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Where passes of the self-test are remembered, and who is told. */
  readonly selfTest?: Pick<ProveOptions, "proven" | "onReport"> | undefined;
  /** For proofs of the self-test; nothing outside of tests gives it. */
  readonly rig?: Rig | undefined;
}

/** One running Chromium, guarded from before its first page. */
export interface Live {
  readonly wire: Wire;
  readonly context: playwright.BrowserContext;
  readonly version: string;
  /** It is not ours: no flags and no profile of ours, other tabs beside ours (EG-11). */
  readonly attached: boolean;
  /** Whether its connections pass a proxy of ours. */
  readonly proxied: boolean;
  readonly pid: number | null;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** Starts Chromium, puts the wire in front of it, then lets Playwright in. Rejects with `Failure("no_browser")`. */
export async function startLive(options: LiveOptions): Promise<Live> {
  const startedAt = options.now();
  // The proxy first: the browser is told where it is, and has no other way out.
  const own = new OwnTraffic();
  const egress = await startEgress({ ...own.egress(options.egress), now: options.now });
  try {
    return await startBehind(egress, own, options, startedAt);
  } catch (error) {
    await egress.close();
    throw error;
  }
}

async function startBehind(egress: Egress, own: OwnTraffic, options: LiveOptions, startedAt: number): Promise<Live> {
  const { browser: wanted, startTimeoutMs, signal, now } = options;
  // Both take a third of a second: side by side.
  const [launched, { chromium, selectors }] = await Promise.all([
    launchBrowser({
      ...(wanted.path !== undefined && { path: wanted.path }),
      headless: wanted.headless,
      sandbox: wanted.sandbox,
      proxy: egress.address,
      ...(wanted.trustedKeys && { trustedKeys: wanted.trustedKeys }),
      timeoutMs: startTimeoutMs,
      ...(signal && { signal }),
      ...(options.rig && { rig: options.rig }),
    }),
    loadPlaywright(),
  ]);
  egress.belongsTo(browserPeers(() => launched.pid));
  let expected = false;
  const endsAt = startedAt + startTimeoutMs;
  const leftMs = (): number => Math.max(1, endsAt - options.now());
  try {
    const wire = new Wire({
      ...wireOptions(options, { sharesClipboard: !wanted.headless }),
      judge: own.judge(withAddresses(options.judge, egress)),
      onRequest: (seen) => {
        egress.seen(seen);
        if (!own.isOwn(seen.facts)) options.onRequest(seen);
      },
      channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
      onClosed: () => {
        if (!expected) options.onEnd("the browser ended by itself");
      },
    });
    await wire.start(leftMs());
    await registerEngine(selectors);
    const browser = await chromium.connectOverCDP(wire.transport(), { timeout: leftMs(), artifactsDir: launched.downloads });
    await proveBrowser({ ...options.selfTest, launched, browser, own, headless: wanted.headless, timeoutMs: leftMs(), now, signal });
    const { userAgent } = await wire.send("Browser.getVersion", {}, { timeoutMs: leftMs() });
    const context = await newContext(browser, { headless: wanted.headless, sharesClipboard: !wanted.headless, userAgent, storageState: options.storageState });
    return {
      wire,
      context,
      version: launched.version,
      attached: false,
      proxied: true,
      pid: launched.pid,
      close: () => {
        expected = true;
        return end(launched, egress);
      },
    };
  } catch (error) {
    expected = true;
    await end(launched, egress);
    if (Failure.is(error) && (error.code === "no_browser" || error.code === "cancelled")) throw error;
    throw new Failure("no_browser", "Chromium started but could not be connected to. Try again; if it stays so, run chaperone doctor.", { cause: error });
  }
}

const worldWithoutClipboard = `${worldSource}\n__chaperone.leaveClipboard();`;

/**
 * What the wire of a session is told, whatever browser it goes to. `sharesClipboard`: the browser is a person's, or has a window on a person's desktop;
 * one without a window has a clipboard of its own.
 */
export function wireOptions(
  { judge, causeOf, onRequest, onResponse, onDriven, onLineLost, now }: LiveOptions,
  { sharesClipboard }: { readonly sharesClipboard: boolean },
): Omit<WireOptions, "channel" | "onClosed"> {
  return {
    judge,
    causeOf,
    onRequest,
    onResponse,
    ...(onDriven && { onDriven }),
    ...(onLineLost && { onLineLost }),
    now,
    worldSource: sharesClipboard ? worldWithoutClipboard : worldSource,
  };
}

async function end(launched: Launched, egress: Egress): Promise<void> {
  await launched.close();
  await egress.close();
}
