/**
 * Where the applications come from: npm's into this folder, Debian's by apt-get. Exact versions of the first are in the
 * lock; the others are the distribution's.
 */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
const MOST_OUTPUT_BYTES = 16_777_216;

/** @param {string} name @param {string} file */
export const programOf = (name, file) => join(folder, "node_modules", name, file);

/** @param {string} name */
export async function versionOf(name) {
  return String(JSON.parse(await readFile(programOf(name, "package.json"), "utf8")).version);
}

/** The version that Debian's package has here; null when it is not installed. @param {string} name */
export async function debianVersionOf(name) {
  const told = (await run("dpkg", ["-s", name]).catch(() => null))?.stdout ?? "";
  const version = /^Version: (\S+)$/m.exec(told)?.[1];
  return told.includes("\nStatus: install ok installed\n") && version !== undefined ? version : null;
}

/** @param {(line: string) => void} say */
export async function installNpm(say) {
  const wanted = await lockOf("package-lock.json");
  const installed = await lockOf("node_modules/.package-lock.json");
  const isThere = Object.entries(wanted).every(([path, version]) => path === "" || installed[path] === version);
  if (isThere) return;
  say("installing applications from npm (some minutes)");
  await run("npm", ["ci", "--ignore-scripts"], { cwd: folder, maxBuffer: MOST_OUTPUT_BYTES });
}

/**
 * Leaves what stops it: null when all are there.
 * @param {readonly string[]} packages
 * @param {(line: string) => void} say
 * @returns {Promise<string | null>}
 */
export async function installDebian(packages, say) {
  const missing = [];
  for (const name of packages) if ((await debianVersionOf(name)) === null) missing.push(name);
  if (missing.length === 0) return null;
  const line = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  if (process.platform !== "linux" || process.getuid?.() !== 0) return `needs Debian's packages: as root, ${line}`;
  say(line);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, maxBuffer: MOST_OUTPUT_BYTES };
  await run("apt-get", ["update"], options);
  await run("apt-get", ["install", "-y", "--no-install-recommends", ...missing], options);
  return null;
}

/** @param {string} file @returns {Promise<Record<string, string>>} */
async function lockOf(file) {
  const text = await readFile(join(folder, file), "utf8").catch(() => null);
  /** @type {Record<string, { version?: string, optional?: boolean }>} */
  const packages = text === null ? {} : JSON.parse(text).packages;
  return Object.fromEntries(
    Object.entries(packages).flatMap(([path, { version, optional }]) =>
      version === undefined || optional === true ? [] : [[path, version]],
    ),
  );
}
