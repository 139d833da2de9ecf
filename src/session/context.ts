import type * as playwright from "playwright-core";
import type { StorageState } from "../config/index.ts";
import { Failure } from "../errors.ts";

const VIEWPORT = { width: 1280, height: 800 } as const;

/**
 * The one context of a session, with what the operator gave it to begin with. Nothing is requested for that: Playwright
 * fulfils the pages it needs itself.
 */
export async function newContext(
  browser: playwright.Browser,
  options: {
    readonly headless: boolean;
    readonly sharesClipboard: boolean;
    readonly userAgent: string;
    readonly storageState: StorageState | undefined;
  },
): Promise<playwright.BrowserContext> {
  const context = await withState(browser, options);
  // Of none a permission: scripts may not use a person's clipboard either.
  if (options.sharesClipboard) await context.grantPermissions([]);
  return context;
}

async function withState(
  browser: playwright.Browser,
  options: { readonly headless: boolean; readonly userAgent: string; readonly storageState: StorageState | undefined },
): Promise<playwright.BrowserContext> {
  const { headless, userAgent, storageState } = options;
  const given = {
    viewport: headless ? VIEWPORT : null,
    acceptDownloads: false,
    ...(isHeadless(userAgent) && { userAgent: asWithWindow(userAgent) }),
  };
  if (storageState === undefined) return browser.newContext(given);
  try {
    return await browser.newContext({ ...given, storageState });
  } catch {
    // No cause: it may quote what was to be stored.
    throw new Failure(
      "no_browser",
      "The stored state could not be put into the browser. Tell the operator: the state that was given (storageState) has to be made anew.",
    );
  }
}

/** Whether pages are told that there is no window. They would show an agent other words than a person, or none. */
function isHeadless(userAgent: string): boolean {
  return userAgent.includes("HeadlessChrome/");
}

/** What the same browser says of itself where it has one. `navigator.webdriver` goes on saying who drives. */
function asWithWindow(userAgent: string): string {
  return userAgent.replace("HeadlessChrome/", "Chrome/");
}
