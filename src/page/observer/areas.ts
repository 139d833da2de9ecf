import {
  documentBody,
  documentElement,
  scrollHeight,
  scrollingElement,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from "./dom.ts";

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const NOTHING: Area = { left: 0, top: 0, right: -1, bottom: -1 };
export const isEmpty = (area: Area): boolean => area.right - area.left < 1 || area.bottom - area.top < 1;
export const meet = (a: Area, b: Area): Area => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});
export const inside = (inner: Area, outer: Area): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;

/** A way to be seen: what can be reached by scrolling, and what is in view now. */
export interface Port {
  readonly reach: Area;
  readonly view: Area;
}

export function scrollSpan(
  start: number,
  size: number,
  scrolled: number,
  whole: number,
  backwards: boolean,
): readonly [number, number] {
  const from = backwards ? start + size - whole - scrolled : start - scrolled;
  return [from, from + whole];
}

/**
 * What a person can reach by scrolling the document. A locked vertical scroll (open dialogs do that) still counts as
 * reachable.
 */
export function documentArea(): Area {
  const scroller = scrollingElement(document) ?? documentElement(document);
  const style = getComputedStyle(documentElement(document));
  const body = documentBody(document);
  const overflowX = style.overflowX !== "visible" || body === null ? style.overflowX : getComputedStyle(body).overflowX;
  const width = innerWidth;
  const height = innerHeight;
  const [left, right] =
    overflowX === "hidden" || overflowX === "clip"
      ? [0, width]
      : scrollSpan(0, width, scrollLeft(scroller), Math.max(scrollWidth(scroller), width), style.direction === "rtl");
  const [top, bottom] = scrollSpan(0, height, scrollTop(scroller), Math.max(scrollHeight(scroller), height), false);
  return { left, top, right, bottom };
}

export const NOWHERE: Port = { reach: NOTHING, view: NOTHING };
const NUMBERS = /-?\d*\.?\d+(?:px|%)?/g;

/** Whether a clip leaves nothing; shapes that cannot be told count as leaving something. */
export function clipsAll(clip: string, clipPath: string, filter: string, rect: () => DOMRect): boolean {
  if (clip !== "auto" && clip !== "") {
    const [top = 0, right = 1, bottom = 1, left = 0] = (clip.match(NUMBERS) ?? []).map((part) =>
      Number.parseFloat(part),
    );
    if (clip.match(NUMBERS)?.length === 4 && (right - left <= 1 || bottom - top <= 1)) return true;
  }
  if (filter !== "none" && /opacity\((?:0(?:\.0\d*|\.1[01]?)?|[0-9](?:\.\d+)?%)\)/.test(filter)) return true;
  if (clipPath === "none") return false;
  const size = rect();
  const parts = (clipPath.replace(/ round .*$/, ")").match(NUMBERS) ?? []).map((part, index) =>
    part.endsWith("%")
      ? (Number.parseFloat(part) / 100) * (index % 2 === 0 ? size.height : size.width)
      : Number.parseFloat(part),
  );
  const first = parts[0] ?? 0;
  if (clipPath.startsWith("inset")) {
    const right = parts[1] ?? first;
    return first + (parts[2] ?? first) >= size.height - 1 || right + (parts[3] ?? right) >= size.width - 1;
  }
  if (clipPath.startsWith("circle") || clipPath.startsWith("ellipse")) return parts.length > 0 && first < 1;
  if (!clipPath.startsWith("polygon")) return false;
  const columns = parts.filter((_, index) => index % 2 === 0);
  const rows = parts.filter((_, index) => index % 2 === 1);
  return Math.max(...columns) - Math.min(...columns) < 1 || Math.max(...rows) - Math.min(...rows) < 1;
}
