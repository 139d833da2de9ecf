// Builds the page script and dist/. With --types it builds the page script and only checks all types.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { fingerprint, root, stampPath } from "./freshness.mjs";

const worldEntry = join(root, "src/page/world/entry.ts");
const worldOutput = join(root, "src/page/generated/world.ts");
const worldProject = "src/page/world/tsconfig.json";
// As deep as dist/, so that relative paths in source maps stay right.
const scratch = join(root, `.build-${process.pid}`);

await buildWorld();
process.exitCode = process.argv.includes("--types") ? checkTypes() : buildDist();

async function buildWorld() {
  writeIfChanged(worldOutput, `export const worldSource: string =\n  ${JSON.stringify(await bundleWorld())};\n`);
}

async function bundleWorld() {
  if (!existsSync(worldEntry)) {
    console.error("build: src/page/world/entry.ts is missing, the page script is empty");
    return "";
  }
  const result = await build({
    absWorkingDir: root,
    entryPoints: [worldEntry],
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
  const projects = ["tsconfig.json", worldProject].filter((path) => existsSync(join(root, path)));
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
