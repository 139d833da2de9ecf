import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { processesOf } from "./processes.fixture.ts";

const NOTHING_LEFT = { timeout: 5_000, interval: 20 };
const isRoot = process.getuid?.() === 0;

let bundleFolder: string;
let program: string;
beforeAll(async () => {
  bundleFolder = await mkdtemp(path.join(tmpdir(), "launch-bundle-"));
  await chmod(bundleFolder, 0o755);
  program = path.join(bundleFolder, "launch.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "launch.fixture.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
});
afterAll(() => rm(bundleFolder, { recursive: true, force: true }));

let place: string;
beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), "sudden-end-"));
  await chmod(place, 0o755);
});
afterEach(() => rm(place, { recursive: true, force: true }));

async function expectNothingLeft(pid = Number.NaN): Promise<void> {
  await vi.waitFor(
    () =>
      expect({ files: readdirSync(place), processes: processesOf({ pid, directory: place }) }).toEqual({
        files: [],
        processes: [],
      }),
    NOTHING_LEFT,
  );
}

/** Starts a command that runs the program, and hands out the lines it says. */
function start(
  command: string,
  args: readonly string[],
  stdin: "ignore" | "pipe" = "ignore",
): { child: ChildProcess; line(): Promise<string> } {
  const child = spawn(command, args, { env: { ...process.env, TMPDIR: place }, stdio: [stdin, "pipe", "inherit"] });
  if (child.stdout === null) throw new Error("no stdout");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, line: async () => String((await lines.next()).value) };
}

test("kill -9 of our process leaves no Chromium and no profile", async () => {
  const { child, line } = start(process.execPath, [program]);
  expect(await line()).toBe("starting");
  const { pid } = JSON.parse(await line());
  expect(processesOf({ pid, directory: place }).length).toBeGreaterThan(2);
  expect(readdirSync(place)).toHaveLength(1);
  child.kill("SIGKILL");
  await expectNothingLeft(pid);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s to the whole process group, as from a terminal, leaves nothing either",
  async (signal) => {
    const { child, line } = start("setsid", [process.execPath, program]);
    await line();
    const { pid } = JSON.parse(await line());
    process.kill(-(child.pid ?? 0), signal);
    await expectNothingLeft(pid);
  },
);

test.each([0, 5, 10, 20, 40, 80, 160])("kill -9 %i ms into the start leaves nothing", async (momentMs) => {
  const { child, line } = start(process.execPath, [program]);
  await line();
  await new Promise((resolve) => setTimeout(resolve, momentMs));
  child.kill("SIGKILL");
  await expectNothingLeft();
});

/** In a user namespace that allows no further ones Chromium finds no sandbox. */
async function runWithoutSandbox(): Promise<string> {
  const inside = `echo 0 > /proc/sys/user/max_user_namespaces; exec "$0" "$1"`;
  if (!isRoot) {
    const { line } = start("unshare", [
      "--user",
      "--map-current-user",
      "--keep-caps",
      "sh",
      "-c",
      inside,
      process.execPath,
      program,
    ]);
    await line();
    return line();
  }
  const { child, line } = start(
    "unshare",
    ["--user", "sh", "-c", `echo unshared; read mapped; exec sh -c '${inside}' "$0" "$1"`, process.execPath, program],
    "pipe",
  );
  expect(await line()).toBe("unshared");
  for (const map of ["uid_map", "gid_map"]) await writeFile(`/proc/${child.pid}/${map}`, "0 0 4294967295");
  child.stdin?.end("mapped\n");
  await line();
  return line();
}

test("where the sandbox cannot start it is said, with --no-sandbox by name, and nothing runs without it", async () => {
  const said = JSON.parse(await runWithoutSandbox());
  expect(said).toMatchObject({
    code: "no_browser",
    message: expect.stringMatching(/sandbox cannot start.*--no-sandbox/),
  });
  await expectNothingLeft();
});

test("root that can use no other id is told so", async () => {
  const { line } = start("unshare", ["--user", "--map-root-user", process.execPath, program]);
  await line();
  expect(JSON.parse(await line())).toMatchObject({
    code: "no_browser",
    message: expect.stringContaining("no other user id can be used"),
  });
  await expectNothingLeft();
});
