import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

const HEAD_BYTES = 65_536;
const CHUNK_BYTES = 256 * 1024;

/**
 * The files of the session that `file` belongs to, first one first: `ledger.jsonl`, `ledger.2.jsonl`, … Rejects when
 * `file` cannot be read or is no regular file.
 */
export async function filesOf(file: string): Promise<readonly string[]> {
  const first = await firstOf(file);
  const files = [first];
  for (let next = named(first, files.length + 1); await isFile(next); next = named(first, files.length + 1))
    files.push(next);
  return files;
}

/** One after another, never more than a chunk in memory. */
export async function* bytesOf(files: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const file of files) yield* createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>;
}

/** A later part says which one it is. */
async function firstOf(file: string): Promise<string> {
  // A pipe would be waited for without end.
  if (!(await stat(file)).isFile()) throw new Error(`${file} is not a regular file`);
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const part = partOf(buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0] ?? "");
    const end = extname(file);
    const stem = basename(file, end);
    if (part === null || !stem.endsWith(`.${part}`)) return file;
    const first = join(dirname(file), `${stem.slice(0, -`.${part}`.length)}${end}`);
    return (await isFile(first)) ? first : file;
  } finally {
    await handle.close();
  }
}

function partOf(line: string): number | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" &&
      value !== null &&
      "part" in value &&
      typeof value.part === "number" &&
      value.part > 1
      ? value.part
      : null;
  } catch {
    return null;
  }
}

function named(first: string, part: number): string {
  const end = extname(first);
  return join(dirname(first), `${basename(first, end)}.${part}${end}`);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
}
