import { type Covered, NOTHING_COVERED, unseenOverlay } from "./cover.ts";
import { documentElement } from "./dom.ts";
import { beginLook } from "./tables.ts";
import type { Visibility } from "./visibility.ts";
import { Walk, type Walked } from "./walk.ts";

/** What the last whole look found covered, so that one element is described as it was shown. */
let lastCovered: Covered = NOTHING_COVERED;

export interface Sighted extends Walked {
  readonly visibility: Visibility | null;
}

/**
 * What a person can see of the document, or of one element's inside. A second walk is made only when something lies
 * over something.
 */
export function see(budgetTokens: number, root: Element | null): Sighted {
  beginLook();
  const top = root ?? documentElement(document);
  // A page can take its root away.
  if (top === null) return { nodes: [], hiddenTexts: 0, cut: false, more: 0, roots: [], visibility: null };
  const parts = [top];
  const first = new Walk(budgetTokens, root === null ? NOTHING_COVERED : lastCovered);
  const walked = first.run(parts);
  if (root !== null) return { ...walked, visibility: first.visibility };
  const covered = first.layers.covered();
  lastCovered = covered ?? NOTHING_COVERED;
  // An overlay is what a person sees first: it comes first when the budget ended before it.
  const overlay = walked.cut ? unseenOverlay(first.visibility) : null;
  if (covered === null && overlay === null) return { ...walked, visibility: first.visibility };
  const second = new Walk(budgetTokens, lastCovered);
  return { ...second.run(overlay === null ? parts : [overlay, ...parts]), visibility: second.visibility };
}
