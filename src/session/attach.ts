import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { registerEngine } from "../page/engine.ts";
import { socketChannel } from "../wire/socket-channel.ts";
import { Wire } from "../wire/wire.ts";
import { newContext } from "./context.ts";
import { Deadline } from "./deadline.ts";
import { type Live, type LiveOptions, wireOptions } from "./live.ts";

const LEAVE_TIMEOUT_MS = 2_000;

/**
 * Enters a browser that runs already, in a context of our own; what else is open there is neither held nor seen. Rejects with `Failure`: no_browser,
 * cancelled, always in fixed words and without a cause, because the endpoint's address may hold a token.
 */
export async function attachLive(options: LiveOptions): Promise<Live> {
  const { now, signal } = options;
  const endpoint = options.browser.cdpUrl ?? "";
  const time = new Deadline({ totalMs: options.startTimeoutMs, kind: "navigation", now, signal });
  const [channel, { chromium, selectors }] = await Promise.all([socketChannel(endpoint, { timeoutMs: time.remainingMs(), signal }), import("playwright-core")]);
  let expected = false;
  const wire = new Wire({
    ...wireOptions(options),
    channel,
    shared: true,
    onClosed: () => {
      if (!expected) options.onEnd("the attached browser ended or closed the connection");
    },
  });
  let artifacts: string | null = null;
  const leave = async (atOnce: boolean): Promise<void> => {
    expected = true;
    // The end of the connection alone closes our context and lets the others' requests go, too.
    if (atOnce) wire.close();
    else await wire.leave(LEAVE_TIMEOUT_MS);
    if (artifacts !== null) await rm(artifacts, { recursive: true, force: true });
  };
  try {
    artifacts = await mkdtemp(join(tmpdir(), "chaperone-attached-"));
    await time.within(wire.start(time.remainingMs()));
    const { product } = await wire.send("Browser.getVersion", {}, { timeoutMs: time.remainingMs() });
    await registerEngine(selectors);
    const connecting = chromium.connectOverCDP(wire.transport(), { timeout: Math.max(1, time.remainingMs()), artifactsDir: artifacts, noDefaults: true });
    const browser = await time.within(connecting);
    const context = await time.within(newContext(browser, { headless: true, storageState: options.storageState }));
    return { wire, context, version: printable(product), attached: true, pid: null, close: () => leave(false) };
  } catch (error) {
    await leave(true);
    if (Failure.is(error) && (error.code === "no_browser" || error.code === "cancelled")) throw error;
    throw new Failure(
      "no_browser",
      "What answers at the address to attach to cannot be used as a browser. Check --cdp-url (browser.cdpUrl); the next call tries again.",
    );
  }
}

/** The endpoint's own word for what it is: not trusted to be one. */
function printable(product: string): string {
  return /^[\w./ -]{1,60}$/.test(product) ? product : "a browser";
}
