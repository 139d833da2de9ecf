import { setTimeout as wait } from "node:timers/promises";
import type * as playwright from "playwright-core";
import { Failure } from "../errors.ts";
import type { Secrets } from "../masking/masking.ts";
import { canLeave } from "../page/acting/go.ts";
import type { RefTable } from "../page/view/refs.ts";
import { View } from "../page/view/view.ts";
import type { BrowserEvent, Site, TabId } from "../types.ts";
import type { TargetRecord } from "../wire/targets.ts";
import type { Wire } from "../wire/wire.ts";
import { type DialogAnswer, Dialogs } from "./dialogs.ts";
import type { EventStream } from "./events.ts";

/** A session keeps this many tabs (surface.md, "Tools"). */
export const MAX_TABS = 8;
/** A popup whose server is slow is told of by a later call. */
const POPUP_TIMEOUT_MS = 1_000;
const POPUP_LOOK_EVERY_MS = 20;
const CLOSE_TIMEOUT_MS = 1_000;
/** A page that opens so many dialogs in a row would block the navigation away from it with the next one. */
const STORM_DIALOGS = 5;
const STORM_MS = 1_000;

export interface TabsOptions {
  readonly wire: Wire;
  readonly context: playwright.BrowserContext;
  readonly refs: RefTable;
  readonly events: EventStream;
  readonly nextTab: () => TabId;
  readonly siteOf: (url: string) => Site | null;
  readonly mayShow: (url: string) => boolean;
  readonly redact: (url: string) => string;
  /** Takes credentials out of a page's words. */
  readonly redactText: (text: string) => string;
  readonly secrets: Secrets;
  readonly now: () => number;
}

/** The tabs of one running browser. Exactly one is active; a page's popups are kept but not activated. */
export class Tabs {
  readonly #options: TabsOptions;
  readonly #views = new Map<TabId, View>();
  readonly #adopting = new Map<playwright.Page, Promise<View>>();
  readonly #woken = new Set<() => void>();
  readonly #dialogs: Dialogs;
  /** When the last dialogs of each tab were opened, newest last. */
  readonly #dialogTimes = new Map<TabId, readonly number[]>();
  #active: TabId | null = null;
  /** Tabs of ours that are on their way. */
  #opening = 0;
  #refused: { count: number; seq: number } = { count: 0, seq: 0 };

