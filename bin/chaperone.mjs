#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inPackage = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// Only a clone has sources; what npm published is complete.
if (
  existsSync(inPackage("src")) &&
  !["dist/cli/main.js", "node_modules/.package-lock.json"].every((path) => existsSync(inPackage(path)))
) {
  // Standard input and output belong to the MCP protocol.
  const { status } = spawnSync(process.execPath, [inPackage("scripts/setup.mjs"), "--browser-optional"], {
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}

const { main } = await import("../dist/cli/main.js");
process.exitCode = await main(process.argv.slice(2));
