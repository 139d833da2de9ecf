import type { KeyObject } from "node:crypto";
import { type Line, linesOf } from "./lines.ts";
import { Meaning, type OpenIntent } from "./meaning.ts";
import { MerkleTree } from "./merkle.ts";
import { isSigned, type LedgerRecord, publicKeyOf, recordOf } from "./record.ts";

/** Ledgers of later versions are refused, never half understood. */
const VERSION = 1;
const NO_HASH = "0".repeat(64);
/** Signatures that are checked at the same time. */
const MAX_PENDING = 128;

/** A statement about the ledger that was kept outside of it: a line's hash, which stands for all lines up to it. */
export interface HeldCheckpoint {
  readonly hash: string;
  /** Of that line, where it is known. */
  readonly seq?: number | undefined;
}

export interface CheckOptions {
  /**
   * The public key that must have signed, 32 bytes in hex. Without it the ledger's own word is taken, and anybody could
   * have signed it anew.
   */
  readonly publicKey?: string | undefined;
  readonly held?: HeldCheckpoint | undefined;
  /** An end without the closing record is no fault: the session still runs, or is known to have ended suddenly. */
  readonly unfinished?: boolean | undefined;
  /**
   * Each line, header and checkpoints included, as soon as its place in the chain is checked; its signature is checked
   * later.
   */
  readonly onRecord?: ((record: LedgerRecord) => void) | undefined;
}

export interface Verification {
  /** Nothing is wrong. */
  readonly ok: boolean;
  /** Lines that are right, without the headers. */
  readonly records: number;
  /** The first thing that is wrong. `seq` is the number that a right line would have there. */
  readonly bad: { readonly seq: number; readonly why: string } | null;
  /** All that is wrong is that the end is missing: the session still runs, it ended suddenly, or lines were cut off. */
  readonly endsEarly: boolean;
  /** The closing record is there. */
  readonly isClosed: boolean;
  readonly openIntents: readonly OpenIntent[];
  /** What the first line says; null when it is none. */
  readonly header: LedgerRecord | null;
  /** The last line that is right: its hash, kept elsewhere, shows later whether lines were cut off. */
  readonly head: { readonly seq: number; readonly hash: string } | null;
}

interface Bad {
  readonly seq: number;
  readonly why: string;
}

/**
 * Checks the lines of one session, from all its files in their order. Holds a bounded part of them in memory. Rejects
 * only when the source does.
 */
export async function check(source: AsyncIterable<Uint8Array>, options: CheckOptions = {}): Promise<Verification> {
  const walk = new Walk(options);
  const signatures = new Signatures();
  let bad: Bad | null = null;
  let records = 0;
  let endsEarly = false;
  reading: for await (const lines of linesOf(source)) {
    for (const line of lines) {
      const taken = walk.take(line);
      if ("why" in taken) {
        endsEarly = !line.isWhole && !line.isTooLong && walk.head !== null;
        bad = taken;
        break reading;
      }
      if (taken.record.kind !== "header") records++;
      if (walk.key !== null) signatures.add(taken.record, walk.key);
      options.onRecord?.(taken.record);
      if (signatures.isFull) bad = await signatures.settle();
      if (bad !== null) break reading;
    }
  }
  const unsigned = await signatures.settle();
  if (unsigned !== null) {
    bad = unsigned;
    endsEarly = false;
  } else if (bad === null || (endsEarly && options.unfinished === true)) {
    bad = walk.end();
    endsEarly = bad !== null && walk.head !== null;
  }
  return {
    ok: bad === null,
    records: bad === null ? records : Math.min(records, Math.max(0, bad.seq - walk.headers)),
    bad,
    endsEarly,
    isClosed: walk.isClosed,
    openIntents: walk.openIntents(),
    header: walk.header,
    head: walk.head,
  };
}

/** Signatures being checked, in the order of their lines. */
class Signatures {
  #pending: Promise<Bad | null>[] = [];

  get isFull(): boolean {
    return this.#pending.length >= MAX_PENDING;
  }

  add(record: LedgerRecord, key: KeyObject): void {
    this.#pending.push(
      isSigned(record, key).then((isRight) =>
        isRight ? null : { seq: record.seq, why: "is not signed by the ledger's key" },
      ),
    );
  }

  async settle(): Promise<Bad | null> {
    const pending = this.#pending;
    this.#pending = [];
    return (await Promise.all(pending)).find((bad) => bad !== null) ?? null;
  }
}

