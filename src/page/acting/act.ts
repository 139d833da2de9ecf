import type * as playwright from "playwright-core";
import { Failure } from "../../errors.ts";
import type { Element, Permit } from "../../types.ts";
import { toFailure } from "../view/failures.ts";
import type { Time, View } from "../view/view.ts";

export interface PressOptions {
  readonly button?: "left" | "right" | "middle";
  readonly count?: number;
  /** CSS pixels from the upper left corner of the element's box; its middle without it. */
  readonly at?: { readonly x: number; readonly y: number } | undefined;
}

/**
 * A click with Playwright's actionability checks. Returns as soon as the input is dispatched: a navigation it starts
 * may be held for long.
 */
export async function press(
  view: View,
  element: Element,
  permit: Permit,
  options: PressOptions,
  time: Time,
): Promise<void> {
  await acting(time, async () => {
    await view.act(element, permit, time, async (locator) => {
      await expectInside(locator, options.at, time);
      await locator.click({
        button: options.button ?? "left",
        clickCount: options.count ?? 1,
        ...(options.at && { position: options.at }),
        ...limits(time),
      });
    });
  });
}

async function expectInside(locator: playwright.Locator, at: PressOptions["at"], time: Time): Promise<void> {
  if (at === undefined) return;
  const box = await locator.boundingBox({ timeout: Math.max(1, time.remainingMs()) });
  if (box !== null && at.x < box.width && at.y < box.height) return;
  throw new Failure(
    "bad_arguments",
    `That place is outside: the element has ${Math.round(box?.width ?? 0)} by ${Math.round(box?.height ?? 0)} pixels.`,
  );
}

export interface EnterOptions {
  /** Real key events, for fields that react to each key. */
  readonly sequential?: boolean;
  /** Press Enter in the field afterwards. */
  readonly submit?: boolean;
}

/**
 * Replaces a field's value. Returns what the field holds then; "(secret)" for secret ones; null when it can no longer
 * be read.
 */
export async function enter(
  view: View,
  element: Element,
  text: string,
  permit: Permit,
  options: EnterOptions,
  time: Time,
): Promise<string | null> {
  if (element.field === null) throw new Failure("bad_arguments", "That target is not a field one can type into.");
  if (element.field.secret) view.secrets.note(text, true, element.site);
  return acting(time, () =>
    view.act(element, permit, time, async (locator) => {
      if (options.sequential === true) {
        await locator.fill("", { ...limits(time) });
        await locator.pressSequentially(text, { ...limits(time) });
      } else {
        await locator.fill(text, { ...limits(time) });
      }
      const value = await readBack(view, element, time);
      if (options.submit === true) await locator.press("Enter", { ...limits(time) });
      return typeof value === "string" ? value : null;
    }),
  );
}

/** Chooses options of a select by value or label. Returns the chosen labels. */
export async function choose(
  view: View,
  element: Element,
  values: readonly string[],
  permit: Permit,
  time: Time,
): Promise<readonly string[]> {
  return acting(time, async () => {
    const { frame, localId } = view.place(element.ref);
    const options = (await view.ask(frame, "options", [localId])) as
      | readonly { value: string; label: string; disabled: boolean }[]
      | null;
    if (options === null)
      throw new Failure("bad_arguments", "That target is not a select. Click it and its options instead.");
    const chosen = values.map((wanted) => {
      const matches = options.filter((option) => option.value === wanted || option.label === wanted);
      const exact = matches.length > 1 ? matches.filter((option) => option.value === wanted) : matches;
      const [only] = exact;
      if (only === undefined || exact.length > 1)
        throw new Failure(
          "no_match",
          `${exact.length} options match one of the values; the select has ${options.length}. Use a value or label as the snapshot shows it.`,
        );
      if (only.disabled) throw new Failure("disabled", "That option is disabled.");
      return only;
    });
    await view.act(element, permit, time, (locator) =>
      locator.selectOption(
        chosen.map((option) => ({ value: option.value })),
        { ...limits(time) },
      ),
    );
    const value = await readBack(view, element, time);
    return Array.isArray(value) ? value : chosen.map((option) => option.label);
  });
}

async function readBack(view: View, element: Element, time: Time): Promise<unknown> {
  try {
    const { frame, localId } = view.place(element.ref);
    return await view.ask(frame, "value", [localId], Math.min(1_000, time.remainingMs()));
  } catch (error) {
    if (Failure.is(error) && error.code === "browser_ended") throw error;
    return null;
  }
}

/** Playwright gives up when the call does: an act must not come after its result. */
function limits(time: Time): { readonly noWaitAfter: true; readonly timeout: number; readonly signal: AbortSignal } {
  return { noWaitAfter: true, timeout: Math.max(1, time.remainingMs()), signal: time.signal };
}

async function acting<T>(time: Time, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFailure(error, { deadlineMs: time.totalMs });
  }
}

/** Moves the pointer over an element. */
export async function hover(
  view: View,
  element: Element,
  permit: Permit,
  time: Time,
  at?: PressOptions["at"],
): Promise<void> {
  await acting(time, async () => {
    await view.act(element, permit, time, async (locator) => {
      await expectInside(locator, at, time);
      await locator.hover({ ...(at && { position: at }), ...limits(time) });
    });
  });
}

/**
 * Presses one key (Playwright's names, `Control+a`), in an element or where the focus is; `focus`: what has it, as far
 * as is known.
 */
export async function pressKey(
  view: View,
  element: Element | null,
  focus: Element | null,
  key: string,
  permit: Permit,
  time: Time,
): Promise<void> {
  await acting(time, async () => {
    try {
      if (element === null) await view.pressInFocus(focus, permit, time, () => view.page.keyboard.press(key));
      else await view.act(element, permit, time, (locator) => locator.press(key, { ...limits(time) }));
      await view.leaveHidden();
    } catch (error) {
      if (error instanceof Error && /Unknown key/.test(error.message)) {
        throw new Failure(
          "bad_arguments",
          "There is no such key. Use names such as Enter, Escape, Tab, ArrowDown, PageDown, a, Control+a.",
          { cause: error },
        );
      }
      throw error;
    }
  });
}
