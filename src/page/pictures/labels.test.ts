import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawLabels, type Pixels } from "./labels.ts";

function blank(width: number, height: number, channels = 4): Pixels {
  return { data: new Uint8Array(width * height * channels).fill(7), width, height, channels };
}

function at({ data, width, channels }: Pixels, x: number, y: number): readonly number[] {
  const start = (y * width + x) * channels;
  return [...data.slice(start, start + channels)];
}

/** The label's dots as they can be read off the picture, one sign a column of text. */
function inkOf(pixels: Pixels, left: number, top: number, signs: number): readonly string[] {
  return Array.from({ length: 5 }, (_row, row) =>
    Array.from({ length: signs * 4 - 1 }, (_column, column) =>
      at(pixels, left + 2 + column * 2, top + 2 + row * 2)[0] === 0 ? "#" : " ",
    ).join(""),
  );
}

describe("a label on a picture", () => {
  test("can be read where it was put", () => {
    const pixels = blank(60, 40);
    drawLabels(pixels, [{ text: "e17", at: { x: 10, y: 15 } }]);
    expect(inkOf(pixels, 10, 5, 3)).toEqual([
      "###  #  ###",
      "# # ##    #",
      "###  #    #",
      "#    #   # ",
      "### ###  # ",
    ]);
    expect(at(pixels, 9, 5)).toEqual([7, 7, 7, 7]);
    expect(at(pixels, 10, 5)).toEqual([255, 226, 64, 255]);
  });

  test("every number looks different", () => {
    const drawn = Array.from({ length: 10 }, (_, digit) => {
      const pixels = blank(20, 20);
      drawLabels(pixels, [{ text: String(digit), at: { x: 0, y: 0 } }]);
      return inkOf(pixels, 0, 0, 1).join();
    });
    expect(new Set(drawn).size).toBe(10);
  });

  test("stays inside, whatever its place, in colour and in grey", () => {
    fc.assert(
      fc.property(
        fc.double(),
        fc.double(),
        fc.constantFrom(1, 2, 3, 4),
        fc.stringMatching(/^e\d{1,6}$/),
        (x, y, channels, text) => {
          const pixels = blank(50, 20, channels);
          drawLabels(pixels, [{ text, at: { x, y } }]);
          expect(pixels.data).toHaveLength(50 * 20 * channels);
        },
      ),
    );
  });
});
