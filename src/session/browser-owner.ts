import type { StorageState } from "../config/index.ts";
import { Failure } from "../errors.ts";
import type { CallGuard, EventGuard, RequestGuard } from "../guard/index.ts";
import type { Secrets } from "../masking/masking.ts";
import type { RefTable } from "../page/view/refs.ts";
import type { Site, TabId } from "../types.ts";
import type { RequestSeen } from "../wire/interception.ts";
import type { Wire } from "../wire/wire.ts";
import { attachLive } from "./attach.ts";
import { CauseKeeper } from "./causes.ts";
import type { EgressOptions } from "./egress.ts";
import type { EventStream } from "./events.ts";
import { type Live, type LiveOptions, startLive } from "./live.ts";
import { asFailure } from "./performed.ts";
import type { RequestLog } from "./requests.ts";
import { Tabs } from "./tabs.ts";

export interface BrowserOwnerOptions {
  readonly guard: Pick<CallGuard, "show"> & RequestGuard & Pick<EventGuard, "made">;
  readonly siteOf: (url: string) => Site | null;
  /** Takes user-info, fragments and credentials out of an address. */
  readonly redact: (url: string) => string;
  /** Takes credentials out of a page's words. */
  readonly redactText: (text: string) => string;
  /** Told what secret fields hold, so that `redact` and `redactText` take it out. */
  readonly secrets: Secrets;
  /** What the egress proxy asks: the address rule, and names that are served from elsewhere. */
  readonly egress: Pick<EgressOptions, "allowAddress" | "hostMap" | "resolve" | "upstream">;
  readonly browser: LiveOptions["browser"];
  /** Every browser of the session begins with it. */
  readonly storageState?: StorageState | undefined;
  /** For the start, in ms. */
  readonly navigationTimeoutMs: number;
  /** Ends the browser after so long without a call; null: never. */
  readonly idleMs: number | null;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** One line for the person at the terminal. */
  readonly warn: (line: string) => void;
}

/** What of the session the browser's traffic is told to. */
export interface Surroundings {
  readonly events: EventStream;
  readonly requests: RequestLog;
  readonly refs: RefTable;
}

export interface Started {
  readonly live: Live;
  readonly tabs: Tabs;
}

/** After a call that came to its deadline. */
const STUCK_AFTER_MS = 10_000;
/** A server has made what was asked for. */
const CREATED = 201;

/**
 * Owns the browser of a session: starts it at the first need, notices its end, ends it when it idles or the session
 * closes, and starts the next.
 */
export class BrowserOwner {
  /** Whose doing a request is. */
  readonly causes: CauseKeeper;
  readonly #options: BrowserOwnerOptions;
  readonly #around: Surroundings;
  #live: Promise<Started> | null = null;
  #tabs: Tabs | null = null;
  #lost: string | null = null;
  /** The ends of browsers that are not over yet. */
  #ending: Promise<unknown> = Promise.resolve();
  #tabNumber = 0;
  #idle: NodeJS.Timeout | null = null;
  #closed = false;
  /** Ends a start that is under way. */
  readonly #giveUp = new AbortController();

  constructor(options: BrowserOwnerOptions, around: Surroundings) {
    this.#options = options;
    this.#around = around;
    this.causes = new CauseKeeper({
      siteOf: options.siteOf,
      active: () => this.#tabs?.active?.target ?? null,
      openerOf: (page) => this.#tabs?.target(page)?.openerId ?? null,
      isThere: (page) => this.#tabs?.target(page) !== undefined,
    });
  }

  /** Null while no browser runs. */
  get tabs(): Tabs | null {
    return this.#tabs;
  }

  /** Why the pages of the browser before are gone; null when none are, or once the next browser has started. */
  get lost(): string | null {
    return this.#lost;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Ends the browser for good; nothing of it is left afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#giveUp.abort();
    await this.#end("the session was closed");
    await this.#ending;
  }

