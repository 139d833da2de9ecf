import { hitAt } from "./cover.ts";
import { box, clientLeft, clientTop, elementsIn } from "./dom.ts";
import { idOf } from "./ids.ts";
import { knownRoots } from "./watch.ts";

const MAX_FOUND = 100;

/** Ids of what a selector matches, shadow roots entered; null when it is none. */
export function bySelector(selector: string): number[] | null {
  try {
    return [...new Set<Document | ShadowRoot>([document, ...knownRoots()])].flatMap((root) =>
      [...elementsIn(root, selector)].slice(0, MAX_FOUND).map(idOf),
    );
  } catch {
    return null;
  }
}

/** What lies at a place of the viewport, and where in its padding box that is; null when nothing does. */
export function atPoint(x: number, y: number): { readonly id: number; readonly x: number; readonly y: number } | null {
  const hit = hitAt(x, y);
  if (hit === null) return null;
  const { left, top } = box(hit);
  return { id: idOf(hit), x: Math.max(0, x - left - clientLeft(hit)), y: Math.max(0, y - top - clientTop(hit)) };
}
