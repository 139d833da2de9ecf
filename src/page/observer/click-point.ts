import type { SeenNode } from "../seen.ts";
import { hitAt } from "./cover.ts";
import {
  attribute,
  box,
  clientLeft,
  clientTop,
  closest,
  flatContains,
  flatParent,
  isTag,
  labelControl,
  query,
} from "./dom.ts";
import { elementOf, idOf } from "./ids.ts";
import { see } from "./see.ts";

/** What lies over a place that was to be clicked. */
export interface CoverFound {
  readonly id: number;
  /** Ids of what can be acted on in it, as far as it is shown. */
  readonly controls: readonly number[];
}

/** Where a click on an element goes, CSS pixels of its document's viewport, and what takes it instead. */
export interface ClickPoint {
  readonly x: number;
  readonly y: number;
  readonly cover: CoverFound | null;
}

const rectsOf = Element.prototype.getClientRects;
const scrollTo = Element.prototype.scrollIntoView;
const DIALOGS = '[role="dialog"], [role="alertdialog"], dialog';
const LINK_OR_BUTTON = 'button, [role="button"], a, [role="link"]';
/** A cover over so much of the viewport cannot be scrolled away from under. */
const WHOLE_SHARE = 0.9;
const MAX_CONTROLS = 4;

/** Brings an element into view and says what a click on it would meet. Null when it is gone or has no box. */
export function clickPoint(id: number): ClickPoint | null {
  const element = elementOf(id);
  if (element === null) return null;
  let point = middleOf(element);
  if (point === null) {
    into(element, "center");
    point = middleOf(element);
  }
  if (point === null) return null;
  let cover = coverAt(element, point);
  // A bar that sticks to an edge covers it only at that edge.
  for (const block of ["center", "end", "start"] as const) {
    if (cover === null || shareOf(cover) >= WHOLE_SHARE) break;
    into(element, block);
    point = middleOf(element) ?? point;
    cover = coverAt(element, point);
  }
  return { ...point, cover: cover === null ? null : found(cover) };
}

/** The same for a point inside a frame, seen from the document that holds the frame. */
export function framePoint(id: number, x: number, y: number): ClickPoint | null {
  const frame = elementOf(id);
  if (frame === null) return null;
  const style = getComputedStyle(frame);
  const { left, top } = box(frame);
  const point = {
    x: left + clientLeft(frame) + Number.parseFloat(style.paddingLeft) + x,
    y: top + clientTop(frame) + Number.parseFloat(style.paddingTop) + y,
  };
  if (point.x < 0 || point.y < 0 || point.x >= innerWidth || point.y >= innerHeight) return { ...point, cover: null };
  const cover = coverAt(frame, point);
  return { ...point, cover: cover === null ? null : found(cover) };
}

function into(element: Element, block: ScrollLogicalPosition): void {
  scrollTo.call(element, { block, inline: "nearest", behavior: "instant" });
}

/** The middle of its first box, as far as that is in view. */
function middleOf(element: Element): { x: number; y: number } | null {
  for (const rect of rectsOf.call(element)) {
    const left = Math.max(rect.left, 0);
    const right = Math.min(rect.right, innerWidth);
    const top = Math.max(rect.top, 0);
    const bottom = Math.min(rect.bottom, innerHeight);
    if (right - left >= 1 && bottom - top >= 1) return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }
  return null;
}

/**
 * Whether a press on `hit` is one on the element: on a part of it, of the link or button that it is in, or on its
 * label.
 */
export function isPartOf(element: Element, hit: Element): boolean {
  if (flatContains(closest(element, LINK_OR_BUTTON) ?? element, hit) || isInMapOf(element, hit)) return true;
  const label = closest(hit, "label");
  return isTag(label, "label") && labelControl(label) === element;
}

/** A place in a picture with a map is an `area`, which lies anywhere in the document. */
function isInMapOf(element: Element, hit: Element): boolean {
  const name = isTag(hit, "area") ? attribute(closest(hit, "map") ?? hit, "name") : null;
  return name !== null && isTag(element, "img") && attribute(element, "usemap") === `#${name}`;
}

/**
 * The element that takes a click there in place of the one that is meant. Its own parts, its label and what holds it do
 * not count.
 */
function coverAt(element: Element, { x, y }: { x: number; y: number }): Element | null {
  const hit = hitAt(x, y);
  if (hit === null || isPartOf(element, hit) || flatContains(hit, element)) return null;
  return wholeOf(hit, element);
}

/** The dialog that a hit is in, or the outermost layer around it that does not hold the element itself. */
function wholeOf(hit: Element, element: Element): Element {
  let layer: Element | null = null;
  for (let at: Element | null = hit; at !== null && !flatContains(at, element); at = flatParent(at)) {
    if (isTag(at, "dialog") || /^(?:alert)?dialog$/.test(attribute(at, "role") ?? "")) return at;
    const { position } = getComputedStyle(at);
    if (position === "fixed" || position === "absolute" || position === "sticky") layer = at;
  }
  if (layer === null) return hit;
  // A backdrop around its dialog: the dialog is what can be closed.
  return query(layer, DIALOGS) ?? layer;
}

function shareOf(cover: Element): number {
  const { width, height } = box(cover);
  return (width * height) / (innerWidth * innerHeight);
}

function found(cover: Element): CoverFound {
  const controls: number[] = [];
  const walk = (nodes: readonly SeenNode[]): void => {
    for (const node of nodes) {
      if (controls.length === MAX_CONTROLS) return;
      if (node.act === true && node.id !== undefined) controls.push(node.id);
      walk(node.children ?? []);
    }
  };
  walk(see(Number.POSITIVE_INFINITY, cover).nodes);
  return { id: idOf(cover), controls };
}
