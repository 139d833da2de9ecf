import type { ElementNow, Identity } from "../seen.ts";
import { isPartOf } from "./click-point.ts";
import { describe, identityOf, isWhatWasShown } from "./find.ts";
import { elementOf } from "./ids.ts";

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
const KEY_EVENTS = ["keydown", "beforeinput"] as const;
const KEYS = new Set<string>(KEY_EVENTS);

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
}

let armed: Armed | null = null;

const now = (act: Armed): Identity | null => (elementOf(act.id) === act.element ? identityOf(act.element, act.id) : null);

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
  const act = armed;
  if (act === null || !event.isTrusted) return;
  if (performance.now() > act.endsAt) {
    armed = null;
    return;
  }
  if (event.type === "pointerdown") act.stray = !isAimedAt(act.element, event);
  if (act.kept) {
    keepBack(event);
    return;
  }
  const key = KEYS.has(event.type);
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

/** The press goes on from the window: whatever it was aimed at, nobody kept it back. */
function passed(event: Event): void {
  if (armed !== null && event.isTrusted) armed.stray = false;
}

function isAimedAt(element: Element, event: Event): boolean {
  const [hit] = event.composedPath();
  return !(event instanceof MouseEvent) || !(hit instanceof Element) || isPartOf(element, hit);
}

declare const scheduler: { postTask(task: () => void, options: { readonly priority: "user-blocking" }): Promise<void> };

/** Listens on the window before the page does. Again for a window whose document was replaced. */
export function standGuard(): void {
  for (const kind of [...POINTER_EVENTS, ...KEY_EVENTS]) window.addEventListener(kind, guard, { capture: true, passive: false });
  document.addEventListener("pointerdown", passed, { capture: true, passive: true });
}

/** What an element is now; while that is what was shown, input reaches the page only as long as it stays so. */
export function arm(id: number, shown: Identity, maxMs: number): ElementNow | null {
  armed = null;
  const found = describe(id);
  const element = elementOf(id);
  if (found === null || element === null || !isWhatWasShown(found, shown)) return found;
  armed = { element, id, endsAt: performance.now() + maxMs, expected: shown, answering: false, typed: false, kept: false, stray: false };
  return found;
}

/** Ends it, and says what became of the input. */
export function disarm(): "reached" | "kept" | "stray" {
  const act = armed;
  armed = null;
  return act?.kept === true ? "kept" : act?.stray === true ? "stray" : "reached";
}
