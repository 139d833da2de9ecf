import { Failure } from "../errors.ts";
import type { CallGuard, EventGuard } from "../guard/index.ts";
import { settle } from "../page/acting/settle.ts";
import type { SeenFrame } from "../page/seen.ts";
import { type Look, lookAt } from "../page/snapshot/look.ts";
import type { CursorTable } from "../page/view/cursors.ts";
import type { View } from "../page/view/view.ts";
import type { Permit, Refuse, Site } from "../types.ts";
import type { BrowserOwner } from "./browser-owner.ts";
import { Deadline } from "./deadline.ts";
import { isErrorPage, leavePage, notLoaded } from "./leave.ts";
import { asFailure, nothing, type Performed, type Plan } from "./performed.ts";
import type { RequestLog } from "./requests.ts";
import type { ActTerms, Scene } from "./scene.ts";
import type { Untold } from "./untold.ts";

const TITLE_TIMEOUT_MS = 500;
/** A look after a failed or slow act is a courtesy, not worth a deadline of its own. */
const LAST_LOOK_MS = 700;
/** A document that is just being replaced cannot be read for a moment. */
const LOOK_TRIES = 3;
const LOOK_AGAIN_MS = 100;
/** Chromium puts its own error page up this soon after a navigation has failed. */
const ERROR_PAGE_MS = 300;
/** From a page's frames going to its tab being gone: a few ms when measured. */
const CLOSING_MS = 1_000;

export interface ExecutorOptions {
  readonly guard: Pick<CallGuard, "asks" | "holds" | "show"> & Pick<EventGuard, "noticed">;
  readonly siteOf: (url: string) => Site | null;
  readonly redact: (url: string) => string;
  readonly maxContentTokens: number;
  readonly now: () => number;
  readonly requests: RequestLog;
  readonly cursors: CursorTable;
  readonly browser: BrowserOwner;
  readonly untold: Untold;
}

