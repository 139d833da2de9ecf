import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { selfSigned } from "../session/self-test/certificate.ts";
import { authorityKeys } from "./authority.ts";
import { ConfigError } from "./error.ts";

const directory = mkdtempSync(join(tmpdir(), "authority-"));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

describe("authorityKeys", () => {
  const [{ cert, key }, second] = [selfSigned("one.test"), selfSigned("two.test")];
  const [one, two] = [`${cert}${key}`, `${second.key}${second.cert}`];

  test("gives the digest of each certificate's key", () => {
    const keys = authorityKeys(file("two.pem", `words before\n${one}\n${two}`));
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(keys).toEqual([...authorityKeys(file("one.pem", one)), ...authorityKeys(file("other.pem", two))]);
  });

  test.each([
    ["no file", () => join(directory, "none.pem")],
    ["a directory", () => directory],
    ["an empty file", () => file("empty.pem", "")],
    ["words", () => file("words.pem", "no certificate")],
    ["a private key", () => file("key.pem", key)],
    ["a certificate without its key, as everybody has a real authority's", () => file("public.pem", cert)],
    ["a certificate with another one's key", () => file("other-key.pem", `${cert}${second.key}`)],
    ["two certificates and the key of one", () => file("one-key.pem", `${one}${second.cert}`)],
    [
      "a broken key",
      () => file("broken-key.pem", `${cert}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`),
    ],
    ["a broken certificate", () => file("broken.pem", one.replace("M", "N"))],
    [
      "a good one and a broken one",
      () => file("half.pem", `${one}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
    ],
    ["a big file", () => file("big.pem", one.padEnd(1_000_001, "\n"))],
  ])("%s is an error of the configuration that names the file", (_what, path) => {
    expect(() => authorityKeys(path())).toThrow(ConfigError);
    expect(() => authorityKeys(path())).toThrow(directory);
  });
});
