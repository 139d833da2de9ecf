import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumProgram } from "../../../test/chromium-program.ts";
import { type Canary, startCanary } from "./canary.ts";
import { keyDigestOf, selfSigned } from "./certificate.ts";
import { channelsOver, type Scheme } from "./channels.ts";

const ARRIVAL_MS = 20_000;
const SCHEMES: readonly Scheme[] = ["http", "https"];

// Silence means something only for what is heard when nothing is in its way.
describe.each(SCHEMES)("over %s", (scheme) => {
  const certificate = scheme === "https" ? selfSigned("127.0.0.1") : null;
  let directory: string;
  let context: BrowserContext;
  let canary: Canary;

  // The pages are ours and nothing is guarded here, so a machine without a usable sandbox may run this too. A profile,
  // since only there Chromium preconnects.
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "self-test-"));
    const trusting =
      certificate === null
        ? []
        : [`--ignore-certificate-errors-spki-list=${keyDigestOf(certificate)}`, "--short-reporting-delay"];
    context = await chromium.launchPersistentContext(directory, {
      executablePath: chromiumProgram(),
      args: ["--no-sandbox", ...trusting],
      ignoreDefaultArgs: ["--disable-popup-blocking"],
    });
    canary = await startCanary("0123456789abcdef", certificate);
  });
  afterAll(async () => {
    await context.close();
    await canary.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  test.each(channelsOver(scheme).map((channel) => [channel.name, channel] as const))(
    "%s arrives in plain Chromium",
    { timeout: 2 * ARRIVAL_MS },
    async (name, channel) => {
      const page = await context.newPage();
      await page.goto(canary.address);
      await page.evaluate(`void tryChannels(${JSON.stringify([name])})`);
      if (name === "closing beacon") await page.goto(canary.nextAddress);
      await expect.poll(() => canary.reached(channel), { timeout: ARRIVAL_MS, interval: 10 }).toBe(true);
      await page.close();
    },
  );

  test("what was allowed is heard too", () => {
    expect(canary.controlReached()).toBe(true);
  });
});
