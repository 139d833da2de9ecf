import type { Scrolled } from "../seen.ts";
import { documentElement, flatParent } from "./dom.ts";
import { elementOf } from "./ids.ts";

/** One screen keeps a strip of the old one, so that nothing is missed between two. */
const SCREEN_SHARE = 0.9;
const SCROLLING = /^(auto|scroll|overlay)$/;

function canScroll(element: Element): boolean {
  const taller = element.scrollHeight > element.clientHeight + 1;
  const wider = element.scrollWidth > element.clientWidth + 1;
  if (!taller && !wider) return false;
  const style = getComputedStyle(element);
  return (taller && SCROLLING.test(style.overflowY)) || (wider && SCROLLING.test(style.overflowX));
}

/** What a wheel over the element would move. */
function holderOf(element: Element): Element | null {
  for (let at: Element | null = element; at !== null; at = flatParent(at))
    if (at !== document.body && at !== document.documentElement && canScroll(at)) return at;
  return null;
}

/** Apps often scroll one large box in a page that stands still. */
function mainScroller(): Element {
  const page = document.scrollingElement ?? document.documentElement;
  if (page.scrollHeight > page.clientHeight + 1 || page.scrollWidth > page.clientWidth + 1) return page;
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  return (middle === null ? null : holderOf(middle)) ?? page;
}

/** How many windows high the page, or the box that an app scrolls in its place, is: in tenths. */
export function screens(): number {
  // A page can take its root away.
  if (documentElement(document) === null) return 1;
  const box = mainScroller();
  return box.clientHeight === 0 ? 1 : Math.round((box.scrollHeight / box.clientHeight) * 10) / 10;
}

export function scroll(direction: "up" | "down" | "left" | "right" | "top" | "bottom", id?: number): Scrolled {
  const element = id === undefined ? null : elementOf(id);
  const box = (element === null ? null : holderOf(element)) ?? mainScroller();
  const before = { x: box.scrollLeft, y: box.scrollTop };
  const page = { x: box.clientWidth * SCREEN_SHARE, y: box.clientHeight * SCREEN_SHARE };
  const to = { left: before.x, top: before.y };
  if (direction === "up") to.top -= page.y;
  else if (direction === "down") to.top += page.y;
  else if (direction === "left") to.left -= page.x;
  else if (direction === "right") to.left += page.x;
  else to.top = direction === "top" ? 0 : box.scrollHeight;
  box.scrollTo({ ...to, behavior: "instant" });
  return {
    moved: box.scrollLeft !== before.x || box.scrollTop !== before.y,
    x: Math.round(box.scrollLeft),
    y: Math.round(box.scrollTop),
    maxX: box.scrollWidth - box.clientWidth,
    maxY: box.scrollHeight - box.clientHeight,
  };
}
