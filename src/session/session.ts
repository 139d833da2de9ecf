import type * as playwright from "playwright-core";
import type { StorageState } from "../config/index.ts";
import { Failure } from "../errors.ts";
import type { Guard } from "../guard/index.ts";
import { BlockTable } from "../page/block-table.ts";
import { CursorTable } from "../page/cursors.ts";
import { stopLoading } from "../page/go.ts";
import { type Look, lookAt, type Show } from "../page/look.ts";
import { RefTable } from "../page/refs.ts";
import type { SeenFrame } from "../page/seen.ts";
import { settle } from "../page/settle.ts";
import type { View } from "../page/view.ts";
import type { BrowserEvent, CallId, Cause, Element, Intent, Permit, Receipt, Refuse, Site, TabId, Value, Verb } from "../types.ts";
import type { RequestSeen } from "../wire/interception.ts";
import type { Wire } from "../wire/wire.ts";
import { attachLive } from "./attach.ts";
import { Deadline, type DeadlineKind } from "./deadline.ts";
import type { EgressOptions } from "./egress.ts";
import { EventStream, type StampedEvent } from "./events.ts";
import { type Live, type LiveOptions, startLive } from "./live.ts";
import { CallQueue } from "./queue.ts";
import { RequestLog } from "./requests.ts";
import { Tabs } from "./tabs.ts";

export interface SessionOptions {
  readonly guard: Guard;
  readonly siteOf: (url: string) => Site | null;
  /** Takes user-info, fragments and credentials out of an address. */
  readonly redact: (url: string) => string;
  /** Takes credentials out of a page's words. */
  readonly redactText: (text: string) => string;
  /** What the egress proxy asks: the address rule, and names that are served from elsewhere. */
  readonly egress: Pick<EgressOptions, "allowAddress" | "hostMap">;
  readonly browser: LiveOptions["browser"];
  /** Every browser of the session begins with it. */
  readonly storageState?: StorageState | undefined;
  readonly actionTimeoutMs: number;
  readonly navigationTimeoutMs: number;
  readonly maxContentTokens: number;
  /** Ends the browser after so long without a call; null: never. */
  readonly idleMs: number | null;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** One line for the person at the terminal. */
  readonly warn: (line: string) => void;
}

/** What a tool wants to do, before it is decided. */
export interface Plan<Fields> {
  readonly verb: Verb;
  readonly view: View | null;
  readonly element?: Element | null;
  readonly values?: readonly Value[];
  readonly sink?: Intent["sink"];
  /** What the model gets to see afterwards. */
  readonly look: "page" | "change" | "nothing";
  /** A look that the page may react to, as to being put in front. */
  readonly stirs?: boolean;
  /** Where a look at less than the page begins. */
  readonly root?: Element | null;
  /** What of it, when not simply all. */
  readonly show?: Show;
  act(permit: Permit): Promise<Fields>;
}

/** One call's workplace: the deadline it has and the tabs it can use. */
export interface Desk {
  readonly call: CallId;
  readonly time: Deadline;
  readonly tabs: Tabs;
  readonly events: EventStream;
  readonly requests: RequestLog;
}

export interface Request<Fields> {
  readonly tool: string;
  readonly deadline: DeadlineKind;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** It may start on an empty tab: the others are told when the browser's end took the page away. */
  readonly opens: boolean;
  /** More calls follow at once: what changed on the page is told by a later look. */
  readonly quiet?: boolean;
  plan(desk: Desk): Promise<Plan<Fields>>;
}

export interface Performed<Fields> {
  readonly ok: boolean;
  readonly fields: Fields | null;
  readonly refused: Refuse | null;
  readonly error: Failure | null;
  readonly look: Look | null;
  readonly page: { readonly url: string; readonly title: string; readonly tab: TabId } | null;
  readonly changed: "document" | "content" | "nothing" | null;
  readonly events: readonly BrowserEvent[];
  readonly receipt: Receipt | null;
}

/** Makes one call. Never rejects. */
export type Perform = <Fields>(request: Request<Fields>) => Promise<Performed<Fields>>;

const TITLE_TIMEOUT_MS = 500;
/** A look after a failed or slow act is a courtesy, not worth a deadline of its own. */
const LAST_LOOK_MS = 1_000;
/** A document that is just being replaced cannot be read for a moment. */
const LOOK_TRIES = 3;
const LOOK_AGAIN_MS = 100;
/** Chromium puts its own error page up this soon after a navigation has failed. */
const ERROR_PAGE_MS = 300;
const START_FAILURE_MS = 2_000;
const ERROR_PAGE = /^chrome-error:/;

