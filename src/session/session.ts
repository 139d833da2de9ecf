import type * as playwright from "playwright-core";
import { Failure } from "../errors.ts";
import type { CallGuard, EventGuard, RequestGuard, Waiting } from "../guard/index.ts";
import { stopLoading } from "../page/acting/go.ts";
import { BlockTable } from "../page/snapshot/block-table.ts";
import { CursorTable } from "../page/view/cursors.ts";
import { RefTable } from "../page/view/refs.ts";
import type { View } from "../page/view/view.ts";
import type { BrowserEvent, CallId, Choice, Intent, Permit, QuestionId } from "../types.ts";
import type { Wire } from "../wire/wire.ts";
import { Actor, type Held, isErrorPage, notLoaded } from "./actor.ts";
import { CauseKeeper } from "./causes.ts";
import { Deadline } from "./deadline.ts";
import { EventStream } from "./events.ts";
import { BrowserKeeper, type KeeperOptions, type Started } from "./keeper.ts";
import {
  asFailure,
  type Desk,
  failed,
  isSuspended,
  nothing,
  type Perform,
  type Performed,
  type Plan,
  type Request,
  type Suspended,
} from "./performed.ts";
import { CallQueue } from "./queue.ts";
import { RequestLog } from "./requests.ts";
import type { Tabs } from "./tabs.ts";

export type { Desk, Perform, Performed, Plan, Request } from "./performed.ts";

export interface SessionOptions extends KeeperOptions {
  readonly guard: CallGuard & RequestGuard & EventGuard;
  /** Milliseconds since 1970, as questions have them. */
  readonly clock: () => number;
  readonly actionTimeoutMs: number;
  readonly maxContentTokens: number;
  /** How long a call waits for a person before it answers `pending`; default 45 s. */
  readonly patienceMs?: number | undefined;
}

/** Clients give up on calls after a minute: one that waits for a person says so before. */
const PENDING_AFTER_MS = 45_000;
/** What an answer lets happen has at least this long. */
const AFTER_ANSWER_MS = 3_000;
/** A start that fails at its deadline says why: there is a moment for that. */
const START_FAILURE_MS = 2_000;

/** What is told of a call that waits. */
const PENDING = {
  held: "Nothing was sent yet: what this call would send waits for a person's answer. Go on with wait_for and this approval; do not repeat the call.",
  "not made":
    "Nothing was done: a person's answer is awaited first. Go on with wait_for and this approval, then make the call again.",
} as const;

/** A call while it is made. */
interface Run {
  readonly call: CallId;
  /** The event stream's place when it began. */
  readonly mark: number;
  permit: Permit | null;
  view: View | null;
  wire: Wire | null;
}

