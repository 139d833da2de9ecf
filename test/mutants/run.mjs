// Plants the faults of mutants.mjs, one at a time, in a copy of the tree, and says of each which tests find it.
//   node test/mutants/run.mjs [--by "TEST_FILE"]... [--all] [--no-control] [ID]...
// Without ids all of them. `--by` runs these tests in place of the ones that the list names, `--all` goes on after the
// first that finds it. Ends with 0 when all are found.
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../scripts/freshness.mjs";
import { mutants } from "./mutants.mjs";

/** Longer than any test file of the list takes: whatever hangs is found by its own time limits. */
const RUN_TIMEOUT_MS = 20 * 60_000;

const { values, positionals: ids } = parseArgs({
  allowPositionals: true,
  options: {
    by: { type: "string", multiple: true, default: [] },
    all: { type: "boolean", default: false },
    "no-control": { type: "boolean", default: false },
  },
});

const unknown = ids.filter((id) => !mutants.some((mutant) => mutant.id === id));
if (unknown.length > 0) fail(`there is no mutant ${unknown.join(", ")}`);
const chosen = mutants
  .filter(({ id }) => ids.length === 0 || ids.includes(id))
  .map((mutant) => ({ ...mutant, tests: (values.by.length > 0 ? values.by : mutant.foundBy).map(testOf) }));
for (const mutant of chosen) check(mutant);

const folder = mkdtempSync(join(tmpdir(), "mutants-"));
const tree = join(folder, "tree");
let running = null;
const end = () => {
  stop(running);
  rmSync(folder, { recursive: true, force: true });
};
process.on("exit", end);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

copyTree();
if (!values["no-control"]) await control();
const missed = [];
for (const mutant of chosen) {
  const started = performance.now();
  const { outcome, by } = await plant(mutant);
  if (outcome !== "found") missed.push(mutant.id);
  console.log(
    `${outcome.padEnd(8)} ${mutant.id} (${Math.round((performance.now() - started) / 1_000)} s): ${outcome === "found" ? by : mutant.what}`,
  );
}
console.log(
  `mutants: ${chosen.length - missed.length} of ${chosen.length} found${missed.length > 0 ? `; not: ${missed.join(", ")}` : ""}`,
);
process.exitCode = missed.length > 0 ? 1 : 0;

function fail(why) {
  console.error(`mutants: ${why}`);
  process.exit(2);
}

/**
 * `FILE > NAME`: only the tests of that file whose whole name holds NAME; the others could fail for reasons of their
 * own.
 */
function testOf(text) {
  const [path = "", name = ""] = text.split(" > ", 2);
  return { path, name };
}

function check({ id, file, find, tests }) {
  const times = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8").split(find).length - 1 : 0;
  if (times !== 1)
    fail(`${id}: what it replaces stands ${times} times in ${file}. Plant the same fault in the code as it is now.`);
  if (tests.length === 0) fail(`${id}: no test is named that finds it`);
  const gone = tests.flatMap(({ path }) => (existsSync(join(root, path)) ? [] : [path]));
  if (gone.length > 0) fail(`${id}: there is no ${gone.join(", ")}`);
}

/** What is in the tree, committed or not, and the packages by hard links. */
function copyTree() {
  const { status, stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) fail("the list of files cannot be had from git");
  for (const file of new Set(stdout.split("\0"))) {
    if (file === "" || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(join(root, file), join(tree, file), { preserveTimestamps: true, verbatimSymlinks: true });
  }
  linkFolder(join(root, "node_modules"), join(tree, "node_modules"));
}

function linkFolder(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // Caches are written in place, which a link would carry into the tree itself.
    if (entry.isDirectory() && /^\.(vite|cache)/.test(entry.name)) continue;
    if (entry.isDirectory()) linkFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
}

function linkFile(source, target) {
  try {
    linkSync(source, target);
  } catch {
    // Another file system.
    copyFileSync(source, target);
  }
}

/** Without a fault the same tests pass: else what they say of one means nothing. */
async function control() {
  const tests = [
    ...new Map(chosen.flatMap((mutant) => mutant.tests.map((test) => [JSON.stringify(test), test]))).values(),
  ];
  const { failed, passed, output } = await run(tests, []);
  const idle = tests.filter(({ path, name }) => !passed.some((each) => each.startsWith(path) && each.includes(name)));
  if (failed.length === 0 && idle.length === 0) return;
  console.error(output);
  fail(
    `without any fault ${failed.length > 0 ? `fails: ${failed.join(", ")}` : `no test passes of: ${idle.map(({ path, name }) => `${path} > ${name}`).join(", ")}`}`,
  );
}

async function plant({ file, find, replace, tests }) {
  const path = join(tree, file);
  const sound = readFileSync(path, "utf8");
  writeFileSync(
    path,
    sound.replace(find, () => replace),
  );
  try {
    const { failed, passed, output } = await run(tests, values.all ? [] : ["--bail", "1"]);
    if (failed.length > 0) return { outcome: "found", by: failed.join("\n         ") };
    // What keeps the tests from running at all is not found by them.
    if (passed.length === 0) console.error(output);
    return { outcome: passed.length === 0 ? "broken" : "survived", by: "" };
  } finally {
    writeFileSync(path, sound);
  }
}

/** With the workers and browsers that it started: it leads a group of its own. */
function stop(child) {
  if (child?.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** Runs tests of the copy. */
function run(tests, options) {
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const vitest = join(tree, "node_modules/vitest/vitest.mjs");
  // What its browsers proved is no proof for the tree itself.
  const env = { ...process.env, XDG_STATE_HOME: join(folder, "state"), NO_COLOR: "1" };
  const names = tests.every(({ name }) => name !== "")
    ? ["-t", tests.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")]
    : [];
  const paths = new Set(tests.map(({ path }) => path));
  const child = spawn(
    process.execPath,
    [vitest, "run", ...options, "--reporter=json", `--outputFile=${report}`, ...names, ...paths],
    {
      cwd: tree,
      env,
      detached: true,
    },
  );
  running = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const timer = setTimeout(() => stop(child), RUN_TIMEOUT_MS);
  return new Promise((resolve) => {
    child.on("close", () => {
      clearTimeout(timer);
      running = null;
      const results = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : [];
      const each = results.flatMap(({ name, assertionResults }) =>
        assertionResults.map(({ status, fullName }) => ({
          status,
          test: `${name.slice(tree.length + 1)} > ${fullName}`,
        })),
      );
      const named = (wanted) => each.flatMap(({ status, test }) => (status === wanted ? [test] : []));
      resolve({ failed: named("failed"), passed: named("passed"), output });
    });
  });
}
