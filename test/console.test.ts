import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleStage, questionOf, stageConsole } from "../src/console/console.fixture.ts";
import { addressOf } from "../src/console/registry.ts";
import { chromiumProgram } from "./chromium-program.ts";
import { recordingServer } from "./servers.ts";

const SECOND_MS = 1_000;

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: chromiumProgram(), args: ["--no-sandbox"] });
});
afterAll(() => browser.close());

let stage: ConsoleStage;
let context: BrowserContext;
let page: Page;
/** What the page complained about: errors, and what its policy stopped. */
let complaints: string[];
beforeEach(async () => {
  stage = await stageConsole();
  context = await browser.newContext({ viewport: { width: 900, height: 900 } });
  // The page's time stands still but where a test moves it.
  await context.clock.install();
  await context.clock.pauseAt(Date.now() + SECOND_MS);
  page = await context.newPage();
  complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
});
afterEach(async () => {
  await context.close();
  await stage[Symbol.asyncDispose]();
  expect(complaints).toEqual([]);
});

const ask = (number: number, overrides = {}, signal = new AbortController().signal) =>
  stage.console.approver.ask(questionOf(number, overrides), signal);
const addressNow = async (): Promise<string> => addressOf({ port: stage.port, key: (await stage.entry()).key });
const article = (number: number) => page.locator("#open article").filter({ hasText: `Question q${number}` });

async function arrive(): Promise<void> {
  await page.goto(await addressNow());
  await page.getByText("Connected").waitFor();
}

/** Lets the second go by in which nothing counts; then a yes may be said there. */
async function ready(number: number): Promise<void> {
  await article(number).waitFor();
  await context.clock.runFor(SECOND_MS);
  await article(number).locator("button.yes:not([aria-disabled=true])").first().waitFor();
}

