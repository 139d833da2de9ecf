import type * as playwright from "playwright-core";
import { Failure } from "../errors.ts";
import { BlockTable } from "../page/block-table.ts";
import { CursorTable } from "../page/cursors.ts";
import { stopLoading } from "../page/go.ts";
import { RefTable } from "../page/refs.ts";
import type { View } from "../page/view.ts";
import type { BrowserEvent, CallId, Permit } from "../types.ts";
import type { Wire } from "../wire/wire.ts";
import { Actor, isErrorPage, notLoaded } from "./actor.ts";
import { CauseKeeper } from "./causes.ts";
import { Deadline } from "./deadline.ts";
import { EventStream } from "./events.ts";
import { BrowserKeeper, type KeeperOptions, type Started } from "./keeper.ts";
import { asFailure, failed, nothing, type Perform, type Performed, type Request } from "./performed.ts";
import { CallQueue } from "./queue.ts";
import { RequestLog } from "./requests.ts";

export type { Desk, Perform, Performed, Plan, Request } from "./performed.ts";

export interface SessionOptions extends KeeperOptions {
  readonly actionTimeoutMs: number;
  readonly maxContentTokens: number;
}

/** A start that fails at its deadline says why: there is a moment for that. */
const START_FAILURE_MS = 2_000;

/** One browser with its tabs, refs and events. Runs calls one after another: resolve, ask the guard, act with its permit, look. */
export class Session {
  readonly events = new EventStream();
  readonly requests: RequestLog;
  readonly blocks = new BlockTable();
  readonly cursors = new CursorTable();
  /** A script of the agent's ran in a page: what is promised of values and effects no longer holds. */
  unguarded = false;
  readonly #options: SessionOptions;
  readonly #queue = new CallQueue();
  readonly #refs = new RefTable();
  readonly #causes: CauseKeeper;
  readonly #keeper: BrowserKeeper;
  readonly #actor: Actor;
  /** Up to which event results have told, and up to which the running call's will. */
  #told = 0;
  #telling = 0;
  /** So many calls share one result. */
  #sharing = 1;
  #calls = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.requests = new RequestLog(this.events, options.redact);
    this.#causes = new CauseKeeper({
      siteOf: options.siteOf,
      active: () => this.#keeper.tabs?.active?.target ?? null,
      openerOf: (page) => this.#keeper.tabs?.active?.wire.target(page)?.openerId ?? null,
    });
    this.#keeper = new BrowserKeeper(options, {
      events: this.events,
      requests: this.requests,
      refs: this.#refs,
      causeOf: (...about) => this.#causes.of(...about),
    });
    this.#actor = new Actor({
      ...options,
      requests: this.requests,
      cursors: this.cursors,
      tabs: () => this.#keeper.tabs,
      untold: () => this.#untold(),
      failureOf: (error, view) => this.#failureOf(error, view?.wire ?? null),
    });
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
    this.#causes.codeBegins();
    const { tabs } = await this.#keeper.started();
    const { navigationTimeoutMs, now } = this.#options;
    const time = new Deadline({ totalMs: navigationTimeoutMs, kind: "navigation", now });
    return (await time.within(tabs.current())).page;
  }

  /** Ends the browser; nothing of it is left afterwards. Calls in line get `browser_ended`. */
  async close(): Promise<void> {
    await this.#keeper.close();
  }

  async #perform<Fields>(request: Request<Fields>, knows: number): Promise<Performed<Fields>> {
    const call = `c${++this.#calls}` as CallId;
    const mark = this.events.mark;
    this.#keeper.stopIdle();
    this.#causes.callBegins(call);
    let permit: Permit | null = null;
    let view: View | null = null;
    let wire: Wire | null = null;
    try {
      const { lost } = this.#keeper;
      const { live, tabs } = await this.#start(request);
      wire = live.wire;
      tabs.callBegins();
      if (lost !== null && !request.opens) throw new Failure("browser_ended", `The page is gone: ${lost}. Open it again with navigate.`);
      const time = this.#deadline(request, knows);
      const plan = await time.within(request.plan({ call, time, tabs, events: this.events, requests: this.requests }));
      view = plan.view;
      if (view !== null && plan.verb !== "go" && isErrorPage(view.url)) {
        await this.#actor.leave(view);
        throw notLoaded();
      }
      const out = view === null || plan.verb === "go" ? null : this.#actor.outOfReach(view);
      if (view !== null && out !== null) {
        await this.#actor.leave(view);
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
      const result = await this.#actor.act(plan, permit, time, mark, request.quiet === true);
      this.#options.guard.outcome(permit, { ok: result.ok, code: result.error?.code });
      return { ...result, receipt: permit.receipt };
    } catch (error) {
      const result = failed<Fields>(this.#saidOf(this.#failureOf(error, wire)));
      if (permit !== null) this.#options.guard.outcome(permit, { ok: false, code: result.error?.code });
      // What a cancelled call has begun must not come over the next one.
      if (result.error?.code === "cancelled" && view !== null && view.wire.activity.of(view.target).navigation !== null) await stopLoading(view);
      return { ...result, receipt: permit?.receipt ?? null, events: this.#untold(), page: null };
    } finally {
      this.#causes.callEnds();
      this.#told = this.#telling;
      this.#keeper.startIdle();
    }
  }

  /** The browser's end shows itself as the end of a page or of a wait first. */
  #failureOf(error: unknown, wire: Wire | null): Failure {
    const failure = asFailure(error);
    if (failure.code === "cancelled" || failure.code === "no_browser") return failure;
    if (this.#keeper.closed) return new Failure("browser_ended", "The session is closed.", { cause: error });
    if (wire?.closed !== true) return failure;
    return new Failure("browser_ended", "The browser ended during the call. Open the page again with navigate.", { cause: error });
  }

  /** A page that waits for its next document cannot be asked: that is what the model should know. */
  #saidOf(error: unknown): unknown {
    const view = this.#keeper.tabs?.active ?? null;
    const isWaiting = Failure.is(error) && error.code === "timeout" && view !== null && view.wire.activity.of(view.target).navigation !== null;
    return isWaiting ? this.#actor.stillLoading(view) : error;
  }

  /** What happened since the last result, also between the calls. */
  #untold(): readonly BrowserEvent[] {
    this.#telling = this.events.mark;
    return this.events.since(this.#told).map((entry) => entry.event);
  }

  #deadline<Fields>(request: Request<Fields>, knows: number): Deadline {
    const { actionTimeoutMs, navigationTimeoutMs, now } = this.#options;
    const kind = request.timeoutMs === undefined ? request.deadline : "call";
    const totalMs = request.timeoutMs ?? (request.deadline === "navigation" ? navigationTimeoutMs : actionTimeoutMs);
    return new Deadline({ totalMs, kind, now, signal: request.signal, knows });
  }

  /** The browser's start has the navigation deadline, not the action's. A call with `timeout_ms` waits no longer than that; the start goes on. */
  #start<Fields>(request: Request<Fields>): Promise<Started> {
    const time = new Deadline({
      totalMs: request.timeoutMs ?? this.#options.navigationTimeoutMs + START_FAILURE_MS,
      kind: request.timeoutMs === undefined ? "navigation" : "call",
      now: this.#options.now,
      signal: request.signal,
    });
    return time.within(this.#keeper.started());
  }

  /** Address and title of a tab, without them where the page may not be shown. */
  shownPage(view: View): Promise<{ readonly title: string; readonly url: string }> {
    return this.#actor.shownPage(view);
  }
}
