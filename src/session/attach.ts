import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { proxyRules } from "../browser/flags.ts";
import { Failure } from "../errors.ts";
import { registerEngine } from "../page/view/engine.ts";
import { type BrowserPeers, browserPeers } from "../proxy/peers.ts";
import { type SocketChannel, socketChannel } from "../wire/socket-channel.ts";
import { Wire } from "../wire/wire.ts";
import { newContext } from "./context.ts";
import { Deadline } from "./deadline.ts";
import { type Egress, startEgress } from "./egress.ts";
import { type Live, type LiveOptions, wireOptions } from "./live.ts";
import { loadPlaywright } from "./playwright.ts";
import { withAddresses } from "./unreachable.ts";

const LEAVE_TIMEOUT_MS = 2_000;

/**
 * Enters a browser that runs already, in a context of our own; what else is open there is neither held nor seen. Where
 * that browser runs on this machine, the context has an egress proxy of ours. Rejects with `Failure`: no_browser,
 * cancelled, always in fixed words and without a cause, because the endpoint's address may hold a token.
 */
export async function attachLive(options: LiveOptions): Promise<Live> {
  const { now, signal } = options;
  const endpoint = options.browser.cdpUrl ?? "";
  const time = new Deadline({ totalMs: options.startTimeoutMs, kind: "navigation", now, signal });
  const [channel, { chromium, selectors }] = await Promise.all([
    socketChannel(endpoint, { timeoutMs: time.remainingMs(), signal }),
    loadPlaywright(),
  ]);
  let expected = false;
  let egress: Egress | null = null;
  const wire = new Wire({
    ...wireOptions(options, { sharesClipboard: true }),
    judge: withAddresses(options.judge, { whyNot: (url) => egress?.whyNot(url) ?? Promise.resolve(null) }),
    onRequest: (seen) => {
      egress?.seen(seen);
      options.onRequest(seen);
    },
    contextProxy: () => (egress === null ? null : proxyRules(egress.address)),
    channel,
    shared: true,
    onClosed: () => {
      if (!expected) options.onEnd("the attached browser ended or closed the connection");
    },
  });
  // Only named: Playwright makes it when it has something to put there, which it never has. So nothing is left of it,
  // also when our process is killed.
  const artifacts = join(tmpdir(), `chaperone-attached-${randomUUID()}`);
  const leave = async (atOnce: boolean): Promise<void> => {
    expected = true;
    // The end of the connection alone closes our context and lets the others' requests go, too.
    if (atOnce) wire.close();
    else await wire.leave(LEAVE_TIMEOUT_MS);
    await egress?.close();
    await rm(artifacts, { recursive: true, force: true });
  };
  try {
    await time.within(wire.start(time.remainingMs()));
    const { product, userAgent } = await wire.send("Browser.getVersion", {}, { timeoutMs: time.remainingMs() });
    const peers = await time.within(peersHere(wire, channel, time.remainingMs()));
    if (peers !== null) {
      egress = await startEgress({ ...options.egress, now });
      egress.belongsTo(peers);
    } else if (options.egress.upstream !== undefined) throw notHere();
    await registerEngine(selectors);
    const connecting = chromium.connectOverCDP(wire.transport(), {
      timeout: Math.max(1, time.remainingMs()),
      artifactsDir: artifacts,
      noDefaults: true,
    });
    const browser = await time.within(connecting);
    const context = await time.within(
      newContext(browser, { headless: true, sharesClipboard: true, userAgent, storageState: options.storageState }),
    );
    return {
      wire,
      context,
      version: printable(product),
      attached: true,
      proxied: egress !== null,
      pid: null,
      close: () => leave(false),
    };
  } catch (error) {
    await leave(true);
    if (Failure.is(error) && (error.code === "no_browser" || error.code === "cancelled")) throw error;
    throw new Failure(
      "no_browser",
      "What answers at the address to attach to cannot be used as a browser. Check --cdp-url (browser.cdpUrl); the next call tries again.",
    );
  }
}

/**
 * The browser's processes, when they are on this machine and can come to our loopback: the process that it names as its
 * own, or one below it, holds the other end of our very connection. Null otherwise, as behind a tunnel, in a container,
 * or where the system does not tell.
 */
async function peersHere(wire: Wire, { ends }: SocketChannel, timeoutMs: number): Promise<BrowserPeers | null> {
  if (ends === null || !ends.remoteAddress.startsWith("127.")) return null;
  // Some who pass the protocol on do not know the command.
  const told = await wire.send("SystemInfo.getProcessInfo", {}, { timeoutMs }).catch(() => null);
  const own = told?.processInfo.find(({ type }) => type === "browser")?.id;
  if (own === undefined || !Number.isSafeInteger(own) || own <= 0) return null;
  const peers = browserPeers(() => own, { members: "tree" });
  const holder = await peers.check({ address: ends.remoteAddress, port: ends.remotePort }, ends.localPort);
  return holder === "browser" ? peers : null;
}

function notHere(): Failure {
  return new Failure(
    "no_browser",
    "The browser to attach to does not show that it runs on this machine, so it cannot go out through the proxy that is set. Tell the operator: leave out --cdp-url (browser.cdpUrl) or --proxy (browser.proxy).",
  );
}

/** The endpoint's own word for what it is: not trusted to be one. */
function printable(product: string): string {
  return /^[\w./ -]{1,60}$/.test(product) ? product : "a browser";
}