  constructor(options: TabsOptions) {
    const { events, redactText } = options;
    this.#options = options;
    this.#dialogs = new Dialogs({
      events,
      redactText,
      viewOf: (tab) => this.#views.get(tab),
      mayShow: options.mayShow,
      giveUp: (tab) => {
        const view = this.#views.get(tab);
        if (view !== undefined) void this.close(view);
      },
    });
    options.context.on("page", (page) => {
      if (this.#opening === 0 && this.#views.size + this.#adopting.size >= MAX_TABS) {
        this.#refuse(page);
        return;
      }
      this.#adopt(page).catch(() => {
        // Closed before it could be looked at: a refused popup, or one that its opener closed.
      });
    });
  }

  list(): readonly View[] {
    return [...this.#views.values()];
  }

  get(tab: TabId): View | undefined {
    return this.#views.get(tab);
  }

  /** A target of this browser as the wire knows it. */
  target(id: string): TargetRecord | undefined {
    return this.#options.wire.target(id);
  }

  byTarget(target: string): View | undefined {
    return this.list().find((view) => view.target === target);
  }

  get active(): View | null {
    return this.#active === null ? null : (this.#views.get(this.#active) ?? null);
  }

  /** The active tab, or a new empty one when there is none. */
  async current(): Promise<View> {
    return this.active ?? (await this.open());
  }

  /** The active tab for another page; a new one in its place when it no longer answers. */
  async forNavigation(): Promise<View> {
    const view = await this.current();
    if (!this.#storms(view.tab) && (await canLeave(view))) return view;
    await this.close(view);
    return this.open();
  }

  /** A new empty tab, active. Rejects with `Failure("too_large")` when there are too many. */
  async open(): Promise<View> {
    if (this.#views.size >= MAX_TABS)
      throw new Failure("too_large", `There are ${MAX_TABS} tabs already. Close one first.`);
    this.#opening += 1;
    try {
      const view = await this.#adopt(await this.#options.context.newPage());
      this.#active = view.tab;
      return view;
    } finally {
      this.#opening -= 1;
    }
  }

  /** A call begins: what it causes is counted anew. */
  callBegins(): void {
    this.#dialogs.callBegins();
    this.#refused = { count: 0, seq: 0 };
  }

  /** Why a tab that is gone was closed in this call; null when that was not our doing. */
  whyClosed(tab: TabId): Failure | null {
    if (!this.#dialogs.gaveUp(tab)) return null;
    return new Failure(
      "page_ended",
      "The page opened dialogs without end, so its tab was closed. Go on with another page.",
    );
  }

  /** How the next dialog of that tab is answered, once, while its document stays. */
  armDialog(view: View, answer: DialogAnswer): void {
    this.#dialogs.arm(view, answer);
  }

  async select(view: View): Promise<void> {
    this.#active = view.tab;
    await view.page.bringToFront();
  }

  /** Never waits long: a tab that does not answer is given up all the same. */
  async close(view: View): Promise<void> {
    const closed = view.page.close({ runBeforeUnload: false }).catch(() => {});
    await Promise.race([closed, wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    this.#forget(view);
  }

  /** Waits until popups that are just appearing are tabs, or gone because they were refused. */
  async settled(timeoutMs: number): Promise<void> {
    const { wire, now } = this.#options;
    const end = now() + Math.min(timeoutMs, POPUP_TIMEOUT_MS);
    const isAppearing = (): boolean =>
      this.#adopting.size > 0 ||
      wire.pages().some((target) => target.openerId !== null && this.byTarget(target.id) === undefined);
    while (isAppearing() && now() < end) {
      await Promise.race([new Promise<void>((resolve) => this.#woken.add(resolve)), wait(POPUP_LOOK_EVERY_MS)]);
    }
  }

  /** Waits until that tab is gone, no longer than that. */
  async gone(tab: TabId, timeoutMs: number): Promise<void> {
    const over = new AbortController();
    const late = wait(timeoutMs, undefined, { ref: false, signal: over.signal }).catch(() => {});
    const isLate = late.then(() => true);
    while (this.#views.has(tab)) {
      const woken = new Promise<false>((resolve) => this.#woken.add(() => resolve(false)));
      if (await Promise.race([isLate, woken])) break;
    }
    over.abort();
  }

  #adopt(page: playwright.Page): Promise<View> {
    const known = this.#adopting.get(page) ?? this.list().find((view) => view.page === page);
    if (known !== undefined) return Promise.resolve(known);
    const adopted = this.#makeView(page).finally(() => {
      this.#adopting.delete(page);
      this.#wake();
    });
    this.#adopting.set(page, adopted);
    return adopted;
  }

  async #makeView(page: playwright.Page): Promise<View> {
    const { events, wire, refs, siteOf, mayShow, now, redact, secrets } = this.#options;
    const tab = this.#options.nextTab();
    this.#listen(page, tab);
    const session = await this.#options.context.newCDPSession(page);
    const { targetInfo } = await session.send("Target.getTargetInfo");
    await session.detach();
    const view = new View({ tab, page, target: targetInfo.targetId, wire, refs, siteOf, mayShow, now, secrets });
    if (page.isClosed()) throw new Failure("page_ended", "The tab is gone.");
    const openerId = wire.target(view.target)?.openerId ?? null;
    if (this.#views.size >= MAX_TABS) {
      this.#refuse(page);
      throw new Failure("too_large", "Too many tabs.");
    }
    this.#views.set(tab, view);
    if (openerId !== null) {
      // It is still empty; where it goes is known.
      const url = wire.activity.of(view.target).navigation?.url ?? page.url();
      events.emit({ kind: "popup", tab, url: redact(url), opener: this.byTarget(openerId)?.tab ?? null });
    }
    return view;
  }

  /** Before anything is asked of it: a page may open a thousand. */
  #refuse(page: playwright.Page): void {
    const { events } = this.#options;
    this.#refused.count += 1;
    const event = { kind: "popups_refused", count: this.#refused.count } as const;
    if (!events.amend(this.#refused.seq, event)) this.#refused.seq = events.emit(event);
    page.close().catch(() => {
      // It has closed by itself.
    });
  }

  #listen(page: playwright.Page, tab: TabId): void {
    const { events, redact, redactText } = this.#options;
    this.#dialogs.listen(page, tab);
    page.on("dialog", () =>
      this.#dialogTimes.set(tab, [...(this.#dialogTimes.get(tab) ?? []), this.#options.now()].slice(-STORM_DIALOGS)),
    );
    page.on("close", () => {
      const view = this.#views.get(tab);
      if (view !== undefined) this.#forget(view);
    });
    page.on("crash", () => {
      // Everything in a crashed tab rejects at once and for good: it makes room for a new one.
      const view = this.#views.get(tab);
      if (view !== undefined) this.#forget(view);
      page.close().catch(() => {});
    });
    page.on("download", (download) => {
      events.emit({
        kind: "download",
        tab,
        url: redact(download.url()),
        name: redactText(download.suggestedFilename()),
        outcome: "cancelled",
      });
    });
    page.on("console", (message) => events.emit(consoleEvent(tab, message.type(), message.text(), redactText)));
    page.on("pageerror", (error) => events.emit(consoleEvent(tab, "error", error.message, redactText)));
  }

  #storms(tab: TabId): boolean {
    const times = this.#dialogTimes.get(tab) ?? [];
    return times.length === STORM_DIALOGS && this.#options.now() - (times[0] ?? 0) < STORM_MS;
  }

  #forget(view: View): void {
    if (!this.#views.delete(view.tab)) return;
    this.#dialogs.forget(view.tab);
    this.#dialogTimes.delete(view.tab);
    if (this.#active === view.tab) this.#active = this.list().at(-1)?.tab ?? null;
    this.#options.events.emit({ kind: "tab_closed", tab: view.tab });
    this.#wake();
  }

  #wake(): void {
    const woken = [...this.#woken];
    this.#woken.clear();
    for (const wake of woken) wake();
  }
}

/** Longest line that is kept, in characters, before secrets are taken out. */
const MAX_LINE_CHARS = 8_000;

/** Secrets are taken out when somebody reads it: of a flood most lines are forgotten unread. */
function consoleEvent(tab: TabId, level: string, text: string, redactText: (text: string) => string): BrowserEvent {
  const raw = text.slice(0, MAX_LINE_CHARS);
  let words: string | null = null;
  return {
    kind: "console",
    tab,
    level,
    get message() {
      words ??= redactText(raw);
      return words;
    },
  };
}
