import type { Element, Permit } from "../../types.ts";
import { toFailure } from "../view/failures.ts";
import type { Time, View } from "../view/view.ts";
import { expectUncovered } from "./uncovered.ts";

const CHECKABLE = new Set(["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"]);

/** Whether an element is on or off. */
export function isCheckable(element: Element): boolean {
  return CHECKABLE.has(element.role);
}

/** Switches an element on or off, unless it is so already. Returns what it is then. */
export async function check(
  view: View,
  element: Element,
  checked: boolean,
  permit: Permit,
  time: Time,
): Promise<boolean> {
  const limits = (): { readonly timeout: number; readonly signal: AbortSignal } => ({
    timeout: Math.max(1, time.remainingMs()),
    signal: time.signal,
  });
  await expectUncovered(view, element, time);
  try {
    return await view.act(element, permit, time, async (locator) => {
      await locator.setChecked(checked, limits());
      return locator.isChecked(limits());
    });
  } catch (error) {
    throw toFailure(error, { deadlineMs: time.totalMs });
  }
}
