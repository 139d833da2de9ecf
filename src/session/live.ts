import type * as playwright from "playwright-core";
import { type Launched, type LaunchOptions, launchBrowser, type Rig } from "../browser/launch.ts";
import type { StorageState } from "../config/index.ts";
import { Failure } from "../errors.ts";
import { worldSource } from "../page/generated/world.ts";
import { registerEngine } from "../page/view/engine.ts";
import { browserPeers } from "../proxy/peers.ts";
import { pipeChannel } from "../wire/channel.ts";
import type { RequestSeen } from "../wire/interception.ts";
import { Wire, type WireOptions } from "../wire/wire.ts";
import { newContext } from "./context.ts";
import { type Egress, type EgressOptions, startEgress } from "./egress.ts";
import { loadPlaywright } from "./playwright.ts";
import { type Certificate, keyDigestOf, selfSigned } from "./self-test/certificate.ts";
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
  readonly mayTell?: WireOptions["mayTell"];
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
  const endsAt = startedAt + startTimeoutMs;
  const leftMs = (): number => Math.max(1, endsAt - options.now());
  let expected = false;
  const onClosed = (): void => {
    if (!expected) options.onEnd("the browser ended by itself");
  };
  const { launched, wire, browser } = await connect(egress, own, options, {
    headless: wanted.headless,
    trustedKeys: wanted.trustedKeys,
    leftMs,
    onClosed,
  });
  try {
    await proveBrowser({
      ...options.selfTest,
      launched,
      browser,
      own,
      headless: wanted.headless,
      timeoutMs: leftMs(),
      now,
      signal,
      overTls: (test) => withTrusted(options, leftMs, test),
    });
    const { userAgent } = await wire.send("Browser.getVersion", {}, { timeoutMs: leftMs() });
    const context = await newContext(browser, {
      headless: wanted.headless,
      sharesClipboard: !wanted.headless,
      userAgent,
      storageState: options.storageState,
    });
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
    throw unconnected(error);
  }
}

interface Connected {
  readonly launched: Launched;
  readonly wire: Wire;
  readonly browser: playwright.Browser;
}

interface ConnectOptions extends Pick<LaunchOptions, "hurried"> {
  readonly headless: boolean;
  readonly trustedKeys: readonly string[] | undefined;
  readonly leftMs: () => number;
  readonly onClosed: () => void;
}

/**
 * Chromium with no way out but that one, the wire in front of it, and Playwright let in. Rejects with
 * `Failure("no_browser")`; nothing of the browser is left then.
 */
async function connect(egress: Egress, own: OwnTraffic, options: LiveOptions, how: ConnectOptions): Promise<Connected> {
  const { browser: wanted, signal } = options;
  const { headless, trustedKeys, hurried, leftMs, onClosed } = how;
  // Both take a third of a second: side by side.
  const [launched, { chromium, selectors }] = await Promise.all([
    launchBrowser({
      ...(wanted.path !== undefined && { path: wanted.path }),
      headless,
      sandbox: wanted.sandbox,
      proxy: egress.address,
      ...(trustedKeys && { trustedKeys }),
      ...(hurried && { hurried }),
      timeoutMs: leftMs(),
      ...(signal && { signal }),
      ...(options.rig && { rig: options.rig }),
    }),
    loadPlaywright(),
  ]);
  egress.belongsTo(browserPeers(() => launched.pid));
  try {
    const wire = new Wire({
      ...wireOptions(options, { sharesClipboard: !headless }),
      judge: own.judge(withAddresses(options.judge, egress)),
      onRequest: (seen) => {
        egress.seen(seen);
        if (!own.isOwn(seen.facts)) options.onRequest(seen);
      },
      channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
      onClosed,
    });
    await wire.start(leftMs());
    await registerEngine(selectors);
    const browser = await chromium.connectOverCDP(wire.transport(), {
      timeout: leftMs(),
      artifactsDir: launched.downloads,
    });
    return { launched, wire, browser };
  } catch (error) {
    await launched.close();
    throw unconnected(error);
  }
}

/**
 * Another browser, started as the session's is, that takes one certificate of ours for the time of the test: the
 * session's own takes none. Nobody sees it, and nothing but the test runs in it.
 */
async function withTrusted<T>(
  options: LiveOptions,
  leftMs: () => number,
  test: (at: {
    readonly browser: playwright.Browser;
    readonly own: OwnTraffic;
    readonly certificate: Certificate;
  }) => Promise<T>,
): Promise<T> {
  const certificate = selfSigned("127.0.0.1");
  const own = new OwnTraffic();
  const egress = await startEgress({ ...own.egress({ ...options.egress, onDecision: () => {} }), now: options.now });
  try {
    const how = { headless: true, trustedKeys: [keyDigestOf(certificate)], hurried: true, leftMs, onClosed: () => {} };
    const { launched, browser } = await connect(egress, own, options, how);
    try {
      return await test({ browser, own, certificate });
    } finally {
      await launched.close();
    }
  } finally {
    await egress.close();
  }
}

function unconnected(error: unknown): Failure {
  if (Failure.is(error) && (error.code === "no_browser" || error.code === "cancelled")) return error;
  return new Failure(
    "no_browser",
    "Chromium started but could not be connected to. Try again; if it stays so, run chaperone doctor.",
    { cause: error },
  );
}

/**
 * Text that comes to an `EditContext` is told to an object outside of the document: no event shows where it lands before
 * it does. No flag turns it off; editors that use it have another way.
 */
const WITHOUT_EDIT_CONTEXT = "delete globalThis.EditContext;";

const worldWithoutClipboard = `${worldSource}\n__chaperone.leaveClipboard();`;

/**
 * What the wire of a session is told, whatever browser it goes to. `sharesClipboard`: the browser is a person's, or has
 * a window on a person's desktop; one without a window has a clipboard of its own.
 */
export function wireOptions(
  { judge, mayTell, causeOf, onRequest, onResponse, onDriven, onLineLost, now }: LiveOptions,
  { sharesClipboard }: { readonly sharesClipboard: boolean },
): Omit<WireOptions, "channel" | "onClosed"> {
  return {
    judge,
    causeOf,
    onRequest,
    onResponse,
    ...(mayTell && { mayTell }),
    ...(onDriven && { onDriven }),
    ...(onLineLost && { onLineLost }),
    now,
    worldSource: sharesClipboard ? worldWithoutClipboard : worldSource,
    pageSource: WITHOUT_EDIT_CONTEXT,
  };
}

async function end(launched: Launched, egress: Egress): Promise<void> {
  await launched.close();
  await egress.close();
}
