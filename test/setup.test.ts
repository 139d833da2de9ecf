import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { root } from "../scripts/freshness.mjs";
import { chromiumProgram } from "./chromium-program.ts";

/** Of the sources what setting up needs itself, and something to build: the rest would only take time. */
const sources = ["src/browser", "src/gate", "src/masking", "src/page/observer", "src/errors.ts", "src/types.ts"];
const cloned = [
  "bin",
  "scripts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  ...sources,
];
const mainThatEchoes = `export async function main(argv: readonly string[]): Promise<number> {
  process.stdout.write(JSON.stringify(argv));
  return 3;
}
`;

let clone = "";

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "chaperone-setup-"));
  for (const path of cloned) cpSync(join(root, path), join(clone, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  mkdirSync(join(clone, "src/cli"), { recursive: true });
  writeFileSync(join(clone, "src/cli/main.ts"), mainThatEchoes);
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** The browser is named, so that nothing is said about its age. */
function run(script: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, script), ...args], {
    encoding: "utf8",
    env: { ...process.env, CHAPERONE_BROWSER: chromiumProgram(), ...env },
  });
  return { status, stdout, stderr };
}

const setup = "scripts/setup.mjs";
const silence = { status: 0, stdout: "", stderr: "" };
const building = { status: 0, stdout: "chaperone: building\n", stderr: "" };

describe("setup", () => {
  beforeEach(() => void run(setup));

  test("builds once, then has nothing to do and says nothing", () => {
    rmSync(join(clone, "dist"), { recursive: true });
    expect(run(setup)).toEqual(building);
    expect(run(setup)).toEqual(silence);
  });

  test("builds again when a source has changed, even to an older one", () => {
    utimesSync(join(clone, "src/errors.ts"), 1_000_000_000, 1_000_000_000);
    expect(run(setup)).toEqual(building);
  });

  test("takes what is no longer a source out of dist", () => {
    const stray = join(clone, "src/gate/stray.ts");
    writeFileSync(stray, "export const stray = 1;\n");
    run(setup);
    expect(existsSync(join(clone, "dist/gate/stray.js"))).toBe(true);
    rmSync(stray);
    run(setup);
    expect(existsSync(join(clone, "dist/gate/stray.js"))).toBe(false);
  });

  test("without a browser ends with one line and exit code 5", () => {
    const { status, stdout, stderr } = run(setup, [], { CHAPERONE_BROWSER: "/nowhere/chrome" });
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^chaperone: [^\n]+\n$/);
    expect(status).toBe(5);
  });

  test("goes on without a browser where one is not needed yet", () => {
    const { status, stderr } = run(setup, ["--browser-optional"], { CHAPERONE_BROWSER: "/nowhere/chrome" });
    expect(stderr).toMatch(/^chaperone: [^\n]+\n$/);
    expect(status).toBe(0);
  });

  test("takes over the lock of a setup that died", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(join(clone, ".setup-lock"), String(pid));
    rmSync(join(clone, "dist"), { recursive: true });
    expect(run(setup)).toEqual(building);
    expect(existsSync(join(clone, ".setup-lock"))).toBe(false);
  });
});

describe("the program in a clone", () => {
  const program = "bin/chaperone.mjs";

  test("sets itself up with nothing on standard output", () => {
    rmSync(join(clone, "dist"), { recursive: true, force: true });
    expect(run(program, ["mcp", "--headed"])).toEqual({
      status: 3,
      stdout: '["mcp","--headed"]',
      stderr: "chaperone: building\n",
    });
  });

  test("then only starts", () => {
    run(setup);
    expect(run(program, ["mcp"])).toEqual({ status: 3, stdout: '["mcp"]', stderr: "" });
  });
});
