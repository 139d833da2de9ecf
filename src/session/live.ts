import type * as playwright from "playwright-core";
import { type Launched, launchBrowser } from "../browser/launch.ts";
import { Failure } from "../errors.ts";
import { registerEngine } from "../page/engine.ts";
import { worldSource } from "../page/generated/world.ts";
import type { Cause } from "../types.ts";
import { pipeChannel } from "../wire/channel.ts";
import type { Judge, RequestSeen } from "../wire/interception.ts";
import { Wire } from "../wire/wire.ts";

export interface LiveOptions {
  readonly browser: { readonly path?: string | undefined; readonly headless: boolean; readonly sandbox: boolean };
  readonly startTimeoutMs: number;
  readonly judge: Judge;
  readonly causeOf: (page: string | null) => Cause;
  readonly onRequest: (seen: RequestSeen) => void;
  readonly onResponse: (networkId: string, status: number) => void;
  readonly onEnd: (reason: string) => void;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

const VIEWPORT = { width: 1280, height: 800 } as const;

/** One running Chromium, guarded from before its first page. */
export interface Live {
  readonly wire: Wire;
  readonly context: playwright.BrowserContext;
  readonly version: string;
  readonly pid: number;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** Starts Chromium, puts the wire in front of it, then lets Playwright in. Rejects with `Failure("no_browser")`. */
export async function startLive(options: LiveOptions): Promise<Live> {
  const { browser: wanted, startTimeoutMs, signal } = options;
  const startedAt = options.now();
  // Both take a third of a second: side by side.
  const [launched, { chromium, selectors }] = await Promise.all([
    launchBrowser({
      ...(wanted.path !== undefined && { path: wanted.path }),
      headless: wanted.headless,
      sandbox: wanted.sandbox,
      timeoutMs: startTimeoutMs,
      ...(signal && { signal }),
    }),
    import("playwright-core"),
  ]);
  let expected = false;
  const endsAt = startedAt + startTimeoutMs;
  const leftMs = (): number => Math.max(1, endsAt - options.now());
  try {
    const wire = new Wire({
      channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
      judge: options.judge,
      worldSource,
      causeOf: options.causeOf,
      onRequest: options.onRequest,
      onResponse: options.onResponse,
      onClosed: () => {
        if (!expected) options.onEnd("the browser ended by itself");
      },
      now: options.now,
    });
    await wire.start(leftMs());
    await registerEngine(selectors);
    const browser = await chromium.connectOverCDP(wire.transport(), { timeout: leftMs(), artifactsDir: launched.downloads });
    const context = await browser.newContext({ viewport: wanted.headless ? VIEWPORT : null, acceptDownloads: false });
    return {
      wire,
      context,
      version: launched.version,
      pid: launched.pid,
      close: () => {
        expected = true;
        return end(launched);
      },
    };
  } catch (error) {
    expected = true;
    await end(launched);
    if (Failure.is(error) && error.code === "no_browser") throw error;
    throw new Failure("no_browser", "Chromium started but could not be connected to. Try again; if it stays so, run chaperone doctor.", { cause: error });
  }
}

async function end(launched: Launched): Promise<void> {
  await launched.close();
}
