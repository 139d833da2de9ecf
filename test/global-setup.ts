import { spawnSync } from "node:child_process";
import { distIsFresh, root } from "../scripts/freshness.mjs";

/** Tests that start the program run dist/, which must be made from the sources under test. */
export default function setup(): void {
  if (distIsFresh()) return;
  const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error("the build failed, see above");
}