describe("a person in a browser", () => {
  it("sees what is asked, line by line, and says yes once", async () => {
    const asked = ask(1);
    await arrive();
    expect(await article(1).locator(".line").allTextContents()).toEqual(questionOf(1).lines);
    expect(await article(1).getByRole("button").allTextContents()).toEqual([
      "No (n)nothing is sent",
      "Yes, once (1)this request",
      "Yes, this form (2)this form's next steps",
      "Yes, for this task (3)changes of orders",
    ]);
    expect(
      await article(1)
        .getByText(/Expires in [12]:\d\d/)
        .count(),
    ).toBe(1);
    expect(await page.title()).toBe("(1) Order the blue kettle");
    expect(await page.locator(".status").textContent()).toMatch(/act\s*Profileguarded\s*Sites in reachshop\.test/);
    await ready(1);
    await article(1).getByRole("button", { name: "Yes, once" }).click();
    expect(await asked).toEqual({ answer: "once" });
    await page.locator("#done").getByText("Answered here: Yes, once").waitFor();
    expect(await page.locator("#open article").count()).toBe(0);
  });

  it.each([
    ["No", { answer: "no" }],
    ["Yes, this form", { answer: "form" }],
    ["Yes, for this task", { answer: "task" }],
  ])("presses %s", async (name, answer) => {
    await arrive();
    const asked = ask(1);
    await ready(1);
    await article(1).getByRole("button", { name }).click();
    expect(await asked).toEqual(answer);
  });

  it("is offered exactly what may be answered", async () => {
    await arrive();
    const asked = ask(1, { choices: ["no", "task"], means: {} });
    await expect
      .poll(() => article(1).getByRole("button").allTextContents())
      .toEqual(["No (n)", "Yes, for this task (1)"]);
    await article(1).getByRole("button", { name: "No" }).click();
    expect(await asked).toEqual({ answer: "no" });
  });

  it("comes by a file that leads here, and comes back by reloading, but not by the address", async () => {
    const asked = ask(1);
    const address = await addressNow();
    const file = join(stage.root, "opening.html");
    await writeFile(file, `<meta http-equiv="refresh" content="0;url=${address}">`);
    await page.goto(pathToFileURL(file).href);
    await article(1).waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${stage.port}/`);
    await page.reload();
    await article(1).waitFor();
    const other = await browser.newContext();
    const thief = await other.newPage();
    await thief.goto(address);
    await thief.getByText("This address opens once").waitFor();
    expect((await thief.goto(`http://127.0.0.1:${stage.port}/`))?.status()).toBe(403);
    await other.close();
    await article(1).getByRole("button", { name: "No" }).click();
    expect(await asked).toEqual({ answer: "no" });
  });

  it("goes away and comes back: the question is still there", async () => {
    const asked = ask(1);
    await arrive();
    await article(1).waitFor();
    await page.close();
    page = await context.newPage();
    await arrive();
    await ready(1);
    await article(1).getByRole("button", { name: "Yes, once" }).click();
    expect(await asked).toEqual({ answer: "once" });
  });

  it("has two pages: what one answers leaves the other", async () => {
    const asked = ask(1);
    await arrive();
    const second = await context.newPage();
    await second.goto(await addressNow());
    await second.getByRole("button", { name: "No" }).click();
    expect(await asked).toEqual({ answer: "no" });
    await page.locator("#done").getByText("Answered here: No").waitFor();
  });

  it("learns what was answered elsewhere, came too late, and that the session ended", async () => {
    await arrive();
    const elsewhere = new AbortController();
    const asked = [ask(1, {}, elsewhere.signal), ask(2, { expires: stage.clock.now + 300 }), ask(3)];
    await article(3).waitFor();
    elsewhere.abort();
    await page.locator("#done article").filter({ hasText: "q1" }).getByText("Answered elsewhere").waitFor();
    await page.locator("#done article").filter({ hasText: "q2" }).getByText("Too late").waitFor();
    await stage.console.close();
    await page.getByText("The session has ended.").waitFor();
    expect(await page.locator("#open article").count()).toBe(0);
    expect(await Promise.all(asked)).toEqual([null, null, null]);
  });

  it("adds words and a site", async () => {
    await arrive();
    await page.getByLabel("In your own words").fill("Use <b>the blue</b> one");
    await page.getByRole("button", { name: "Add these words" }).click();
    await page.getByText("Added: Use <b>the blue</b> one").waitFor();
    await page.getByLabel("A site that the session may use").fill("not a host");
    await page.getByRole("button", { name: "Add this site" }).click();
    await page.getByText("Not added: a site is a host").waitFor();
    expect([stage.texts, stage.sites]).toEqual([["Use <b>the blue</b> one"], []]);
  });

  it("sees the time run down, and cannot say yes when it has", async () => {
    const asked = ask(1, { expires: stage.clock.now + 61_000 });
    await arrive();
    await ready(1);
    await article(1).getByText("Expires in 1:00").waitFor();
    await context.clock.runFor(60_000);
    await article(1).getByText("Expires in 0:00").waitFor();
    expect(await article(1).getByRole("button", { name: "Yes, once" }).isDisabled()).toBe(true);
    await article(1).getByRole("button", { name: "No" }).click();
    expect(await asked).toEqual({ answer: "no" });
  });

  it("does not click what moved under the finger", async () => {
    const elsewhere = new AbortController();
    const first = ask(1, {}, elsewhere.signal);
    const second = ask(2);
    const third = ask(3);
    await arrive();
    await ready(3);
    elsewhere.abort();
    await article(1).waitFor({ state: "detached" });
    await article(3).getByRole("button", { name: "Yes, for this task" }).click({ force: true });
    await ready(3);
    await article(3).getByRole("button", { name: "Yes, once" }).click();
    await article(2).getByRole("button", { name: "No" }).click();
    expect([await first, await second, await third]).toEqual([null, { answer: "no" }, { answer: "once" }]);
  });

  it("does not click what just came", async () => {
    const first = ask(1);
    await arrive();
    await ready(1);
    const second = ask(2);
    await article(2).waitFor();
    await article(2).getByRole("button", { name: "Yes, for this task" }).click({ force: true });
    await article(1).getByRole("button", { name: "Yes, for this task" }).click();
    expect(await first).toEqual({ answer: "task" });
    await article(1).waitFor({ state: "detached" });
    await ready(2);
    await article(2).getByRole("button", { name: "Yes, once" }).click();
    expect(await second).toEqual({ answer: "once" });
  });

  it("gets a hundred at once on a narrow screen, whole", async () => {
    await page.setViewportSize({ width: 320, height: 600 });
    const asked = Array.from({ length: 100 }, (_, index) => ask(index + 1, { lines: ["x".repeat(2_000), "the end"] }));
    await arrive();
    await article(100).waitFor();
    expect(await page.locator("#open article").count()).toBe(100);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    expect(await article(100).getByText("the end").isVisible()).toBe(true);
    await stage.console.close();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([null]));
  });
});

