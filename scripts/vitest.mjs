// Vitest with other settings than on each change, for scripts that name them.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./freshness.mjs";

/** Runs it to its end; this process ends with its exit code. */
export function runVitest(args, env) {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  process.exitCode = status ?? 1;
}
