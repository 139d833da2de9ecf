import { box, elementsIn, isConnected, isElement, localName, queryAll, shadowRootOf } from "./dom.ts";

/** Tags that can have a shadow root, beside custom elements. */
const EMPTY_HOSTS = ["article", "aside", "blockquote", "div", "footer", "header", "main", "nav", "p", "section", "span"]
  .map((tag) => `${tag}:empty`)
  .join(",");
const HOSTS_MAX = 200;
/** A root can be attached after the first look, but not for ever. */
const TRIES_MAX = 3;
const HOST_MIN_PIXELS = 4;
/** More places with new elements than these: the whole document is asked. */
const FRESH_MAX = 20;
const WALKED_MAX = 50_000;

const tries = new WeakMap<Element, number>();
/** Elements that might hide a root, to be asked once more. */
const again = new Set<Element>();
let fresh: Set<Element> | "all" = "all";
let rounds = 0;

/** New elements may hide roots or have listeners. */
export function noteFresh(element: Element): void {
  if (fresh === "all") return;
  fresh.add(element);
  if (fresh.size > FRESH_MAX) fresh = "all";
}

/** Everything of a new document, and of a root that was just found, is new. */
export function allFresh(): void {
  fresh = "all";
  rounds = 0;
}

function* candidatesIn(all: Iterable<Element>, empties: Iterable<Element>): Generator<Element> {
  let walked = 0;
  for (const element of all) {
    walked += 1;
    if (walked > WALKED_MAX) return;
    if (localName(element).includes("-")) yield element;
  }
  yield* empties;
}

function mayHide(element: Element): boolean {
  if (!isConnected(element) || shadowRootOf(element) !== null || (tries.get(element) ?? 0) >= TRIES_MAX) return false;
  if (localName(element).includes("-")) return true;
  const { width, height } = box(element);
  return width >= HOST_MIN_PIXELS && height >= HOST_MIN_PIXELS;
}

/**
 * What only the host can find out: elements that might hide a closed root, then null, then the tops of the trees whose
 * listeners are not known. Null when there is nothing to find out.
 */
export function unreached(roots: Iterable<Document | ShadowRoot>): (Node | null)[] | null {
  const hosts = new Set<Element>();
  const take = (found: Iterable<Element>): void => {
    for (const element of found) if (hosts.size < HOSTS_MAX && mayHide(element)) hosts.add(element);
  };
  take(again);
  if (fresh === "all")
    for (const root of roots) take(candidatesIn(elementsIn(root, "*"), elementsIn(root, EMPTY_HOSTS)));
  else for (const top of fresh) take(candidatesIn([top, ...queryAll(top, "*")], [...queryAll(top, EMPTY_HOSTS)]));
  again.clear();
  for (const host of hosts) {
    const tried = (tries.get(host) ?? 0) + 1;
    tries.set(host, tried);
    if (tried < TRIES_MAX) again.add(host);
  }
  rounds += 1;
  // Frameworks put their listeners on after the document is there.
  const listen: Node[] =
    fresh === "all" || rounds <= TRIES_MAX
      ? [document]
      : [...fresh].filter((element) => isElement(element) && isConnected(element));
  fresh = new Set();
  return hosts.size === 0 && listen.length === 0 ? null : [...hosts, null, ...listen];
}
