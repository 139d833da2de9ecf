import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { ConfigError, openSession } from "../../src/index.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/chaperone.mjs", import.meta.url));
const ANSWERS_WITHIN_MS = 10_000;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-bad-config-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** As a process, which takes a second to start. */
function processOf(args: readonly string[], env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "mcp", ...args], {
    encoding: "utf8",
    input: "",
    timeout: ANSWERS_WITHIN_MS,
    // No file of the person who runs the tests.
    env: { PATH: process.env.PATH ?? "", HOME: directory, XDG_CONFIG_HOME: directory, ...env },
  });
  return { status, stdout, stderr };
}

/** The same command line in this process. */
async function serve(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  const io = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  };
  const status = await main(["mcp", ...args], { ...io, env: { HOME: directory, XDG_CONFIG_HOME: directory, ...env } });
  return { status, stdout, stderr };
}

/** Wrong use: one line that names the culprit, nothing on the protocol's channel, nothing started. */
function expectWrong(ran: Ran, culprit: RegExp): void {
  expect(ran).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(/^chaperone: [^\n]+\n$/) });
  expect(ran.stderr).toMatch(culprit);
}

test("a process says so and ends, whether a file, an option or a variable is wrong", () => {
  const file = join(directory, "wrong.json");
  writeFileSync(file, '{ "privat": [] }');
  expectWrong(processOf(["--config", file]), /privat/);
  expectWrong(processOf(["--privat", "x"]), /--privat/);
  expectWrong(processOf([], { CHAPERONE_PRIVAT: "x" }), /CHAPERONE_PRIVAT/);
});

test.each([
  ["an unknown key", '{ "privat": [] }', /privat/],
  ["an unknown key inside", '{ "browser": { "headles": true } }', /headles/],
  ["a wrong type", '{ "maxContentTokens": "many" }', /maxContentTokens/],
  ["a wrong type inside", '{ "browser": { "path": 5 } }', /browser\.path/],
  ["a wrong choice", '{ "results": "all" }', /results/],
  ["a number out of bounds", '{ "actionTimeoutMs": -1 }', /actionTimeoutMs/],
  ["a place that is none", '{ "private": ["file:///etc"] }', /private/],
  ["null where a value belongs", '{ "idleMinutes": null }', /idleMinutes/],
  ["a prototype as key", '{ "__proto__": { "private": ["localhost"] } }', /__proto__/],
  ["a list instead of an object", "[]", /bad\.json/],
  ["a text instead of an object", '"private"', /bad\.json/],
  ["half of it", '{ "private": [', /bad\.json/],
  ["bytes that are no text", "\u0000\u0001\u0002", /bad\.json/],
])("a configuration with %s", async (_what, text, culprit) => {
  const file = join(directory, "bad.json");
  writeFileSync(file, text);
  expectWrong(await serve(["--config", file]), culprit);
});

test("a configuration file that is not there, or is a folder", async () => {
  expectWrong(await serve(["--config", join(directory, "missing.json")]), /missing\.json/);
  expectWrong(await serve(["--config", directory]), /chaperone-bad-config/);
  expectWrong(await serve([], { CHAPERONE_CONFIG: join(directory, "missing.json") }), /missing\.json/);
});

test("an unknown option, a wrong value, a wrong variable", async () => {
  expectWrong(await serve(["--privat", "x"]), /--privat/);
  expectWrong(await serve(["--max-content-tokens", "lots"]), /max-content-tokens/);
  expectWrong(await serve(["--config"]), /--config/);
  expectWrong(await serve([], { CHAPERONE_MAX_CONTENT_TOKENS: "lots" }), /CHAPERONE_MAX_CONTENT_TOKENS/);
  expectWrong(await serve([], { CHAPERONE_PRIVAT: "x" }), /CHAPERONE_PRIVAT/);
});

test("the library throws the same before anything is started", async () => {
  await expect(openSession({ privat: [] } as object)).rejects.toSatisfy(
    (error) => ConfigError.is(error) && /privat/.test(error.message),
  );
  await expect(openSession({ maxContentTokens: "many" } as object)).rejects.toSatisfy(ConfigError.is);
  await expect(openSession({ idleMinutes: Number.NaN })).rejects.toSatisfy(ConfigError.is);
});
