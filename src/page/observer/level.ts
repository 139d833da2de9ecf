import { hasAttribute } from "./dom.ts";
import type { Out } from "./draft.ts";
import { NAMED_BY_CONTENT, SECTIONS } from "./roles.ts";
import { isPointed, type Sight } from "./visibility.ts";
import type { Cursor } from "./words.ts";

/** Beyond this depth of output, containers vanish: the answer must stay small enough to be sent. */
const DEPTH_MAX = 40;

export type Kind = "plain" | "named" | "section" | "row" | "cell" | "clickable" | "combobox";

export interface Level {
  readonly element: Element;
  readonly sight: Sight;
  readonly kind: Kind;
  readonly role: string;
  readonly cursor: Cursor;
  /** Where its children's nodes go: its own list, or the one around for plain elements. */
  readonly out: Out;
  readonly parentOut: Out;
  readonly block: boolean;
  readonly inline: boolean;
  /** Its words are told elsewhere. */
  mute: boolean;
  readonly acting: boolean;
  readonly inRow: boolean;
  readonly inCell: boolean;
  readonly depth: number;
  /** Words for screen readers only, in case nothing else names it. */
  unseen: string;
}

const listeners = new WeakSet<Element>();

/** The host found a click listener on it. */
export const noteListener = (element: Element): void => {
  listeners.add(element);
};

export const hasListener = (element: Element): boolean => hasAttribute(element, "onclick") || listeners.has(element);

export function kindOf(role: string, level: Level | null, depth: number): Kind {
  if (role === "") return "plain";
  if (NAMED_BY_CONTENT.has(role))
    return role === "clickable" ? "clickable" : role === "heading" && level?.acting === true ? "plain" : "named";
  if (depth > DEPTH_MAX || level?.acting === true) return "plain";
  if (role === "combobox" || role === "textbox" || role === "searchbox") return "combobox";
  if (isCellRole(role) && level?.inCell !== true && level?.inRow !== false) return "cell";
  if (level?.inRow === true) return "plain";
  if (role === "row") return "row";
  return SECTIONS.has(role) ? "section" : "plain";
}

const isCellRole = (role: string): boolean => role === "cell" || role === "columnheader" || role === "rowheader";

/** A row or cell that is pressed as a whole. */
export function actsByItself(level: Level): boolean {
  const element = level.element;
  return hasListener(element) || isPointed(level.sight);
}
