import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sites, startSites } from "../../sites/server.mjs";
import { chromiumProgram } from "../chromium-program.ts";
import { oneOf } from "../runs.ts";
import {
  type Connected,
  connect,
  consoleAddresses,
  GENERATIONS,
  IMPATIENT,
  LIMIT_MS,
  stateDirectory,
} from "./support.ts";

const PATIENCE_MS = 250;

let sites: Sites;
let browser: Browser;
beforeAll(async () => {
  sites = await startSites();
  browser = await chromium.launch({ executablePath: chromiumProgram(), args: ["--no-sandbox"] });
});
afterAll(async () => {
  await browser.close();
  await sites.close();
});
beforeEach(() => sites.backOffice.reset());

/** Signed in, at an order, with another status chosen. */
async function atTheOrder(client: Connected, yes: () => Promise<void>): Promise<void> {
  await client.call("navigate", { url: sites.backOffice.url });
  await client.call("type_text", { target: 'textbox "User"', text: "ada" });
  await client.call("type_text", { target: 'textbox "Password"', text: "correct-horse" });
  const { pending } = (await client.call("click", { target: 'button "Sign in"' })).structured as {
    pending: { approval: string };
  };
  await yes();
  expect((await client.call("wait_for", { approval: pending.approval })).text).toContain("CMD-1042");
  await client.call("click", { target: 'link "View" in "CMD-1042"' });
  await client.call("select_option", { target: 'combobox "Status"', values: ["Shipped"] });
}

describe.each(oneOf(2, GENERATIONS))("a stock client of revision %s", (generation) => {
  test("without forms: pending, then the console in a browser, then what came of it", {
    timeout: LIMIT_MS,
  }, async () => {
    const { effects, url } = sites.backOffice;
    const state = stateDirectory();
    const settings = JSON.stringify({ private: [url], approve: ["elicitation", "console"] });
    const client = await connect(generation, [String(PATIENCE_MS), settings], {
      state: state.path,
      program: IMPATIENT,
    });
    await client.call("navigate", { url });
    const [address = ""] = await consoleAddresses(state.path);
    const page = await browser.newPage();
    await page.goto(address);
    const answer = (name: string) => page.locator("#open article").getByRole("button", { name }).click();
    await atTheOrder(client, () => answer("Yes, once"));

    const save = async (): Promise<string> => {
      const { structured } = await client.call("click", { target: 'button "Save status"' });
      expect(structured).toMatchObject({
        ok: false,
        pending: { approval: expect.stringMatching(/^q\d+$/), expires_in_s: expect.any(Number) },
      });
      return (structured.pending as { approval: string }).approval;
    };
    const approval = await save();
    expect(await linesIn(page)).toEqual(
      expect.arrayContaining([
        `request: POST "${url}/orders/CMD-1042/status"`,
        'field, typed by the agent: "status" = "Shipped"',
        `the agent did: click on button "Save status" (words of a page of ${url.replace("http://", "")})`,
      ]),
    );
    // What acts answers pending, what reads goes on, and waiting longer is no answer.
    const other = await client.call("type_text", { target: 'combobox "Status"', text: "x" });
    expect(other.structured).toMatchObject({ ok: false, pending: { approval } });
    expect((await client.call("snapshot", {})).structured).toMatchObject({ ok: false, pending: { approval } });
    expect((await client.call("wait_for", { approval, timeout_ms: 1 })).structured).toMatchObject({
      ok: false,
      pending: { approval },
    });
    expect(effects.statusChanges).toBe(0);

    await answer("No");
    expect((await client.call("wait_for", { approval })).structured).toMatchObject({ answer: "no" });
    expect(effects.statusChanges).toBe(0);
    expect((await client.call("snapshot", { detail: "full" })).text).not.toContain("Status saved.");

    const again = await save();
    expect(again).not.toBe(approval);
    const waiting = client.call("wait_for", { approval: again, timeout_ms: 60_000 });
    await answer("Yes, once");
    const done = await waiting;
    const shown = done.structured.pending === undefined ? done : await client.call("wait_for", { approval: again });
    expect(shown.structured).toMatchObject({ ok: true, answer: "yes" });
    expect(shown.text).toContain("Status saved.");
    expect(effects.statusChanges).toBe(1);

    // The same once more asks once more.
    await client.call("select_option", { target: 'combobox "Status"', values: ["Shipped"] });
    const third = await save();
    await answer("No");
    expect((await client.call("wait_for", { approval: third })).structured).toMatchObject({ answer: "no" });
    expect(effects.statusChanges).toBe(1);
    await page.close();
    await client.close();
    state.remove();
  });
});

async function linesIn(page: Page): Promise<readonly string[]> {
  await page.locator("#open article").waitFor();
  return page.locator("#open article .line").allTextContents();
}
