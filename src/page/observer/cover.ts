import type { Area } from "./areas.ts";
import { colourOf } from "./colours.ts";
import { attribute, box, flatContains, flatParent, isTag, shadowRootOf } from "./dom.ts";
import type { Sight, Visibility } from "./visibility.ts";

/** Hit tests are the dearest question a look asks. */
const HIT_TESTS_MAX = 600;
const OPAQUE = 0.95;
/** A cover over this part of the viewport is an overlay: dismissable, so what is below is kept and marked. */
const OVERLAY_SHARE = 0.3;
const OVERLAY_ROLES = /^(?:dialog|alertdialog|menu|listbox|tooltip)$/;
const PAINTED_TAGS = ["img", "video", "canvas", "iframe"] as const;

export type Cover = "none" | "overlay" | "patch";

const topmost = Document.prototype.elementFromPoint;
const topmostInRoot = ShadowRoot.prototype.elementFromPoint;

/** The innermost element there, shadow roots entered. */
export function hitAt(x: number, y: number): Element | null {
  let hit = topmost.call(document, x, y);
  for (;;) {
    const root = hit === null ? null : shadowRootOf(hit);
    const inner = root === null ? null : topmostInRoot.call(root, x, y);
    if (inner === null || inner === hit) return hit;
    hit = inner;
  }
}

function judge(hit: Element, element: Element): Cover {
  let opacity = 1;
  let opaque = false;
  let overlay = false;
  for (let at: Element | null = hit; at !== null && !flatContains(at, element); at = flatParent(at)) {
    const style = getComputedStyle(at);
    opacity *= Number(style.opacity);
    opaque ||=
      style.backgroundImage !== "none" ||
      (colourOf(style.backgroundColor)?.alpha ?? 1) >= OPAQUE ||
      PAINTED_TAGS.some((tag) => isTag(at, tag));
    const rect = box(at);
    const share =
      (Math.min(rect.right, innerWidth) - Math.max(rect.left, 0)) *
      (Math.min(rect.bottom, innerHeight) - Math.max(rect.top, 0));
    overlay ||=
      style.position === "fixed" ||
      style.position === "sticky" ||
      share >= OVERLAY_SHARE * innerWidth * innerHeight ||
      isTag(at, "dialog") ||
      OVERLAY_ROLES.test(attribute(at, "role") ?? "");
  }
  if (overlay) return "overlay";
  return opaque && opacity >= OPAQUE ? "patch" : "none";
}

/** Asks what lies over a place in the viewport. */
function coverOver(element: Element, area: Area): Cover {
  const left = Math.max(area.left, 0);
  const right = Math.min(area.right, innerWidth);
  const top = Math.max(area.top, 0);
  const bottom = Math.min(area.bottom, innerHeight);
  if (right - left < 1 || bottom - top < 1) return "none";
  const y = (top + bottom) / 2;
  let found: Cover = "overlay";
  // One free place is enough to be seen: middle first, then both ends.
  for (const x of [
    (left + right) / 2,
    left + Math.min(3, (right - left) / 4),
    right - Math.min(3, (right - left) / 4),
  ]) {
    const hit = hitAt(x, y);
    if (hit === null || flatContains(hit, element) || flatContains(element, hit)) return "none";
    if (getComputedStyle(element).pointerEvents === "none") return "none";
    const cover = judge(hit, element);
    if (cover === "none") return "none";
    if (cover === "patch") found = "patch";
  }
  return found;
}

/** Words and controls by what lies over them; those that are free are not there. */
export type Covered = Pick<WeakMap<Node, Exclude<Cover, "none">>, "get">;
export const NOTHING_COVERED: Covered = new WeakMap();

interface Place {
  readonly node: Node;
  readonly element: Element;
  readonly area: Area;
}

const overlap = (a: Area, b: Area): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const RAISED_DISPLAY = /flex|grid/;
const RAISED_MAX = 2_000;
const SAMPLES = [0.1, 0.5, 0.9];

/** Gathers what is in view and what may be painted above it; hit tests are then made only where both meet. */
export class Layers {
  readonly #places: Place[] = [];
  readonly #raised: { readonly element: Element; readonly area: Area }[] = [];

  place(node: Node, element: Element, area: Area | null): void {
    if (area !== null && this.#places.length < HIT_TESTS_MAX) this.#places.push({ node, element, area });
  }

  /** Plain boxes in the flow are painted below all words; only others can cover any. */
  consider(sight: Sight, visibility: Visibility): void {
    const { display } = sight;
    if (display === "contents" || !sight.shown || this.#raised.length >= RAISED_MAX) return;
    const raised =
      sight.position !== "static" ||
      (display.startsWith("inline") &&
        (display !== "inline" || PAINTED_TAGS.some((tag) => isTag(sight.element, tag)))) ||
      (sight.parent !== null && RAISED_DISPLAY.test(sight.parent.display)) ||
      sight.opacity !== (sight.parent?.opacity ?? 1) ||
      (!display.startsWith("inline") && !display.startsWith("table") && sight.style.transform !== "none");
    const area = raised ? visibility.boxInView(sight) : null;
    if (area !== null) this.#raised.push({ element: sight.element, area });
  }

  /** What is covered; null when nothing is. */
  covered(): Covered | null {
    const found = new WeakMap<Node, Exclude<Cover, "none">>();
    let any = false;
    for (const { node, element, area } of this.#places) {
      if (
        !this.#raised.some(
          (above) =>
            overlap(above.area, area) && !flatContains(above.element, element) && !flatContains(element, above.element),
        )
      )
        continue;
      const cover = coverOver(element, area);
      if (cover === "none") continue;
      found.set(node, cover);
      any = true;
    }
    return any ? found : null;
  }
}

/** The outermost overlay in view that a walk, cut by its budget, did not come to. */
export function unseenOverlay(visibility: Visibility): Element | null {
  for (const x of SAMPLES) {
    for (const y of SAMPLES) {
      let overlay: Element | null = null;
      for (let at = hitAt(x * innerWidth, y * innerHeight); at !== null && !visibility.knows(at); at = flatParent(at)) {
        const { position } = getComputedStyle(at);
        if (position === "fixed" || position === "absolute" || isTag(at, "dialog")) overlay = at;
      }
      if (overlay !== null) return overlay;
    }
  }
  return null;
}
