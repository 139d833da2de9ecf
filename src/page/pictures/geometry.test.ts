import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Box, boxOf, cornersOf, hull, isInside, mapped, mappingOnto, overlap, wholePixels } from "./geometry.ts";

const number = fc.double({ min: -5_000, max: 5_000, noNaN: true });
const length = fc.double({ min: 1, max: 5_000, noNaN: true });
const box: fc.Arbitrary<Box> = fc.record({ x: number, y: number, width: length, height: length });

function grown(of: Box, by: number): Box {
  return { x: of.x - by, y: of.y - by, width: of.width + 2 * by, height: of.height + 2 * by };
}

describe("boxes", () => {
  test("a hull holds all, an overlap lies in both", () => {
    fc.assert(
      fc.property(box, box, (one, other) => {
        const around = hull([one, other]);
        expect(around !== null && isInside(one, grown(around, 1e-6)) && isInside(other, grown(around, 1e-6))).toBe(
          true,
        );
        const common = overlap(one, other);
        if (common !== null)
          expect(isInside(common, grown(one, 1e-6)) && isInside(common, grown(other, 1e-6))).toBe(true);
        expect(overlap(one, one)).not.toBeNull();
      }),
    );
  });

  test("whole pixels hold the box and are less than one pixel larger on each side", () => {
    fc.assert(
      fc.property(box, (of) => {
        const whole = wholePixels(of);
        expect(Object.values(whole).every(Number.isInteger)).toBe(true);
        expect(isInside(of, grown(whole, 1e-6))).toBe(true);
        expect(isInside(whole, grown(of, 1))).toBe(true);
      }),
    );
  });

  test("no hull of nothing, no overlap of what only touches", () => {
    expect(hull([])).toBeNull();
    expect(overlap({ x: 0, y: 0, width: 10, height: 10 }, { x: 10, y: 0, width: 10, height: 10 })).toBeNull();
  });
});

describe("quads", () => {
  test.each([
    ["moved", [10, 20, 110, 20, 110, 70, 10, 70], { x: 10, y: 20, width: 100, height: 50 }],
    ["twice as large", [0, 0, 200, 0, 200, 100, 0, 100], { x: 0, y: 0, width: 200, height: 100 }],
    ["turned to the right", [50, 0, 50, 100, 0, 100, 0, 0], { x: 0, y: 0, width: 50, height: 100 }],
    ["mirrored", [100, 0, 0, 0, 0, 50, 100, 50], { x: 0, y: 0, width: 100, height: 50 }],
  ])("%s", (_name, quad, image) => {
    const corners = cornersOf(quad);
    const mapping = corners === null ? null : mappingOnto(corners, { width: 100, height: 50 });
    expect(mapping && mapped({ x: 0, y: 0, width: 100, height: 50 }, mapping)).toEqual(image);
  });

  test("a part of the plane stays within the plane's image", () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        number,
        number,
        fc.double({ min: 0, max: 7, noNaN: true }),
        length,
        length,
        fraction,
        fraction,
        (x, y, angle, width, height, across, down) => {
          const right = { x: width * Math.cos(angle), y: width * Math.sin(angle) };
          const below = { x: -height * Math.sin(angle), y: height * Math.cos(angle) };
          const corners = cornersOf([
            x,
            y,
            x + right.x,
            y + right.y,
            x + right.x + below.x,
            y + right.y + below.y,
            x + below.x,
            y + below.y,
          ]);
          const mapping = corners === null ? null : mappingOnto(corners, { width: 300, height: 200 });
          expect(mapping).not.toBeNull();
          if (mapping === null) return;
          const whole = mapped({ x: 0, y: 0, width: 300, height: 200 }, mapping);
          const part = mapped({ x: 0, y: 0, width: 300 * across, height: 200 * down }, mapping);
          expect(isInside(part, grown(whole, 1e-6))).toBe(true);
        },
      ),
    );
  });

  test("what corners do not describe has no mapping", () => {
    const perspective = cornersOf([0, 0, 100, 10, 100, 90, 0, 100]);
    expect(perspective && mappingOnto(perspective, { width: 100, height: 100 })).toBeNull();
    const square = cornersOf([0, 0, 10, 0, 10, 10, 0, 10]);
    expect(square && mappingOnto(square, { width: 0, height: 10 })).toBeNull();
    expect(square && mappingOnto(square, { width: Number.NaN, height: 10 })).toBeNull();
  });

  test.each([
    null,
    "quad",
    [],
    [1, 2, 3],
    [0, 0, 1, 0, 1, 1, 0, null],
    [0, 0, 1, 0, 1, 1, 0, Number.POSITIVE_INFINITY],
  ])("%j is none", (value) => {
    expect(cornersOf(value)).toBeNull();
  });
});

test("only four finite numbers are a box", () => {
  fc.assert(
    fc.property(
      fc.anything(),
      (value) => boxOf(value) === null || Object.values(boxOf(value) ?? {}).every(Number.isFinite),
    ),
  );
  expect(boxOf({ x: 1, y: 2, width: 3, height: 4 })).toEqual({ x: 1, y: 2, width: 3, height: 4 });
  for (const wrong of [
    null,
    {},
    { x: 1, y: 2, width: -3, height: 4 },
    { x: "1", y: 2, width: 3, height: 4 },
    { x: Number.NaN, y: 2, width: 3, height: 4 },
  ])
    expect(boxOf(wrong)).toBeNull();
});
