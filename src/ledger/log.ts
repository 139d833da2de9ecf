import { siteOf } from "../gate/index.ts";
import type { Receipt } from "../types.ts";
import type { DecidedBy, DecisionEntry, DecisionRecord, ValueEntry } from "./entries.ts";
import { type LedgerSettings, LedgerWriter } from "./writer.ts";

export type { DecidedBy, DecisionEntry, DecisionRecord, ValueEntry } from "./entries.ts";
export type { LedgerAbout, LedgerSettings } from "./writer.ts";

/** Records kept in memory, newest last. */
const RING_RECORDS = 1_000;
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export interface DecisionLog {
  /**
   * Writes one record; its name comes back. Throws when it cannot be written: then nothing may happen on its strength.
   */
  record(entry: DecisionEntry): Receipt;
  /** The newest records, at most 1,000, oldest first. */
  recent(): readonly DecisionRecord[];
  /** Ends it, on disk with the closing line. */
  close(): void;
}

export interface DecisionLogOptions {
  /** The signed ledger; null or absent keeps records in memory only. */
  readonly ledger?: LedgerSettings | null;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** A fresh name, letters and digits, for the session. */
  readonly newId: () => string;
}

/** Opens the decision log. Throws when its file or key cannot be had, with what to do. */
export function openDecisionLog(options: DecisionLogOptions): DecisionLog {
  const session = options.newId();
  const writer = options.ledger ? new LedgerWriter(options.ledger, session, options.clock) : null;
  const ring: DecisionRecord[] = [];
  const grants = new Map<string, DecidedBy>();
  let count = 0;
  let isClosed = false;

  return {
    record(entry) {
      if (isClosed) throw new Error("the decision log is closed");
      const seq = writer === null ? count + 1 : writer.nextSeq;
      const receipt = `r_${session}_${seq}` as Receipt;
      writer?.append(
        { ...withValues(entry, writer), receipt, sites: sitesOf(entry), decidedBy: decidedBy(entry, grants) },
        isActedOn(entry),
      );
      if (entry.kind === "grant") grants.set(entry.grant, grantedBy(entry.source));
      count++;
      ring.push({ seq, time: new Date(options.clock()).toISOString(), session, receipt, ...withValues(entry, null) });
      if (ring.length > RING_RECORDS) ring.shift();
      return receipt;
    },
    recent: () => [...ring],
    close() {
      if (isClosed) return;
      isClosed = true;
      writer?.close();
    },
  };
}

/** Texts of values are on disk only, and there as they may be. */
function withValues(entry: DecisionEntry, writer: LedgerWriter | null): DecisionEntry {
  if (entry.kind !== "intent" || entry.values.every(({ text }) => text === undefined)) return entry;
  const values = entry.values.map(
    ({ text, ...value }): ValueEntry =>
      text === undefined || writer === null ? value : { ...value, ...writer.shown(text) },
  );
  return { ...entry, values };
}

/**
 * What happens next happens on the strength of this record: it must be on disk. What is not, goes there with the next
 * one that is.
 */
function isActedOn(entry: DecisionEntry): boolean {
  if (entry.kind === "intent") return entry.verdict === "allow";
  return (
    entry.kind === "request" &&
    entry.verdict === "allow" &&
    (entry.digest !== undefined || !SAFE_METHODS.has(entry.method))
  );
}

function sitesOf(entry: DecisionEntry): readonly string[] | undefined {
  if (entry.kind === "intent") {
    const sites = [entry.target?.site ?? null, entry.sink?.url === undefined ? null : siteOf(entry.sink.url)];
    return [...new Set(sites.filter((site) => site !== null))];
  }
  if (entry.kind !== "request") return undefined;
  const site = siteOf(entry.url);
  return site === null ? [] : [site];
}

function decidedBy(entry: DecisionEntry, grants: ReadonlyMap<string, DecidedBy>): DecidedBy | undefined {
  switch (entry.kind) {
    case "intent":
      return "gate";
    case "request":
      if (entry.grant !== undefined) return grants.get(entry.grant) ?? "operator";
      return entry.question !== undefined && entry.verdict === "allow" ? "approver" : "gate";
    case "answer":
      return entry.by === null ? "gate" : "approver";
    case "grant":
      return grantedBy(entry.source);
    default:
      return undefined;
  }
}

function grantedBy(source: "config" | "task" | "answer" | "firstUse"): DecidedBy {
  if (source === "answer") return "approver";
  return source === "firstUse" ? "gate" : "operator";
}
