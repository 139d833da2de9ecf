import type * as playwright from "playwright-core";

const NAME = "chaperone";

/**
 * Runs beside the observer in Playwright's isolated world: a ref resolves as an ordinary locator, so clicks keep
 * Playwright's actionability checks. The document's name is part of the selector: an id of another document matches
 * nothing.
 */
const SOURCE = `({
  query(root, selector) { return this.queryAll(root, selector)[0] ?? null; },
  queryAll(root, selector) {
    const world = globalThis.__chaperone;
    const at = selector.lastIndexOf(":");
    if (world === undefined || world.document !== selector.slice(0, at)) return [];
    const element = world.element(Number(selector.slice(at + 1)));
    return element === null ? [] : [element];
  },
})`;

let registered: Promise<void> | null = null;

/** Once a process: a second registration throws. Only contexts made after it know the engine. */
export function registerEngine(selectors: playwright.Selectors): Promise<void> {
  registered ??= selectors.register(NAME, SOURCE, { contentScript: true });
  return registered;
}

export interface Place {
  readonly document: string;
  readonly id: number;
}

export function selectorOf(place: Place): string {
  return `${NAME}=${place.document}:${place.id}`;
}
