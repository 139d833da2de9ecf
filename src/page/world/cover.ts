import { colourOf } from "./colours.ts";
import { attribute, box, flatContains, flatParent, isTag, shadowRootOf } from "./dom.ts";
import type { Area } from "./visibility.ts";

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

function hitAt(x: number, y: number): Element | null {
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
    opaque ||= style.backgroundImage !== "none" || (colourOf(style.backgroundColor)?.alpha ?? 1) >= OPAQUE || PAINTED_TAGS.some((tag) => isTag(at, tag));
    const rect = box(at);
    const share = (Math.min(rect.right, innerWidth) - Math.max(rect.left, 0)) * (Math.min(rect.bottom, innerHeight) - Math.max(rect.top, 0));
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

/** Asks what lies over things in the viewport; things outside it are not judged. */
export class Covers {
  #left = HIT_TESTS_MAX;

  over(element: Element, rect: Area): Cover {
    if (this.#left <= 0) return "none";
    const left = Math.max(rect.left, 0);
    const right = Math.min(rect.right, innerWidth);
    const top = Math.max(rect.top, 0);
    const bottom = Math.min(rect.bottom, innerHeight);
    if (right - left < 1 || bottom - top < 1) return "none";
    const y = (top + bottom) / 2;
    let found: Cover = "overlay";
    // One free place is enough to be seen: middle first, then both ends.
    for (const x of [(left + right) / 2, left + Math.min(3, (right - left) / 4), right - Math.min(3, (right - left) / 4)]) {
      this.#left -= 1;
      const hit = hitAt(x, y);
      if (hit === null || flatContains(hit, element) || flatContains(element, hit)) return "none";
      if (getComputedStyle(element).pointerEvents === "none") return "none";
      const cover = judge(hit, element);
      if (cover === "none") return "none";
      if (cover === "patch") found = "patch";
    }
    return found;
  }
}
