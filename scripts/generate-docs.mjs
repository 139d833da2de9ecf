// Writes the docs that come from code. With --check it writes nothing and fails when one of them is stale.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { distIsFresh, root } from "./freshness.mjs";
import { toolsPage } from "./tool-page.mjs";

// Docs of yesterday's build would pass the check.
if (!distIsFresh()) {
  const { status } = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

const { configurationPage } = await import("../dist/config/docs.js");
const { configJsonSchema } = await import("../dist/config/schema.js");
const { exitCodes } = await import("../dist/cli/exit.js");
const { rulesPage } = await import("../dist/gate/rules.js");
const { policyPage } = await import("../dist/gate/profiles.js");
const { describeTools, developerTools, toolsOf } = await import("../dist/tools/registry.js");

const pages = {
  "docs/configuration.md": configurationPage(exitCodes),
  "docs/chaperone.schema.json": `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
  "docs/policy.md": policyPage({
    read: toolsOf("standard", "read").map(({ name }) => name),
    act: toolsOf("standard", "act").map(({ name }) => name),
  }),
  "docs/rules.md": rulesPage(),
  "docs/tools.md": toolsPage(describeTools(developerTools)),
};

const stale = Object.entries(pages).filter(
  ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text,
);
if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`docs: ${path} is stale, run: npm run docs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, text] of stale) {
    writeFileSync(join(root, path), text);
    console.log(`docs: ${path} written`);
  }
}
