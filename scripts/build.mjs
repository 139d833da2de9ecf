// Builds the scripts that run in browsers and dist/. With --types it builds those scripts and only checks all types.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { fingerprint, root, stampPath } from "./freshness.mjs";

/** What runs in a browser: bundled to texts, each file with its names. */
const bundles = [
  { output: "src/page/generated/world.ts", entries: { worldSource: "src/page/observer/entry.ts" } },
  {
    output: "src/console/generated/scripts.ts",
    entries: { consoleScript: "src/console/web/console.ts", openingScript: "src/console/web/opening.ts" },
  },
];
const projects = ["tsconfig.json", "src/page/observer/tsconfig.json", "src/console/web/tsconfig.json"];
// As deep as dist/, so that relative paths in source maps stay right.
const scratch = join(root, `.build-${process.pid}`);

for (const made of bundles) await buildBundle(made);
process.exitCode = process.argv.includes("--types") ? checkTypes() : buildDist();

async function buildBundle({ output, entries }) {
  const lines = await Promise.all(
    Object.entries(entries).map(
      async ([name, entry]) => `export const ${name}: string =\n  ${JSON.stringify(await bundled(entry))};\n`,
    ),
  );
  writeIfChanged(join(root, output), lines.join(""));
}

async function bundled(entry) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    bundle: true,
    format: "iife",
    target: "es2022",
    minify: true,
    write: false,
    logLevel: "error",
  });
  return result.outputFiles[0].text.trim();
}

function checkTypes() {
  return Math.max(...projects.map((project) => compile("-p", project, "--noEmit")));
}

function buildDist() {
  const made = fingerprint();
  try {
    // Types have a check of their own: what is wrong in one room does not keep the others from running.
    const code = compile("-p", "tsconfig.build.json", "--noCheck", "--outDir", scratch);
    if (code !== 0) return code;
    replaceDist();
    writeFileSync(stampPath, made);
    return 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function compile(...options) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const { status, error } = spawnSync(process.execPath, [tsc, ...options], { cwd: root, stdio: "inherit" });
  if (error) throw error;
  return status ?? 1;
}

// File by file and only what differs: a process that starts from dist/ meanwhile never sees half a file.
function replaceDist() {
  const dist = dirname(stampPath);
  const made = new Set(filesIn(scratch));
  rmSync(stampPath, { force: true });
  for (const path of existsSync(dist) ? filesIn(dist) : []) if (!made.has(path)) rmSync(join(dist, path));
  for (const path of made) writeIfChanged(join(dist, path), readFileSync(join(scratch, path)));
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function writeIfChanged(path, content) {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, bytes);
  renameSync(fresh, path);
}
