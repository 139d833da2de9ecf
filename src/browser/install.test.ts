import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureBrowser, type InstallOptions } from "./install.ts";

let root: string;
let ran: string[];
let said: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "install-"));
  mkdirSync(join(root, "etc"));
  ran = [];
  said = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const program = () => join(root, "usr/lib/chromium/chromium");

function putBrowser(): void {
  mkdirSync(join(root, "usr/lib/chromium"), { recursive: true });
  writeFileSync(program(), "#!/bin/sh\n");
  chmodSync(program(), 0o755);
}

/** apt-get's answers, one a run; `puts`: the run that brings the browser. */
function ensure(id: string, answers: readonly (string | null)[], options: Partial<InstallOptions> & { readonly puts?: number } = {}) {
  writeFileSync(join(root, "etc/os-release"), `ID=${id}\n`);
  const run = async (name: string, args: readonly string[]): Promise<string | null> => {
    ran.push([name, ...args.filter((word) => !/^-|=/.test(word))].join(" "));
    if (ran.length === options.puts) putBrowser();
    return answers[ran.length - 1] ?? null;
  };
  return ensureBrowser({ say: (line) => void said.push(line), env: { PATH: "" }, platform: "linux", isRoot: true, root, run, ...options });
}

test("a browser that is there is named, and nothing is run", async () => {
  putBrowser();
  expect(await ensure("debian", [])).toEqual({ found: { path: program(), source: "Chromium" }, installed: false });
  expect([ran, said]).toEqual([[], []]);
});

test("as root on Debian the package is installed", async () => {
  expect(await ensure("debian", [null], { puts: 1 })).toEqual({ found: { path: program(), source: "Chromium" }, installed: true });
  expect(ran).toEqual(["apt-get install chromium"]);
  expect(said).toHaveLength(1);
});

test("without package lists they are fetched first", async () => {
  expect(await ensure("debian", ["Unable to locate package chromium", null, null], { puts: 3 })).toMatchObject({ installed: true });
  expect(ran).toEqual(["apt-get install chromium", "apt-get update", "apt-get install chromium"]);
});

test.each([
  ["no package lists to be had", ["E: no", "E: no network"], "apt-get could not: E: no network"],
  ["no package", ["E: no", null, "E: no such package"], "apt-get could not: E: no such package"],
])("with %s it says why", async (_, answers, words) => {
  expect(await ensure("debian", answers)).toEqual({ missing: expect.stringMatching(`apt-get install -y chromium .*${words}$`) });
});

test.each([
  ["an ordinary user", "debian", { isRoot: false }, "apt-get install -y chromium"],
  ["Ubuntu, whose package is a snap", "ubuntu", {}, "npx playwright-core install chromium"],
  ["another distribution", "fedora", {}, "dnf install -y chromium"],
  ["another system", "debian", { platform: "win32" as const }, "winget install Google.Chrome"],
])("for %s it only says the line", async (_, id, options, line) => {
  expect(await ensure(id, [], options)).toEqual({ missing: expect.stringContaining(line) });
  expect(ran).toEqual([]);
});

test("a browser that was named is never installed in place of", async () => {
  expect(await ensure("debian", [], { path: join(root, "nowhere") })).toEqual({ missing: expect.stringContaining("nowhere") });
  expect(ran).toEqual([]);
});
