import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { digestOf, provenIn } from "./proven.ts";

const DAY_MS = 86_400_000;
const digest = "a".repeat(64);
const other = "b".repeat(64);

let directory: string;
let file: string;
let now: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proven-"));
  file = join(directory, "state", "self-test.json");
  now = 1_800_000_000_000;
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const proven = () => provenIn(file, () => now);

describe("passes of the self-test", () => {
  test("are remembered in a file of mode 0600, each for itself", () => {
    expect(proven().has(digest)).toBe(false);
    proven().add(digest);
    expect([proven().has(digest), proven().has(other)]).toEqual([true, false]);
    proven().add(other);
    expect([proven().has(digest), proven().has(other)]).toEqual([true, true]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")).passed).sort()).toEqual([digest, other]);
  });

  test.each([
    ["a day less than 30 later", 29 * DAY_MS, true],
    ["30 days later", 30 * DAY_MS, false],
    ["before it was written", -1, false],
  ])("%s", (_, later, counts) => {
    proven().add(digest);
    now += later;
    expect(proven().has(digest)).toBe(counts);
  });

  test("the newest twenty are kept", () => {
    for (let index = 0; index < 30; index++) {
      now += 1;
      proven().add(index.toString(16).padStart(64, "0"));
    }
    const kept = Object.keys(JSON.parse(readFileSync(file, "utf8")).passed);
    expect(kept).toHaveLength(20);
    expect(proven().has("0".repeat(64))).toBe(false);
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["another shape", JSON.stringify({ passed: { [digest]: "yes" } })],
    ["a failure", JSON.stringify({ passed: {}, failed: { [digest]: 1 } })],
    ["too much", JSON.stringify({ passed: { [digest]: 1_799_999_999_999 } }) + " ".repeat(70_000)],
  ])("a file with %s counts as empty and is replaced", (_, text) => {
    proven().add(other);
    writeFileSync(file, text);
    expect(proven().has(digest)).toBe(false);
    proven().add(digest);
    expect(proven().has(digest)).toBe(true);
  });

  test("a file that others may write, or that is a link, counts as empty", () => {
    proven().add(digest);
    chmodSync(file, 0o666);
    expect(proven().has(digest)).toBe(false);
    chmodSync(file, 0o600);
    expect(proven().has(digest)).toBe(true);
    const link = join(directory, "link.json");
    symlinkSync(file, link);
    expect(provenIn(link, () => now).has(digest)).toBe(false);
  });

  test("where nothing can be written nothing is remembered, and nothing is thrown", () => {
    writeFileSync(join(directory, "state"), "a file where the directory should be");
    proven().add(digest);
    expect(proven().has(digest)).toBe(false);
    expect(existsSync(file)).toBe(false);
  });
});

test("the digest changes with version, program and settings", () => {
  const browser = { version: "Chrome/156.0.1.2", path: "/usr/lib/chromium/chromium", settings: ["--a", "--b"] };
  const digests = [
    browser,
    { ...browser, version: "Chrome/157.0.1.2" },
    { ...browser, path: "/opt/chrome" },
    { ...browser, settings: ["--a"] },
  ].map(digestOf);
  expect(new Set(digests).size).toBe(4);
  expect(digestOf({ ...browser })).toBe(digests[0]);
});
