import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigError, ownStateDirectory } from "../config/index.ts";
import {
  type LedgerReceipt,
  ledgerReceipt,
  publicKeyHex,
  type Verification,
  verifyLedger,
  verifyReceipt,
} from "../ledger/index.ts";
import { publicKeyFile } from "../ledger/key.ts";
import type { Io, Run } from "./command.ts";
import { EXIT } from "./exit.ts";
import type { LedgerArgs } from "./ledger-args.ts";
import { htmlFoot, htmlHead, htmlRow } from "./ledger-html.ts";
import { isWanted, lineOf, type TimelineLine, visible } from "./ledger-line.ts";

const REPORT_MODE = 0o600;
const FINGERPRINT_CHARS = 16;
const SECONDS_END = 23;
const SECONDS_BEGIN = 11;

/** Checks and shows ledgers. Exit code 1 when something is wrong in one. */
export const run: Run<LedgerArgs> = async (_config, args, io) => {
  const key = pinnedKey(args.keyPem, io.env);
  switch (args.action) {
    case "verify":
      return runVerify(args, key, io);
    case "show":
      return runShow(args, key, io);
    case "receipt": {
      const receipt = await ledgerReceipt(args.file, args.receipt, { publicKey: key?.hex });
      if (typeof receipt === "string") throw new Error(`no receipt: ${receipt}`);
      io.stdout.write(`${JSON.stringify(receipt, null, 2)}\n`);
      return EXIT.done;
    }
    case "verify-receipt":
      return runVerifyReceipt(args, key, io);
    default:
      return args satisfies never;
  }
};

interface PinnedKey {
  readonly hex: string;
  readonly whose: "given" | "this installation's";
}

function pinnedKey(pem: string | null, env: Io["env"]): PinnedKey | null {
  if (pem !== null) {
    try {
      return { hex: publicKeyHex(pem), whose: "given" };
    } catch {
      throw new ConfigError("--key needs a file with an Ed25519 public key in PEM");
    }
  }
  const own = publicKeyFile(join(ownStateDirectory({ platform: process.platform, homedir: homedir(), env }), "keys"));
  if (!existsSync(own)) return null;
  try {
    return { hex: publicKeyHex(readFileSync(own, "utf8")), whose: "this installation's" };
  } catch {
    throw new Error(
      `the public key of this installation ${own} cannot be read: remove it, the next session writes it again, or give one with --key`,
    );
  }
}

async function runVerify(
  args: Extract<LedgerArgs, { action: "verify" }>,
  key: PinnedKey | null,
  io: Io,
): Promise<number> {
  const { file, held, unfinished } = args;
  const result = await verifyLedger(file, { publicKey: key?.hex, unfinished, ...(held !== null && { held }) });
  const { ok, records, bad, openIntents, head, isClosed, header } = result;
  if (args.json) {
    const session = header?.session ?? null;
    io.stdout.write(
      `${JSON.stringify({ ok, records, bad, isClosed, openIntents, head, session, publicKey: header?.publicKey ?? null, key: key?.whose ?? null })}\n`,
    );
    return ok ? EXIT.done : EXIT.failed;
  }
  for (const line of verdictLines(result, key)) io.stdout.write(`${visible(line)}\n`);
  return ok ? EXIT.done : EXIT.failed;
}

function verdictLines(
  { ok, records, bad, endsEarly, openIntents, head, isClosed, header }: Verification,
  key: PinnedKey | null,
): readonly string[] {
  const publicKey = String(header?.publicKey ?? "").slice(0, FINGERPRINT_CHARS);
  const whose = key === null ? "which only the ledger itself names: compare it, or give one with --key" : key.whose;
  return [
    bad === null ? `ok ${records} records` : `bad seq ${bad.seq}: ${bad.why}`,
    ...(ok && !isClosed ? ["warning: the closing record is missing"] : []),
    ...(ok || endsEarly ? openIntents.map(openWords) : []),
    ...(bad !== null && records > 0 ? [`before it: ${records} records that are right`] : []),
    ...(header === null ? [] : [`session ${header.session}, key ${publicKey}…, ${whose}`]),
    ...(bad?.seq === 0 && key !== null
      ? [`the key asked for is ${key.whose}: for a ledger from elsewhere give its public key with --key`]
      : []),
    ...(ok && head !== null
      ? [
          `last hash ${head.hash}, seq ${head.seq}: kept elsewhere, it shows later with --checkpoint whether lines were cut off`,
        ]
      : []),
  ];
}

function openWords({ receipt, tool }: Verification["openIntents"][number]): string {
  return `warning: open intent ${receipt} (${tool}): the process ended between intent and outcome, so nobody knows whether it was done`;
}

async function runShow(args: Extract<LedgerArgs, { action: "show" }>, key: PinnedKey | null, io: Io): Promise<number> {
  const report = args.html === null ? null : openReport(args.html);
  try {
    if (report !== null) writeSync(report, htmlHead("Ledger of a session"));
    const result = await verifyLedger(args.file, {
      publicKey: key?.hex,
      unfinished: true,
      onRecord: (record) => {
        if (!isWanted(record, args.filters)) return;
        if (report !== null) writeSync(report, htmlRow(lineOf(record)));
        else io.stdout.write(args.json ? `${JSON.stringify(record)}\n` : `${textOf(lineOf(record))}\n`);
      },
    });
    const lines = verdictLines(result, key);
    if (report !== null) writeSync(report, htmlFoot(lines, result.ok));
    const say = args.json || report !== null ? io.stderr : io.stdout;
    for (const line of ["", ...lines]) say.write(`${visible(line)}\n`);
    return result.ok ? EXIT.done : EXIT.failed;
  } finally {
    if (report !== null) closeSync(report);
  }
}

/** Never over something that is there, which may be the ledger. */
function openReport(path: string): number {
  if (existsSync(path)) throw new ConfigError(`--html: ${path} exists, name another file`);
  return openSync(path, "wx", REPORT_MODE);
}

function textOf({ seq, time, call, what, verdict, rule, note }: TimelineLine): string {
  const head = `${String(seq).padStart(5)}  ${time.slice(SECONDS_BEGIN, SECONDS_END)}  ${call.padEnd(4)} ${verdict === "refuse" ? "!!" : "  "} ${what}`;
  const decision = [verdict, rule].filter((word) => word !== "").join(" ");
  return visible([head, decision, note].filter((part) => part !== "").join("  · "));
}

async function runVerifyReceipt(
  args: Extract<LedgerArgs, { action: "verify-receipt" }>,
  key: PinnedKey | null,
  io: Io,
): Promise<number> {
  let receipt: unknown = null;
  try {
    receipt = JSON.parse(args.text);
  } catch {
    // Then it is no receipt, which is said below.
  }
  const checked = await verifyReceipt(receipt, key?.hex);
  const problem = typeof checked === "string" ? checked : null;
  if (args.json) io.stdout.write(`${JSON.stringify({ ok: problem === null, problem })}\n`);
  else
    io.stdout.write(
      `${visible(typeof checked === "string" ? `bad receipt: ${checked}` : receiptWords(checked, key))}\n`,
    );
  return problem === null ? EXIT.done : EXIT.failed;
}

function receiptWords({ record, checkpoint, publicKey }: LedgerReceipt, key: PinnedKey | null): string {
  const whose = key === null ? "which only the receipt itself names" : key.whose;
  return `ok ${String(record.receipt)}: record ${record.seq} of session ${record.session}, one of the ${String(checkpoint.size)} lines that its checkpoint counts, key ${publicKey.slice(0, FINGERPRINT_CHARS)}…, ${whose}`;
}
