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
function ensure(
  id: string,
  answers: readonly (string | null)[],
  options: Partial<InstallOptions> & { readonly puts?: number; readonly policy?: string } = {},
) {
  writeFileSync(join(root, "etc/os-release"), `ID=${id}\n`);
  const run = async (name: string, args: readonly string[]): Promise<string | null> => {
    ran.push([name, ...args.filter((word) => !/^-|=/.test(word))].join(" "));
    if (ran.length === options.puts) putBrowser();
    return answers[ran.length - 1] ?? null;
  };
  const askApt = async (): Promise<string | null> => options.policy ?? null;
  return ensureBrowser({
    say: (line) => void said.push(line),
    env: { PATH: "" },
    platform: "linux",
    isRoot: true,
    root,
    run,
    askApt,
    ...options,
  });
}

test("a browser that is there is named, and nothing is run", async () => {
  putBrowser();
  expect(await ensure("debian", [])).toEqual({ found: { path: program(), source: "Chromium" }, installed: false });
  expect([ran, said]).toEqual([[], []]);
});

test("one that is older than what the package lists know is said, and stays as it is", async () => {
  putBrowser();
  expect(
    await ensure("debian", [], { policy: "chromium:\n  Installed: 150.0.1.2-1\n  Candidate: 156.0.3.4-1\n" }),
  ).toMatchObject({ installed: false });
  expect(ran).toEqual([]);
  expect(said).toEqual([
    expect.stringMatching(/chromium 150\.0\.1\.2-1 is installed, 156\.0\.3\.4-1 is offered.*apt-get install chromium$/),
  ]);
});

test("about one that was named apt is not asked", async () => {
  putBrowser();
  const askApt = () => Promise.reject(new Error("asked"));
  expect(await ensure("debian", [], { path: program(), askApt })).toMatchObject({ installed: false });
  expect(said).toEqual([]);
});

test("as root on Debian the package is installed, from lists that were refreshed first", async () => {
  expect(await ensure("debian", [null, null], { puts: 2 })).toEqual({
    found: { path: program(), source: "Chromium" },
    installed: true,
  });
  expect(ran).toEqual(["apt-get update", "apt-get install chromium"]);
  expect(said).toHaveLength(1);
});

test("when the lists cannot be refreshed it goes on with the old ones and says so", async () => {
  expect(await ensure("debian", ["E: no network", null], { puts: 2 })).toMatchObject({ installed: true });
  expect(ran).toEqual(["apt-get update", "apt-get install chromium"]);
  expect(said).toEqual([
    expect.stringContaining("installing"),
    expect.stringMatching(/lists could not all be refreshed.*: E: no network$/),
  ]);
});

test.each([
  [
    "no package lists to be had",
    ["E: no network", "E: Unable to locate package chromium"],
    "apt-get could not: E: Unable to locate package chromium",
  ],
  ["no package", [null, "E: no such package"], "apt-get could not: E: no such package"],
])("with %s it says why", async (_, answers, words) => {
  expect(await ensure("debian", answers)).toEqual({
    missing: expect.stringMatching(`apt-get install -y chromium .*${words}$`),
  });
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
  expect(await ensure("debian", [], { path: join(root, "nowhere") })).toEqual({
    missing: expect.stringContaining("nowhere"),
  });
  expect(ran).toEqual([]);
});
