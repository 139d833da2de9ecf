import { type Box, overlap, type Size, wholePixels } from "./geometry.ts";
import { drawLabels, type Label } from "./labels.ts";

/** Plainly not a field: nobody takes it for what the page shows. */
const COLOUR: readonly number[] = [64, 64, 64, 255];
/** Blurred edges and rounding may bear a trace of what is beneath. */
const MARGIN_PX = 2;
/** Higher levels save a tenth and take three times as long. */
const COMPRESSION_LEVEL = 1;
const IHDR_WIDTH_AT = 16;
const IHDR_HEIGHT_AT = 20;

/** Pixels of a PNG, from its head. Throws on what is too short to have one. */
export function pngSize(png: Buffer): Size {
  return { width: png.readUInt32BE(IHDR_WIDTH_AT), height: png.readUInt32BE(IHDR_HEIGHT_AT) };
}

/**
 * The PNG with the boxes (picture pixels) filled in one colour and the labels over them. Without either it is given
 * back as it is. Throws on a broken PNG.
 */
export async function paint(png: Buffer, boxes: readonly Box[], labels: readonly Label[] = []): Promise<Buffer> {
  if (boxes.length === 0 && labels.length === 0) return png;
  const { decode, encode } = await import("fast-png");
  const image = decode(png);
  if (image.palette !== undefined || image.depth !== 8) throw new Error("not a picture that a browser takes");
  const pixels = new Uint8Array(image.data);
  const all = { x: 0, y: 0, width: image.width, height: image.height };
  for (const box of boxes) {
    const area = overlap(wholePixels(grown(box)), all);
    if (area !== null) fill(pixels, image, area);
  }
  drawLabels({ data: pixels, width: image.width, height: image.height, channels: image.channels }, labels);
  const painted = encode(
    { width: image.width, height: image.height, data: pixels, depth: 8, channels: image.channels },
    { zlib: { level: COMPRESSION_LEVEL } },
  );
  return Buffer.from(painted.buffer, painted.byteOffset, painted.byteLength);
}

function grown(box: Box): Box {
  return {
    x: box.x - MARGIN_PX,
    y: box.y - MARGIN_PX,
    width: box.width + 2 * MARGIN_PX,
    height: box.height + 2 * MARGIN_PX,
  };
}

function fill(pixels: Uint8Array, image: { readonly width: number; readonly channels: number }, area: Box): void {
  const { width, channels } = image;
  // Grey pictures have one channel, or two with alpha.
  const colour = channels < 3 ? [COLOUR[0] ?? 0, 255] : COLOUR;
  for (let y = area.y; y < area.y + area.height; y++) {
    for (let x = area.x; x < area.x + area.width; x++) {
      const at = (y * width + x) * channels;
      for (let channel = 0; channel < channels; channel++) pixels[at + channel] = colour[channel] ?? 255;
    }
  }
}
