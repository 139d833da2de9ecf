import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type BrowserEvent, openSession } from "../src/index.ts";
import { provenEnvironment } from "./child-environment.ts";

const PROGRAM = fileURLToPath(new URL("../bin/chaperone.mjs", import.meta.url));
/** Of two programs one after the other, on a busy machine. */
const LIMIT_MS = 120_000;
const version = process.env.CHAPERONE_TEST_CHROMIUM ?? "";

// Else a run for one version would prove something of another.
test("sessions have the Chromium of this run", { timeout: LIMIT_MS }, async () => {
  await using session = await openSession({});
  const events: BrowserEvent[] = [];
  session.events.subscribe((event) => events.push(event));
  await session.call("tabs", {});
  expect(events).toContainEqual({ kind: "browser_started", reason: expect.stringContaining(version) });
});

test("programs that tests start have it too, and it is not tested once more in a directory of their own", {
  timeout: LIMIT_MS,
}, () => {
  const home = mkdtempSync(join(tmpdir(), "chaperone-named-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = provenEnvironment(home);
  const pass = (): string => readFileSync(join(home, "chaperone/self-test.json"), "utf8");
  const given = pass();
  const ledger = join(home, "ledger.jsonl");
  spawnSync(process.execPath, [PROGRAM, "open", "http://127.0.0.1:9/", "--ledger", ledger], { env });
  expect(readFileSync(ledger, "utf8")).toContain(version);
  expect(pass()).toBe(given);
});
