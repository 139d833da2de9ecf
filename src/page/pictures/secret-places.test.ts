import { describe, expect, test } from "vitest";
import type { Box } from "./geometry.ts";
import { coversOf, type SecretPlaces } from "./secret-places.ts";

function seen(boxes: readonly Box[], scrollY = 0, frame = "main"): SecretPlaces {
  return {
    viewport: { box: { x: 0, y: scrollY, width: 1280, height: 800 }, devicePixelRatio: 1, pinch: 1 },
    covers: new Map([[frame, boxes]]),
    silent: new Set(),
  };
}

const at = (y: number): Box => ({ x: 10, y, width: 100, height: 20 });

describe("what is painted, in the document", () => {
  test.each([
    ["what stands still, box by box", seen([at(0), at(100)]), seen([at(0.2), at(100)]), [at(0), at(100)]],
    ["the way of what moved", seen([at(0)]), seen([at(100)]), [{ x: 10, y: 0, width: 100, height: 120 }]],
    ["what came", seen([]), seen([at(50)]), [at(50)]],
    ["what went", seen([at(50)]), seen([]), [at(50)]],
    [
      "all between, when one of two went",
      seen([at(0), at(100)]),
      seen([at(100)]),
      [{ x: 10, y: 0, width: 100, height: 120 }],
    ],
    ["in a scrolled document", seen([at(0)], 500), seen([at(0)], 500), [at(500)]],
    [
      "both places when the page scrolled meanwhile",
      seen([at(100)], 500),
      seen([at(0)], 600),
      [{ x: 10, y: 500, width: 100, height: 220 }],
    ],
    ["frames on their own", seen([at(0)], 0, "one"), seen([at(100)], 0, "other"), [at(0), at(100)]],
    ["nothing", seen([]), seen([]), []],
  ])("%s", (_name, before, after, painted) => {
    expect(coversOf(before, after)).toEqual(painted);
  });
});
