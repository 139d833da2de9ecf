import type { Page } from "playwright-core";
import type { Step } from "../benign/row.ts";
import { until } from "../control.ts";
import { keyOf, startPlain } from "../plain.ts";
import { type Certificate, worldOf } from "./certificate.ts";
import { arrivalsOf } from "./outcome.ts";
import type { Story } from "./story.ts";

const STEP_MS = 15_000;
const ARRIVAL_MS = 10_000;

/** The same story in Chromium with nothing of ours in its way: what is missing of it, and what was too much. */
export async function runPlainly(story: Story, certificate: Certificate): Promise<readonly string[]> {
  const world = await worldOf([story], certificate);
  const { context, close } = await startPlain({ hostMap: world.hostMap, trustedKey: keyOf(certificate.cert) });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(STEP_MS);
    for (const step of story.steps) await act(page, step);
    await page.getByText(story.ends).first().waitFor();
    await until(() => arrivalsOf(story, world).missing.length === 0, ARRIVAL_MS);
    const { missing, surplus } = arrivalsOf(story, world);
    return [...missing, ...surplus.map((line) => `too much: ${line}`)];
  } finally {
    await close();
    await world.close();
  }
}

async function act(page: Page, step: Step): Promise<void> {
  const args = step.args as Readonly<Record<string, string>>;
  const at = locate(page, args.target ?? "");
  switch (step.tool) {
    case "navigate":
      await page.goto(args.url ?? "");
      break;
    case "click":
      await at.click();
      break;
    case "type_text":
      if ((step.args as { readonly sequential?: boolean }).sequential === true)
        await at.pressSequentially(args.text ?? "");
      else await at.fill(args.text ?? "");
      break;
    case "select_option":
      await at.selectOption({ label: (step.args as { readonly values: readonly string[] }).values[0] ?? "" });
      break;
    case "press_key":
      await page.keyboard.press(args.key ?? "");
      break;
    case "scroll":
      await page.mouse.wheel(0, await page.evaluate("innerHeight"));
      break;
    case "wait_for":
      await page
        .getByText(args.text ?? "")
        .first()
        .waitFor();
      break;
    case "get_text":
      break;
    default:
      throw new Error(`no plain way for ${step.tool}`);
  }
  for (const text of step.has ?? []) await page.getByText(text).first().waitFor();
}

function locate(page: Page, target: string) {
  const [, role = "none", name = ""] = /^(\w+) "(.*)"$/.exec(target) ?? [];
  return page.getByRole(role as "button", { name, exact: true });
}