/**
 * One browser with its tabs, refs and events. Runs calls one after another: resolve, ask the guard, act with its
 * permit, look.
 */
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
  /** The running call, and those of its batch before it. */
  #together: readonly CallId[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
    this.requests = new RequestLog(this.events, options.redact);
    this.#causes = new CauseKeeper({
      siteOf: options.siteOf,
      active: () => this.#keeper.tabs?.active?.target ?? null,
      openerOf: (page) => this.#keeper.tabs?.target(page)?.openerId ?? null,
      isThere: (page) => this.#keeper.tabs?.target(page) !== undefined,
    });
    this.#keeper = new BrowserKeeper(options, {
      events: this.events,
      requests: this.requests,
      refs: this.#refs,
      causeOf: (...about) => this.#causes.of(...about),
      driven: (page) => this.#causes.codeActs(page),
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

  get #patienceMs(): number {
    return this.#options.patienceMs ?? PENDING_AFTER_MS;
  }

  /** What the running call may use of a result. */
  get maxContentTokens(): number {
    return Math.floor(this.#options.maxContentTokens / this.#sharing);
  }

  /** One call from its arguments to what is told of it. Never rejects. While it waits for a person, others run. */
  async perform<Fields>(request: Request<Fields>): Promise<Performed<Fields>> {
    // Calls that wait in line were made before the results of those ahead of them.
    const knows = this.#refs.views;
    const inLine = <T>(work: () => Promise<T>): Promise<T> => this.#queue.run(work, request.signal);
    try {
      let step = await inLine(() => this.#perform(request, knows, null));
      while (isSuspended(step)) step = await this.#answered(step, request, inLine);
      return step;
    } catch (error) {
      return failed(error);
    }
  }

  /**
   * So many calls as one, with no other between them: what they cause is asked about together. Rejects with
   * `Failure("cancelled")` when it was given up in line.
   */
  together<Result>(count: number, work: (perform: Perform) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const knows = this.#refs.views;
    return this.#queue.run(async () => {
      // What is shown of the page has the other half.
      this.#sharing = 2 * count;
      let group: CallId | null = null;
      try {
        return await work(async (request) => {
          try {
            let step = await this.#perform(request, knows, group);
            group ??= `c${this.#calls}` as CallId;
            while (isSuspended(step)) step = await this.#answered(step, request, (next) => next());
            return step;
          } catch (error) {
            return failed(error);
          }
        });
      } finally {
        this.#sharing = 1;
        // A batch that ended early has left something to ask about.
        for (
          let waiting = group === null ? null : this.#options.guard.asks(group);
          waiting !== null && group !== null;
        ) {
          if ((await this.#person(waiting, this.#patienceMs, signal)) === null) break;
          waiting = this.#options.guard.asks(group);
        }
      }
    }, signal);
  }

  /** Waits for the person, then goes on in line. */
  async #answered<Fields>(
    step: Suspended<Fields>,
    request: Request<Fields>,
    inLine: (
      work: () => Promise<Performed<Fields> | Suspended<Fields>>,
    ) => Promise<Performed<Fields> | Suspended<Fields>>,
  ): Promise<Performed<Fields> | Suspended<Fields>> {
    const { now } = this.#options;
    const since = now();
    // A deadline of the call's own counts only where waiting is all it does: else it is the page's, not the person's.
    const longestMs = this.#patienceMs;
    const patienceMs = Math.min(longestMs, request.reads === undefined ? longestMs : (request.timeoutMs ?? longestMs));
    let choice: Choice | null;
    try {
      choice = await this.#person(step.waiting, patienceMs, request.signal);
    } catch (error) {
      step.drop();
      throw error;
    }
    if (choice === null) return step.pending();
    return inLine(() => step.resume(choice, now() - since));
  }

  /** The answer; null when there is none within so many ms. Rejects with `Failure("cancelled")`. */
  async #person(waiting: Waiting | null, patienceMs: number, signal: AbortSignal | undefined): Promise<Choice | null> {
    if (waiting === null) return null;
    const time = new Deadline({ totalMs: patienceMs, kind: "call", now: this.#options.now, signal });
    try {
      return await time.within(waiting.answered);
    } catch (error) {
      if (Failure.is(error) && error.code === "timeout") return null;
      throw error;
    }
  }

  /** A Playwright page under the same guard; its requests have cause `code`. Rejects with `Failure`. */
  async page(): Promise<playwright.Page> {
    const { tabs } = await this.#keeper.started();
    this.#causes.codeBegins();
    const { navigationTimeoutMs, now } = this.#options;
    const time = new Deadline({ totalMs: navigationTimeoutMs, kind: "navigation", now });
    return (await time.within(tabs.current())).page;
  }

  /** Ends the browser; nothing of it is left afterwards. Calls in line get `browser_ended`. */
  async close(): Promise<void> {
    await this.#keeper.close();
  }

  async #perform<Fields>(
    request: Request<Fields>,
    knows: number,
    group: CallId | null,
  ): Promise<Performed<Fields> | Suspended<Fields>> {
    const call = `c${++this.#calls}` as CallId;
    this.#together = group === null ? [call] : [...this.#together, call];
    const run: Run = { call, mark: this.events.mark, permit: null, view: null, wire: null };
    return this.#running(run, async () => {
      const { lost } = this.#keeper;
      const { live, tabs } = await this.#start(request);
      run.wire = live.wire;
      tabs.callBegins();
      if (lost !== null && !request.opens)
        throw new Failure("browser_ended", `The page is gone: ${lost}. Open it again with navigate.`);
      const first = this.#waitsFor(request, tabs);
      if (first !== null) return { ...nothing, pending: this.#pendingOf(first, "not made"), events: this.#untold() };
      const time = this.#deadline(request, knows);
      const plan = await time.within(request.plan(this.#deskOf(call, time, tabs)));
      run.view = plan.view;
      const { waits } = plan;
      if (waits === undefined) return this.#decide(request, run, plan, time, group);
      return this.#suspended<Fields>(run, time, waits, () => this.#decide(request, run, plan, time, group));
    });
  }

  /** From what is meant to what came of it. */
  async #decide<Fields>(
    request: Request<Fields>,
    run: Run,
    plan: Plan<Fields>,
    time: Deadline,
    group: CallId | null,
    isAnswered = false,
  ): Promise<Performed<Fields> | Suspended<Fields>> {
    const { guard } = this.#options;
    const { call, view } = run;
    if (view !== null && plan.verb !== "go" && isErrorPage(view.url)) {
      await this.#actor.leave(view);
      throw notLoaded();
    }
    const out = view === null || plan.verb === "go" ? null : this.#actor.outOfReach(view);
    if (view !== null && out !== null) {
      await this.#actor.leave(view);
      return { ...nothing, refused: out, events: this.#untold() };
    }
    const intent: Intent = {
      call,
      tool: request.tool,
      verb: plan.verb,
      tab: view?.tab ?? null,
      ...(view !== null && { site: this.#options.siteOf(view.url), sites: view.sites(), document: view.document }),
      element: plan.element ?? null,
      ...(plan.focus != null && { focus: plan.focus }),
      values: plan.values ?? [],
      sink: plan.sink ?? null,
      reason: plan.reason,
    };
    const decision = guard.call(intent, { approver: request.approver, group, isAnswered });
    if ("waiting" in decision)
      return this.#suspended(run, time, decision.waiting, () => this.#decide(request, run, plan, time, group, true));
    if ("refused" in decision)
      return { ...nothing, refused: decision.refused, receipt: decision.receipt, events: this.#untold() };
    const { permit } = decision;
    run.permit = permit;
    if (decision.isInput) this.#noteInput(intent, view);
    const isQuiet = request.quiet === true;
    const done = await this.#actor.act(plan, permit, time, run.mark, isQuiet, isQuiet ? [call] : this.#together);
    if (!("waiting" in done)) return this.#concluded(permit, done);
    return this.#heldBack(run, permit, time, done);
  }

  /** An act that waits for an answer, as often as there is something to ask. */
  #heldBack<Fields>(run: Run, permit: Permit, time: Deadline, held: Held<Fields>): Suspended<Fields> {
    return this.#suspended(run, time, held.waiting, async () => {
      const next = await held.resume();
      return "waiting" in next ? this.#heldBack(run, permit, time, next) : this.#concluded(permit, next);
    });
  }

  #concluded<Fields>(permit: Permit, result: Performed<Fields>): Performed<Fields> {
    this.#options.guard.outcome(permit, { ok: result.ok, code: result.error?.code });
    return { ...result, receipt: permit.receipt };
  }

  /** What the call waits for, how it goes on, and what is told when it has to wait longer than a call may take. */
  #suspended<Fields>(
    run: Run,
    time: Deadline,
    waiting: Waiting,
    next: () => Promise<Performed<Fields> | Suspended<Fields>>,
  ): Suspended<Fields> {
    return {
      waiting,
      resume: (_choice, tookMs) => {
        time.goOn(tookMs, AFTER_ANSWER_MS);
        return this.#running(run, next);
      },
      pending: () => {
        const { permit } = run;
        if (permit !== null) this.#options.guard.outcome(permit, { ok: false });
        return {
          ...nothing,
          pending: this.#pendingOf(waiting, permit === null ? "not made" : "held"),
          receipt: permit?.receipt ?? null,
        };
      },
      drop: () => this.#options.guard.drop(run.call),
    };
  }

  /** The part of a call that runs in line. */
  async #running<Fields>(
    run: Run,
    work: () => Promise<Performed<Fields> | Suspended<Fields>>,
  ): Promise<Performed<Fields> | Suspended<Fields>> {
    this.#keeper.stopIdle();
    this.#causes.callBegins(run.call);
    try {
      return await work();
    } catch (error) {
      const { permit, view } = run;
      const result = failed<Fields>(this.#saidOf(this.#failureOf(error, run.wire)));
      if (permit !== null) this.#options.guard.outcome(permit, { ok: false, code: result.error?.code });
      // What a cancelled call has begun must not come over the next one.
      if (result.error?.code === "cancelled") this.#options.guard.drop(run.call);
      else this.#options.guard.asks(run.call);
      if (result.error?.code === "cancelled" && view !== null && view.wire.activity.of(view.target).navigation !== null)
        await stopLoading(view);
      return { ...result, receipt: permit?.receipt ?? null, events: this.#untold(), page: null };
    } finally {
      this.#causes.callEnds();
      this.#told = this.#telling;
      this.#keeper.startIdle();
    }
  }

  #deskOf(call: CallId, time: Deadline, tabs: Tabs): Desk {
    return {
      call,
      time,
      tabs,
      events: this.events,
      requests: this.requests,
      approval: (id) => this.#options.guard.question(id as QuestionId),
    };
  }

  /** The question that keeps this call from being made: what acts waits, and what reads a tab that stands still. */
  #waitsFor<Fields>(request: Request<Fields>, tabs: Tabs): Waiting | null {
    const [first = null] = this.#options.guard.open();
    if (first === null || request.reads === "aside") return null;
    const { active } = tabs;
    const standsStill = active?.wire.activity.isNavigationHeld(active.target) === true;
    return request.reads === undefined || standsStill ? first : null;
  }

  #pendingOf({ question }: Waiting, state: keyof typeof PENDING): NonNullable<Performed<never>["pending"]> {
    return {
      note: PENDING[state],
      approval: question.id,
      expires_in_s: Math.max(0, Math.ceil((question.expires - this.#options.clock()) / 1_000)),
    };
  }

  #noteInput(intent: Intent, view: View | null): void {
    if (view === null || intent.verb === "look") return;
    if (intent.verb !== "go" || intent.element !== null)
      this.#causes.input(view.target, view.document, view.url, intent.call, view.wire.documents());
    else if (intent.sink?.kind === "url") this.#causes.leaves(view.target, view.document, intent.call);
  }

  /** The browser's end shows itself as the end of a page or of a wait first. */
  #failureOf(error: unknown, wire: Wire | null): Failure {
    const failure = asFailure(error);
    if (failure.code === "cancelled" || failure.code === "no_browser") return failure;
    if (this.#keeper.closed) return new Failure("browser_ended", "The session is closed.", { cause: error });
    if (wire?.closed !== true) return failure;
    return new Failure("browser_ended", "The browser ended during the call. Open the page again with navigate.", {
      cause: error,
    });
  }

  /** A page that waits for its next document cannot be asked: that is what the model should know. */
  #saidOf(error: unknown): unknown {
    const view = this.#keeper.tabs?.active ?? null;
    const isWaiting =
      Failure.is(error) &&
      error.code === "timeout" &&
      view !== null &&
      view.wire.activity.of(view.target).navigation !== null;
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

  /**
   * The browser's start has the navigation deadline, not the action's. A call with `timeout_ms` waits no longer than
   * that; the start goes on.
   */
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
