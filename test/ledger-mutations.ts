import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import canonicalize from "canonicalize";

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Mutation {
  readonly what: string;
  readonly bytes: Buffer;
}

type Mutate = (bytes: Buffer, pick: (count: number) => number, other: readonly string[]) => Buffer;
const LINE_FEED = 0x0a;
const stranger = generateKeyPairSync("ed25519").privateKey;

const linesOf = (bytes: Buffer): string[] => bytes.toString("utf8").trimEnd().split("\n");
const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join("\n")}\n`);

/** What somebody does to a file who has no key of it. `other`: lines of another session of the same key. */
const mutations: Readonly<Record<string, Mutate>> = {
  "a byte": (bytes, pick) => {
    const changed = Buffer.from(bytes);
    const at = pick(bytes.length);
    changed[at] = ((bytes[at] ?? 0) + 1 + pick(255)) % 256;
    return changed;
  },
  "a bit": (bytes, pick) => {
    const changed = Buffer.from(bytes);
    const at = pick(bytes.length);
    changed[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
    return changed;
  },
  "a byte more": (bytes, pick) => {
    const at = pick(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), Buffer.of(pick(3) === 0 ? LINE_FEED : pick(256)), bytes.subarray(at)]);
  },
  "bytes less": (bytes, pick) => {
    const at = pick(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + pick(pick(2) === 0 ? 1 : 300))]);
  },
  "a field": (bytes, pick) => editField(bytes, pick, (record) => canonicalize(record) ?? ""),
  "a field, with its hash": (bytes, pick) => editField(bytes, pick, (record) => sealed(record, null)),
  "a field, signed by a stranger": (bytes, pick) => editField(bytes, pick, (record) => sealed(record, stranger)),
  "a line less": (bytes, pick) => {
    const lines = linesOf(bytes);
    return bytesOf(lines.toSpliced(pick(lines.length), 1 + pick(3)));
  },
  "a line twice": (bytes, pick) => {
    const lines = linesOf(bytes);
    return bytesOf(lines.toSpliced(pick(lines.length + 1), 0, lines[pick(lines.length)] ?? ""));
  },
  "a line of another session": (bytes, pick, other) => {
    const lines = linesOf(bytes);
    return bytesOf(lines.toSpliced(pick(lines.length + 1), pick(2), other[pick(other.length)] ?? ""));
  },
  "two lines swapped": (bytes, pick) => {
    const lines = linesOf(bytes);
    const [one, two] = [pick(lines.length), pick(lines.length)];
    return bytesOf(lines.with(one, lines[two] ?? "").with(two, lines[one] ?? ""));
  },
  "lines turned round": (bytes, pick) => {
    const lines = linesOf(bytes);
    const [from, count] = [pick(lines.length), 2 + pick(5)];
    return bytesOf(lines.toSpliced(from, count, ...lines.slice(from, from + count).toReversed()));
  },
  "lines cut off": (bytes, pick) => {
    const lines = linesOf(bytes);
    return bytesOf(lines.slice(0, -1 - pick(lines.length - 1)));
  },
  "bytes cut off": (bytes, pick) => bytes.subarray(0, pick(bytes.length)),
  "another session's end": (bytes, pick, other) => {
    // A whole ledger in place of another is right in itself: only the checkpoint that is held tells, at its own place.
    const lines = linesOf(bytes);
    const at = 1 + pick(lines.length - 1);
    return bytesOf([...lines.slice(0, at), ...other.slice(at)]);
  },
  "all signed anew by a stranger": (bytes, pick) => {
    const at = pick(linesOf(bytes).length);
    let prev = "0".repeat(64);
    const lines = linesOf(bytes).map((line, index) => {
      const record = { ...(JSON.parse(line) as Record<string, unknown>), prev };
      const line2 = sealed(index === at ? { ...record, why: "forged" } : record, stranger);
      prev = String((JSON.parse(line2) as Record<string, unknown>).hash);
      return line2;
    });
    return bytesOf(lines);
  },
};

/** A change of any kind; never none. */
export function mutate(bytes: Buffer, random: () => number, other: readonly string[]): Mutation {
  const pick = (count: number): number => Math.floor(random() * count);
  const names = Object.keys(mutations);
  for (;;) {
    const what = names[pick(names.length)] ?? "";
    const changed = mutations[what]?.(bytes, pick, other);
    if (changed !== undefined && !changed.equals(bytes)) return { what, bytes: changed };
  }
}

/** Index of the first line that is not as it was, line feed included. */
export function firstChanged(before: Buffer, after: Buffer): number {
  let line = 0;
  for (let at = 0; at < before.length && before[at] === after[at]; at++) if (before[at] === LINE_FEED) line++;
  return line;
}

function editField(
  bytes: Buffer,
  pick: (count: number) => number,
  write: (record: Record<string, unknown>) => string,
): Buffer {
  const lines = linesOf(bytes);
  const at = pick(lines.length);
  const record = JSON.parse(lines[at] ?? "") as Record<string, unknown>;
  const names = Object.keys(record);
  const name = names[pick(names.length)] ?? "";
  const value = record[name];
  if (pick(5) === 0) delete record[name];
  else
    record[name] =
      typeof value === "number"
        ? value + 1 - 2 * pick(2)
        : typeof value === "string"
          ? `${value.slice(0, pick(value.length))}x`
          : pick(2) === 0
            ? null
            : { x: value };
  return bytesOf(lines.with(at, write(record)));
}

function sealed({ hash: _hash, sig, ...record }: Record<string, unknown>, key: KeyObject | null): string {
  const hash = createHash("sha256")
    .update(canonicalize(record) ?? "")
    .digest("hex");
  const signature =
    key === null
      ? sig
      : sign(
          null,
          Buffer.from(`chaperone-ledger-1:${hash}`),
          createPrivateKey(key.export({ format: "pem", type: "pkcs8" })),
        ).toString("hex");
  return canonicalize({ ...record, hash, sig: signature }) ?? "";
}
