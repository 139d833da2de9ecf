import { closeSync, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./error.ts";

const LARGEST_FILE_BYTES = 1_048_576;
const OTHERS_MAY_WRITE = 0o022;

export interface ReadFile {
  readonly path: string;
  readonly text: string;
}

export interface ReadOptions {
  /** Also asks that only this user can have written it. */
  readonly ownerUid?: number | null;
  /** Default 1 MiB. */
  readonly largestBytes?: number;
}

/** Reads the file or throws ConfigError: missing, not readable, too large, not UTF-8. */
export function readConfigFile(
  path: string,
  { ownerUid = null, largestBytes = LARGEST_FILE_BYTES }: ReadOptions = {},
): ReadFile {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    throw new ConfigError(`${path}: ${problemOf(error)}`, { cause: error });
  }
  try {
    // On the descriptor, so that the file that was checked is the file that is read.
    if (ownerUid !== null) checkOwner(path, fstatSync(descriptor), ownerUid);
    return { path, text: decoded(path, readCapped(path, descriptor, largestBytes)) };
  } catch (error) {
    if (ConfigError.is(error)) throw error;
    throw new ConfigError(`${path}: ${problemOf(error)}`, { cause: error });
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The one file in `directory` with that name and one of the endings; null when there is none, ConfigError when there
 * are more.
 */
export function findOne(directory: string, name: string, endings: readonly string[]): string | null {
  const found = endings.map((ending) => join(directory, `${name}.${ending}`)).filter(exists);
  if (found.length > 1) throw new ConfigError(`${found.join(" and ")} are both there: keep one`);
  return found[0] ?? null;
}

/** Throws ConfigError unless that directory can be changed by `ownerUid` only. */
export function checkDirectoryOwner(directory: string, ownerUid: number): void {
  checkOwner(directory, statSync(directory), ownerUid);
}

// A dangling link exists: it is reported when it is read, never passed over.
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return false;
    throw new ConfigError(`${path}: ${problemOf(error)}`, { cause: error });
  }
}

function checkOwner(path: string, stats: Stats, ownerUid: number): void {
  if (stats.uid === ownerUid && (stats.mode & OTHERS_MAY_WRITE) === 0) return;
  const owner = ownerUid === 0 ? "root" : `user ${ownerUid}`;
  throw new ConfigError(`${path}: a managed policy must belong to ${owner} and be writable by nobody else`);
}

function readCapped(path: string, descriptor: number, largestBytes: number): Buffer {
  const buffer = Buffer.alloc(largestBytes + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (length > largestBytes) throw new ConfigError(`${path}: larger than ${largestBytes} bytes`);
    if (read === 0) return buffer.subarray(0, length);
  }
}

function decoded(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ConfigError(`${path}: not UTF-8 text`, { cause: error });
  }
}

function problemOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return "no such file";
    case "EACCES":
    case "EPERM":
      return "no permission to read it";
    case "EISDIR":
      return "is a directory, not a file";
    default:
      return `cannot be read (${codeOf(error) ?? "unknown error"})`;
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
