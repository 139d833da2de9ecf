import type { ElementNow, Identity } from "../seen.ts";
import { bars, free } from "./bar.ts";
import { isPartOf } from "./click-point.ts";
import { closest, flatContains, isTag, labelControl, shadowRootOf } from "./dom.ts";
import { isField, isSecret, rawValue } from "./fields.ts";
import { describe, identityOf, isWhatWasShown } from "./find.ts";
import { elementOf, idOf } from "./ids.ts";
import { focusedElement } from "./states.ts";

const POINTER_EVENTS = [
  "pointermove",
  "mousemove",
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "dblclick",
  "contextmenu",
] as const;
/**
 * A page can move the focus at each of them, and what has it then gets the next one: `keypress` is what presses a
 * button.
 */
const KEY_EVENTS = ["keydown", "keypress", "beforeinput"] as const;
const KEYS = new Set<string>(KEY_EVENTS);
const CLICKS: ReadonlySet<string> = new Set(["click", "auxclick", "dblclick", "contextmenu"]);
/** How long after an act's end its input may still be on its way through a page that is busy. */
const LATE_MS = 60_000;
const HERE = new Set<string>([...POINTER_EVENTS, ...KEY_EVENTS]);
/** Of no interest where the act belongs; nothing of it may come to another document. */
const ONLY_BARRED = ["keyup", "paste", "copy", "cut", "dragstart", "dragenter", "dragover", "drop"] as const;

/** One act under way. */
interface Armed {
  readonly element: Element;
  readonly id: number;
  readonly endsAt: number;
  /** What it must still be; null once the page's answer to this very input took it away. */
  expected: Identity | null;
  /** The page is answering an event of this act: what it changes now is the act's own consequence. */
  answering: boolean;
  typed: boolean;
  kept: boolean;
  /** A press came that was aimed at something else; Playwright lets such a one not go on to the page. */
  stray: boolean;
  /** Fields after the one that is meant which have got a sign. */
  readonly given: Set<Element>;
  /** Where the key that is going down was let through to. */
  keyAt: Element | null;
  /** Text is about to be put in: where the page moves the focus in answer to it, Chromium puts it in there. */
  writing: Event | null;
  /** Keys came to another element than the one that is meant, and were kept from it. */
  elsewhere: Element | null;
}

let armed: Armed | null = null;

const now = (act: Armed): Identity | null =>
  elementOf(act.id) === act.element ? identityOf(act.element, act.id) : null;

function isStill(act: Armed): boolean {
  const found = now(act);
  return act.expected === null || found === null ? act.expected === found : isWhatWasShown(found, act.expected);
}