describe("by keys", () => {
  it("n is no", async () => {
    const asked = ask(1);
    await arrive();
    await ready(1);
    await page.keyboard.press("n");
    expect(await asked).toEqual({ answer: "no" });
  });

  it("a yes is pressed twice", async () => {
    const asked = ask(1);
    await arrive();
    await ready(1);
    await page.keyboard.press("2");
    await article(1).getByText("Press again to confirm: Yes, this form").waitFor();
    await page.keyboard.press("2");
    expect(await asked).toEqual({ answer: "form" });
  });

  it("two different ones confirm nothing, nor does one key held down", async () => {
    const asked = ask(1);
    await arrive();
    await ready(1);
    await page.keyboard.press("1");
    await page.keyboard.press("2");
    await page.keyboard.down("3");
    await page.keyboard.down("3");
    await page.keyboard.down("3");
    await page.keyboard.up("3");
    await article(1).getByText("Press again to confirm: Yes, for this task").waitFor();
    await page.keyboard.press("n");
    expect(await asked).toEqual({ answer: "no" });
  });

  it("nothing counts in the first second, and no yes has the focus", async () => {
    await arrive();
    const asked = ask(1);
    await article(1).waitFor();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
    for (const key of ["Enter", "1", "1", "n", "Enter"]) await page.keyboard.press(key);
    for (const button of await article(1).getByRole("button").all()) {
      await button.focus();
      await page.keyboard.press("Enter");
    }
    expect(await article(1).locator(".says").textContent()).toBe("");
    await ready(1);
    await page.keyboard.press("n");
    expect(await asked).toEqual({ answer: "no" });
  });

  it("a key that is held down from before says nothing", async () => {
    const asked = ask(1);
    await arrive();
    await article(1).waitFor();
    await article(1).getByRole("button", { name: "No" }).focus();
    await page.keyboard.down("Enter");
    await ready(1);
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.keyboard.press("1");
    await page.keyboard.press("1");
    expect(await asked).toEqual({ answer: "once" });
  });

  it("the second press is for the same question, without another one in between", async () => {
    const asked = [ask(1), ask(2)];
    await arrive();
    await ready(2);
    for (const number of [1, 2, 1]) {
      await article(number).getByRole("button", { name: "No" }).focus();
      await page.keyboard.press("1");
    }
    await page.keyboard.press("n");
    await article(1).waitFor({ state: "detached" });
    await ready(2);
    await page.keyboard.press("n");
    expect(await Promise.all(asked)).toEqual([{ answer: "no" }, { answer: "no" }]);
  });

  it("Enter never says yes, Space says it when pressed twice", async () => {
    const asked = ask(1);
    await arrive();
    await ready(1);
    await article(1).getByRole("button", { name: "Yes, for this task" }).focus();
    for (const key of ["Enter", "Enter", "Enter"]) await page.keyboard.press(key);
    expect(await article(1).locator(".says").textContent()).toBe("");
    await article(1).getByRole("button", { name: "Yes, once" }).focus();
    await page.keyboard.press("Space");
    await article(1).getByText("Press again to confirm: Yes, once").waitFor();
    await page.keyboard.press("Space");
    expect(await asked).toEqual({ answer: "once" });
  });

  it("Enter on No is no", async () => {
    const asked = ask(1);
    await arrive();
    await ready(1);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toMatch(/^No/);
    await page.keyboard.press("Enter");
    expect(await asked).toEqual({ answer: "no" });
  });

  it("a press for a question that went does not count for the next", async () => {
    const elsewhere = new AbortController();
    const first = ask(1, {}, elsewhere.signal);
    const second = ask(2);
    await arrive();
    await ready(1);
    await page.keyboard.press("1");
    elsewhere.abort();
    await article(1).waitFor({ state: "detached" });
    await page.keyboard.press("1");
    await ready(2);
    expect(await article(2).locator(".says").textContent()).toBe("");
    await page.keyboard.press("n");
    expect([await first, await second]).toEqual([null, { answer: "no" }]);
  });

  it("words that are typed answer nothing", async () => {
    const asked = ask(1);
    await arrive();
    await ready(1);
    await page.getByLabel("In your own words").focus();
    await page.keyboard.type("n 11 n");
    expect(await page.getByLabel("In your own words").inputValue()).toBe("n 11 n");
    await page.getByRole("button", { name: "Add these words" }).click();
    await page.getByText("Added:").waitFor();
    await article(1).getByRole("button", { name: "Yes, once" }).click();
    expect(await asked).toEqual({ answer: "once" });
  });
});

