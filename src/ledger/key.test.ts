import { createPublicKey } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { installationKey, publicKeyFile } from "./key.ts";
import { type Folder, folder } from "./ledger.fixture.ts";

let it: Folder;
let keys = "";
let file = "";
beforeEach(() => {
  it = folder();
  keys = join(it.path, "keys");
  file = join(keys, "ledger-key.pem");
});
afterEach(() => it[Symbol.dispose]());

test("is made once, for its owner only, with its public half beside it", () => {
  const key = installationKey(keys);
  expect(installationKey(keys)).toBe(key);
  expect([keys, file, publicKeyFile(keys)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600, 0o644]);
  expect(createPublicKey(key).export({ format: "pem", type: "spki" })).toBe(readFileSync(publicKeyFile(keys), "utf8"));
  expect(readdirSync(keys).toSorted()).toEqual(["ledger-key.pem", "ledger-key.pub.pem"]);
});

test("its public half is written again where it is gone or another's", () => {
  installationKey(keys);
  const right = readFileSync(publicKeyFile(keys), "utf8");
  rmSync(publicKeyFile(keys));
  installationKey(keys);
  expect(readFileSync(publicKeyFile(keys), "utf8")).toBe(right);
  writeFileSync(publicKeyFile(keys), "another");
  installationKey(keys);
  expect(readFileSync(publicKeyFile(keys), "utf8")).toBe(right);
});

describe("an error that says how to mend it", () => {
  test("read by others", () => {
    installationKey(keys);
    chmodSync(file, 0o640);
    expect(() => installationKey(keys)).toThrow(`chmod 600 ${file}`);
  });

  test("in a directory that others write to", () => {
    installationKey(keys);
    chmodSync(keys, 0o770);
    expect(() => installationKey(keys)).toThrow(`chmod 700 ${keys}`);
  });

  test("a link", () => {
    installationKey(keys);
    renameSync(file, join(it.path, "elsewhere"));
    symlinkSync(join(it.path, "elsewhere"), file);
    expect(() => installationKey(keys)).toThrow("is a link");
  });

  test("a directory in its place", () => {
    mkdirSync(file, { recursive: true, mode: 0o700 });
    expect(() => installationKey(keys)).toThrow("not a regular file");
  });

  test.each([
    ["garbage", "garbage"],
    ["half a key", "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\n"],
    ["nothing", ""],
    ["something endless", "x".repeat(10_000)],
  ])("%s in its place, which is not quoted", (_what, text) => {
    mkdirSync(keys, { mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
    expect(() => installationKey(keys)).toThrow(/is no (Ed25519 )?key: move it away/);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test.runIf(process.getuid?.() === 0)("of another user", () => {
    installationKey(keys);
    chownSync(file, 65_534, 65_534);
    expect(() => installationKey(keys)).toThrow("belongs to another user");
  });

  test("nowhere to put it", () => {
    expect(() => installationKey("/proc/keys")).toThrow();
    expect(existsSync("/proc/keys/ledger-key.pem")).toBe(false);
  });
});
