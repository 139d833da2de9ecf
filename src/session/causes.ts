import type { CallId, Cause, Site } from "../types.ts";
import type { Causes } from "../wire/interception.ts";

/** Popups of popups of popups: further up nobody looks. */
const MAX_OPENERS = 10;

export interface CausesOptions {
  readonly siteOf: (url: string) => Site | null;
  /** The page (target id) that the running call works on. */
  readonly active: () => string | null;
  readonly openerOf: (page: string) => string | null;
  /** Whether the page is still there. */
  readonly isThere: (page: string) => boolean;
}

/** The latest input in one page. */
interface Input {
  /** Null: the operator's own program did it. */
  readonly call: CallId | null;
  /** The documents that were there; one that comes after it is later. */
  readonly documents: ReadonlySet<string> | null;
  readonly site: Site | null;
  readonly order: number;
  /** Where it came from, as long as that was known. */
  readonly openers: readonly string[];
}

/**
 * Whose doing a request is: the running call's, the page's; and which input of the agent's it may follow from, also
 * long after that call.
 */
export class CauseKeeper {
  readonly #options: CausesOptions;
  readonly #inputs = new Map<string, Input>();
  /**
   * Documents that an address took the place of: what they still send follows from what was done in them, or from
   * leaving them.
   */
  readonly #left = new Map<string, { readonly document: string; readonly call: CallId }>();
  #running: CallId | null = null;
  #isCode = false;
  #order = 0;

  constructor(options: CausesOptions) {
    this.#options = options;
  }

  callBegins(call: CallId): void {
    this.#running = call;
  }

  callEnds(): void {
    this.#running = null;
  }

  /** From now on what is done to a page while no call runs is the doing of the program that uses `session.page()`. */
  codeBegins(): void {
    this.#isCode = true;
  }

  /** Playwright does something to that page: where no call runs, for the operator's program. */
  codeActs(page: string): void {
    if (!this.#isCode || this.#running !== null) return;
    this.#inputs.set(page, {
      call: null,
      documents: null,
      site: null,
      order: ++this.#order,
      openers: this.#lineage(page).slice(1),
    });
  }

  /** The agent clicks, types, chooses, follows a link in that document. `documents`: all that are there. */
  input(
    page: string,
    document: string,
    url: string,
    call: CallId,
    documents: ReadonlySet<string> = new Set([document]),
  ): void {
    // The address before led only to another part of the same document.
    if (this.#left.get(page)?.document === document) this.#left.delete(page);
    this.#inputs.set(page, {
      call,
      documents,
      site: this.#options.siteOf(url),
      order: ++this.#order,
      openers: this.#lineage(page).slice(1),
    });
  }

  /** An address takes the place of the page's document: the next one is not reached by what was done before. */
  leaves(page: string, document: string, call: CallId): void {
    this.#forgetGone();
    this.#left.set(page, { document, call: this.#inputs.get(page)?.call ?? call });
    this.#inputs.delete(page);
  }

  of(page: string | null, documentUrl: string | null, document: string | null): Causes {
    const left = page === null ? undefined : this.#left.get(page);
    if (left !== undefined && document === left.document) return { cause: this.#cause(page, null), input: left.call };
    const input = this.#inputOf(page, documentUrl);
    const isLater = document !== null && input?.documents?.has(document) === false && input.call !== null;
    return { cause: this.#cause(page, input), input: input?.call ?? null, ...(isLater && { isLater }) };
  }

  #cause(page: string | null, input: Input | null): Cause {
    // Only what the program itself did last in that page is its doing.
    if (this.#running === null) return { by: input !== null && input.call === null ? "code" : "page" };
    const active = this.#options.active();
    return active !== null && this.#lineage(page).includes(active)
      ? { by: "call", call: this.#running }
      : { by: "page" };
  }

  #inputOf(page: string | null, documentUrl: string | null): Input | null {
    const site = documentUrl === null ? null : this.#options.siteOf(documentUrl);
    const pages = this.#lineage(page);
    const mayFollow = ([of, input]: [string, Input]): boolean =>
      // A worker that several pages share, documents of one site, and pages of one opener, whatever their sites, hear
      // of one another.
      page === null || this.#lineage(of).some((one) => pages.includes(one)) || (site !== null && input.site === site);
    this.#forgetGone();
    const inputs = [...this.#inputs].filter(mayFollow).map(([, input]) => input);
    return inputs.sort((a, b) => b.order - a.order)[0] ?? null;
  }

  #forgetGone(): void {
    for (const gone of [...this.#inputs.keys(), ...this.#left.keys()].filter((of) => !this.#options.isThere(of)))
      this.#forget(gone);
  }

  /** What was done in a popup that has closed is told to who opened it. */
  #forget(gone: string): void {
    const input = this.#inputs.get(gone);
    this.#inputs.delete(gone);
    this.#left.delete(gone);
    const heir = input?.openers.find((one) => this.#options.isThere(one));
    if (input !== undefined && heir !== undefined && (this.#inputs.get(heir)?.order ?? 0) < input.order)
      this.#inputs.set(heir, input);
  }

  #lineage(page: string | null): readonly string[] {
    const pages: string[] = [];
    for (let at = page; at !== null && pages.length < MAX_OPENERS; at = this.#options.openerOf(at)) pages.push(at);
    return pages;
  }
}
