// Makes a clone ready: packages, dist/, Chromium. Only Node's own modules; silent and quick when nothing is missing.
// With --browser-optional a missing Chromium is said but does not end the setup.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./chromium.mjs";
import { distIsFresh, root } from "./freshness.mjs";

const exitCodes = { failed: 1, noBrowser: 5 };
const oldestNode = [20, 19];
const lockFile = join(root, ".setup-lock");
const lockPollMs = 200;

class SetupError extends Error {
  constructor(message, exitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

try {
  checkNode();
  if (!isReady()) withLock(makeReady);
  await checkChromium(process.argv.includes("--browser-optional"));
} catch (error) {
  console.error(`chaperone: ${error.message}`);
  process.exitCode = error.exitCode ?? exitCodes.failed;
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    throw new SetupError(`Node ${process.versions.node} is too old, install Node ${oldestNode.join(".")} or later`);
  }
}

async function checkChromium(optional) {
  const missing = await ensureChromium(say);
  if (missing === null) return;
  if (!optional) throw new SetupError(missing, exitCodes.noBrowser);
  console.error(`chaperone: ${missing}`);
}

function isReady() {
  return packagesAreInstalled() && distIsFresh();
}

function makeReady() {
  if (!packagesAreInstalled()) installPackages();
  if (!distIsFresh()) buildDist();
}

/**
 * npm writes what it installed into a hidden lock file, at the end: equal to ours but for packages of other platforms.
 */
function packagesAreInstalled() {
  const wanted = readPackages("package-lock.json");
  const installed = readPackages("node_modules/.package-lock.json");
  if (wanted === null || installed === null) return false;
  const same = (path) =>
    wanted[path]?.version === installed[path]?.version && wanted[path]?.integrity === installed[path]?.integrity;
  return (
    Object.keys(installed).every((path) => path in wanted && same(path)) &&
    Object.keys(wanted).every((path) => path === "" || path in installed || wanted[path].optional === true)
  );
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), "utf8")).packages;
  } catch {
    return null;
  }
}

function installPackages() {
  say("installing npm packages (npm ci)");
  const options = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  // npm as a script where npm started us; else by name, which on Windows is a batch file and needs a shell.
  const isScript = /npm-cli\.[cm]?js$/.test(npm ?? "");
  const [command, args] = isScript ? [process.execPath, [npm, ...options]] : ["npm", options];
  run("npm ci", command, args, !isScript && process.platform === "win32");
}

function buildDist() {
  say("building");
  run("the build", process.execPath, [join(root, "scripts/build.mjs")]);
}

function run(what, command, args, shell = false) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    shell,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`);
  throw new SetupError(`${what} failed${error ? ` (${error.code})` : ", see above"}`);
}

/** Two starts at once in a new clone (a client that tries a server twice): one sets up, the other waits for it. */
function withLock(work) {
  while (!takeLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPollMs);
  try {
    work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function takeLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST")
      throw new SetupError(`packages or the build are missing or old, and ${root} cannot be written (${error.code})`);
    if (!lockHolderRuns()) rmSync(lockFile, { force: true });
    return false;
  }
}

function lockHolderRuns() {
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    // An empty file is a lock just being taken.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function say(line) {
  console.log(`chaperone: ${line}`);
}
