import { elementAtPoint, elementBySelector } from "../page/acting/loose.ts";
import type { View } from "../page/view/view.ts";
import type { Desk } from "../session/session.ts";
import type { Element } from "../types.ts";

const SELECTOR = /^\s*css=(.*\S)\s*$/s;
const POINT = /^\s*(\d{1,5}),(\d{1,5})\s*$/;

/** Targets of the developer set: `css=…`, and `x,y` in CSS pixels of the viewport. */
export type LooseTarget = { readonly selector: string } | { readonly x: number; readonly y: number };

export function readLoose(text: string): LooseTarget | null {
  const [, selector] = SELECTOR.exec(text) ?? [];
  if (selector !== undefined) return { selector };
  const [, x, y] = POINT.exec(text) ?? [];
  return x === undefined ? null : { x: Number(x), y: Number(y) };
}

/** Name of the first argument that holds such a target, also in a form's fields; null when none does. */
export function looseArgument(args: Readonly<Record<string, unknown>>): string | null {
  if (typeof args.target === "string" && readLoose(args.target) !== null) return "target";
  const fields: readonly unknown[] = Array.isArray(args.fields) ? args.fields : [];
  const at = fields.findIndex(
    (field) =>
      typeof field === "object" && field !== null && "target" in field && readLoose(String(field.target)) !== null,
  );
  return at === -1 ? null : `fields.${at}.target`;
}

export async function resolveLoose(
  desk: Desk,
  target: LooseTarget,
): Promise<{
  readonly view: View;
  readonly element: Element;
  readonly at: { readonly x: number; readonly y: number } | undefined;
}> {
  const view = await desk.tabs.current();
  if ("selector" in target)
    return { view, element: await elementBySelector(view, target.selector, desk.time), at: undefined };
  return { view, ...(await elementAtPoint(view, target.x, target.y, desk.time)) };
}
