import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "./error.ts";

const MOST_BYTES = 1_000_000;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const PEM_KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[^-]+-----END (?:[A-Z]+ )?PRIVATE KEY-----/g;

/**
 * The public keys of the certificates in a PEM file: SHA-256 of each SubjectPublicKeyInfo, base64. Chromium takes every
 * chain in which one of them stands, and everybody has the certificate of a real authority: only with its private key
 * beside it one is taken for a test's own. Throws `ConfigError`.
 */
export function authorityKeys(file: string): readonly string[] {
  const text = contentsOf(file).toString("latin1");
  const shown = (text.match(PEM_CERTIFICATE) ?? []).map((certificate) =>
    read(file, () => digestOf(new X509Certificate(certificate).publicKey)),
  );
  if (shown.length === 0)
    throw new ConfigError(`browser.ca: ${file} holds no certificate that can be read: give a PEM file`);
  const owned = new Set(
    (text.match(PEM_KEY) ?? []).map((key) => read(file, () => digestOf(createPublicKey(createPrivateKey(key))))),
  );
  if (!shown.every((key) => owned.has(key)))
    throw new ConfigError(
      `browser.ca: ${file} holds a certificate without its private key: whoever has that certificate could show any site. Give the one of a test, with its key in the same file`,
    );
  return shown;
}

function read(file: string, parse: () => string): string {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError(
      `browser.ca: ${file} holds what cannot be read: give a PEM file with certificates and their keys, without passwords`,
      {
        cause: error,
      },
    );
  }
}

function digestOf(publicKey: KeyObject): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}

function contentsOf(file: string): Buffer {
  let size: number;
  try {
    const found = statSync(file);
    // Reading a pipe or a device may never end.
    if (!found.isFile()) throw new Error("not a file");
    size = found.size;
    if (size <= MOST_BYTES) return readFileSync(file);
  } catch (error) {
    throw new ConfigError(`browser.ca: ${file} cannot be read: give a file with a certificate`, { cause: error });
  }
  throw new ConfigError(
    `browser.ca: ${file} has ${size} bytes, at most ${MOST_BYTES} are read: give a file with a certificate`,
  );
}
