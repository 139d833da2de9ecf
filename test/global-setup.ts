import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { distIsFresh, root } from "../scripts/freshness.mjs";
import { findBrowser } from "../src/browser/find.ts";

/** Before all tests: dist/ is made from the sources under test, Chromium's version is known. After them: what of the controls came from the record. */
export default async function setup(): Promise<() => void> {
  if (!distIsFresh()) {
    const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) throw new Error("the build failed, see above");
  }
  process.env.CHAPERONE_TEST_CHROMIUM = await chromiumVersion();
  const directory = mkdtempSync(join(tmpdir(), "controls-"));
  const tally = join(directory, "tally");
  process.env.CHAPERONE_CONTROLS_TALLY = tally;
  return () => {
    say(tally);
    rmSync(directory, { recursive: true, force: true });
  };
}

async function chromiumVersion(): Promise<string> {
  const named = process.env.CHAPERONE_BROWSER;
  const { path } = await findBrowser({ ...(named !== undefined && { path: named }) });
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  const version = /\d+(\.\d+){3}/.exec(stdout)?.[0];
  if (version === undefined) throw new Error(`${path} does not say its version`);
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
