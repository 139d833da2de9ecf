import type * as playwright from "playwright-core";
import type { View } from "../page/view/view.ts";
import type { TabId } from "../types.ts";
import { originOf } from "../wire/facts.ts";
import type { EventStream } from "./events.ts";

/** Told one by one in one call and tab; a page that asks on and on is only counted. */
const SHOWN_DIALOGS = 10;
/**
 * A page that asks so often in one call would never come to anything else: Chromium has no way to silence it, and its
 * script cannot be ended.
 */
const MOST_DIALOGS = 50;

const OUT_OF_REACH = "(words of a frame out of reach)";

/** How the agent wants the next dialog of a tab answered. */
export interface DialogAnswer {
  readonly accept: boolean;
  /** For a prompt; without it an accepted prompt keeps what it proposes. */
  readonly promptText?: string | undefined;
}

export interface DialogsOptions {
  readonly events: EventStream;
  readonly viewOf: (tab: TabId) => View | undefined;
  /** Whether the words of a frame at that address may be shown. */
  readonly mayShow: (url: string) => boolean;
  /** Takes credentials out of a page's words. */
  readonly redactText: (text: string) => string;
  /** Closes a tab that asks without end. */
  readonly giveUp: (tab: TabId) => void;
}

/**
 * Answers every dialog as soon as it opens, so that none ever holds a page: dismissed, unless the agent has said before
 * how to answer.
 */
export class Dialogs {
  readonly #options: DialogsOptions;
  readonly #armed = new Map<TabId, DialogAnswer & { readonly document: string }>();
  #counts = new Map<TabId, { shown: number; suppressed: number; seq: number }>();

  constructor(options: DialogsOptions) {
    this.#options = options;
  }

  /** For the next dialog of the document that is there now; takes the place of an answer given before. */
  arm(view: View, answer: DialogAnswer): void {
    this.#armed.set(view.tab, { ...answer, document: view.document });
  }

  forget(tab: TabId): void {
    this.#armed.delete(tab);
  }

  /** Every call may show some of them again. */
  callBegins(): void {
    this.#counts = new Map();
  }

  /** The tab asked without end in this call and was closed for it. */
  gaveUp(tab: TabId): boolean {
    return this.#isEndless(this.#counts.get(tab)?.suppressed ?? 0);
  }

  listen(page: playwright.Page, tab: TabId): void {
    page.on("dialog", (dialog) => {
      const count = this.#counts.get(tab) ?? { shown: 0, suppressed: 0, seq: 0 };
      this.#counts.set(tab, count);
      if (count.shown >= SHOWN_DIALOGS) this.#suppress(tab, count);
      if (this.#isEndless(count.suppressed)) {
        // Left open: an answer would only bring the next one before the tab is gone.
        this.#options.giveUp(tab);
        return;
      }
      const { accept, promptText } = this.#answerFor(dialog, tab);
      if (count.suppressed === 0) {
        count.shown += 1;
        const { mayShow, redactText } = this.#options;
        const asker = this.#askerOf(tab);
        const message = asker === null || mayShow(asker) ? redactText(dialog.message()) : OUT_OF_REACH;
        this.#options.events.emit({
          kind: "dialog",
          tab,
          type: dialog.type(),
          message,
          answered: accept ? "accepted" : "dismissed",
        });
      }
      (accept ? dialog.accept(promptText ?? dialog.defaultValue()) : dialog.dismiss()).catch(() => {
        // The page went away with its dialog.
      });
    });
  }

  #answerFor(dialog: playwright.Dialog, tab: TabId): DialogAnswer {
    // Whoever navigates wants to leave: dismissing that one would keep the agent on the page for ever.
    if (dialog.type() === "beforeunload") return { accept: true };
    // There is nothing to answer: what was said was meant for the question that may follow.
    if (dialog.type() === "alert") return { accept: false };
    const view = this.#options.viewOf(tab);
    const asker = this.#askerOf(tab);
    // What was prepared for the page is no frame's of another origin.
    const origin = asker === null ? null : originOf(asker);
    if (view === undefined || origin === null || origin !== originOf(view.url)) return { accept: false };
    const armed = this.#armed.get(tab);
    this.#armed.delete(tab);
    return armed !== undefined && armed.document === view.document ? armed : { accept: false };
  }

  /** The address of the document that asks; of one without an address of its own, that of what holds it. */
  #askerOf(tab: TabId): string | null {
    const view = this.#options.viewOf(tab);
    let frame = view?.wire.dialogFrame(view.target);
    while (frame?.url.startsWith("about:") === true && frame.parentId !== null)
      frame = view?.wire.frame(frame.parentId);
    return frame?.url ?? null;
  }

  #suppress(tab: TabId, count: { suppressed: number; seq: number }): void {
    const { events } = this.#options;
    count.suppressed += 1;
    const event = { kind: "dialogs_suppressed", tab, count: count.suppressed } as const;
    if (!events.amend(count.seq, event)) count.seq = events.emit(event);
  }

  #isEndless(suppressed: number): boolean {
    return SHOWN_DIALOGS + suppressed >= MOST_DIALOGS;
  }
}
