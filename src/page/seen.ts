/**
 * What the observer in a page's isolated world returns: structure, never ready text, so page words cannot imitate ours.
 * Shared by the script that runs in the page (`observer/`) and by the host. Types only.
 *
 * A local id is a number that the script gives to an element of one document; it is never given twice in that document.
 */

/** One element or text run, in reading order. */
export interface SeenNode {
  /**
   * "text" for bare words, else an ARIA role, or: clickable (script listener or pointer cursor, no role), frame,
   * canvas.
   */
  readonly role: string;
  /** Local id; on everything that can be acted on, on frames, on rows and sections (for `target` and deltas). */
  readonly id?: number;
  /** Accessible name, or the words of a text run. Uncut beyond 2,000 characters: rendering cuts. */
  readonly name?: string;
  /** True when no person sees the name (aria-label, alt, title of a visible control). */
  readonly nonvisual?: boolean;
  /** Whether it can be acted on: gets a ref. */
  readonly act?: boolean;
  /**
   * On what can be acted on: a short sign for the row, item and section that hold it, the same as long as their words
   * are.
   */
  readonly place?: string;
  /** Current value of a field. Absent for secret ones. */
  readonly value?: string;
  /** A field whose value never leaves the page. `filled` says whether it has one. */
  readonly secret?: { readonly filled: boolean };
  /**
   * checked, unchecked, mixed, selected, expanded, collapsed, disabled, required, invalid, readonly, pressed, current,
   * focused, level 2 …
   */
  readonly states?: readonly string[];
  /** Absolute address of a link. */
  readonly href?: string;
  /** Options of a select: labels, in order, cut to the first 30, with the count of all. */
  readonly options?: { readonly labels: readonly string[]; readonly total: number };
  readonly children?: readonly SeenNode[];
  /** Children that the budget left out. */
  readonly more?: number;
}

/** One frame's document. */
export interface SeenFrame {
  readonly url: string;
  readonly title: string;
  readonly nodes: readonly SeenNode[];
  /** Text runs that no person can see, taken out. */
  readonly hiddenTexts: number;
  /** True when the walk stopped at its budget. */
  readonly cut: boolean;
  /** Top-level elements that the budget left out. */
  readonly more?: number;
  /** Height of what scrolls as the page, in heights of the window; absent when all is in view. */
  readonly screens?: number;
  /** A counter that grows with every change of the DOM, for "nothing changed". */
  readonly version: number;
  /** What secret fields hold, for the host to keep out of all other words; none of it may be shown. */
  readonly secrets?: readonly string[];
}

export interface LookOptions {
  /** Roughly how many tokens of output the walk may produce before it stops; rows are kept whole. */
  readonly budgetTokens: number;
  /** Walk only this element's subtree. */
  readonly rootId?: number;
}

/** Where a scroll came to, CSS pixels. */
export interface Scrolled {
  readonly moved: boolean;
  readonly x: number;
  readonly y: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** What an element is now. */
export interface ElementNow {
  readonly id: number;
  /** The random name of its document (`World.document`). */
  readonly document: string;
  readonly role: string;
  readonly name: string;
  /** Text of the row, list item or section that holds it, cut to 120 characters. */
  readonly within: string | null;
  /** As in `SeenNode.place`. */
  readonly place: string;
  readonly visible: boolean;
  readonly disabled: boolean;
  readonly href: string | null;
  readonly field: { readonly type: string; readonly name: string; readonly secret: boolean } | null;
  /** `button`: of a field, the name of the button that Enter in it presses. */
  readonly form: { readonly action: string; readonly method: string; readonly button?: string } | null;
}

/** What an element was when it was shown. */
export interface Identity {
  readonly role: string;
  readonly name: string;
  readonly place: string;
}

/**
 * `globalThis.__chaperone` in the isolated world of every document, as far as the host calls it (`observer/` adds what
 * needs DOM types).
 */
export interface World {
  /** A random name that this document got when the script started in it: ids of another document never match. */
  readonly document: string;
  look(options: LookOptions): SeenFrame;
  /** What it is now; null when it is gone from the document. */
  describe(id: number): ElementNow | null;
  /**
   * As `describe`; while it is what was shown, input is let through to the page only as long as that stays so, for
   * `maxMs` or until `disarm`. One element at a time.
   */
  arm(id: number, shown: Identity, maxMs: number): ElementNow | null;
  /**
   * Ends it. `kept`: input was kept from the page because the element had become another. `stray`: the press came down
   * on something else and did nothing. `elsewhere`: keys would have gone to another element, of that id, and were kept
   * from it.
   */
  disarm(): { readonly became: "reached" | "kept" | "stray" | "elsewhere"; readonly elsewhere?: number };
  /** Whether an act is under way, here or in another document of the page. */
  acting(): boolean;
  /** Keeps all input from this document, for `maxMs` or until `free`: an act belongs to another one. */
  bar(maxMs: number): void;
  /** Ends it; whether a press or a key was kept. */
  free(): boolean;
  hasFocus(): boolean;
  /** Takes the focus from a frame of this document. */
  leaveFrame(): void;
  /** What has the focus; `frame`: a document of its own has it. Null: nothing that is an element. */
  focused(): { readonly id: number; readonly frame: boolean } | null;
  /** All elements that are what was shown. */
  refind(shown: Identity): readonly number[];
  /**
   * Visible elements with that role and exact name (white space folded), within the innermost rows, items or regions
   * that contain `within`.
   */
  match(role: string, name: string, within?: string): readonly number[];
  /** Value read back: "(secret)" for secret fields, the chosen labels for a select, null when not a field. */
  value(id: number): string | readonly string[] | null;
  /** Options of a select; null when it is not a select. */
  options(id: number): readonly { readonly value: string; readonly label: string; readonly disabled: boolean }[] | null;
  /**
   * Resolves once the DOM has not changed for `quietMs` from now (or the last change) on, at most after `maxMs`. True
   * when it was quiet.
   */
  quiet(quietMs: number, maxMs: number, from?: "now" | "lastChange"): Promise<boolean>;
  /**
   * Scrolls what holds the element (or the page) by one screen or to an end; the page itself where nothing holds it.
   */
  scroll(direction: "up" | "down" | "left" | "right" | "top" | "bottom", id?: number): Scrolled;
  /** Grows with every DOM change. */
  version(): number;
  /** Where elements are drawn, in CSS pixels of the viewport; null for those that are gone. */
  boxes(
    ids: readonly number[],
  ): readonly ({ readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null)[];
  /** What fields of other documents of its site held. */
  knowSecrets(values: readonly string[]): void;
  /** Nothing of the document is drawn until `unveil`. Resolves when that is so. */
  veil(): Promise<void>;
  unveil(): void;
  /** Rectangles of secret fields in CSS pixels of the viewport, those outside of it too. */
  secretBoxes(): readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
}
