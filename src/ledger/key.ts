import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "./directory.ts";

const KEY_FILE = "ledger-key.pem";
const PUBLIC_FILE = "ledger-key.pub.pem";
const FILE_MODE = 0o600;
const PUBLIC_MODE = 0o644;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const MAX_KEY_BYTES = 4_096;

/** Where the public half of an installation's key lies, for `ledger verify`. */
export function publicKeyFile(directory: string): string {
  return join(directory, PUBLIC_FILE);
}

/**
 * The installation's signing key, PKCS #8 in PEM; made at the first use, by one of any number of processes. Throws with
 * what to do when it is not the user's alone.
 */
export function installationKey(directory: string): string {
  const path = join(directory, KEY_FILE);
  makeDirectory(directory);
  checkDirectory(directory);
  const text = readPrivately(path) ?? create(directory, path);
  const publicPem = publicHalf(path, text);
  const publicPath = publicKeyFile(directory);
  if (readPublic(publicPath) !== publicPem) replace(directory, publicPath, publicPem);
  return text;
}

function publicHalf(path: string, text: string): string {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === "ed25519")
      return createPublicKey(key).export({ format: "pem", type: "spki" }).toString();
  } catch {
    // Said below, without the parser's words: they may quote the key.
  }
  throw new Error(
    `the ledger's key ${path} is no Ed25519 key: move it away and a new one is made; older ledgers then need --key with their public key`,
  );
}

function checkDirectory(directory: string): void {
  const facts = lstatSync(directory);
  if (!facts.isDirectory())
    throw new Error(`the directory of the ledger's key ${directory} is not a directory: replace it by one of your own`);
  if (isForeign(facts.uid))
    throw new Error(
      `the directory of the ledger's key ${directory} belongs to another user: chown it to the one that runs this`,
    );
  if ((facts.mode & OTHERS_WRITE) !== 0 && process.platform !== "win32")
    throw new Error(`the directory of the ledger's key ${directory} can be written by others: chmod 700 ${directory}`);
}

/** Null when there is none. */
function readPrivately(path: string): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    if (codeOf(error) === "ELOOP") throw new Error(`the ledger's key ${path} is a link: replace it by the file itself`);
    throw new Error(
      `the ledger's key ${path} cannot be read (${codeOf(error)}): let it belong to the user that runs this, mode 0600`,
    );
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile())
      throw new Error(`the ledger's key ${path} is not a regular file: move it away and a new one is made`);
    if (isForeign(facts.uid))
      throw new Error(`the ledger's key ${path} belongs to another user: chown it to the one that runs this`);
    if ((facts.mode & OTHERS) !== 0 && process.platform !== "win32")
      throw new Error(
        `the ledger's key ${path} can be read by others (mode 0${(facts.mode & 0o777).toString(8)}): chmod 600 ${path}`,
      );
    if (facts.size > MAX_KEY_BYTES)
      throw new Error(`the ledger's key ${path} is no key: move it away and a new one is made`);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** A link is made or not, never half: of two processes the second one takes the first one's key. */
function create(directory: string, path: string): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  const temporary = writeAside(directory, privateKey.export({ format: "pem", type: "pkcs8" }).toString(), FILE_MODE);
  try {
    linkSync(temporary, path);
  } catch (error) {
    // A file system without links.
    if (codeOf(error) !== "EEXIST") copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  } finally {
    rmSync(temporary, { force: true });
  }
  const text = readPrivately(path);
  if (text === null) throw new Error(`the ledger's key ${path} vanished while it was made: start again`);
  return text;
}

function replace(directory: string, path: string, text: string): void {
  rmSync(path, { force: true });
  try {
    writeFileSync(path, text, { flag: "wx", mode: PUBLIC_MODE });
  } catch (error) {
    // Another process writes the same text.
    if (codeOf(error) !== "EEXIST")
      throw new Error(`the public half of the ledger's key cannot be written into ${directory} (${codeOf(error)})`);
  }
}

function readPublic(path: string): string | null {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

function writeAside(directory: string, text: string, mode: number): string {
  const path = join(directory, `.${randomBytes(8).toString("hex")}`);
  const descriptor = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    mode,
  );
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return path;
}

function isForeign(uid: number): boolean {
  return process.getuid !== undefined && process.getuid() !== uid;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
}
