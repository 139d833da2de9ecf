/** A rectangle in CSS pixels, or in picture pixels where said so. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a point of one plane lies in another. */
export type Mapping = (point: Point) => Point;

/** More than this many CSS pixels off a parallelogram: perspective, which corners alone do not describe. */
const MAX_SKEW_PX = 0.5;

/** The smallest box that holds all; null for none. */
export function hull(boxes: readonly Box[]): Box | null {
  const [first] = boxes;
  if (first === undefined) return null;
  const left = Math.min(...boxes.map((box) => box.x));
  const top = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** What both cover; null when that is nothing. */
export function overlap(one: Box, other: Box): Box | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

export function moved(box: Box, by: Point): Box {
  return { ...box, x: box.x + by.x, y: box.y + by.y };
}

export function isInside(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** Outward to whole pixels. */
export function wholePixels(box: Box): Box {
  const x = Math.floor(box.x);
  const y = Math.floor(box.y);
  return { x, y, width: Math.ceil(box.x + box.width) - x, height: Math.ceil(box.y + box.height) - y };
}

/** The box that holds a box's image. */
export function mapped(box: Box, mapping: Mapping): Box {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const corners = [
    { x: box.x, y: box.y },
    { x: right, y: box.y },
    { x: right, y: bottom },
    { x: box.x, y: bottom },
  ];
  return hull(corners.map((corner) => ({ ...mapping(corner), width: 0, height: 0 }))) ?? box;
}

/**
 * The corners of a quad as the protocol gives it (eight numbers, clockwise from the top left one); null when it is
 * none.
 */
export function cornersOf(quad: unknown): readonly [Point, Point, Point, Point] | null {
  if (!Array.isArray(quad) || quad.length !== 8 || !quad.every((value): value is number => Number.isFinite(value)))
    return null;
  const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0, dx = 0, dy = 0] = quad;
  return [
    { x: ax, y: ay },
    { x: bx, y: by },
    { x: cx, y: cy },
    { x: dx, y: dy },
  ];
}

/** Maps a plane of that size onto a parallelogram; null for a quad that is none. */
export function mappingOnto(corners: readonly [Point, Point, Point, Point], size: Size): Mapping | null {
  const [a, b, c, d] = corners;
  if (Math.abs(a.x + c.x - b.x - d.x) > MAX_SKEW_PX || Math.abs(a.y + c.y - b.y - d.y) > MAX_SKEW_PX) return null;
  if (!(size.width > 0 && size.height > 0)) return null;
  const right = { x: (b.x - a.x) / size.width, y: (b.y - a.y) / size.width };
  const down = { x: (d.x - a.x) / size.height, y: (d.y - a.y) / size.height };
  return ({ x, y }) => ({ x: a.x + x * right.x + y * down.x, y: a.y + x * right.y + y * down.y });
}

/** A box, read from what a page's world answered; null when it is none. */
export function boxOf(value: unknown): Box | null {
  if (typeof value !== "object" || value === null) return null;
  const { x, y, width, height } = value as Record<keyof Box, unknown>;
  return isNumber(x) && isNumber(y) && isNumber(width) && isNumber(height) && width >= 0 && height >= 0
    ? { x, y, width, height }
    : null;
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
