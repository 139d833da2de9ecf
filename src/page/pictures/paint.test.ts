import fc from "fast-check";
import { decode, encode } from "fast-png";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { paint, pngSize } from "./paint.ts";

const MARGIN = 2;

function picture(width: number, height: number, channels: number): Buffer {
  const data = Uint8Array.from({ length: width * height * channels }, (_, index) =>
    channels === 4 && index % 4 === 3 ? 255 : (index * 7) % 251,
  );
  return Buffer.from(encode({ width, height, data, depth: 8, channels }));
}

describe("painting", () => {
  test.each([1, 2, 3, 4])(
    "covers every pixel of a box and touches none outside of its margin, with %i channels",
    async (channels) => {
      const size = fc.integer({ min: 1, max: 60 });
      const place = fc.double({ min: -80, max: 80, noNaN: true });
      const side = fc.double({ min: 0.1, max: 80, noNaN: true });
      await fc.assert(
        fc.asyncProperty(
          size,
          size,
          fc.array(fc.record({ x: place, y: place, width: side, height: side }), { minLength: 1, maxLength: 3 }),
          async (width, height, boxes) => {
            const before = picture(width, height, channels);
            const after = await paint(before, boxes);
            expect(pngSize(after)).toEqual({ width, height });
            const old = decode(before).data;
            const now = decode(after).data;
            const painted = Array.from({ length: channels }, (_, channel) =>
              (channels === 2 && channel === 1) || channel === 3 ? 255 : 64,
            );
            for (let y = 0; y < height; y++) {
              for (let x = 0; x < width; x++) {
                const at = (y * width + x) * channels;
                const pixel = [...now.slice(at, at + channels)];
                const near = (by: number) =>
                  boxes.some(
                    (box) =>
                      x + 1 > box.x - by &&
                      x < box.x + box.width + by &&
                      y + 1 > box.y - by &&
                      y < box.y + box.height + by,
                  );
                if (near(0)) expect(pixel).toEqual(painted);
                else if (!near(MARGIN + 1)) expect(pixel).toEqual([...old.slice(at, at + channels)]);
              }
            }
          },
        ),
        { numRuns: runs(12, 200) },
      );
    },
  );

  test("without boxes nothing is read or written", async () => {
    const broken = Buffer.from("no picture");
    expect(await paint(broken, [])).toBe(broken);
  });

  test("a broken picture is an error, never handed on unpainted", async () => {
    const box = { x: 0, y: 0, width: 5, height: 5 };
    await expect(paint(Buffer.from("no picture"), [box])).rejects.toThrow();
    await expect(paint(picture(20, 20, 3).subarray(0, 60), [box])).rejects.toThrow();
  });

  test("the size stands in the head", () => {
    expect(pngSize(picture(31, 17, 3))).toEqual({ width: 31, height: 17 });
    expect(() => pngSize(Buffer.alloc(5))).toThrow();
  });
});
