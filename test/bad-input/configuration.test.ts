import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError, openSession } from "../../src/index.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/chaperone.mjs", import.meta.url));
const ANSWERS_WITHIN_MS = 10_000;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "chaperone-bad-config-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function serve(args: readonly string[], env: Record<string, string> = {}) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, "mcp", ...args], {
    encoding: "utf8",
    input: "",
    timeout: ANSWERS_WITHIN_MS,
    // No file of the person who runs the tests.
    env: { PATH: process.env.PATH ?? "", HOME: directory, XDG_CONFIG_HOME: directory, ...env },
  });
  return { status, signal, stdout, stderr };
}

/** Wrong use: one line that names the culprit, nothing on the protocol's channel, nothing started. */
function expectWrong(ran: ReturnType<typeof serve>, culprit: RegExp): void {
  expect(ran).toEqual({ status: 2, signal: null, stdout: "", stderr: expect.stringMatching(/^chaperone: [^\n]+\n$/) });
  expect(ran.stderr).toMatch(culprit);
}

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
])("a configuration with %s", (_what, text, culprit) => {
  const file = join(directory, "bad.json");
  writeFileSync(file, text);
  expectWrong(serve(["--config", file]), culprit);
});

test("a configuration file that is not there, or is a folder", () => {
  expectWrong(serve(["--config", join(directory, "missing.json")]), /missing\.json/);
  expectWrong(serve(["--config", directory]), /chaperone-bad-config/);
  expectWrong(serve([], { CHAPERONE_CONFIG: join(directory, "missing.json") }), /missing\.json/);
});

test("an unknown option, a wrong value, a wrong variable", () => {
  expectWrong(serve(["--privat", "x"]), /--privat/);
  expectWrong(serve(["--max-content-tokens", "lots"]), /max-content-tokens/);
  expectWrong(serve(["--config"]), /--config/);
  expectWrong(serve([], { CHAPERONE_MAX_CONTENT_TOKENS: "lots" }), /CHAPERONE_MAX_CONTENT_TOKENS/);
  expectWrong(serve([], { CHAPERONE_PRIVAT: "x" }), /CHAPERONE_PRIVAT/);
});

test("the library throws the same before anything is started", async () => {
  await expect(openSession({ privat: [] } as object)).rejects.toSatisfy((error) => ConfigError.is(error) && /privat/.test(error.message));
  await expect(openSession({ maxContentTokens: "many" } as object)).rejects.toSatisfy(ConfigError.is);
  await expect(openSession({ idleMinutes: Number.NaN })).rejects.toSatisfy(ConfigError.is);
});
