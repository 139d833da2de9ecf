/** The face `chaperone/ledger`: checks ledgers and receipts. No browser, no network, nothing of what writes them. */

import { bytesOf, filesOf } from "./verify/files.ts";
import { type LedgerReceipt, ReceiptMaker } from "./verify/receipt.ts";
import { type CheckOptions, check, type Verification } from "./verify/verify.ts";

export type { DecidedBy, DecisionEntry, DecisionRecord } from "./entries.ts";
export type { CheckpointFields, HeaderFields, LineFields } from "./format.ts";
export type { OpenIntent } from "./verify/meaning.ts";
export { type LedgerReceipt, verifyReceipt } from "./verify/receipt.ts";
export { type LedgerRecord, publicKeyHex } from "./verify/record.ts";
export type { CheckOptions, HeldCheckpoint, Verification } from "./verify/verify.ts";

/**
 * Checks the ledger of one session: a file (with its further parts beside it) or a stream of all its bytes. In bounded
 * memory, so of any size. Rejects when it cannot be read; what is wrong in it is the result.
 */
export async function verifyLedger(
  ledger: string | AsyncIterable<Uint8Array>,
  options: CheckOptions = {},
): Promise<Verification> {
  return check(typeof ledger === "string" ? bytesOf(await filesOf(ledger)) : ledger, options);
}

/**
 * The receipt of one record, by the name that a call's result has. A string says why there is none: the ledger is
 * wrong, has no such record, or no checkpoint counts it yet.
 */
export async function ledgerReceipt(
  ledger: string | AsyncIterable<Uint8Array>,
  name: string,
  options: CheckOptions = {},
): Promise<LedgerReceipt | string> {
  const maker = new ReceiptMaker(name);
  const { bad } = await verifyLedger(ledger, {
    unfinished: true,
    ...options,
    onRecord: (record) => {
      maker.take(record);
      options.onRecord?.(record);
    },
  });
  if (bad !== null) return `the ledger is not right, seq ${bad.seq}: ${bad.why}`;
  if (!maker.isFound) return "the ledger has no such record";
  return maker.receipt ?? "no checkpoint counts that record yet: the session still runs or ended suddenly";
}
