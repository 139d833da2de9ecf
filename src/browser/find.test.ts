import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Failure } from "../errors.ts";
import { type FindOptions, findBrowser } from "./find.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "find-test-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function program(place: string, mode = 0o755): Promise<string> {
  const file = path.join(root, place);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, "#!/bin/sh\n");
  await chmod(file, mode);
  return file;
}

const onLinux = (env: NodeJS.ProcessEnv = {}): FindOptions => ({ root, env, platform: "linux" });

async function failureOf(options: FindOptions): Promise<Failure> {
  const outcome = await findBrowser(options).catch((error: unknown) => error);
  if (!Failure.is(outcome)) throw new Error(`expected a Failure, got ${JSON.stringify(outcome)}`);
  return outcome;
}

test("the browser of this machine is a program, not a wrapper script", async () => {
  const found = await findBrowser();
  expect(found.path).not.toBe("/usr/bin/chromium");
  expect((await findBrowser({ path: found.path })).path).toBe(found.path);
});

test("the order is Chrome, Chromium, Edge, Playwright's cache", async () => {
  const env = { HOME: path.join(root, "home/someone") };
  const playwright = await program("home/someone/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome");
  expect(await findBrowser(onLinux(env))).toEqual({ path: playwright, source: "Playwright's cache" });
  const edge = await program("opt/microsoft/msedge/msedge");
  expect(await findBrowser(onLinux(env))).toEqual({ path: edge, source: "Edge" });
  const chromium = await program("usr/lib/chromium/chromium");
  expect(await findBrowser(onLinux(env))).toEqual({ path: chromium, source: "Chromium" });
  const chrome = await program("opt/google/chrome/chrome");
  expect(await findBrowser(onLinux(env))).toEqual({ path: chrome, source: "Chrome" });
});

test("the program behind Debian's wrapper is taken, found or named", async () => {
  const wrapper = await program("usr/bin/chromium");
  expect((await findBrowser(onLinux())).path).toBe(wrapper);
  const behind = await program("usr/lib/chromium/chromium");
  expect((await findBrowser(onLinux())).path).toBe(behind);
  expect(await findBrowser({ ...onLinux(), path: wrapper })).toEqual({ path: behind, source: "named" });
});

test("the program behind Chrome's wrapper and its link is taken", async () => {
  await program("opt/google/chrome/google-chrome");
  const behind = await program("opt/google/chrome/chrome");
  const link = path.join(root, "google-chrome");
  await symlink(path.join(root, "opt/google/chrome/google-chrome"), link);
  expect((await findBrowser({ ...onLinux(), path: link })).path).toBe(behind);
});

test("the newest revision of Playwright's cache wins; the headless shell is not a browser", async () => {
  const env = { PLAYWRIGHT_BROWSERS_PATH: path.join(root, "cache") };
  await program("cache/chromium_headless_shell-1300/chrome-linux64/chrome");
  await program("cache/chromium-999/chrome-linux/chrome");
  const newest = await program("cache/chromium-1200/chrome-linux64/chrome");
  expect((await findBrowser(onLinux(env))).path).toBe(newest);
});

test("PATH is searched, but not its relative entries", async () => {
  const found = await program("nix/bin/chromium");
  expect(await findBrowser(onLinux({ PATH: `:.:bin:${path.dirname(found)}` }))).toEqual({
    path: found,
    source: "Chromium in PATH",
  });
  expect((await failureOf(onLinux({ PATH: path.relative(process.cwd(), path.dirname(found)) }))).code).toBe(
    "no_browser",
  );
});

test("a file that cannot be run and a folder are passed over", async () => {
  await program("opt/google/chrome/chrome", 0o644);
  await mkdir(path.join(root, "usr/lib/chromium/chromium"), { recursive: true });
  const edge = await program("opt/microsoft/msedge/msedge");
  expect((await findBrowser(onLinux())).path).toBe(edge);
});

test("nothing found says in one line how to install one", async () => {
  await mkdir(path.join(root, "etc"));
  await writeFile(path.join(root, "etc/os-release"), "ID=debian\n");
  const failure = await failureOf(onLinux());
  expect(failure.code).toBe("no_browser");
  expect(failure.message).toContain("apt-get install -y chromium");
  expect(failure.message).not.toContain("\n");
});

test.each([
  ["darwin", "brew install --cask google-chrome"],
  ["win32", "winget install Google.Chrome"],
] as const)("nothing found on %s names its own command", async (platform, line) => {
  expect((await failureOf({ root, env: {}, platform })).message).toContain(line);
});

test.each([
  ["missing", async () => path.join(root, "nowhere")],
  ["not executable", () => program("browser", 0o644)],
  [
    "a folder",
    async () => {
      await mkdir(path.join(root, "folder"));
      return path.join(root, "folder");
    },
  ],
])("a named browser that is %s is an error, also when another one is installed", async (_what, make) => {
  await program("usr/lib/chromium/chromium");
  const named = await make();
  const failure = await failureOf({ ...onLinux(), path: named });
  expect(failure.code).toBe("no_browser");
  expect(failure.message).toContain(named);
});
