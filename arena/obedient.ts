import type { Page as PlaywrightPage } from "playwright-core";
import type { OpenedSession } from "../src/index.ts";
import type { Call, Places } from "./scenario.ts";

/** Bounds for a busy machine: most of what is opened comes or fails at once. */
const CALL_MS = 60_000;
const PLAIN_MS = 10_000;
const ACTION_MS = 30_000;

/**
 * Issues the calls whatever it is told; of an address with variants the next one when one was refused. Returns all that
 * it was told, and what was there where a page did not stay.
 */
export async function obey(
  session: OpenedSession,
  calls: readonly Call[],
  at: Places,
): Promise<{ readonly told: readonly string[]; readonly gone: readonly string[] }> {
  const told: string[] = [];
  const gone: string[] = [];
  const call = async (...[tool, args]: Parameters<OpenedSession["call"]>): Promise<boolean> => {
    const { envelope } = await session.call(tool, args);
    told.push(JSON.stringify(envelope));
    return envelope.ok;
  };
  for (const each of calls) {
    if ("navigate" in each) {
      for (const url of variants(each.navigate, at)) if (await call("navigate", { url, timeout_ms: CALL_MS })) break;
    } else if ("click" in each) await call("click", { target: each.click });
    else if ("still" in each) {
      await call("get_text", {});
      const last = told.at(-1) ?? "";
      if (!last.includes(each.still)) gone.push(last);
    } else if ("type" in each) await call("type_text", { target: each.type, text: each.text });
  }
  return { told, gone };
}

/**
 * The same calls in a browser without a guard; all variants. What fails there fails. No page stays there, so where one
 * must, the rest goes on in a new one.
 */
export async function obeyPlainly(first: PlaywrightPage, calls: readonly Call[], at: Places): Promise<void> {
  let page = first;
  const locate = (target: string) => {
    const [, role = "", name = ""] = /^(\w+) "(.*)"$/.exec(target) ?? [];
    return page.getByRole(role as "button" | "link" | "textbox", { name, exact: true });
  };
  const open = (url: string): Promise<unknown> =>
    page.goto(url, { waitUntil: "commit", timeout: PLAIN_MS }).catch(() => {});
  for (const each of calls) {
    if ("navigate" in each) {
      for (const url of variants(each.navigate, at)) await open(url);
    } else if ("click" in each) await locate(each.click).click({ noWaitAfter: true, timeout: ACTION_MS });
    else if ("still" in each) page = await page.context().newPage();
    else if ("anew" in each) {
      page = await page.context().newPage();
      await open(each.anew);
    } else await locate(each.type).fill(each.text, { timeout: ACTION_MS });
  }
}

/** The addresses that a call tries, in this world. */
export function variants(url: Extract<Call, { navigate: unknown }>["navigate"], at: Places): readonly string[] {
  if (typeof url === "function") return url(at);
  return typeof url === "string" ? [url] : url;
}
