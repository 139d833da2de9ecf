import type { Point } from "./geometry.ts";

/** Something short to write onto a picture: a ref. */
export interface Label {
  readonly text: string;
  /** Top left corner of what it names, picture pixels: it stands on that, and covers little of it. */
  readonly at: Point;
}

export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** Rows of 3 dots, top to bottom. Refs have no other signs. */
const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  e: ["###", "# #", "###", "#  ", "###"],
  "0": ["###", "# #", "# #", "# #", "###"],
  "1": [" # ", "## ", " # ", " # ", "###"],
  "2": ["###", "  #", "###", "#  ", "###"],
  "3": ["###", "  #", " ##", "  #", "###"],
  "4": ["# #", "# #", "###", "  #", "  #"],
  "5": ["###", "#  ", "###", "  #", "###"],
  "6": ["###", "#  ", "###", "# #", "###"],
  "7": ["###", "  #", "  #", " # ", " # "],
  "8": ["###", "# #", "###", "# #", "###"],
  "9": ["###", "# #", "###", "  #", "###"],
};
const GLYPH_DOTS = { across: 3, down: 5 } as const;
const DOT_PX = 2;
const PADDING_PX = 2;
const ADVANCE_PX = (GLYPH_DOTS.across + 1) * DOT_PX;
const HEIGHT_PX = GLYPH_DOTS.down * DOT_PX + 2 * PADDING_PX;
/** How much of what it names it covers. */
const OVERLAP_PX = 4;
/** Black on yellow: legible on every page, and not taken for a part of one. */
const INK: readonly number[] = [0, 0, 0, 255];
const GROUND: readonly number[] = [255, 226, 64, 255];

/** Writes the labels into the picture, each moved inside where it would stand out. */
export function drawLabels(pixels: Pixels, labels: readonly Label[]): void {
  for (const { text, at } of labels) {
    const width = text.length * ADVANCE_PX - DOT_PX + 2 * PADDING_PX;
    const left = Math.round(Math.max(0, Math.min(at.x, pixels.width - width)));
    const top = Math.round(Math.max(0, Math.min(at.y - HEIGHT_PX + OVERLAP_PX, pixels.height - HEIGHT_PX)));
    rectangle(pixels, left, top, width, HEIGHT_PX, GROUND);
    for (const [index, sign] of [...text].entries()) {
      for (const [row, dots] of (GLYPHS[sign] ?? []).entries()) {
        for (const [column, dot] of [...dots].entries()) {
          if (dot === "#")
            rectangle(
              pixels,
              left + PADDING_PX + index * ADVANCE_PX + column * DOT_PX,
              top + PADDING_PX + row * DOT_PX,
              DOT_PX,
              DOT_PX,
              INK,
            );
        }
      }
    }
  }
}

function rectangle(
  pixels: Pixels,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: readonly number[],
): void {
  const { data, channels } = pixels;
  // Grey pictures have one channel, or two with alpha: the second is opaque.
  const tones = channels < 3 ? [colour[0] ?? 0, 255] : colour;
  for (let y = Math.max(0, top); y < Math.min(pixels.height, top + height); y++) {
    for (let x = Math.max(0, left); x < Math.min(pixels.width, left + width); x++) {
      for (let channel = 0; channel < channels; channel++)
        data[(y * pixels.width + x) * channels + channel] = tones[channel] ?? 255;
    }
  }
}
