import type * as playwright from "playwright-core";
import { Failure } from "../errors.ts";
import { stopLoading } from "../page/acting/go.ts";
import type { View } from "../page/view/view.ts";
import type { Tabs } from "./tabs.ts";

const ERROR_PAGE = /^chrome-error:/;
const EMPTY = "about:blank";
/** More is not worth a deadline of its own. */
const LEAVE_MS = 700;

/** What is out of reach, or failed, is not left on the screen either. */
export async function leavePage(view: View, tabs: Tabs | null): Promise<void> {
  const { page } = view;
  await stopLoading(view);
  const empty = (): Promise<unknown> => page.goto(EMPTY, { waitUntil: "commit", timeout: LEAVE_MS });
  // Playwright hears of a document later than the wire: the one that is left may end its wait for the empty one,
  // which comes all the same. Another one beside it would overtake that, or where the tab is sent next.
  const late = async (): Promise<unknown> => {
    if (page.url() === EMPTY && view.url === EMPTY) return;
    const isEmpty = (frame: playwright.Frame): boolean => frame === page.mainFrame() && frame.url() === EMPTY;
    await page.waitForEvent("framenavigated", { predicate: isEmpty, timeout: LEAVE_MS });
  };
  try {
    // The second time: what was on its way when the first began may have come in its place.
    await empty().catch(late).catch(empty);
  } catch {
    await tabs?.close(view);
  }
}

/** Chromium's own page in the place of one that could not be loaded. */
export function isErrorPage(url: string): boolean {
  return ERROR_PAGE.test(url);
}

export function notLoaded(): Failure {
  return new Failure(
    "navigation_failed",
    "The page could not be loaded; the tab is empty now. Open it again, or another, with navigate.",
  );
}
