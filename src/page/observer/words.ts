import { cleanTrimmed } from "./clean.ts";
import {
  attribute,
  firstChild,
  isElement,
  isTag,
  isText,
  localName,
  nextSibling,
  shadowRootOf,
  slotted,
  textData,
} from "./dom.ts";
import { withoutSecrets } from "./mirrors.ts";
import { UNREAD_TAGS } from "./roles.ts";
import type { Sight, Visibility } from "./visibility.ts";

const WORDS_MAX_CHARACTERS = 2_000;
const VISITS_MAX = 5_000;

/** A walk over what is laid out inside an element, children in reading order, without recursion. */
export interface Cursor {
  readonly nodes: readonly Node[] | null;
  index: number;
  next: Node | null;
}

export function cursorInto(element: Element): Cursor {
  const root = shadowRootOf(element);
  const nodes = root === null ? slotted(element) : null;
  return { nodes, index: 0, next: nodes === null ? firstChild(root ?? element) : null };
}

export function step(cursor: Cursor): Node | null {
  if (cursor.nodes !== null) {
    const node = cursor.nodes[cursor.index] ?? null;
    cursor.index += 1;
    return node;
  }
  const node = cursor.next;
  if (node !== null) cursor.next = nextSibling(node);
  return node;
}

const UNTOLD_TAGS = new Set(["input", "select", "textarea", "iframe", "object", "canvas", "button"]);

/** Words that a person can read inside an element, without fields; `except` and what is in it are left out. */
export function visibleWords(visibility: Visibility, element: Element, except: Element | null = null): string {
  const first = visibility.of(element);
  if (first === null) return "";
  let out = "";
  let visits = 0;
  const stack: { readonly sight: Sight; readonly cursor: Cursor }[] = [{ sight: first, cursor: cursorInto(element) }];
  while (stack.length > 0 && out.length < WORDS_MAX_CHARACTERS && visits < VISITS_MAX) {
    const level = stack[stack.length - 1];
    if (level === undefined) break;
    const node = step(level.cursor);
    visits += 1;
    if (node === null) {
      stack.pop();
      if (!level.sight.display.startsWith("inline")) out += " ";
    } else if (isText(node)) {
      if (visibility.textSeen(node, level.sight)) out += textData(node);
    } else if (
      isElement(node) &&
      node !== except &&
      !UNREAD_TAGS.has(localName(node)) &&
      !UNTOLD_TAGS.has(localName(node))
    ) {
      const sight = visibility.enter(node, level.sight);
      if (sight === null) continue;
      if (isTag(node, "img")) out += ` ${visibility.boxSeen(sight) ? (attribute(node, "alt") ?? "") : ""} `;
      else {
        if (!sight.display.startsWith("inline")) out += " ";
        stack.push({ sight, cursor: cursorInto(node) });
      }
    }
  }
  return withoutSecrets(cleanTrimmed(out));
}
