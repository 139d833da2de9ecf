import { type Area, clipsAll, documentArea, inside, isEmpty, meet, NOWHERE, type Port, scrollSpan } from "./areas.ts";
import { type Colour, colourOf, contrast, groundOf, imageBehind, pictureBehind, type Styled } from "./colours.ts";
import {
  box,
  clientHeight,
  clientLeft,
  clientTop,
  clientWidth,
  flatParent,
  hasAttribute,
  isTag,
  localName,
  parentNode,
  scrollHeight,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from "./dom.ts";

/** Words in smaller letters are not read by anybody. */
const FONT_MIN_PIXELS = 6;
const RUN_MIN_PIXELS = 4;
const BOX_MIN_PIXELS = 2;
/** Smaller ones that are transparent are honeypots, not controls. */
const BOX_PRESSED_MIN_PIXELS = 8;
const OPACITY_MIN = 0.12;
/** Measured: hidden words reach 1.06, legible ones 1.92. */
const CONTRAST_MIN = 1.15;

/** How an element is seen, and what that means for what is inside it. */
export interface Sight {
  readonly element: Element;
  readonly style: CSSStyleDeclaration;
  readonly parent: Sight | null;
  readonly display: string;
  readonly position: string;
  readonly opacity: number;
  /** Painted at all: not transparent, filtered or clipped away as a whole. */
  readonly painted: boolean;
  /** `visibility` of this element's own words. */
  readonly shown: boolean;
  /** Where things in its flow can be seen, in viewport coordinates. */
  readonly flow: Port;
  /** Where its own box can be seen. */
  readonly own: Port;
  /** The same for what is placed absolutely or fixed inside it; worked out when something is. */
  absolute: Port | null;
  fixed: Port | null;
  words: "seen" | "hidden" | "by-run" | null;
  rect: DOMRect | null;
}

/** A hand over it that it did not get from around it. */
export const isPointed = (sight: Sight): boolean =>
  sight.style.cursor === "pointer" && (sight.parent === null || sight.parent.style.cursor !== "pointer");

/** One look's knowledge of how elements are seen; computed at most once an element. */
export class Visibility {
  readonly #sights = new Map<Element, Sight | null>();
  readonly #grounds = new Map<Styled, Colour | null>();
  readonly #document: Port;
  readonly #window: Port;
  readonly #range: Range;

  constructor() {
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    this.#document = { reach: documentArea(), view };
    this.#window = { reach: view, view };
    this.#range = new Range();
  }

  /** Sight of an element whose parent's sight is known; null when it makes no box. */
  enter(element: Element, parent: Sight | null): Sight | null {
    const known = this.#sights.get(element);
    if (known !== undefined) return known;
    const sight = this.#compute(element, parent);
    this.#sights.set(element, sight);
    return sight;
  }

  /** Whether it was looked at. */
  knows(element: Element): boolean {
    return this.#sights.has(element);
  }

  /** Sight of any element; null when it or one around it makes no box. */
  of(element: Element): Sight | null {
    const path: Element[] = [];
    let sight: Sight | null = null;
    for (let at: Element | null = element; at !== null; at = flatParent(at)) {
      const known = this.#sights.get(at);
      if (known !== undefined) {
        if (known === null) return null;
        sight = known;
        break;
      }
      path.push(at);
    }
    for (let index = path.length - 1; index >= 0; index -= 1) {
      const next = path[index];
      if (next === undefined) break;
      sight = this.enter(next, sight);
      if (sight === null) return null;
    }
    return sight;
  }

  rect(sight: Sight): DOMRect {
    sight.rect ??= box(sight.element);
    return sight.rect;
  }

  /** Whether a person could see its box at all: size, place, paint. */
  boxSeen(sight: Sight): boolean {
    if (!sight.painted || !sight.shown) return false;
    const rect = this.rect(sight);
    return rect.width >= BOX_MIN_PIXELS && rect.height >= BOX_MIN_PIXELS && !isEmpty(meet(rect, sight.own.reach));
  }

  /** Whether a person could read a text node directly inside. */
  textSeen(text: Text, sight: Sight): boolean {
    sight.words ??= this.#judgeWords(sight);
    if (sight.words !== "by-run") return sight.words === "seen";
    this.#range.selectNodeContents(text);
    const rect = this.#range.getBoundingClientRect();
    return rect.height >= RUN_MIN_PIXELS && rect.width >= 1 && !isEmpty(meet(rect, sight.flow.reach));
  }

  /** The part of a text node that is in view now; null when none is. */
  textInView(text: Text, sight: Sight): Area | null {
    if (sight.display !== "contents" && isEmpty(meet(this.rect(sight), sight.own.view))) return null;
    this.#range.selectNodeContents(text);
    const area = meet(this.#range.getBoundingClientRect(), sight.flow.view);
    return isEmpty(area) ? null : area;
  }

  /** The part of a box that is in view now; null when none is. */
  boxInView(sight: Sight): Area | null {
    const area = meet(this.rect(sight), sight.own.view);
    return isEmpty(area) ? null : area;
  }

  /** Hidden by place or clip alone, as words made for screen readers are. */
  forReadersOnly(sight: Sight): boolean {
    if (!sight.shown || sight.opacity < OPACITY_MIN) return false;
    const rect = this.rect(sight);
    return (
      !sight.painted ||
      rect.width <= BOX_MIN_PIXELS ||
      rect.height <= BOX_MIN_PIXELS ||
      isEmpty(meet(rect, sight.own.reach)) ||
      isEmpty(sight.flow.reach)
    );
  }

  /**
   * A checkbox, radio or file field made invisible but left in place, for a page that draws its own: it can still be
   * pressed.
   */
  boxInPlace(sight: Sight): boolean {
    const rect = this.rect(sight);
    return (
      sight.shown &&
      rect.width >= BOX_PRESSED_MIN_PIXELS &&
      rect.height >= BOX_PRESSED_MIN_PIXELS &&
      !isEmpty(meet(rect, sight.own.reach))
    );
  }

  #judgeWords(sight: Sight): "seen" | "hidden" | "by-run" {
    if (!sight.painted || !sight.shown) return "hidden";
    if (isTag(sight.element, "details") && !hasAttribute(sight.element, "open")) return "hidden";
    const style = sight.style;
    if (Number.parseFloat(style.fontSize) < FONT_MIN_PIXELS) return "hidden";
    if (!this.#coloured(sight)) return "hidden";
    if (isEmpty(sight.flow.reach)) return "hidden";
    if (sight.display === "contents") return "by-run";
    const rect = this.rect(sight);
    const plain = rect.width >= RUN_MIN_PIXELS && rect.height >= RUN_MIN_PIXELS && inside(rect, sight.flow.reach);
    return plain && style.textIndent === "0px" ? "seen" : "by-run";
  }

  #coloured(sight: Sight): boolean {
    const style = sight.style;
    const fill = style.getPropertyValue("-webkit-text-fill-color");
    const colour = colourOf(fill === "" ? style.color : fill);
    if (colour === null) return true;
    if (colour.alpha === 0) return style.getPropertyValue("background-clip").includes("text") || this.#outlined(style);
    const ground = groundOf(sight, this.#grounds);
    if (ground === null) return colour.alpha * sight.opacity >= OPACITY_MIN;
    if (contrast(colour, ground, sight.opacity) >= CONTRAST_MIN) return true;
    return this.#outlined(style) || imageBehind(sight.element) || pictureBehind(sight.element);
  }

  #outlined(style: CSSStyleDeclaration): boolean {
    return style.textShadow !== "none" || Number.parseFloat(style.getPropertyValue("-webkit-text-stroke-width")) > 0;
  }

  #compute(element: Element, parent: Sight | null): Sight | null {
    if (
      parent !== null &&
      isTag(parent.element, "details") &&
      !hasAttribute(parent.element, "open") &&
      !isFirstSummary(element)
    )
      return null;
    const style = getComputedStyle(element);
    const display = style.display;
    if (display === "none") return null;
    const shown = style.visibility === "visible";
    const area = parent?.flow ?? this.#document;
    if (display === "contents") {
      return {
        element,
        style,
        parent,
        display,
        position: "static",
        shown,
        opacity: parent?.opacity ?? 1,
        painted: parent?.painted ?? true,
        flow: area,
        own: area,
        absolute: null,
        fixed: null,
        words: null,
        rect: null,
      };
    }
    let rect: DOMRect | null = null;
    const measure = (): DOMRect => {
      rect ??= box(element);
      return rect;
    };
    const position = style.position;
    const opacity = (parent?.opacity ?? 1) * Number(style.opacity);
    const outOfFlow = position === "absolute" || position === "fixed";
    const own =
      parent === null || !outOfFlow ? area : position === "absolute" ? this.#absolute(parent) : this.#fixed(parent);
    const painted =
      (parent?.painted ?? true) &&
      opacity >= OPACITY_MIN &&
      !clipsAll(outOfFlow ? style.clip : "auto", style.clipPath, style.filter, measure);
    let flow = own;
    if (
      display !== "inline" &&
      !UNCLIPPED.test(display) &&
      parent !== null &&
      !(localName(element) === "body" && parent.style.overflow === "visible")
    ) {
      if (style.overflow !== "visible") flow = this.#inner(element, style, measure(), own);
      if (!display.startsWith("table") && style.getPropertyValue("content-visibility") === "hidden") flow = NOWHERE;
    }
    return {
      element,
      style,
      parent,
      display,
      position,
      shown,
      opacity,
      painted,
      flow,
      own,
      absolute: null,
      fixed: null,
      words: null,
      rect,
    };
  }

  #absolute(sight: Sight): Port {
    return this.#portOf(sight, "absolute", this.#document, (at) => at.position !== "static" || holdsFixed(at.style));
  }

  #fixed(sight: Sight): Port {
    return this.#portOf(sight, "fixed", this.#window, (at) => holdsFixed(at.style));
  }

  /** The port of the nearest element around that holds such boxes; remembered on the way. */
  #portOf(sight: Sight, kind: "absolute" | "fixed", outermost: Port, holds: (at: Sight) => boolean): Port {
    const path: Sight[] = [];
    let port = outermost;
    for (let at: Sight | null = sight; at !== null; at = at.parent) {
      const known = at[kind];
      if (known !== null || (at.display !== "contents" && holds(at))) {
        port = known ?? at.flow;
        at[kind] = port;
        break;
      }
      path.push(at);
    }
    for (const passed of path) passed[kind] = port;
    return port;
  }

  /** What of the inside can be seen or scrolled to. */
  #inner(element: Element, style: CSSStyleDeclaration, rect: DOMRect, own: Port): Port {
    if (isEmpty(meet(rect, own.reach))) return NOWHERE;
    const left = rect.left + clientLeft(element);
    const top = rect.top + clientTop(element);
    const width = clientWidth(element);
    const height = clientHeight(element);
    if (width < 1 || height < 1) return NOWHERE;
    const x = style.overflowX;
    const y = style.overflowY;
    const clippedX = { left, right: left + width, top: -Infinity, bottom: Infinity };
    const clippedY = { left: -Infinity, right: Infinity, top, bottom: top + height };
    let reach = own.reach;
    let view = own.view;
    if (x !== "visible") view = meet(view, clippedX);
    if (y !== "visible") view = meet(view, clippedY);
    if (x === "hidden" || x === "clip") reach = meet(reach, clippedX);
    if (y === "hidden" || y === "clip") reach = meet(reach, clippedY);
    if (x === "auto" || x === "scroll") {
      const [from, to] = scrollSpan(left, width, scrollLeft(element), scrollWidth(element), style.direction === "rtl");
      reach = { ...reach, left: from, right: to };
    }
    if (y === "auto" || y === "scroll") {
      const [from, to] = scrollSpan(top, height, scrollTop(element), scrollHeight(element), false);
      reach = { ...reach, top: from, bottom: to };
    }
    return { reach, view };
  }
}

/** Boxes of tables that overflow does not apply to. */
const UNCLIPPED = /^table-(?:row|header|footer|column)/;
const holdsFixed = (style: CSSStyleDeclaration): boolean =>
  style.transform !== "none" ||
  style.filter !== "none" ||
  style.perspective !== "none" ||
  /paint|layout|strict|content/.test(style.contain);

function isFirstSummary(element: Element): boolean {
  if (!isTag(element, "summary")) return false;
  const details = parentNode(element);
  return (
    details instanceof HTMLDetailsElement &&
    HTMLDetailsElement.prototype.querySelector.call(details, ":scope > summary") === element
  );
}
