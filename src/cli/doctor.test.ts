import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testStart } from "../session/self-test/alone.ts";
import { selfTestChannels } from "../session/self-test/channels.ts";
import type { Check } from "./check.ts";
import { checkLedger, checkNode, startChecks } from "./doctor-checks.ts";
import { main } from "./main.ts";

const LIMIT_MS = 60_000;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "doctor-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function doctor(
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
    env: {
      XDG_STATE_HOME: directory,
      XDG_CONFIG_HOME: directory,
      ...(process.env.CHAPERONE_BROWSER && { CHAPERONE_BROWSER: process.env.CHAPERONE_BROWSER }),
    },
  };
  const code = await main(["doctor", ...argv], io);
  return { code, out: out.join(""), err: err.join("") };
}

const red = (checks: readonly Check[]): readonly string[] => checks.filter(({ ok }) => !ok).map(({ name }) => name);

describe("chaperone doctor", { timeout: LIMIT_MS }, () => {
  test("is green here, one line each, with every channel by its name", async () => {
    const { code, out, err } = await doctor();
    const lines = out.trimEnd().split("\n");
    // The browser of this machine may be old.
    expect(lines.filter((line) => !line.startsWith("ok ") && !line.startsWith("warn browser's age: "))).toEqual([]);
    expect(out).toMatch(/^(ok|warn) browser's age: /m);
    for (const name of [
      "node",
      "configuration",
      "ledger",
      "browser",
      "proxy",
      "start",
      "sandbox",
      "profile",
      "self-test",
    ])
      expect(
        lines.some((line) => line.startsWith(`ok ${name}: `)),
        name,
      ).toBe(true);
    for (const { name } of selfTestChannels) expect(out).toContain(`ok self-test: ${name}: `);
    if (process.getuid?.() === 0) expect(out).toMatch(/^ok start: .* as user \d+, .*root$/m);
    expect([code, err]).toEqual([0, ""]);
  });

  test("a state directory that others may write is told, with what to do", async () => {
    const check = () => checkLedger({ ledger: { file: undefined, values: false } }, { XDG_STATE_HOME: directory });
    mkdirSync(join(directory, "chaperone"), { mode: 0o700 });
    expect(await check()).toMatchObject({ ok: true });
    chmodSync(join(directory, "chaperone"), 0o777);
    expect(await check()).toMatchObject({ ok: false, mend: expect.stringContaining("chmod 700") });
  });

  test("one flag less, and it is red with the channel's name and what to do", async () => {
    const outcome = await testStart({
      browser: { path: process.env.CHAPERONE_BROWSER, headless: true, sandbox: true },
      startTimeoutMs: LIMIT_MS,
      now: () => performance.now(),
      rig: { flags: (flags) => flags.filter((flag) => !flag.startsWith("--proxy-bypass-list=")) },
    });
    const checks = startChecks(outcome);
    expect(red(checks)).toContain("self-test: WebSocket");
    expect(checks.find(({ ok }) => !ok)).toMatchObject({
      says: "got out beside the guard",
      mend: expect.stringContaining("--browser"),
    });
  });

  test("without a browser it says what to do, looks at the rest, and ends with 5", async () => {
    const { code, out } = await doctor("--browser", join(directory, "nowhere"));
    expect(out).toMatch(/^!! browser: .*missing.* → .*--browser/m);
    expect(out).toMatch(/^ok proxy: /m);
    expect(out).not.toContain("self-test");
    expect(code).toBe(5);
  });

  test("a browser that is none", async () => {
    const { code, out } = await doctor("--browser", "/bin/true");
    expect(out).toMatch(/^!! start: .+ → .+/m);
    expect(code).toBe(1);
  });

  test("a record that cannot be written", async () => {
    writeFileSync(join(directory, "file"), "");
    const { code, out } = await doctor(
      "--ledger",
      join(directory, "file", "ledger.jsonl"),
      "--cdp-url",
      "http://127.0.0.1:9",
    );
    expect(out).toMatch(/^!! ledger: .* cannot be written → .*--ledger$/m);
    expect(code).toBe(1);
  });

  test("an attached browser: what is not promised there", async () => {
    const { code, out } = await doctor("--cdp-url", "http://127.0.0.1:9");
    expect(out.match(/^!! attached: .* → unproven: .*--cdp-url/gm)).toHaveLength(5);
    expect(out).not.toMatch(/^(ok|!!) (browser|start)/m);
    expect(code).toBe(1);
  });

  test("an operator's proxy that does not answer, without its password", async () => {
    const { code, out } = await doctor("--proxy", "http://ada:pa5sw0rd@127.0.0.1:9", "--cdp-url", "http://127.0.0.1:9");
    expect(out).toMatch(/^!! upstream: does not answer as an HTTP proxy → .*--proxy/m);
    expect(out).not.toContain("pa5sw0rd");
    expect(code).toBe(1);
  });

  test("--json is one object of the same", async () => {
    const { code, out } = await doctor("--json", "--cdp-url", "http://127.0.0.1:9");
    const said = JSON.parse(out);
    expect(said.ok).toBe(false);
    expect(said.checks[0]).toEqual({ name: "node", ok: true, says: process.versions.node, mend: null });
    expect(red(said.checks)).toContain("attached: self-test");
    expect(code).toBe(1);
  });

  test("says where each key was set", async () => {
    const file = join(directory, "own.jsonc");
    writeFileSync(file, '{\n  "maxContentTokens": 900\n}\n');
    const { out } = await doctor("--config", file, "--cdp-url", "http://127.0.0.1:9");
    const [line = ""] = out.split("\n").filter((each) => each.startsWith("ok configuration: "));
    expect(line).toContain(`maxContentTokens from ${file}:2`);
    expect(line).toContain("browser.cdpUrl from --cdp-url");
  });
});

test.each([
  ["20.19.0", true],
  ["22.1.0", true],
  ["20.18.9", false],
  ["18.20.0", false],
])("Node %s", (version, ok) => {
  expect(checkNode(version).ok).toBe(ok);
});