/** The second half of a call: acts with the permit, waits until the page has reacted, and looks at what came of it. */
export class Executor {
  readonly #options: ExecutorOptions;

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  /**
   * Rejects with `Failure` only for browser_ended and cancelled, and with what `answered` rejects with; all else is in
   * what it came to. `mark`: the event stream's place when the call began; `asked`: the calls that are asked about
   * together; `answered`: waits for somebody's answer about what the act caused.
   */
  async act<Fields>(
    plan: Plan<Fields>,
    permit: Permit,
    time: Deadline,
    { mark, quiet, asked, answered }: ActTerms,
  ): Promise<Performed<Fields>> {
    const { guard } = this.#options;
    const { view } = plan;
    const activity = view?.wire.activity.of(view.target);
    const scene: Scene<Fields> = {
      calls: asked,
      plan,
      time,
      mark,
      quiet,
      since: this.#options.now(),
      before: view?.document ?? null,
      urlBefore: view?.url ?? null,
      failedBefore: activity?.failedNavigations ?? 0,
      fields: null,
      failure: null,
    };
    await this.#during(scene, async () => {
      // Beside other tabs a page that is not in front takes a second for each input.
      if (view !== null && plan.verb !== "look" && (this.#options.browser.tabs?.list().length ?? 0) > 1)
        await time.within(view.page.bringToFront());
      scene.fields = await time.within(plan.act(permit));
    });
    const isHeld = view?.wire.activity.isNavigationHeld(view.target) === true;
    // The calls of a batch are asked about together, unless one of them keeps the page from going on.
    if (quiet && !isHeld) return this.#conclude(scene);
    for (let waiting = guard.asks(permit.call); waiting !== null; waiting = guard.asks(permit.call)) {
      await answered(waiting);
      // What had not come in time because it was held.
      if (scene.failure?.code === "still_loading" || scene.failure?.code === "timeout") scene.failure = null;
      await this.#during(scene, async () => {
        // The answer is there before the wire has let go of what it was about; what comes of it may be held again.
        const isFree = ({ held }: { readonly held: { readonly size: number } }): boolean =>
          held.size === 0 || guard.holds(permit.call);
        if (view !== null) await view.wire.activity.until(view.target, isFree, time.remainingMs());
      });
    }
    return this.#conclude(scene);
  }

  /** Does something to the page, and waits until it has reacted. */
  async #during<Fields>(scene: Scene<Fields>, work: () => Promise<void>): Promise<void> {
    const { plan, time, before, since } = scene;
    const { view } = plan;
    const stirredAt = this.#options.now();
    const activity = view?.wire.activity.of(view.target);
    if (activity !== undefined) activity.acting = true;
    try {
      await work();
      if (view !== null && plan.look !== "nothing") {
        const onlyRead = plan.verb === "look" && plan.stirs !== true;
        const settled = await settle(view.wire, view.target, {
          remainingMs: () => time.remainingMs(),
          now: this.#options.now,
          since,
          stirredAt,
          document: before,
          onlyRead,
        });
        if (settled === "still_loading") scene.failure = this.stillLoading(view);
        if (settled === "cut")
          scene.failure = new Failure(
            "navigation_failed",
            "The connection broke before the page was whole; what came of it is shown.",
          );
      }
    } catch (error) {
      scene.failure = this.#options.browser.failureOf(error, view?.wire ?? null);
      if (scene.failure.code === "browser_ended" || scene.failure.code === "cancelled") throw scene.failure;
      if (scene.failure.code === "page_ended" && view !== null && this.#isReplaced(view, before))
        scene.failure = this.stillLoading(view);
    } finally {
      if (activity !== undefined) activity.acting = false;
    }
  }

  /** What it came to. */
  async #conclude<Fields>(scene: Scene<Fields>): Promise<Performed<Fields>> {
    const { calls, plan, time, mark, quiet, before, urlBefore, failedBefore, fields } = scene;
    const { view } = plan;
    const activity = view?.wire.activity.of(view.target);
    let { failure } = scene;
    const tabs = this.#options.browser.tabs;
    await tabs?.settled(time.remainingMs());
    const { requests } = this.#options;
    const refused = requests.refusedNavigation(mark, view?.target ?? null) ?? requests.refusedEffect(calls);
    const isUnconnected = failure?.code === "navigation_failed";
    if (view !== null && (refused === null || isUnconnected) && (activity?.failedNavigations ?? 0) > failedBefore)
      await view.wire.activity.until(view.target, () => isErrorPage(view.url), ERROR_PAGE_MS);
    // What was refused says more than that nothing came.
    if (refused !== null && isUnconnected) failure = null;
    const events = this.#options.untold.events();
    const isGone = (): boolean => view !== null && tabs?.get(view.tab) === undefined;
    const unseen = (error: Failure | null): Performed<Fields> => ({
      ...nothing,
      ok: error === null && refused === null,
      fields,
      refused,
      error,
      events: this.#options.untold.events(),
    });
    // What the act closed is closed: that is told as an event.
    const closed = (): Failure | null => {
      const isByAct =
        fields !== null && (failure === null || failure.code === "page_ended" || failure.code === "stale");
      return (view === null ? null : tabs?.whyClosed(view.tab)) ?? (isByAct ? null : failure);
    };
    if (isGone()) return unseen(closed());
    if (view === null || plan.look === "nothing") return unseen(failure);
    const away = (): Promise<Performed<Fields> | null> => this.#away(view, { events, error: failure, refused });
    const left = await away();
    if (left !== null) return left;
    const document = view.document !== before;
    if (quiet && plan.look === "change" && !document && failure === null && refused === null)
      return { ...nothing, ok: true, fields, events };
    const seen = await this.#look(view, plan, document, failure === null ? time : this.#courtesy(time));
    // It went while it was looked at: its frames go a moment before the tab does.
    if (Failure.is(seen) && view.wire.frame(view.target) === undefined) await tabs?.gone(view.tab, CLOSING_MS);
    if (Failure.is(seen) && isGone()) return unseen(closed());
    // Another document may have come while it was looked at.
    const leftLate = await away();
    if (leftLate !== null) return leftLate;
    const look = Failure.is(seen) ? null : seen;
    for (const site of look?.signedIn ?? []) this.#options.guard.noticed(site);
    if (Failure.is(seen)) failure ??= seen;
    const changed = document ? "document" : (look?.changed ?? false) || view.url !== urlBefore ? "content" : "nothing";
    const page =
      document || view.url !== urlBefore || plan.look === "page"
        ? { url: this.#options.redact(view.url), title: look?.title ?? "", tab: view.tab }
        : null;
    return {
      ok: failure === null && refused === null,
      fields,
      refused,
      pending: null,
      error: failure,
      look,
      page,
      changed: plan.verb === "look" ? null : changed,
      events,
      receipt: null,
    };
  }

  /** Where the page may not be shown or could not be loaded, it is left: what is told then, else null. */
  async #away(
    view: View,
    told: Pick<Performed<never>, "events" | "error" | "refused">,
  ): Promise<Performed<never> | null> {
    const why = await this.leaveUnshown(view);
    if (why === null) return null;
    if (!Failure.is(why)) return { ...nothing, ...told, refused: told.refused ?? why };
    return { ...nothing, ...told, error: told.refused === null ? (told.error ?? why) : null };
  }

  async #look<Fields>(view: View, plan: Plan<Fields>, newDocument: boolean, time: Deadline): Promise<Look | Failure> {
    const { document } = view;
    for (let tries = 1; ; tries++) {
      try {
        return await time.within(
          lookAt(view, {
            since: (plan.look === "change" && !newDocument) || plan.show !== undefined ? "last" : "nothing",
            maxTokens: this.#options.maxContentTokens,
            root: plan.root ?? null,
            show: plan.show,
            cursors: this.#options.cursors,
            time,
          }),
        );
      } catch (error) {
        const failure = asFailure(error);
        if (failure.code === "browser_ended" || failure.code === "cancelled") throw failure;
        if (view.wire.activity.of(view.target).navigation !== null) return this.stillLoading(view);
        if (failure.code === "timeout")
          return new Failure(
            "timeout",
            `The page did not answer within ${time.totalMs} ms: a script keeps it busy. Open it again, or another, with navigate.`,
            { cause: failure },
          );
        if (tries === LOOK_TRIES) return this.#isReplaced(view, document) ? this.stillLoading(view) : failure;
        await view.wire.activity.next(view.target, Math.min(LOOK_AGAIN_MS, time.remainingMs()));
      }
    }
  }

  /** A page that goes elsewhere while it is read. */
  #isReplaced(view: View, document: string | null): boolean {
    const isThere =
      this.#options.browser.tabs?.get(view.tab) === view &&
      view.wire.target(view.target) !== undefined &&
      !view.page.isClosed();
    return isThere && (view.document !== document || view.wire.activity.of(view.target).navigation !== null);
  }

  /** Leaves a page that may not be shown, or could not be loaded: why; null where it may be shown. */
  async leaveUnshown(view: View): Promise<Refuse | Failure | null> {
    const shown = isErrorPage(view.url) ? notLoaded() : this.#options.guard.show(view.url, "main");
    const why = Failure.is(shown) || shown.verdict === "refuse" ? shown : null;
    if (why !== null) await leavePage(view, this.#options.browser.tabs);
    return why;
  }

  stillLoading(view: View): Failure {
    const navigation = view.wire.activity.of(view.target).navigation;
    const site = navigation === null ? null : this.#options.siteOf(navigation.url);
    return new Failure(
      "still_loading",
      `The page is still loading${site === null ? "" : ` from ${site}`}; the tab is kept. Use wait_for or snapshot later.`,
    );
  }

  /** Address and title of a tab, without them where the page may not be shown. */
  async shownPage(view: View): Promise<{ readonly title: string; readonly url: string }> {
    if (this.#options.guard.show(view.url, "main").verdict !== "allow") return { title: "", url: "" };
    return { title: await titleOf(view), url: this.#options.redact(view.url) };
  }

  #courtesy(time: Deadline): Deadline {
    return new Deadline({
      totalMs: Math.max(time.remainingMs(), LAST_LOOK_MS),
      kind: time.kind,
      now: this.#options.now,
      signal: time.signal,
    });
  }
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
