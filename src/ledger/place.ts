import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { makeDirectory } from "./directory.ts";
import { isRunning } from "./process.ts";

const FILE_MODE = 0o600;
const MAX_TRIES = 5;
const HEAD_BYTES = 65_536;
const TAIL_BYTES = 65_536;
const SESSION_NAME = /^[\w-]{1,64}$/;
const FIRST_PART = 1;

/** `ledger.jsonl`, `ledger.2.jsonl`, … */
export function partPath(file: string, part: number): string {
  return part === FIRST_PART ? file : between(file, String(part));
}

/**
 * Makes the file with its first line, both or none, and opens it for adding. What lies there is never written to: the
 * ledger of a session that has ended moves aside, under its session's name; a live one, a link, anything that is no
 * ledger is an error. Of two processes one gets the name.
 */
export function claim(file: string, firstLine: string): number {
  const path = resolve(file);
  makeDirectory(dirname(path));
  makeRoom(path);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString("hex")}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_NOFOLLOW;
  const descriptor = openSync(temporary, flags, FILE_MODE);
  try {
    writeAll(descriptor, firstLine);
    fsyncSync(descriptor);
    for (let tries = 1; !isNamed(temporary, path); tries++) {
      if (tries === MAX_TRIES) throw new Error(`the ledger ${path} is in use: name another file`);
      makeRoom(path);
    }
    syncDirectory(dirname(path));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

export function writeAll(descriptor: number, line: string): void {
  const bytes = Buffer.from(line, "utf8");
  for (let written = 0; written < bytes.length; ) {
    const more = writeSync(descriptor, bytes, written);
    if (more === 0) throw new Error("the file takes no more");
    written += more;
  }
}

/** False when something else has that name. */
function isNamed(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"].includes(codeOf(error))) throw error;
    // A file system without links.
    if (existsSync(path)) return false;
    renameSync(temporary, path);
    return true;
  }
}

function makeRoom(path: string): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return;
  if (facts.isSymbolicLink())
    throw new Error(`the ledger ${path} is a link, which is not followed: name the file itself`);
  if (!facts.isFile()) throw new Error(`the ledger ${path} is not a regular file: name another one`);
  const before = inspect(path);
  if (before === "vanished") return;
  if (before === "other")
    throw new Error(`${path} exists and is not a ledger: name another file, nothing was written to it`);
  if (before === "empty") {
    const aside = `${path}.empty`;
    moveAway(path, facts.ino, aside);
    rmSync(aside);
    return;
  }
  let parts = FIRST_PART;
  while (existsSync(partPath(path, parts + 1))) parts++;
  const last = parts === FIRST_PART ? before : inspect(partPath(path, parts));
  const isClosed = typeof last === "object" && last.isClosed;
  if (!isClosed && before.writer !== null && isRunning(before.writer.pid, before.writer.started))
    throw new Error(`the ledger ${path} is being written by process ${before.writer.pid}: name another file`);
  const aside = between(path, before.session);
  moveAway(path, facts.ino, aside);
  for (let part = FIRST_PART + 1; part <= parts; part++) renameSync(partPath(path, part), partPath(aside, part));
}

/** A second name that can be made once only decides who of several may take the first one away. */
function moveAway(path: string, ino: number, aside: string): void {
  try {
    linkSync(path, aside);
  } catch (error) {
    throw new Error(`the ledger ${path} cannot move to ${aside} (${codeOf(error)}): name another file`);
  }
  if (lstatSync(aside).ino === ino) {
    rmSync(path);
    return;
  }
  rmSync(aside);
  throw new Error(`the ledger ${path} is in use: name another file`);
}

interface Before {
  readonly session: string;
  readonly writer: { readonly pid: number; readonly started: string | null } | null;
  readonly isClosed: boolean;
}

function inspect(path: string): Before | "empty" | "other" | "vanished" {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "vanished";
    throw error;
  }
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return "empty";
    const header = parsed(textAt(descriptor, 0, HEAD_BYTES).split("\n", 1)[0] ?? "");
    if (header?.kind !== "header" || typeof header.session !== "string" || !SESSION_NAME.test(header.session))
      return "other";
    const tail = textAt(descriptor, Math.max(0, size - TAIL_BYTES), TAIL_BYTES)
      .trimEnd()
      .split("\n")
      .at(-1);
    return { session: header.session, writer: writerOf(header.writer), isClosed: parsed(tail ?? "")?.kind === "close" };
  } finally {
    closeSync(descriptor);
  }
}

function writerOf(value: unknown): Before["writer"] {
  if (
    typeof value !== "object" ||
    value === null ||
    !("pid" in value) ||
    typeof value.pid !== "number" ||
    !Number.isSafeInteger(value.pid) ||
    value.pid < 1
  )
    return null;
  return { pid: value.pid, started: "started" in value && typeof value.started === "string" ? value.started : null };
}

function textAt(descriptor: number, position: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, bytes, position));
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function between(file: string, word: string): string {
  const end = extname(file);
  return join(dirname(file), `${basename(file, end)}.${word}${end}`);
}

/** The name itself must outlast a sudden end of the machine, where the system can promise that. */
function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
