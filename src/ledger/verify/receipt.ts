import canonicalize from "canonicalize";
import { isIncluded, MerkleTree } from "./merkle.ts";
import { isSigned, type LedgerRecord, publicKeyOf, recordOfText } from "./record.ts";

const RECEIPT_VERSION = 1;
const MAX_PATH = 64;

/**
 * One record with all that is needed to check it without its ledger: that it is one of the lines that a signed
 * checkpoint counts.
 */
export interface LedgerReceipt {
  readonly version: number;
  /** 32 bytes in hex. */
  readonly publicKey: string;
  readonly record: LedgerRecord;
  /** Audit path of RFC 6962, from the leaf upward, in hex. Leaves are the records' hashes, the index is `seq`. */
  readonly proof: readonly string[];
  /** A later checkpoint or the closing record of the same session. */
  readonly checkpoint: LedgerRecord;
}

/** Collects the receipt of one record while its ledger is checked. */
export class ReceiptMaker {
  readonly #name: string;
  readonly #seq: number | null;
  readonly #tree: MerkleTree;
  #publicKey = "";
  #record: LedgerRecord | null = null;
  #made: LedgerReceipt | null = null;

  /** `name`: `r_…`, as the call's result has it. */
  constructor(name: string) {
    this.#name = name;
    const digits = /^r_.+_(\d{1,15})$/.exec(name)?.[1];
    this.#seq = digits === undefined ? null : Number(digits);
    this.#tree = new MerkleTree(this.#seq);
  }

  get isFound(): boolean {
    return this.#record !== null;
  }

  /** Null until a checkpoint counts the record. */
  get receipt(): LedgerReceipt | null {
    return this.#made;
  }

  take(record: LedgerRecord): void {
    if (this.#made !== null) return;
    if (record.kind === "header") this.#publicKey = String(record.publicKey);
    if (this.#record !== null && (record.kind === "checkpoint" || record.kind === "close"))
      this.#made = {
        version: RECEIPT_VERSION,
        publicKey: this.#publicKey,
        record: this.#record,
        proof: this.#tree.proof(),
        checkpoint: record,
      };
    if (record.seq === this.#seq && record.receipt === this.#name) this.#record = record;
    this.#tree.add(record.hash);
  }
}

/**
 * The receipt, when it proves that its record is in the ledger; else why it proves nothing. `publicKey`: who must have
 * signed, 32 bytes in hex.
 */
export async function verifyReceipt(receipt: unknown, publicKey?: string): Promise<LedgerReceipt | string> {
  if (typeof receipt !== "object" || receipt === null || !("version" in receipt)) return "this is no receipt";
  if (receipt.version !== RECEIPT_VERSION) return `the receipt is of another version than ${RECEIPT_VERSION}`;
  if (!("publicKey" in receipt && "record" in receipt && "proof" in receipt && "checkpoint" in receipt))
    return "the receipt lacks something";
  const key = publicKeyOf(receipt.publicKey);
  if (key === null) return "the receipt has no public key";
  if (publicKey !== undefined && receipt.publicKey !== publicKey)
    return "the receipt names another key than the one that must have signed";
  const record = again(receipt.record);
  if (typeof record === "string") return `the record ${record}`;
  const checkpoint = again(receipt.checkpoint);
  if (typeof checkpoint === "string") return `the checkpoint ${checkpoint}`;
  if (!(await isSigned(record, key))) return "the record is not signed by that key";
  if (!(await isSigned(checkpoint, key))) return "the checkpoint is not signed by that key";
  if (checkpoint.kind !== "checkpoint" && checkpoint.kind !== "close") return "the checkpoint is none";
  if (checkpoint.session !== record.session) return "the checkpoint is of another session";
  const { proof } = receipt;
  if (!isPath(proof)) return "the proof is none";
  const { size, root } = checkpoint;
  if (typeof size !== "number" || typeof root !== "string" || !isIncluded(record.hash, record.seq, size, proof, root))
    return "the proof does not lead from the record to the checkpoint";
  return { version: RECEIPT_VERSION, publicKey: String(receipt.publicKey), record, proof, checkpoint };
}

function again(value: unknown): LedgerRecord | string {
  try {
    return recordOfText(canonicalize(value) ?? "");
  } catch {
    return "is not JSON";
  }
}

function isPath(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_PATH && value.every((each) => typeof each === "string");
}
