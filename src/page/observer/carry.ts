import { flatParent, queryAll, textContent } from "./dom.ts";
import { isField, isSecret, rawValue } from "./fields.ts";
import { holdsSecret, knowsSecrets, secretValues, showingByAttribute } from "./mirrors.ts";
import { focusedElement } from "./states.ts";

const CARRIES = ["copy", "cut", "paste", "dragstart"] as const;
/** How far around a selection is looked for a field or a copy of its value. */
const MAX_PARENTS = 4;

/**
 * The browser's clipboard is a person's: neither is anything of theirs put into a page, nor anything of ours in its
 * place.
 */
let isAnothers = false;

/**
 * Nothing of a secret field, or of what shows its value, is put on the clipboard or dragged away: it could be pasted
 * where it may not go.
 */
function keepHere(event: Event): void {
  if (!event.isTrusted) return;
  const isKept = isAnothers && event.type !== "dragstart";
  if (!isKept && (event.type === "paste" || !isOfSecret(event))) {
    // What is selected may go; what a listener of the page would put in its place is seen by nobody.
    if ((event.type === "copy" || event.type === "cut") && secretValues().length > 0) event.stopImmediatePropagation();
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}

function isOfSecret(event: Event): boolean {
  const focused = focusedElement();
  const [hit] = event.composedPath();
  if ([focused, hit].some((one) => one instanceof Element && isField(one) && isSecret(one))) return true;
  const selection = getSelection();
  const words = selection === null ? "" : selection.toString();
  if (words !== "" && holdsSecret(words)) return true;
  if (!knowsSecrets()) return false;
  // A part of what a field shows, or an address in what is selected.
  if ([focused, hit].some((one) => one instanceof Element && isField(one) && holdsSecret(rawValue(one) ?? "")))
    return true;
  if (showingByAttribute(selectedElements(selection)).length > 0) return true;
  // A part of it is known by what holds the whole.
  return [selection?.anchorNode, selection?.focusNode].some((node) => {
    let at: Element | null = node instanceof Element ? node : (node?.parentElement ?? null);
    for (let level = 0; at !== null && level < MAX_PARENTS; level++, at = flatParent(at)) {
      if (isField(at) && isSecret(at)) return true;
      if (level < 2 && holdsSecret(textContent(at) ?? "")) return true;
    }
    return false;
  });
}

/** What would be carried off beside the words: addresses, and what stands for pictures. */
function selectedElements(selection: Selection | null): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < (selection?.rangeCount ?? 0); at++) {
    const range = selection?.getRangeAt(at);
    const around = range?.commonAncestorContainer;
    const holder = around instanceof Element ? around : around?.parentElement;
    if (range === undefined || holder == null) continue;
    found.push(holder, ...[...queryAll(holder, "*")].filter((element) => range.intersectsNode(element)));
  }
  return found;
}

/** Listens on the window before the page does. */
export function keepSecretsHere(): void {
  for (const kind of CARRIES) window.addEventListener(kind, keepHere, { capture: true, passive: false });
}

/** Copy, cut and paste do nothing from now on. */
export function leaveClipboard(): void {
  isAnothers = true;
}
