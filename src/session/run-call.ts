import { Failure } from "../errors.ts";
import type { Waiting } from "../guard/index.ts";
import { stopLoading } from "../page/acting/go.ts";
import type { View } from "../page/view/view.ts";
import type { CallId, Choice, Permit, QuestionId } from "../types.ts";
import type { Wire } from "../wire/wire.ts";
import type { Started } from "./browser-owner.ts";
import { Deadline } from "./deadline.ts";
import { pendingOf } from "./pending.ts";
import { type Desk, failed, intentOf, nothing, type Performed, type Plan, type Request } from "./performed.ts";
import type { Tabs } from "./tabs.ts";
import type { RunnerOptions, Standing, Workshop } from "./terms.ts";

/** Clients give up on calls after a minute: one that waits for a person says so before. */
const PENDING_AFTER_MS = 45_000;
/** What an answer lets happen has at least this long. */
const AFTER_ANSWER_MS = 3_000;
/** A start that fails at its deadline says why: there is a moment for that. */
const START_FAILURE_MS = 2_000;

/** A call while it is made. */
interface Run {
  readonly call: CallId;
  readonly standing: Standing;
  /** The calls that are asked about together with it, itself included. */
  readonly together: readonly CallId[];
  /** The event stream's place when it began. */
  readonly mark: number;
  permit: Permit | null;
  view: View | null;
  wire: Wire | null;
  /** False while it waits for a person. */
  isInLine: boolean;
}

/** There is no answer yet, and the call waits no longer. */
class Unanswered {
  readonly waiting: Waiting;

  constructor(waiting: Waiting) {
    this.waiting = waiting;
  }
}

/** Runs one call: resolves what is meant, asks the guard, acts with its permit, and tells what came of it. */
export class CallRunner {
  readonly #options: RunnerOptions;
  readonly #workshop: Workshop;
  #calls = 0;

  constructor(options: RunnerOptions, workshop: Workshop) {
    this.#options = options;
    this.#workshop = workshop;
  }

  get patienceMs(): number {
    return this.#options.patienceMs ?? PENDING_AFTER_MS;
  }

  /** From its arguments to what is told of it. Never rejects. While it waits for a person, others run. */
  async run<Fields>(request: Request<Fields>, standing: Standing): Promise<Performed<Fields>> {
    const call = `c${++this.#calls}` as CallId;
    standing.batch.push(call);
    const { events } = this.#workshop;
    const together = [...standing.batch];
    const run: Run = {
      call,
      standing,
      together,
      mark: events.mark,
      permit: null,
      view: null,
      wire: null,
      isInLine: false,
    };
    this.#begin(run);
    try {
      const result = await this.#make(request, run);
      this.#outcome(run, result);
      return { ...result, receipt: run.permit?.receipt ?? result.receipt };
    } catch (error) {
      return error instanceof Unanswered ? this.#pending(run, error.waiting) : await this.#failed(run, error);
    } finally {
      this.#end(run);
    }
  }

