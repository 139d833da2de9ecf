/** An act in another document of the page keeps input from this one. */
interface Bar {
  readonly endsAt: number;
  /** A press or a key came. */
  kept: boolean;
}

const MOVES: ReadonlySet<string> = new Set(["pointermove", "mousemove", "dragenter", "dragover"]);
const LATE_MS = 60_000;
const NAME = "__chaperone";

/**
 * A document that just began: what is of another origin than the page takes no input before the host has said so, nor
 * does any while an act is under way in the page. Else a frame that loads itself again and again could catch the keys
 * that are meant for another.
 */
let bar: Bar | null = startsBarred() ? { endsAt: Number.POSITIVE_INFINITY, kept: false } : null;

function startsBarred(): boolean {
  if (window === top) return false;
  try {
    // Of the same origin: the page's own world says it.
    const world = (top as unknown as Record<string, { acting?(): boolean } | undefined>)[NAME];
    return world?.acting?.() === true;
  } catch {
    return true;
  }
}

/** Whether an event must be kept from this document. */
export function bars(event: Event): boolean {
  if (bar === null || !event.isTrusted) return false;
  // Longer than the act: what a busy page lets through late was meant for another one.
  if (performance.now() > bar.endsAt + LATE_MS) {
    bar = null;
    return false;
  }
  bar.kept ||= !MOVES.has(event.type);
  return true;
}

export function isBarred(): boolean {
  return bar !== null;
}

/** Keeps input from this document for so many ms, or until `free`. */
export function barInput(maxMs: number): void {
  bar = { endsAt: performance.now() + maxMs, kept: false };
}

/** Lets input in again. Whether some was kept. */
export function free(): boolean {
  const kept = bar?.kept === true;
  bar = null;
  return kept;
}
