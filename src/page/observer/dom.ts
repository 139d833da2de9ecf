/** Reads the DOM through prototypes only: a form's or document's named children can stand before its own properties. */

function getterOf<Owner extends object, Key extends keyof Owner & string>(
  prototype: Owner,
  key: Key,
): (target: Owner) => Owner[Key] {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new TypeError(`no getter ${key}`);
  return (target) => get.call(target);
}

const attributeOf = Element.prototype.getAttribute;
const attributeThere = Element.prototype.hasAttribute;
const rectOf = Element.prototype.getBoundingClientRect;
const firstMatch = Element.prototype.querySelector;
const allMatches = Element.prototype.querySelectorAll;
const closestMatch = Element.prototype.closest;
const matchesSelector = Element.prototype.matches;
const rootOfNode = Node.prototype.getRootNode;
const holds = Node.prototype.contains;
const slotNodes = HTMLSlotElement.prototype.assignedNodes;
const byIdInDocument = Document.prototype.getElementById;
const byIdInFragment = DocumentFragment.prototype.getElementById;

const HTML = "http://www.w3.org/1999/xhtml";
const SVG = "http://www.w3.org/2000/svg";

export const nodeType = getterOf(Node.prototype, "nodeType");
export const firstChild = getterOf(Node.prototype, "firstChild");
export const nextSibling = getterOf(Node.prototype, "nextSibling");
export const previousSibling = getterOf(Node.prototype, "previousSibling");
export const parentNode = getterOf(Node.prototype, "parentNode");
export const isConnected = getterOf(Node.prototype, "isConnected");
export const ownerDocument = getterOf(Node.prototype, "ownerDocument");
export const textContent = getterOf(Node.prototype, "textContent");
export const localName = getterOf(Element.prototype, "localName");
export const firstElementChild = getterOf(Element.prototype, "firstElementChild");
export const nextElementSibling = getterOf(Element.prototype, "nextElementSibling");
export const previousElementSibling = getterOf(Element.prototype, "previousElementSibling");
export const textData = getterOf(CharacterData.prototype, "data");
export const scrollLeft = getterOf(Element.prototype, "scrollLeft");
export const scrollTop = getterOf(Element.prototype, "scrollTop");
export const scrollWidth = getterOf(Element.prototype, "scrollWidth");
export const scrollHeight = getterOf(Element.prototype, "scrollHeight");
export const clientWidth = getterOf(Element.prototype, "clientWidth");
export const clientHeight = getterOf(Element.prototype, "clientHeight");
export const clientLeft = getterOf(Element.prototype, "clientLeft");
export const clientTop = getterOf(Element.prototype, "clientTop");
export const isContentEditable = getterOf(HTMLElement.prototype, "isContentEditable");
export const inputType = getterOf(HTMLInputElement.prototype, "type");
export const inputValue = getterOf(HTMLInputElement.prototype, "value");
export const inputChecked = getterOf(HTMLInputElement.prototype, "checked");
export const inputIndeterminate = getterOf(HTMLInputElement.prototype, "indeterminate");
export const inputLabels = getterOf(HTMLInputElement.prototype, "labels");
export const inputForm = getterOf(HTMLInputElement.prototype, "form");
export const inputFiles = getterOf(HTMLInputElement.prototype, "files");
export const areaValue = getterOf(HTMLTextAreaElement.prototype, "value");
export const areaLabels = getterOf(HTMLTextAreaElement.prototype, "labels");
export const areaForm = getterOf(HTMLTextAreaElement.prototype, "form");
export const selectOptions = getterOf(HTMLSelectElement.prototype, "options");
export const selectMultiple = getterOf(HTMLSelectElement.prototype, "multiple");
export const selectSize = getterOf(HTMLSelectElement.prototype, "size");
export const selectLabels = getterOf(HTMLSelectElement.prototype, "labels");
export const selectForm = getterOf(HTMLSelectElement.prototype, "form");
export const optionLabel = getterOf(HTMLOptionElement.prototype, "label");
export const optionValue = getterOf(HTMLOptionElement.prototype, "value");
export const optionSelected = getterOf(HTMLOptionElement.prototype, "selected");
export const buttonForm = getterOf(HTMLButtonElement.prototype, "form");
export const buttonType = getterOf(HTMLButtonElement.prototype, "type");
export const labelControl = getterOf(HTMLLabelElement.prototype, "control");
export const anchorHref = getterOf(HTMLAnchorElement.prototype, "href");
export const areaHref = getterOf(HTMLAreaElement.prototype, "href");
export const formAction = getterOf(HTMLFormElement.prototype, "action");
export const formMethod = getterOf(HTMLFormElement.prototype, "method");
export const baseUri = getterOf(Node.prototype, "baseURI");
export const documentElement = getterOf(Document.prototype, "documentElement");
export const documentBody = getterOf(Document.prototype, "body");
export const documentTitle = getterOf(Document.prototype, "title");
export const documentActive = getterOf(Document.prototype, "activeElement");
export const rootActive = getterOf(ShadowRoot.prototype, "activeElement");
export const scrollingElement = getterOf(Document.prototype, "scrollingElement");
const namespaceOf = getterOf(Element.prototype, "namespaceURI");
const openRoot = getterOf(Element.prototype, "shadowRoot");
const slotOfElement = getterOf(Element.prototype, "assignedSlot");
const slotOfText = getterOf(Text.prototype, "assignedSlot");
const hostOf = getterOf(ShadowRoot.prototype, "host");