/** One browser with its tabs, refs and events. Runs calls one after another: resolve, ask the guard, act with its permit, look. */
export class Session {
  readonly events = new EventStream();
  readonly requests: RequestLog;
  readonly blocks = new BlockTable();
  /** A script of the agent's ran in a page: what is promised of values and effects no longer holds. */
  unguarded = false;
  readonly cursors = new CursorTable();
  readonly #options: SessionOptions;
  readonly #queue = new CallQueue();
  readonly #refs = new RefTable();
  #live: Promise<{ readonly live: Live; readonly tabs: Tabs }> | null = null;
  #tabs: Tabs | null = null;
  #lost: string | null = null;
  /** The ends of browsers that are not over yet. */
  #ending: Promise<unknown> = Promise.resolve();
  /** Up to which event results have told, and up to which the running call's will. */
  #told = 0;
  #telling = 0;
  #running: CallId | null = null;
  #code = false;
  /** So many calls share one result. */
  #sharing = 1;
  #calls = 0;
  #tabNumber = 0;
  #idle: NodeJS.Timeout | null = null;
  #closed = false;
  /** Ends a start that is under way. */
  readonly #giveUp = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.requests = new RequestLog(this.events, options.redact);
  }

  /** What the running call may use of a result. */
  get maxContentTokens(): number {
    return Math.floor(this.#options.maxContentTokens / this.#sharing);
  }

  /** One call from its arguments to what is told of it. Never rejects. */
  async perform<Fields>(request: Request<Fields>): Promise<Performed<Fields>> {
    try {
      // Calls that wait in line were made before the results of those ahead of them.
      const knows = this.#refs.views;
      return await this.#queue.run(() => this.#perform(request, knows), request.signal);
    } catch (error) {
      return failed(error);
    }
  }

  /** So many calls as one, with no other between them. Rejects with `Failure("cancelled")` when it was given up in line. */
  together<Result>(count: number, work: (perform: Perform) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const knows = this.#refs.views;
    return this.#queue.run(async () => {
      // What is shown of the page has the other half.
      this.#sharing = 2 * count;
      try {
        return await work((request) => this.#perform(request, knows));
      } finally {
        this.#sharing = 1;
      }
    }, signal);
  }

  /** A Playwright page under the same guard; its requests have cause `code`. Rejects with `Failure`. */
  async page(): Promise<playwright.Page> {
    this.#code = true;
    const { tabs } = await this.#started();
    const { navigationTimeoutMs, now } = this.#options;
    const time = new Deadline({ totalMs: navigationTimeoutMs, kind: "navigation", now });
    return (await time.within(tabs.current())).page;
  }

  /** Ends the browser; nothing of it is left afterwards. Calls in line get `browser_ended`. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#giveUp.abort();
    await this.#end("the session was closed");
    await this.#ending;
  }

  async #perform<Fields>(request: Request<Fields>, knows: number): Promise<Performed<Fields>> {
    const call = `c${++this.#calls}` as CallId;
    const mark = this.events.mark;
    this.#stopIdle();
    this.#running = call;
    let permit: Permit | null = null;
    let view: View | null = null;
    let wire: Wire | null = null;
    try {
      const lost = this.#lost;
      const { live, tabs } = await this.#start(request);
      wire = live.wire;
      tabs.callBegins();
      if (lost !== null && !request.opens) throw new Failure("browser_ended", `The page is gone: ${lost}. Open it again with navigate.`);
      const time = this.#deadline(request, knows);
      const plan = await time.within(request.plan({ call, time, tabs, events: this.events, requests: this.requests }));
      view = plan.view;
      if (view !== null && plan.verb !== "go" && ERROR_PAGE.test(view.url)) {
        await this.#leave(view);
        throw notLoaded();
      }
      const out = view === null || plan.verb === "go" ? null : this.#outOfReach(view);
      if (view !== null && out !== null) {
        await this.#leave(view);
        return { ...nothing, refused: out, events: this.#untold() };
      }
      const decision = this.#options.guard.call({
        call,
        tool: request.tool,
        verb: plan.verb,
        tab: view?.tab ?? null,
        element: plan.element ?? null,
        values: plan.values ?? [],
        sink: plan.sink ?? null,
      });
      if ("refused" in decision) return { ...nothing, refused: decision.refused, receipt: decision.receipt, events: this.#untold() };
      permit = decision.permit;
      const result = await this.#act(plan, permit, time, mark, request.quiet === true);
      this.#options.guard.outcome(permit, { ok: result.ok, code: result.error?.code });
      return { ...result, receipt: permit.receipt };
    } catch (error) {
      const result = failed<Fields>(this.#saidOf(this.#failureOf(error, wire)));
      if (permit !== null) this.#options.guard.outcome(permit, { ok: false, code: result.error?.code });
      // What a cancelled call has begun must not come over the next one.
      if (result.error?.code === "cancelled" && view !== null && view.wire.activity.of(view.target).navigation !== null) await stopLoading(view);
      return { ...result, receipt: permit?.receipt ?? null, events: this.#untold(), page: null };
    } finally {
      this.#running = null;
      this.#told = this.#telling;
      this.#startIdle();
    }
  }

  async #act<Fields>(plan: Plan<Fields>, permit: Permit, time: Deadline, mark: number, quiet: boolean): Promise<Performed<Fields>> {
    const { view } = plan;
    const since = this.#options.now();
    const before = view?.document ?? null;
    const activity = view?.wire.activity.of(view.target);
    const failedBefore = activity?.failedNavigations ?? 0;
    if (activity !== undefined) activity.acting = true;
    const urlBefore = view?.url ?? null;
    let fields: Fields | null = null;
    let failure: Failure | null = null;
    try {
      // Beside other tabs a page that is not in front takes a second for each input.
      if (view !== null && plan.verb !== "look" && (this.#tabs?.list().length ?? 0) > 1) await time.within(view.page.bringToFront());
      fields = await time.within(plan.act(permit));
      if (view !== null && plan.look !== "nothing") {
        const onlyRead = plan.verb === "look" && plan.stirs !== true;
        const settled = await settle(view.wire, view.target, {
          remainingMs: () => time.remainingMs(),
          now: this.#options.now,
          since,
          document: before,
          onlyRead,
        });
        if (settled === "still_loading") failure = this.#stillLoading(view);
        if (settled === "cut") failure = new Failure("navigation_failed", "The connection broke before the page was whole; what came of it is shown.");
      }
    } catch (error) {
      failure = this.#failureOf(error, view?.wire ?? null);
      if (failure.code === "browser_ended" || failure.code === "cancelled") throw failure;
    } finally {
      if (activity !== undefined) activity.acting = false;
    }
    const tabs = this.#tabs;
    await tabs?.settled(time.remainingMs());
    const refused = this.requests.refusedNavigation(mark, view?.target ?? null);
    if (view !== null && refused === null && (activity?.failedNavigations ?? 0) > failedBefore)
      await view.wire.activity.until(view.target, () => ERROR_PAGE.test(view.url), ERROR_PAGE_MS);
    const events = this.#untold();
    const gone = view !== null && tabs?.get(view.tab) === undefined;
    if (view !== null && gone) failure = tabs?.whyClosed(view.tab) ?? failure;
    if (view === null || gone || plan.look === "nothing") {
      return {
        ...nothing,
        ok: failure === null && refused === null,
        fields,
        refused,
        error: failure,
        events,
      };
    }
    if (ERROR_PAGE.test(view.url)) {
      await this.#leave(view);
      return { ...nothing, events, error: failure ?? notLoaded() };
    }
    const out = this.#outOfReach(view);
    if (out !== null) {
      await this.#leave(view);
      return { ...nothing, refused: refused ?? out, events, error: failure };
    }
    const document = view.document !== before;
    if (quiet && plan.look === "change" && !document && failure === null && refused === null) return { ...nothing, ok: true, fields, events };
    const seen = await this.#look(view, plan, document, failure === null ? time : this.#courtesy(time));
    const look = Failure.is(seen) ? null : seen;
    if (Failure.is(seen)) failure ??= seen;
    const changed = document ? "document" : (look?.changed ?? false) || view.url !== urlBefore ? "content" : "nothing";
    const page =
      document || view.url !== urlBefore || plan.look === "page" ? { url: this.#options.redact(view.url), title: look?.title ?? "", tab: view.tab } : null;
    return {
      ok: failure === null && refused === null,
      fields,
      refused,
      error: failure,
      look,
      page,
      changed: plan.verb === "look" ? null : changed,
      events,
      receipt: null,
    };
  }

  async #look<Fields>(view: View, plan: Plan<Fields>, newDocument: boolean, time: Deadline): Promise<Look | Failure> {
    for (let tries = 1; ; tries++) {
      try {
        return await time.within(
          lookAt(view, {
            since: (plan.look === "change" && !newDocument) || plan.show !== undefined ? "last" : "nothing",
            maxTokens: this.#options.maxContentTokens,
            root: plan.root ?? null,
            show: plan.show,
            cursors: this.cursors,
            time,
          }),
        );
      } catch (error) {
        const failure = asFailure(error);
        if (failure.code === "browser_ended" || failure.code === "cancelled") throw failure;
        if (view.wire.activity.of(view.target).navigation !== null) return this.#stillLoading(view);
        if (failure.code === "timeout")
          return new Failure(
            "timeout",
            `The page did not answer within ${time.totalMs} ms: a script keeps it busy. Open it again, or another, with navigate.`,
            { cause: failure },
          );
        if (tries === LOOK_TRIES) return failure;
        await view.wire.activity.next(view.target, Math.min(LOOK_AGAIN_MS, time.remainingMs()));
      }
    }
  }

  /** Why the committed document may not be shown; null when it may. */
  #outOfReach(view: View): Refuse | null {
    const shown = this.#options.guard.show(view.url, "main");
    return shown.verdict === "refuse" ? shown : null;
  }

  /** What is out of reach is not left on the screen either. */
  async #leave(view: View): Promise<void> {
    await stopLoading(view);
    const empty = (): Promise<unknown> => view.page.goto("about:blank", { waitUntil: "commit", timeout: LAST_LOOK_MS });
    try {
      // The second time: what was on its way when the first began may have come in between.
      await empty().catch(empty);
    } catch {
      await this.#tabs?.close(view);
    }
  }

  #stillLoading(view: View): Failure {
    const navigation = view.wire.activity.of(view.target).navigation;
    const site = navigation === null ? null : this.#options.siteOf(navigation.url);
    return new Failure("still_loading", `The page is still loading${site === null ? "" : ` from ${site}`}; the tab is kept. Use wait_for or snapshot later.`);
  }

  /** The browser's end shows itself as the end of a page or of a wait first. */
  #failureOf(error: unknown, wire: Wire | null): Failure {
    const failure = asFailure(error);
    if (failure.code === "cancelled" || failure.code === "no_browser") return failure;
    if (this.#closed) return new Failure("browser_ended", "The session is closed.", { cause: error });
    if (wire?.closed !== true) return failure;
    return new Failure("browser_ended", "The browser ended during the call. Open the page again with navigate.", { cause: error });
  }

  /** A page that waits for its next document cannot be asked: that is what the model should know. */
  #saidOf(error: unknown): unknown {
    const view = this.#tabs?.active ?? null;
    const isWaiting = Failure.is(error) && error.code === "timeout" && view !== null && view.wire.activity.of(view.target).navigation !== null;
    return isWaiting ? this.#stillLoading(view) : error;
  }

  /** What happened since the last result, also between the calls. */
  #untold(): readonly BrowserEvent[] {
    this.#telling = this.events.mark;
    return this.events.since(this.#told).map((entry: StampedEvent) => entry.event);
  }

  #deadline<Fields>(request: Request<Fields>, knows: number): Deadline {
    const { actionTimeoutMs, navigationTimeoutMs, now } = this.#options;
    const kind = request.timeoutMs === undefined ? request.deadline : "call";
    const totalMs = request.timeoutMs ?? (request.deadline === "navigation" ? navigationTimeoutMs : actionTimeoutMs);
    return new Deadline({ totalMs, kind, now, signal: request.signal, knows });
  }

  #courtesy(time: Deadline): Deadline {
    return new Deadline({ totalMs: Math.max(time.remainingMs(), LAST_LOOK_MS), kind: time.kind, now: this.#options.now, signal: time.signal });
  }

  /** The browser's start has the navigation deadline, not the action's. A call with `timeout_ms` waits no longer than that; the start goes on. */
  #start<Fields>(request: Request<Fields>): Promise<{ readonly live: Live; readonly tabs: Tabs }> {
    const time = new Deadline({
      // A start that fails at its deadline says why: there is a moment for that.
      totalMs: request.timeoutMs ?? this.#options.navigationTimeoutMs + START_FAILURE_MS,
      kind: request.timeoutMs === undefined ? "navigation" : "call",
      now: this.#options.now,
      signal: request.signal,
    });
    return time.within(this.#started());
  }

  #started(): Promise<{ readonly live: Live; readonly tabs: Tabs }> {
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

  async #launch(startTimeoutMs: number): Promise<{ readonly live: Live; readonly tabs: Tabs }> {
    const { guard, browser, storageState, now, siteOf, redact, redactText } = this.#options;
    const mayShow = (url: string): boolean => guard.show(url, "frame").verdict === "allow";
    const live = await (browser.cdpUrl === undefined ? startLive : attachLive)({
      browser,
      storageState,
      egress: { ...this.#options.egress, onDecision: (event) => this.requests.proxied(event) },
      signal: this.#giveUp.signal,
      startTimeoutMs,
      judge: guard,
      causeOf: (page) => this.#causeOf(page),
      onRequest: (seen: RequestSeen) => this.requests.add(seen, this.#tabOf(seen.facts.from.page)),
      onResponse: (networkId, status) => this.requests.status(networkId, status),
      onEnd: (reason) => void this.#end(reason),
      now,
    });
    if (this.#closed) {
      await live.close();
      throw new Failure("browser_ended", "The session is closed.");
    }
    this.#lost = null;
    const nextTab = (): TabId => `t${++this.#tabNumber}` as TabId;
    const tabs = new Tabs({ wire: live.wire, context: live.context, refs: this.#refs, events: this.events, nextTab, siteOf, mayShow, redact, redactText, now });
    this.#tabs = tabs;
    this.events.emit({ kind: "browser_started", reason: live.attached ? `${live.version} (attached, unproven)` : live.version });
    return { live, tabs };
  }

  async #end(reason: string): Promise<void> {
    this.#stopIdle();
    const starting = this.#live;
    if (starting === null) return;
    const hadPages = this.#tabs !== null;
    this.#live = null;
    this.#tabs = null;
    if (hadPages) {
      this.#lost = reason;
      this.events.emit({ kind: "browser_ended", reason });
    }
    const ended = starting.then(
      ({ live }) => live.close(),
      () => {},
    );
    this.#ending = Promise.allSettled([this.#ending, ended]);
    await ended;
  }

  /** A request is the running call's when it comes from the active tab or from a popup that tab opened. */
  #causeOf(page: string | null): Cause {
    if (this.#running === null) return { by: this.#code ? "code" : "page" };
    const active = this.#tabs?.active;
    let at = page;
    for (let depth = 0; at !== null && depth < 10; depth++) {
      if (at === active?.target) return { by: "call", call: this.#running };
      at = active?.wire.target(at)?.openerId ?? null;
    }
    return { by: "page" };
  }

  /** Address and title of a tab, without them where the page may not be shown. */
  async shownPage(view: View): Promise<{ readonly title: string; readonly url: string }> {
    if (this.#options.guard.show(view.url, "main").verdict !== "allow") return { title: "", url: "" };
    return { title: await titleOf(view), url: this.#options.redact(view.url) };
  }

  #tabOf(page: string | null): TabId | null {
    return page === null ? null : (this.#tabs?.byTarget(page)?.tab ?? null);
  }

  #startIdle(): void {
    const { idleMs } = this.#options;
    if (idleMs === null || this.#live === null || this.#closed) return;
    this.#idle = setTimeout(() => void this.#end("the browser was closed after its idle time"), idleMs);
    this.#idle.unref();
  }

  #stopIdle(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
  }
}

const nothing = { ok: false, fields: null, refused: null, error: null, look: null, page: null, changed: null, events: [], receipt: null } as const;

function failed<Fields>(error: unknown): Performed<Fields> {
  return { ...nothing, error: asFailure(error) };
}

function notLoaded(): Failure {
  return new Failure("navigation_failed", "The page could not be loaded; the tab is empty now. Open it again, or another, with navigate.");
}

/** What nobody foresaw is a failure of the page as far as the model needs to know. */
function asFailure(error: unknown): Failure {
  return Failure.is(error) ? error : new Failure("page_ended", "The call could not be finished. Take a snapshot to see what the page shows.", { cause: error });
}

/** By the observer, which takes secrets out of titles too. */
async function titleOf(view: View): Promise<string> {
  const [main] = view.frames();
  if (main === undefined) return "";
  try {
    return ((await view.ask(main, "look", [{ budgetTokens: 1 }], TITLE_TIMEOUT_MS)) as SeenFrame).title;
  } catch {
    return "";
  }
}
