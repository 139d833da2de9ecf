import { createHash, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "./error.ts";

const MOST_BYTES = 1_000_000;
const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The public keys of the certificates in a PEM file (or of the one in a DER file): SHA-256 of each SubjectPublicKeyInfo, base64. Throws `ConfigError` when there is none. */
export function authorityKeys(file: string): readonly string[] {
  const bytes = contentsOf(file);
  const written = bytes.toString("latin1").match(PEM_CERTIFICATE) ?? [bytes];
  try {
    return written.map((certificate) => keyOf(new X509Certificate(certificate)));
  } catch (error) {
    throw new ConfigError(`browser.ca: ${file} holds no certificate that can be read: give a PEM file`, { cause: error });
  }
}

function keyOf({ publicKey }: X509Certificate): string {
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
  throw new ConfigError(`browser.ca: ${file} has ${size} bytes, at most ${MOST_BYTES} are read: give a file with a certificate`);
}