function keepBack(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Runs before every listener of the page, in the same task as they do. */
function guard(event: Event): void {
  if (bars(event)) {
    keepBack(event);
    return;
  }
  const act = armed;
  if (act === null || !event.isTrusted) return;
  const lateMs = performance.now() - act.endsAt;
  if (lateMs > LATE_MS) {
    armed = null;
    return;
  }
  // The page was busy meanwhile, and the call is over: what comes of its input now was judged by nobody.
  if (lateMs > 0) act.kept = true;
  if (event.type === "pointerdown") act.stray = !isAimedAt(act.element, event);
  // A page can have what follows a press sent to another element: it captures the pointer.
  if (CLICKS.has(event.type) && !isClickOf(act.element, event)) {
    act.stray = true;
    keepBack(event);
    return;
  }
  if (act.kept) {
    keepBack(event);
    return;
  }
  if (!HERE.has(event.type)) return;
  const key = KEYS.has(event.type);
  if (key && !isKeyFor(act, event)) {
    act.elsewhere = targetOf(event);
    keepBack(event);
    return;
  }
  if (event.type === "beforeinput") act.writing = event;
  if (act.answering || (key && act.typed)) return;
  if (!isStill(act)) {
    act.kept = true;
    keepBack(event);
    return;
  }
  act.typed ||= key;
  act.answering = true;
  void scheduler.postTask(
    () => {
      act.expected = now(act);
      act.answering = false;
    },
    { priority: "user-blocking" },
  );
}

/** The focus moves while the page hears that text is about to be put in. */
function focusMoved(event: Event): void {
  const writing = armed?.writing ?? null;
  if (armed === null || writing === null || writing.eventPhase === Event.NONE || isKeyFor(armed, event)) return;
  armed.elsewhere = targetOf(event);
  writing.preventDefault();
}

/** The press goes on from the window: whatever it was aimed at, nobody kept it back. */
function passed(event: Event): void {
  if (armed !== null && event.isTrusted) armed.stray = false;
}

/** What keys come to. A closed shadow root hides it from the event; it has the focus. */
function targetOf(event: Event): Element | null {
  const [hit] = event.composedPath();
  if (!(hit instanceof Element)) return null;
  return shadowRootOf(hit) === null ? hit : focusedElement();
}

/**
 * Whether a key comes to the element that is meant, or to what is inside of it. A page may move the focus as it likes:
 * only the next letters of a text that is typed key by key may go on in the next field, as in fields for one sign each,
 * never a key that presses something.
 */
function isKeyFor(act: Armed, event: Event): boolean {
  const hit = targetOf(event);
  if (hit === null) return false;
  const isMeant =
    flatContains(act.element, hit) ||
    (hit instanceof HTMLElement && hit.isContentEditable && flatContains(hit, act.element));
  if (!(event instanceof KeyboardEvent) || event.type === "keypress") return isMeant || hit === act.keyAt;
  const isNext =
    act.typed &&
    rawValue(hit) !== null &&
    !isTag(hit, "select") &&
    event.key.length === 1 &&
    !event.ctrlKey &&
    !event.metaKey;
  act.keyAt = isMeant || (isNext && isNextField(act, hit)) ? hit : null;
  return act.keyAt !== null;
}

/** One sign a field, of the same form, and nothing of a secret field into another kind. */
function isNextField(act: Armed, hit: Element): boolean {
  if (act.given.has(hit) || formOf(hit) !== formOf(act.element)) return false;
  if (isField(act.element) && isSecret(act.element) && !(isField(hit) && isSecret(hit))) return false;
  act.given.add(hit);
  return true;
}

const formOf = (element: Element): Element | null => closest(element, "form");

/** Whether a click of the mouse comes to the element, to what is in it or around it, or to what its label is for. */
function isClickOf(element: Element, event: Event): boolean {
  const [hit] = event.composedPath();
  // Keys press too, and have been checked as keys: a form's button is pressed by Enter in a field.
  if (!(event instanceof MouseEvent) || event.detail === 0 || !(hit instanceof Element)) return true;
  if (isPartOf(element, hit) || flatContains(hit, element)) return true;
  const label = closest(element, "label");
  return isTag(label, "label") && labelControl(label) === hit;
}

function isAimedAt(element: Element, event: Event): boolean {
  const [hit] = event.composedPath();
  return !(event instanceof MouseEvent) || !(hit instanceof Element) || isPartOf(element, hit);
}

declare const scheduler: { postTask(task: () => void, options: { readonly priority: "user-blocking" }): Promise<void> };

/** Listens on the window before the page does. Again for a window whose document was replaced. */
export function standGuard(): void {
  for (const kind of [...POINTER_EVENTS, ...KEY_EVENTS, ...ONLY_BARRED])
    window.addEventListener(kind, guard, { capture: true, passive: false });
  window.addEventListener("focusin", focusMoved, { capture: true, passive: true });
  document.addEventListener("pointerdown", passed, { capture: true, passive: true });
}

/** What an element is now; while that is what was shown, input reaches the page only as long as it stays so. */
export function arm(id: number, shown: Identity, maxMs: number): ElementNow | null {
  armed = null;
  const found = describe(id);
  const element = elementOf(id);
  if (found === null || element === null || !isWhatWasShown(found, shown)) return found;
  free();
  armed = {
    element,
    id,
    endsAt: performance.now() + maxMs,
    expected: shown,
    answering: false,
    typed: false,
    kept: false,
    stray: false,
    given: new Set(),
    keyAt: null,
    writing: null,
    elsewhere: null,
  };
  return found;
}

/**
 * Ends it, and says what became of the input: `elsewhere` is the id of the element that would have got keys in its
 * place.
 */
export function disarm(): { readonly became: "reached" | "kept" | "stray" | "elsewhere"; readonly elsewhere?: number } {
  const act = armed;
  armed = null;
  if (act === null) return { became: "reached" };
  if (act.elsewhere !== null) return { became: "elsewhere", elsewhere: idOf(act.elsewhere) };
  return { became: act.kept ? "kept" : act.stray ? "stray" : "reached" };
}

/** Whether an act is under way here, or elsewhere in the page. */
export function isActing(): boolean {
  return armed !== null;
}
