import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../bin/chaperone.mjs", import.meta.url));
/** Refused by the rules, once the browser is there and has tested itself. */
const NOWHERE = "http://127.0.0.1:9/";
const MOST_TRIES = 3;
const PASS = join("chaperone", "self-test.json");

/**
 * For a `chaperone` that a test starts: nothing of the run's own variables, and no desktop on which somebody's browser
 * would open.
 * @param home where it keeps what it writes, and looks for a configuration. Default: the run's own.
 */
export function childEnvironment(home: string = runHome()): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && (!name.startsWith("CHAPERONE_") || name === "CHAPERONE_BROWSER")) kept[name] = value;
  }
  for (const name of ["DISPLAY", "WAYLAND_DISPLAY"]) delete kept[name];
  return { ...kept, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
}

/**
 * For one that starts a browser: there it has passed the self-test already. Only what tests the self-test itself does
 * without.
 */
export function provenEnvironment(home: string = runHome()): Record<string, string> {
  if (!existsSync(join(home, PASS))) {
    mkdirSync(join(home, "chaperone"), { recursive: true, mode: 0o700 });
    copyFileSync(join(runHome(), PASS), join(home, PASS));
  }
  return childEnvironment(home);
}

function runHome(): string {
  const home = process.env.XDG_STATE_HOME;
  if (home === undefined) throw new Error("the run has no state directory: test/global-setup.ts makes it");
  return home;
}

/** Made once, before all tests: else those that begin side by side would all let the browser test itself. */
export function proveOnce(home: string): void {
  let said = "";
  // On a machine that is very busy it may not get to its end, and says so: then it is tried again, as a user would.
  for (let tries = 0; tries < MOST_TRIES && !existsSync(join(home, PASS)); tries++)
    said = spawnSync(process.execPath, [PROGRAM, "open", NOWHERE], {
      env: childEnvironment(home),
      encoding: "utf8",
    }).stderr;
  if (!existsSync(join(home, PASS))) throw new Error(`no browser that passes its self-test: ${said}`);
}