/** All that must hold from line to line. */
class Walk {
  header: LedgerRecord | null = null;
  key: KeyObject | null = null;
  isClosed = false;
  headers = 0;
  readonly #options: CheckOptions;
  readonly #tree = new MerkleTree();
  readonly #meaning = new Meaning();
  #last: LedgerRecord | null = null;
  #isHeldSeen = false;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  get head(): Verification["head"] {
    return this.#last === null ? null : { seq: this.#last.seq, hash: this.#last.hash };
  }

  openIntents(): readonly OpenIntent[] {
    return this.#meaning.openIntents();
  }

  take(line: Line): { readonly record: LedgerRecord } | Bad {
    const seq = (this.#last?.seq ?? -1) + 1;
    if (this.#last === null && isLater(line))
      return { seq, why: `is of a later version, this program reads version ${VERSION}: update it` };
    const record = line.isTooLong ? "is too long" : recordOf(line.bytes);
    if (!line.isWhole && this.#last !== null)
      return { seq, why: "ends in the middle: lines were cut off, or the writer ended suddenly" };
    if (typeof record === "string") return { seq, why: record };
    if (!line.isWhole) return { seq, why: "ends in the middle" };
    const why = this.#problemOf(record, seq);
    if (why !== null) return { seq, why };
    this.#tree.add(record.hash);
    this.#last = record;
    return { record };
  }

  /** Once no line is left. */
  end(): Bad | null {
    const { held, unfinished } = this.#options;
    const seq = (this.#last?.seq ?? -1) + 1;
    if (this.#last === null) return { seq, why: "there is nothing here" };
    if (held !== undefined && !this.#isHeldSeen)
      return { seq, why: "the ledger ends before the checkpoint that is held: lines were cut off" };
    if (typeof this.#last.next === "number") return { seq, why: `the next file, part ${this.#last.next}, is missing` };
    if (this.isClosed || unfinished === true) return null;
    return {
      seq,
      why: "the closing record is missing: the session still runs, it ended suddenly, or lines were cut off",
    };
  }

  #problemOf(record: LedgerRecord, seq: number): string | null {
    if (this.isClosed) return "stands behind the closing record";
    if (record.seq !== seq) return `is missing or out of place: number ${record.seq} stands here`;
    if (record.prev !== (this.#last?.hash ?? NO_HASH)) return "does not follow from the record before";
    if (this.header !== null && record.session !== this.header.session) return "belongs to another session";
    if (this.#last !== null && record.time < this.#last.time) return "is older than the record before";
    const why = this.#partProblem(record) ?? this.#kindProblem(record);
    if (why !== null) return why;
    const { held } = this.#options;
    if (held === undefined) return null;
    if (held.hash === record.hash) this.#isHeldSeen = true;
    return held.seq === record.seq && held.hash !== record.hash
      ? "is another one than the checkpoint that is held"
      : null;
  }

  /** A header stands at the begin of each file and nowhere else. */
  #partProblem(record: LedgerRecord): string | null {
    const isHeader = record.kind === "header";
    if (this.#last === null) return isHeader ? null : "is no header of a ledger";
    return isHeader === (typeof this.#last.next === "number")
      ? null
      : isHeader
        ? "is a header in the middle"
        : "is no header of the next file";
  }

  #kindProblem(record: LedgerRecord): string | null {
    switch (record.kind) {
      case "header":
        return this.#headerProblem(record);
      case "checkpoint":
        return this.#checkpointProblem(record);
      case "close":
        this.isClosed = true;
        return this.#checkpointProblem(record);
      default:
        return this.#meaning.take(record);
    }
  }

  #checkpointProblem({ size, root }: LedgerRecord): string | null {
    return size === this.#tree.size && root === this.#tree.root()
      ? null
      : "states another size or root than the records have";
  }

  #headerProblem(record: LedgerRecord): string | null {
    if (typeof record.version === "number" && record.version > VERSION)
      return `is of version ${record.version}, this program reads version ${VERSION}: update it`;
    if (record.version !== VERSION) return "has no version";
    const key = publicKeyOf(record.publicKey);
    if (key === null) return "has no public key";
    const { publicKey } = this.#options;
    if (publicKey !== undefined && record.publicKey !== publicKey)
      return "names another key than the one that must have signed";
    if (this.header !== null && record.publicKey !== this.header.publicKey)
      return "names another key than the file before";
    this.headers++;
    if (record.part !== this.headers)
      return `is part ${String(record.part).slice(0, 20)}, part ${this.headers} must come first`;
    this.header ??= record;
    this.key = key;
    return null;
  }
}

/** Asked before anything else: what else holds there is not known. */
function isLater({ bytes, isTooLong }: Line): boolean {
  if (isTooLong) return false;
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return (
      typeof value === "object" &&
      value !== null &&
      "version" in value &&
      typeof value.version === "number" &&
      value.version > VERSION
    );
  } catch {
    return false;
  }
}
