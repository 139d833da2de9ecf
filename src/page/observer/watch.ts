import { hasAttribute, isElement, isTag, queryAll } from "./dom.ts";
import { isSecret, rememberSecret } from "./fields.ts";
import { noteSecret } from "./mirrors.ts";
import { allFresh, noteFresh } from "./reach.ts";

/**
 * An element that changes more often than this while somebody waits is a clock or a spinner and keeps nobody waiting.
 */
const CHANGES_OF_ONE_MAX = 8;
const FIELD_EVENTS = ["input", "change", "toggle"] as const;
const WATCHED: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeOldValue: true,
};

let changes = 0;
let lastChange = performance.now();
let watched: Document | null = null;
let restless: Map<Node, number> | null = null;
const roots = new Map<ShadowRoot, true>();

function took(record: MutationRecord): void {
  const { target, attributeName } = record;
  if (record.type === "attributes" && isTag(isElement(target) ? target : null, "input") && isElement(target)) {
    if (attributeName === "type" && record.oldValue?.toLowerCase() === "password") rememberSecret(target);
    if (attributeName === "type" || attributeName === "autocomplete") isSecret(target);
  }
  for (const added of record.addedNodes) {
    if (!isElement(added)) continue;
    noteFresh(added);
    if (isTag(added, "input")) isSecret(added);
    else for (const field of queryAll(added, 'input[type="password" i]')) rememberSecret(field);
  }
}

const observer = new MutationObserver((records) => {
  changes += 1;
  let counts = restless === null;
  for (const record of records) {
    took(record);
    if (restless === null || counts) continue;
    const times = (restless.get(record.target) ?? 0) + 1;
    restless.set(record.target, times);
    counts = times <= CHANGES_OF_ONE_MAX;
  }
  if (counts) lastChange = performance.now();
});

function fieldChanged(event: Event): void {
  changes += 1;
  lastChange = performance.now();
  const [target] = event.composedPath();
  if (
    target instanceof Element &&
    (isTag(target, "input") || isTag(target, "textarea") || hasAttribute(target, "contenteditable")) &&
    isSecret(target)
  )
    noteSecret(target);
}

/** Watches the current document; a window can get another one while its world stays, and then `anew` is called too. */
export function watch(anew: () => void): void {
  if (watched === document) return;
  watched = document;
  allFresh();
  anew();
  observer.observe(document, WATCHED);
  for (const kind of FIELD_EVENTS) window.addEventListener(kind, fieldChanged, { capture: true, passive: true });
  for (const field of Document.prototype.querySelectorAll.call(document, 'input[type="password" i]'))
    rememberSecret(field);
}

/** Watches shadow roots too, once each. */
export function watchRoots(found: Iterable<ShadowRoot>): void {
  for (const root of found) {
    if (roots.has(root)) continue;
    roots.set(root, true);
    observer.observe(root, WATCHED);
  }
}

export function knownRoots(): (Document | ShadowRoot)[] {
  for (const root of roots.keys()) if (!root.isConnected) roots.delete(root);
  return [document, ...roots.keys()];
}

/** Takes in what changed so far without waiting for the observer's turn. */
export function version(): number {
  const pending = observer.takeRecords();
  if (pending.length > 0) {
    for (const record of pending) took(record);
    changes += 1;
    lastChange = performance.now();
  }
  return changes;
}

/**
 * True once nothing has changed for that long, counted from now, or from the last change there was; false when it never
 * was quiet within `maxMs`.
 */
export async function quiet(quietMs: number, maxMs: number, from: "now" | "lastChange" = "now"): Promise<boolean> {
  const start = performance.now();
  const mine = new Map<Node, number>();
  restless = mine;
  try {
    for (;;) {
      const now = performance.now();
      const wait = (from === "now" ? Math.max(lastChange, start) : lastChange) + quietMs - now;
      if (wait <= 0) return true;
      if (now - start >= maxMs) return false;
      await new Promise<void>((resolve) => setTimeout(resolve, Math.min(wait, maxMs - (now - start))));
    }
  } finally {
    if (restless === mine) restless = null;
  }
}