  async #make<Fields>(request: Request<Fields>, run: Run): Promise<Performed<Fields>> {
    const { guard } = this.#options;
    const { browser, executor, untold } = this.#workshop;
    const { lost } = browser;
    const { live, tabs } = await this.#started(request);
    run.wire = live.wire;
    tabs.callBegins();
    if (lost !== null && !request.opens)
      throw new Failure("browser_ended", `The page is gone: ${lost}. Open it again with navigate.`);
    const first = this.#waitsFor(request, tabs);
    if (first !== null)
      return { ...nothing, pending: pendingOf(first, "not made", this.#options.clock()), events: untold.events() };

    const time = this.#deadline(request, run.standing.knows);
    const answered = (waiting: Waiting): Promise<void> => this.#answered(waiting, request, run, time);
    const plan = await time.within(request.plan(this.#deskOf(run.call, time, tabs)));
    const { view } = plan;
    run.view = view;
    if (plan.waits !== undefined) await answered(plan.waits);

    for (let isAnswered = false; ; isAnswered = true) {
      // Nothing is done to a page that may not be shown.
      const out = view === null || plan.verb === "go" ? null : await executor.leaveUnshown(view);
      if (Failure.is(out)) throw out;
      if (out !== null) return { ...nothing, refused: out, events: untold.events() };
      const decision = guard.call(
        intentOf(request, plan, run.call, this.#options.siteOf),
        this.#termsOf(request, run, isAnswered),
      );
      if ("waiting" in decision) {
        await answered(decision.waiting);
        continue;
      }
      if ("refused" in decision)
        return { ...nothing, refused: decision.refused, receipt: decision.receipt, events: untold.events() };
      run.permit = decision.permit;
      if (decision.isInput) this.#noteInput(plan, run.call);
      const quiet = request.quiet === true;
      const asked = quiet ? [run.call] : run.together;
      return executor.act(plan, decision.permit, time, { mark: run.mark, quiet, asked, answered });
    }
  }

  /**
   * Waits for the person without holding up other calls, then goes on in line. Rejects with `Unanswered` when there is
   * no answer within the call's patience, and with `Failure("cancelled")`.
   */
  async #answered<Fields>(waiting: Waiting, request: Request<Fields>, run: Run, time: Deadline): Promise<void> {
    const { now } = this.#options;
    const since = now();
    // A deadline of the call's own counts only where waiting is all it does: else it is the page's, not the person's.
    const longestMs = this.patienceMs;
    const patienceMs = Math.min(longestMs, request.reads === undefined ? longestMs : (request.timeoutMs ?? longestMs));
    this.#end(run);
    const { turn } = run.standing;
    turn?.leave();
    if ((await this.person(waiting, patienceMs, request.signal)) === null) throw new Unanswered(waiting);
    await turn?.take();
    this.#begin(run);
    time.goOn(now() - since, AFTER_ANSWER_MS);
  }

  /** The answer; null when there is none within so many ms. Rejects with `Failure("cancelled")`. */
  async person(waiting: Waiting, patienceMs: number, signal: AbortSignal | undefined): Promise<Choice | null> {
    const time = new Deadline({ totalMs: patienceMs, kind: "call", now: this.#options.now, signal });
    try {
      return await time.within(waiting.answered);
    } catch (error) {
      if (Failure.is(error) && error.code === "timeout") return null;
      throw error;
    }
  }

  #begin(run: Run): void {
    const { browser } = this.#workshop;
    run.isInLine = true;
    browser.stopIdle();
    browser.causes.callBegins(run.call);
  }

  #end(run: Run): void {
    if (!run.isInLine) return;
    const { browser, untold } = this.#workshop;
    run.isInLine = false;
    browser.causes.callEnds();
    untold.callEnds();
    browser.startIdle();
  }

  #outcome({ permit }: Run, { ok, error }: Pick<Performed<never>, "ok" | "error">): void {
    if (permit !== null) this.#options.guard.outcome(permit, { ok, code: error?.code });
  }

  async #failed<Fields>(run: Run, error: unknown): Promise<Performed<Fields>> {
    const { guard } = this.#options;
    const { browser, untold } = this.#workshop;
    const { call, permit, view } = run;
    const result = failed<Fields>(this.#saidOf(browser.failureOf(error, run.wire)));
    if (result.error?.code === "timeout" && run.wire !== null) await browser.endIfStuck(run.wire);
    this.#outcome(run, result);
    // What a cancelled call has begun must not come over the next one.
    const isCancelled = result.error?.code === "cancelled";
    if (isCancelled) guard.drop(call);
    else guard.asks(call);
    if (!run.isInLine) return { ...result, receipt: permit?.receipt ?? null };
    if (isCancelled && view !== null && view.wire.activity.of(view.target).navigation !== null) await stopLoading(view);
    return { ...result, receipt: permit?.receipt ?? null, events: untold.events() };
  }

  /** It waits longer than a call may take, and goes on without the call. */
  #pending<Fields>(run: Run, waiting: Waiting): Performed<Fields> {
    const { permit } = run;
    this.#outcome(run, nothing);
    const pending = pendingOf(waiting, permit === null ? "not made" : "held", this.#options.clock());
    return { ...nothing, pending, receipt: permit?.receipt ?? null };
  }

  #deskOf(call: CallId, time: Deadline, tabs: Tabs): Desk {
    const { events, requests } = this.#workshop;
    const approval = (id: string) => this.#options.guard.question(id as QuestionId);
    return { call, time, tabs, events, requests, approval };
  }

  #termsOf<Fields>(request: Request<Fields>, { call, standing }: Run, isAnswered: boolean) {
    const [first = call] = standing.batch;
    return { approver: request.approver, group: first === call ? null : first, isAnswered };
  }

  /** The question that keeps this call from being made: what acts waits, and what reads a tab that stands still. */
  #waitsFor<Fields>(request: Request<Fields>, { active }: Tabs): Waiting | null {
    const [first = null] = this.#options.guard.open();
    if (first === null || request.reads === "aside") return null;
    const standsStill = active?.wire.activity.isNavigationHeld(active.target) === true;
    return request.reads === undefined || standsStill ? first : null;
  }

  #noteInput<Fields>({ view, verb, element, sink }: Plan<Fields>, call: CallId): void {
    const { causes } = this.#workshop.browser;
    if (view === null || verb === "look") return;
    if (verb !== "go" || element != null)
      causes.input(view.target, view.document, view.url, call, view.wire.documents());
    else if (sink?.kind === "url") causes.leaves(view.target, view.document, call);
  }

  /** A page that waits for its next document cannot be asked: that is what the model should know. */
  #saidOf(error: Failure): Failure {
    const { browser, executor } = this.#workshop;
    const view = browser.tabs?.active ?? null;
    const isWaiting =
      error.code === "timeout" && view !== null && view.wire.activity.of(view.target).navigation !== null;
    return isWaiting ? executor.stillLoading(view) : error;
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
  #started<Fields>(request: Request<Fields>): Promise<Started> {
    const time = new Deadline({
      totalMs: request.timeoutMs ?? this.#options.navigationTimeoutMs + START_FAILURE_MS,
      kind: request.timeoutMs === undefined ? "navigation" : "call",
      now: this.#options.now,
      signal: request.signal,
    });
    return time.within(this.#workshop.browser.started());
  }
}