describe("what cannot be undone", () => {
  const code = { code: "K7QM", effect: "irreversible", choices: ["no", "once"] };

  it("needs its code", async () => {
    const asked = ask(1, code);
    await arrive();
    await article(1).waitFor();
    await context.clock.runFor(SECOND_MS);
    const yes = article(1).getByRole("button", { name: "Yes, once" });
    const field = article(1).getByLabel("To say anything but no, type K7QM");
    await field.fill("k7q");
    await yes.click({ force: true });
    await article(1).getByText("Type the code first.").waitFor();
    expect(await yes.isDisabled()).toBe(true);
    await field.pressSequentially("m ");
    await field.press("Enter");
    await ready(1);
    await yes.click();
    expect(await asked).toEqual({ answer: "once", code: "k7qm " });
  });

  it("needs none for a no, and the page alone does not decide", async () => {
    const denied = ask(1, code);
    await arrive();
    await article(1).getByRole("button", { name: "No" }).click();
    expect(await denied).toEqual({ answer: "no" });
    const asked = ask(2, code);
    await article(2).waitFor();
    const body = JSON.stringify({ id: "q2", digest: questionOf(2).digest, answer: "once", code: "guess" });
    const statuses = await page.evaluate(`(async () => {
      const headers = { "content-type": "application/json", "x-chaperone-token": sessionStorage.getItem("token") };
      const statuses = [];
      for (let tries = 0; tries < 4; tries++) statuses.push((await fetch("/answer", { method: "POST", headers, body: ${JSON.stringify(body)} })).status);
      return statuses;
    })()`);
    expect(statuses).toEqual([422, 422, 422, 409]);
    expect(await asked).toBeNull();
    await page.getByText("Too many wrong codes").waitFor();
  });
});

it("hostile words stay words", async () => {
  const lines = [
    `<script>alert(1)</script><img src=x onerror=alert(2)>`,
    `</div></main><button class="yes">Yes</button>`,
    `pay \u202E001 ot\u2066 \u200B\u00AD`,
    `\u001B[2J\u001B[31mred\u0007`,
    `one\r\ntwo\u2028three\u0000`,
    `&lt;b&gt; \${code} \`x\``,
  ];
  const means = { once: "<img src=x onerror=alert(3)>", no: "\u202Eno" };
  const asked = ask(1, { lines, means, choices: ["once", "no"] });
  await arrive();
  const texts = await article(1).locator(".line").allTextContents();
  expect(texts).toEqual([
    lines[0],
    lines[1],
    "pay ‹U+202E›001 ot‹U+2066› ‹U+200B›‹U+00AD›",
    "‹U+001B›[2J‹U+001B›[31mred‹U+0007›",
    "one‹U+000D›‹U+000A›two‹U+2028›three‹U+0000›",
    lines[5],
  ]);
  expect(await article(1).getByRole("button").allTextContents()).toEqual([
    "No (n)‹U+202E›no",
    `Yes, once (1)${means.once}`,
  ]);
  expect(await page.evaluate("[document.scripts.length, document.images.length]")).toEqual([1, 0]);
  await article(1).getByRole("button", { name: "No" }).click();
  expect(await asked).toEqual({ answer: "no" });
});

describe("pages of others in the same browser", () => {
  it("cannot frame it, read it, or answer, with its cookies and all", async () => {
    const asked = ask(1);
    await arrive();
    await ready(1);
    const evil = await recordingServer();
    evil.html("/", "<title>Evil</title>");
    const foreign = await context.newPage();
    await foreign.goto(evil.url);
    const origin = `http://127.0.0.1:${stage.port}`;
    const body = JSON.stringify({ id: "q1", digest: questionOf(1).digest, answer: "task" });
    const outcome = await foreign.evaluate(`(async () => {
      const attempt = (init) => fetch("${origin}/answer", { method: "POST", credentials: "include", body: ${JSON.stringify(body)}, ...init }).then(({ type, status }) => type + status, () => "failed");
      const framed = document.createElement("iframe");
      framed.src = "${origin}/open";
      const loaded = new Promise((resolve) => framed.addEventListener("load", resolve));
      document.body.append(framed);
      await loaded;
      navigator.sendBeacon("${origin}/answer", ${JSON.stringify(body)});
      return [await attempt({ mode: "no-cors" }), await attempt({ headers: { "content-type": "application/json", "x-chaperone-token": "x" } })];
    })()`);
    expect(outcome).toEqual(["failed", "failed"]);
    const frame = foreign.frames()[1];
    expect(await frame?.evaluate("document.body?.textContent ?? ''")).not.toContain("Chaperone");
    await article(1).getByRole("button", { name: "Yes, once" }).click();
    expect(await asked).toEqual({ answer: "once" });
    await evil.close();
  });
});