export const attribute = (element: Element, name: string): string | null => attributeOf.call(element, name);
export const hasAttribute = (element: Element, name: string): boolean => attributeThere.call(element, name);
export const box = (element: Element): DOMRect => rectOf.call(element);
export const query = (element: Element, selector: string): Element | null => firstMatch.call(element, selector);
export const queryAll = (element: Element, selector: string): NodeListOf<Element> => allMatches.call(element, selector);
export const closest = (element: Element, selector: string): Element | null => closestMatch.call(element, selector);
export const matches = (element: Element, selector: string): boolean => matchesSelector.call(element, selector);
export const contains = (outer: Node, inner: Node | null): boolean => holds.call(outer, inner);
const rootOf = (node: Node): Node => rootOfNode.call(node);

export const isElement = (node: Node | null): node is Element => node !== null && nodeType(node) === 1;
export const isText = (node: Node | null): node is Text => node !== null && nodeType(node) === 3;
const isShadowRoot = (node: Node | null): node is ShadowRoot =>
  node !== null && nodeType(node) === 11 && node instanceof ShadowRoot;
export const isHtml = (element: Element): element is HTMLElement => namespaceOf(element) === HTML;
export const isSvg = (element: Element): boolean => namespaceOf(element) === SVG;

type HtmlTags = HTMLElementTagNameMap;
/** True for an HTML element of that tag; the tag alone decides the class of an HTML element. */
export function isTag<Tag extends keyof HtmlTags & string>(
  element: Element | null,
  tag: Tag,
): element is HtmlTags[Tag] {
  return element !== null && localName(element) === tag && namespaceOf(element) === HTML;
}

const closedRoots = new WeakMap<Element, ShadowRoot>();

/** Lets the walk enter a closed root that the host resolved. */
export function adoptRoot(root: ShadowRoot): void {
  closedRoots.set(hostOf(root), root);
}

export const shadowRootOf = (element: Element): ShadowRoot | null =>
  openRoot(element) ?? closedRoots.get(element) ?? null;

/** All elements of one tree that a selector matches, roots inside it not entered. */
export function elementsIn(root: Document | ShadowRoot, selector: string): NodeListOf<Element> {
  return root instanceof Document
    ? Document.prototype.querySelectorAll.call(root, selector)
    : DocumentFragment.prototype.querySelectorAll.call(root, selector);
}

/** Nodes that a slot shows, or null when it shows its own children. */
export function slotted(element: Element): readonly Node[] | null {
  if (!isTag(element, "slot") || !isShadowRoot(rootOf(element))) return null;
  const nodes = slotNodes.call(element);
  return nodes.length === 0 ? null : nodes;
}

/** The element around a node as it is laid out: slot before parent, host before shadow root. */
export function flatParent(node: Node): Element | null {
  const slot = isElement(node) ? slotOfElement(node) : isText(node) ? slotOfText(node) : null;
  if (slot !== null) return slot;
  const parent = parentNode(node);
  if (isElement(parent)) return parent;
  return isShadowRoot(parent) ? hostOf(parent) : null;
}

export function flatContains(outer: Element, inner: Node): boolean {
  if (contains(outer, inner)) return true;
  for (let at: Node | null = inner; at !== null; at = flatParent(at)) if (at === outer) return true;
  return false;
}

/** An element by id in the same tree (document or shadow root). */
export function byId(near: Element, id: string): Element | null {
  const root = rootOf(near);
  if (isShadowRoot(root)) return byIdInFragment.call(root, id);
  return root instanceof Document ? byIdInDocument.call(root, id) : null;
}
