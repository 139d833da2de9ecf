import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { distIsFresh, root } from "../scripts/freshness.mjs";
import { findBrowser } from "../src/browser/find.ts";
import { proveOnce } from "./child-environment.ts";

/** What a program of a test still writes while it ends. */
const REMOVE_RETRIES = 5;

/**
 * Before all tests: dist/ is made from the sources under test, Chromium's version is known, and there is a state
 * directory of the run's own, so that no test reads or writes what belongs to whoever runs them. After them: what of
 * the controls came from the record.
 */
export default async function setup(): Promise<() => void> {
  if (!distIsFresh()) {
    const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (status !== 0) throw new Error("the build failed, see above");
  }
  const program = await chromiumProgram();
  process.env.CHAPERONE_TEST_PROGRAM = program;
  process.env.CHAPERONE_TEST_CHROMIUM = chromiumVersion(program);
  const directory = mkdtempSync(join(tmpdir(), "chaperone-run-"));
  process.env.XDG_STATE_HOME = join(directory, "state");
  process.env.XDG_CONFIG_HOME = join(directory, "config");
  proveOnce(process.env.XDG_STATE_HOME);
  const tally = join(directory, "tally");
  process.env.CHAPERONE_CONTROLS_TALLY = tally;
  return () => {
    say(tally);
    rmSync(directory, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
  };
}

async function chromiumProgram(): Promise<string> {
  const named = process.env.CHAPERONE_BROWSER;
  return (await findBrowser({ ...(named !== undefined && { path: named }) })).path;
}

function chromiumVersion(program: string): string {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const version = /\d+(\.\d+){3}/.exec(stdout)?.[0];
  if (version === undefined) throw new Error(`${program} does not say its version`);
  console.log(`Chromium ${version}`);
  return version;
}

function say(tally: string): void {
  let lines: readonly string[] = [];
  try {
    lines = readFileSync(tally, "utf8").trim().split("\n");
  } catch {
    // No file of this run has controls.
  }
  const counts = lines.map((line) => JSON.parse(line) as { recorded: number; run: number });
  const sum = (of: "recorded" | "run"): number => counts.reduce((total, each) => total + each[of], 0);
  console.log(`controls in plain Chromium: ${sum("recorded")} from the record, ${sum("run")} run`);
}
