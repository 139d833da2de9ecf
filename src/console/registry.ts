import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ownStateDirectory } from "../config/index.ts";
import { proofOf, same } from "./access.ts";
import { PROOF_WITHIN_MS } from "./limits.ts";

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS_MODE = 0o077;
const SUFFIX_BYTES = 8;
const MOST_ENTRY_CHARACTERS = 2_000;
/** Parts of file names. */
const SESSION_ID = /^[\w-]{1,64}$/;
/** Where a server that has the key says so. */
export const PROOF_HEADER = "x-chaperone-proof";
export const OPENING_PATH = "/open";

const entrySchema = z.strictObject({
  pid: z.int().positive(),
  port: z.int().min(1).max(65_535),
  key: z.string().regex(/^[\w-]{43}$/),
  /** Milliseconds since 1970. */
  started: z.number(),
});
type Entry = z.infer<typeof entrySchema>;

/** A session that can be visited. */
export interface LiveSession extends Entry {
  readonly sessionId: string;
}

/** Where the live sessions of this user are written down. Throws ConfigError where somebody else could write them. */
export function liveSessionsDirectory(machine: Parameters<typeof ownStateDirectory>[0]): string {
  return join(ownStateDirectory(machine), "live");
}

/**
 * Opens the console once. As good as the key that is in it: never into a result, a question elsewhere, or the arguments
 * of a process.
 */
export function addressOf({ port, key }: Pick<Entry, "port" | "key">): string {
  return `http://127.0.0.1:${port}${OPENING_PATH}#${key}`;
}

/** Makes the directory ours alone. Rejects when it is somebody else's, or no directory. */
export async function prepareDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
  const { uid, mode, isDirectory } = await lstat(directory).then((found) => ({
    uid: found.uid,
    mode: found.mode,
    isDirectory: found.isDirectory(),
  }));
  if (!isDirectory) throw new Error("the directory of live sessions is no directory");
  if (process.getuid === undefined) return;
  if (uid !== process.getuid()) throw new Error("the directory of live sessions belongs to somebody else");
  if ((mode & OTHERS_MODE) !== 0) await chmod(directory, DIRECTORY_MODE);
}

export async function writeEntry(directory: string, sessionId: string, entry: Entry): Promise<void> {
  await writePrivately(directory, entryName(sessionId), JSON.stringify(entry));
}

/**
 * A page that leads to the address, so that the opener's arguments need not. Returns its path; the session removes it
 * when the key is used.
 */
export async function writeOpening(directory: string, sessionId: string, address: string): Promise<string> {
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Chaperone</title>
<meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Open the console</a>\n`;
  return await writePrivately(directory, openingName(sessionId), page);
}

export async function removeOpening(directory: string, sessionId: string): Promise<void> {
  await rm(join(directory, openingName(sessionId)), { force: true });
}

export async function removeEntry(directory: string, sessionId: string): Promise<void> {
  await rm(join(directory, entryName(sessionId)), { force: true });
  await removeOpening(directory, sessionId);
}

/** Removes what sessions left whose process is gone. */
export async function sweep(directory: string): Promise<void> {
  for (const sessionId of await sessionIds(directory)) {
    const entry = await readEntry(directory, sessionId);
    if (entry === null || !isRunning(entry.pid)) await removeEntry(directory, sessionId);
  }
}

/** Those that prove to have their key, oldest first. What others left is removed. */
export async function liveSessions(directory: string): Promise<readonly LiveSession[]> {
  await sweep(directory);
  const found: LiveSession[] = [];
  for (const sessionId of await sessionIds(directory)) {
    const entry = await readEntry(directory, sessionId);
    if (entry !== null && (await hasKey(entry))) found.push({ sessionId, ...entry });
  }
  return found.toSorted((one, other) => one.started - other.started);
}

/** A number of a process, and a port, may be somebody else's by now. */
async function hasKey({ port, key }: Entry): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${OPENING_PATH}`, {
      redirect: "error",
      signal: AbortSignal.timeout(PROOF_WITHIN_MS),
    });
    await response.body?.cancel();
    return same(response.headers.get(PROOF_HEADER) ?? "", proofOf(key));
  } catch {
    return false;
  }
}

async function sessionIds(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .filter((name) => SESSION_ID.test(name));
}

async function readEntry(directory: string, sessionId: string): Promise<Entry | null> {
  try {
    const text = await readFile(join(directory, entryName(sessionId)), "utf8");
    return text.length > MOST_ENTRY_CHARACTERS ? null : (entrySchema.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not ours to signal, but there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whole or not at all, and never through a link that lies in the way. */
async function writePrivately(directory: string, name: string, text: string): Promise<string> {
  const path = join(directory, name);
  const unfinished = `${path}.${randomBytes(SUFFIX_BYTES).toString("hex")}`;
  try {
    await writeFile(unfinished, text, { mode: FILE_MODE, flag: "wx" });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return path;
}

function entryName(sessionId: string): string {
  return `${checked(sessionId)}.json`;
}

function openingName(sessionId: string): string {
  return `${checked(sessionId)}.html`;
}

function checked(sessionId: string): string {
  if (!SESSION_ID.test(sessionId)) throw new Error("a session's id has letters, digits, _ and - only");
  return sessionId;
}
