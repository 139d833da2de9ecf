import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** A test of the pure rooms that starts a process is one of the others, and has to be listed with them. */
for (const name of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const)
  Object.defineProperty(childProcess, name, {
    value: () => {
      throw new Error(
        `a test of the pure rooms starts a process (${name}): list its file in vitest.config.ts with those that do`,
      );
    },
  });
syncBuiltinESMExports();
