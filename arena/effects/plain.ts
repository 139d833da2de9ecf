import type { Page } from "playwright-core";
import { keyOf, type Plain, startPlain } from "../plain.ts";
import { isUnsafe, type Row, type Step } from "./row.ts";
import { authority, openSites, type Sites } from "./sites.ts";

const STEP_MS = 5_000;
const CLOSE_MS = 1_000;
/** For what is known not to come. */
const NOT_COUNTED_MS = 500;

/** The same pages and calls in Chromium with nothing of ours in its way. */
export class PlainLane {
  readonly #sites: Sites;
  readonly #plain: Plain;
  /** The first one, and those that take their time to close. */
  #kept: ReadonlySet<Page> = new Set();

  private constructor(sites: Sites, plain: Plain) {
    this.#sites = sites;
    this.#plain = plain;
  }

  static async open(more: readonly string[] = []): Promise<PlainLane> {
    const sites = await openSites(more);
    const plain = await startPlain({ hostMap: sites.hostMap, trustedKey: keyOf(authority.cert) });
    return new PlainLane(sites, plain);
  }

  /** How many of the effects that the row asks for arrive. Fewer means that they do not come. */
  async effects(row: Row): Promise<number> {
    const { context } = this.#plain;
    const sites = this.#sites;
    sites.serve(row.pages);
    this.#kept = new Set(context.pages());
    const at = { page: await context.newPage() };
    const { isEffect = isUnsafe, without = 1 } = row;
    try {
      const count = (): number => Math.min(sites.hits.filter(isEffect).length, without);
      for (const step of row.steps) {
        if (!("until" in step)) await this.#step(step, at);
        else {
          if (step.until === row.thinksUntil) sites.tell("asked");
          await sites.when((hits) => count() >= without || hits.some(({ path }) => path === step.until));
        }
      }
      await sites.when(() => count() >= without, row.notCounted === undefined ? undefined : NOT_COUNTED_MS);
      return count();
    } finally {
      const mine = this.#mine();
      await Promise.race([
        Promise.all(mine.map((page) => page.close().catch(() => {}))),
        new Promise((done) => setTimeout(done, CLOSE_MS)),
      ]);
    }
  }

  async close(): Promise<void> {
    await this.#plain.close();
    await this.#sites.close();
  }

  #mine(): readonly Page[] {
    return this.#plain.context.pages().filter((page) => !this.#kept.has(page));
  }

  /** What fails here fails: the count tells. */
  async #step(step: Exclude<Step, { readonly until: string }>, at: { page: Page }): Promise<void> {
    const { page } = at;
    // What was clicked may still be on its way, and come over the first.
    if ("go" in step)
      await page
        .goto(step.go, { timeout: STEP_MS })
        .catch(() => page.goto(step.go, { timeout: STEP_MS }).catch(() => {}));
    else if ("click" in step)
      for (let times = 0; times < (step.times ?? 1); times++)
        await locate(page, step.click).click({ noWaitAfter: true, timeout: STEP_MS });
    else if ("type" in step) await locate(page, step.type).fill(step.text, { timeout: STEP_MS });
    else if ("choose" in step) await locate(page, step.choose).selectOption(step.value, { timeout: STEP_MS });
    else if ("accept" in step) page.once("dialog", (dialog) => void dialog.accept());
    else if ("press" in step) await page.keyboard.press(step.press);
    else if ("open" in step) {
      at.page = await page.context().newPage();
      await at.page.goto(step.open, { timeout: STEP_MS }).catch(() => {});
    } else {
      // A popup is told of a little after it is there.
      while (this.#mine().length < step.tab) await page.context().waitForEvent("page", { timeout: STEP_MS });
      at.page = this.#mine()[step.tab - 1] ?? page;
      await at.page.bringToFront();
    }
  }
}

function locate(page: Page, target: string) {
  const [, role = "", name = ""] = /^(\w+) "(.*)"$/.exec(target) ?? [];
  return role === "clickable"
    ? page.getByText(name, { exact: true })
    : page.getByRole(role as "button", { name, exact: true });
}
