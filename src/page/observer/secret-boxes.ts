import {
  box,
  documentElement,
  elementsIn,
  firstChild,
  isElement,
  isText,
  nextSibling,
  shadowRootOf,
  textContent,
  textData,
} from "./dom.ts";
import { fieldsIn, isField, isSecret, rawValue } from "./fields.ts";
import { holdsSecret, knowsSecrets, noteSecrets, showingByAttribute } from "./mirrors.ts";
import { endTransitions } from "./veil.ts";
import { knownRoots } from "./watch.ts";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where secret fields are drawn, and where the page shows a copy of what they hold, in CSS pixels of the viewport. */
export function secretBoxes(): Box[] {
  endTransitions();
  const roots = allRoots();
  noteSecrets(roots);
  const fields = [...fieldsIn(roots)]
    .filter((field) => isSecret(field) || (isField(field) && holdsSecret(rawValue(field) ?? "")))
    .map((field) => box(field));
  const copies = !knowsSecrets()
    ? []
    : roots.flatMap((root) => [
        ...copiesInText(root instanceof Document ? documentElement(root) : root),
        ...showingByAttribute([...elementsIn(root, "*")]).map((element) => box(element)),
      ]);
  return [...fields, ...copies]
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(({ x, y, width, height }) => ({ x, y, width, height }));
}

/** The lines of the texts that hold a copy; where one is spread over several elements, what is around all of them. */
function copiesInText(node: Node | null): readonly DOMRect[] {
  if (node === null || !holdsSecret(textContent(node) ?? "")) return [];
  const inside: DOMRect[] = [];
  for (let child = firstChild(node); child !== null; child = nextSibling(child)) {
    if (isText(child) && holdsSecret(textData(child))) inside.push(...linesOf(child));
    else if (isElement(child)) inside.push(...copiesInText(child));
  }
  return inside.length > 0 || !isElement(node) ? inside : [box(node)];
}

function linesOf(text: Text): readonly DOMRect[] {
  const range = new Range();
  range.selectNodeContents(text);
  return [...range.getClientRects()];
}

/** Every root there is now, also those that no look has entered yet. */
function allRoots(): (Document | ShadowRoot)[] {
  const found = new Set<Document | ShadowRoot>(knownRoots());
  for (const root of found) {
    for (const element of elementsIn(root, "*")) {
      const inner = shadowRootOf(element);
      if (inner !== null) found.add(inner);
    }
  }
  return [...found];
}
