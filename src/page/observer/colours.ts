import { box, flatParent, isTag, query } from "./dom.ts";

export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const RGB = /^rgba?\((\d+(?:\.\d+)?), (\d+(?:\.\d+)?), (\d+(?:\.\d+)?)(?:, (\d*\.?\d+))?\)$/;
const parsed = new Map<string, Colour | null>();
const PARSED_MAX = 2_000;

/** A computed colour in sRGB; null when it is written in another space. */
export function colourOf(computed: string): Colour | null {
  const known = parsed.get(computed);
  if (known !== undefined) return known;
  const found = RGB.exec(computed);
  const colour =
    found === null
      ? null
      : {
          red: Number(found[1]),
          green: Number(found[2]),
          blue: Number(found[3]),
          alpha: found[4] === undefined ? 1 : Number(found[4]),
        };
  if (parsed.size >= PARSED_MAX) parsed.clear();
  parsed.set(computed, colour);
  return colour;
}

const linear = (channel: number): number => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};
const luminance = (colour: Colour): number =>
  0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);

/** WCAG contrast of a colour over an opaque ground: 1 (same) to 21. */
export function contrast(over: Colour, ground: Colour, opacity = 1): number {
  const alpha = over.alpha * opacity;
  const mixed = {
    red: over.red * alpha + ground.red * (1 - alpha),
    green: over.green * alpha + ground.green * (1 - alpha),
    blue: over.blue * alpha + ground.blue * (1 - alpha),
    alpha: 1,
  };
  const one = luminance(mixed);
  const two = luminance(ground);
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}

/** An element with its style, inside another. */
export interface Styled {
  readonly style: CSSStyleDeclaration;
  readonly parent: Styled | null;
}

const OPAQUE = 0.95;
const WHITE: Colour = { red: 255, green: 255, blue: 255, alpha: 1 };

/**
 * The one plain colour behind an element's words, images not considered; null when it cannot be told (translucent
 * layers).
 */
export function groundOf(sight: Styled, cache: Map<Styled, Colour | null>): Colour | null {
  const path: Styled[] = [];
  let ground: Colour | null = WHITE;
  for (let at: Styled | null = sight; at !== null; at = at.parent) {
    const known = cache.get(at);
    if (known !== undefined) {
      ground = known;
      break;
    }
    path.push(at);
    const colour = colourOf(at.style.backgroundColor);
    if (colour === null || (colour.alpha > 0 && colour.alpha < OPAQUE)) {
      ground = null;
      break;
    }
    if (colour.alpha >= OPAQUE) {
      ground = colour;
      break;
    }
    if (at.parent === null && at.style.colorScheme.includes("dark")) ground = null;
  }
  for (const passed of path) cache.set(passed, ground);
  return ground;
}

/** Whether a background image lies between the words and their ground. */
export function imageBehind(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (style.backgroundImage !== "none") return true;
    if ((colourOf(style.backgroundColor)?.alpha ?? 1) >= OPAQUE) return false;
  }
  return false;
}

const PICTURES = "img, picture, video, canvas, svg, iframe";
const LEVELS_WITH_PICTURE = 4;

/** Whether something that is not a plain colour may lie behind the words: then their colour proves nothing. */
export function pictureBehind(element: Element): boolean {
  let at: Element | null = element;
  for (let up = 0; up < LEVELS_WITH_PICTURE && at !== null; up += 1, at = flatParent(at)) {
    if (isTag(at, "body") || isTag(at, "html")) return false;
    for (const side of ["::before", "::after"]) {
      const style = getComputedStyle(at, side);
      if (
        style.content !== "none" &&
        style.content !== "normal" &&
        (style.backgroundImage !== "none" || (colourOf(style.backgroundColor)?.alpha ?? 1) > 0)
      )
        return true;
    }
    const picture = query(at, PICTURES);
    if (picture !== null) {
      const there = box(picture);
      const here = box(element);
      if (there.left < here.right && there.right > here.left && there.top < here.bottom && there.bottom > here.top)
        return true;
    }
  }
  return false;
}
