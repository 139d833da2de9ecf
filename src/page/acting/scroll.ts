import type { Element, Permit } from "../../types.ts";
import type { Scrolled } from "../seen.ts";
import { stale } from "../view/failures.ts";
import type { View } from "../view/view.ts";

export type Direction = "up" | "down" | "left" | "right" | "top" | "bottom";

/** Where a scroll came to, in words and numbers (CSS pixels). */
export interface Position {
  readonly words: string;
  readonly x: number;
  readonly y: number;
  readonly max_x: number;
  readonly max_y: number;
}

/** Scrolls what holds the element, or the page, by one screen or to an end. */
export async function scroll(
  view: View,
  element: Element | null,
  direction: Direction,
  permit: Permit,
): Promise<Position> {
  permit.take();
  const place = element === null ? null : view.place(element.ref);
  const frame = place?.frame ?? view.frames()[0];
  if (frame === undefined) throw stale();
  const { moved, x, y, maxX, maxY } = (await view.ask(frame, "scroll", [
    direction,
    ...(place === null ? [] : [place.localId]),
  ])) as Scrolled;
  return { words: wordsFor(moved, y, maxY), x, y, max_x: maxX, max_y: maxY };
}

function wordsFor(moved: boolean, y: number, maxY: number): string {
  if (maxY <= 0) return "nothing to scroll";
  const where = y <= 0 ? "at the top" : y >= maxY ? "at the bottom" : `${Math.round((y / maxY) * 100)} % down`;
  return moved ? where : `already ${where}`;
}
