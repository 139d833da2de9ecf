import { isConnected, ownerDocument } from "./dom.ts";

let last = 0;
const idByElement = new WeakMap<Element, number>();
const elementById = new Map<number, WeakRef<Element>>();
const forget = new FinalizationRegistry<number>((id) => elementById.delete(id));

/** Local id of an element; the same for its whole life, never given to another. */
export function idOf(element: Element): number {
  const known = idByElement.get(element);
  if (known !== undefined) return known;
  last += 1;
  idByElement.set(element, last);
  elementById.set(last, new WeakRef(element));
  forget.register(element, last);
  return last;
}

/** The element, while it is in this document. */
export function elementOf(id: number): Element | null {
  const element = elementById.get(id)?.deref();
  return element !== undefined && isConnected(element) && ownerDocument(element) === document ? element : null;
}

const names = new WeakMap<Document, string>();
const NAME_BYTES = 16;

/** The random name of the current document; a window can get another one while its world stays. */
export function documentName(): string {
  const known = names.get(document);
  if (known !== undefined) return known;
  const name = Array.from(crypto.getRandomValues(new Uint8Array(NAME_BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  names.set(document, name);
  return name;
}