  /**
   * The running browser; the first that asks starts it. Rejects with `Failure`: no_browser, browser_ended, cancelled.
   */
  started(): Promise<Started> {
    if (this.#closed) return Promise.reject(new Failure("browser_ended", "The session is closed."));
    if (this.#live !== null) return this.#live;
    const starting = this.#launch(this.#options.navigationTimeoutMs).catch((error: unknown) => {
      if (this.#live === starting) this.#live = null;
      const failure = asFailure(error);
      if (failure.code === "no_browser") this.#options.warn(failure.message);
      throw failure;
    });
    this.#live = starting;
    return starting;
  }

  async #launch(startTimeoutMs: number): Promise<Started> {
    const { guard, browser, storageState, now, siteOf, redact, redactText, secrets } = this.#options;
    const mayShow = (url: string): boolean => guard.show(url, "frame").verdict === "allow";
    const live = await (browser.cdpUrl === undefined ? startLive : attachLive)({
      browser,
      storageState,
      egress: { ...this.#options.egress, onDecision: (event) => this.#around.requests.proxied(event) },
      signal: this.#giveUp.signal,
      startTimeoutMs,
      judge: guard,
      mayTell: mayShow,
      causeOf: (...about) => this.causes.of(...about),
      onRequest: (seen: RequestSeen) => this.#around.requests.add(seen, this.#tabOf(seen.facts.from.page)),
      onDriven: (page) => this.causes.codeActs(page),
      onLineLost: (level) => this.#around.events.lost(level === "error" ? "errors" : "console"),
      onResponse: (networkId, { status, url, location }) => {
        this.#around.requests.status(networkId, status);
        if (status === CREATED) guard.made(url, location);
      },
      onEnd: (reason) => void this.#end(reason),
      now,
    });
    if (this.#closed) {
      await live.close();
      throw new Failure("browser_ended", "The session is closed.");
    }
    this.#lost = null;
    const nextTab = (): TabId => `t${++this.#tabNumber}` as TabId;
    const tabs = new Tabs({
      wire: live.wire,
      context: live.context,
      refs: this.#around.refs,
      events: this.#around.events,
      nextTab,
      siteOf,
      mayShow,
      redact,
      redactText,
      secrets,
      now,
    });
    this.#tabs = tabs;
    this.#around.events.emit({
      kind: "browser_started",
      reason: live.attached
        ? `${live.version} (attached, unproven${live.proxied ? "" : ", beside our proxy"})`
        : live.version,
    });
    return { live, tabs };
  }

  async #end(reason: string): Promise<void> {
    this.stopIdle();
    const starting = this.#live;
    if (starting === null) return;
    const hadPages = this.#tabs !== null;
    this.#live = null;
    this.#tabs = null;
    if (hadPages) {
      this.#lost = reason;
      this.#around.events.emit({ kind: "browser_ended", reason });
    }
    const ended = starting.then(
      ({ live }) => live.close(),
      () => {},
    );
    this.#ending = Promise.allSettled([this.#ending, ended]);
    await ended;
  }

  /**
   * Ends a browser of ours that answers nothing any more: a page can give its process more to do than it ever gets done,
   * and no tab of it would open again.
   */
  async endIfStuck(wire: Wire): Promise<void> {
    if (this.#options.browser.cdpUrl !== undefined || wire.closed) return;
    const answers = wire.send("Browser.getVersion", {}, { timeoutMs: STUCK_AFTER_MS });
    if (
      await answers.then(
        () => true,
        () => false,
      )
    )
      return;
    await this.#end("it did not answer any more, as a page kept it busy");
  }

  /** What an error means: the browser's end shows itself as the end of a page or of a wait first. */
  failureOf(error: unknown, wire: Wire | null): Failure {
    const failure = asFailure(error);
    if (failure.code === "cancelled" || failure.code === "no_browser") return failure;
    if (this.#closed) return new Failure("browser_ended", "The session is closed.", { cause: error });
    if (wire?.closed !== true) return failure;
    return new Failure("browser_ended", "The browser ended during the call. Open the page again with navigate.", {
      cause: error,
    });
  }

  /** A call is over. */
  startIdle(): void {
    const { idleMs } = this.#options;
    if (idleMs === null || this.#live === null || this.#closed) return;
    this.#idle = setTimeout(() => void this.#end("the browser was closed after its idle time"), idleMs);
    this.#idle.unref();
  }

  /** A call begins. */
  stopIdle(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
  }

  #tabOf(page: string | null): TabId | null {
    return page === null ? null : (this.#tabs?.byTarget(page)?.tab ?? null);
  }
}
