import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type {
  Approver,
  CallId,
  Cause,
  Channel,
  Choice,
  ErrorCode,
  Question,
  QuestionId,
  Receipt,
  Ref,
  RequestKind,
  RuleId,
  Site,
  Verb,
  Verdict,
} from "../types.ts";

/** Records kept in memory, newest last. */
const RING_RECORDS = 1_000;
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** What was decided. Addresses come redacted; values are never here, only how long they were; and of a page's words only those of its dialogs. */
export type DecisionEntry =
  | {
      readonly kind: "intent";
      readonly call: CallId;
      readonly tool: string;
      readonly verb: Verb;
      readonly target: { readonly ref: Ref; readonly role: string; readonly site: Site | null } | null;
      readonly sink: { readonly kind: string; readonly url?: string } | null;
      readonly values: readonly { readonly channel: Channel["kind"]; readonly characters: number }[];
      readonly verdict: Verdict["verdict"];
      readonly rule: RuleId;
      readonly why: string | null;
    }
  | {
      readonly kind: "outcome";
      readonly call: CallId;
      readonly of: Receipt;
      readonly ok: boolean;
      readonly code: ErrorCode | null;
      /** Requests judged since the outcome before. */
      readonly requests: { readonly allowed: number; readonly refused: number };
    }
  | {
      readonly kind: "request";
      readonly call: CallId | null;
      readonly by: Cause["by"];
      readonly method: string;
      readonly url: string;
      readonly requestKind: RequestKind;
      readonly resourceType: string;
      readonly hop: number;
      readonly verdict: Verdict["verdict"];
      readonly rule: RuleId;
      readonly why: string | null;
      /** Of a request that changes something: SHA-256 in hex of what an answer was, or would be, bound to. */
      readonly digest?: string;
      /** The grant that let it go. */
      readonly grant?: string;
    }
  /** Something was granted: a site came into scope, or an effect is permitted. */
  | {
      readonly kind: "grant";
      readonly grant: string;
      readonly source: "config" | "task" | "answer" | "firstUse";
      readonly site: string;
      readonly question?: QuestionId;
      readonly digest?: string;
      readonly left?: number | null;
    }
  /** Somebody is asked. */
  | {
      readonly kind: "question";
      readonly question: QuestionId;
      readonly call: CallId | null;
      readonly about: Question["about"];
      readonly digest: string;
      /** SHA-256 in hex of the lines that were shown. */
      readonly shown: string;
      readonly effect: Question["effect"];
      readonly choices: readonly Choice[];
    }
  /** What came of it, and by which channel. `by` null: nobody answered, which is a no. */
  | {
      readonly kind: "answer";
      readonly question: QuestionId;
      readonly digest: string;
      readonly answer: Choice;
      readonly by: Approver["name"] | null;
      /** From the question to the answer. */
      readonly afterMs: number;
    }
  /** A page asked or told a person something, and what it got. Its words are cut and without credentials. */
  | { readonly kind: "dialog"; readonly type: string; readonly words: string; readonly answered: "dismissed" | "accepted" }
  /** A call or request that could not even be read. */
  | { readonly kind: "fault"; readonly of: "call" | "request"; readonly rule: RuleId };

export type DecisionRecord = DecisionEntry & { readonly seq: number; readonly time: string; readonly session: string; readonly receipt: Receipt };

export interface DecisionLog {
  /** Writes one record; its name comes back. Throws when it cannot be written: then nothing may happen on its strength. */
  record(entry: DecisionEntry): Receipt;
  /** The newest records, at most 1,000, oldest first. */
  recent(): readonly DecisionRecord[];
  close(): void;
}

export interface DecisionLogOptions {
  /** Where the JSON lines go; null or absent keeps them in memory only. Fixed for the log's life, no link is followed. */
  readonly file?: string | null;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** A fresh name, letters and digits, for the session. */
  readonly newId: () => string;
}

/** Opens the plain decision log. Throws when the file cannot be opened as a regular file of its own (a link, a directory, a device). */
export function openDecisionLog(options: DecisionLogOptions): DecisionLog {
  const session = options.newId();
  const descriptor = typeof options.file === "string" ? openPrivately(options.file) : null;
  const ring: DecisionRecord[] = [];
  let seq = 0;
  let isClosed = false;

  return {
    record(entry) {
      if (isClosed) throw new Error("the decision log is closed");
      const next = seq + 1;
      const receipt = `r_${session}_${next}` as Receipt;
      const record: DecisionRecord = { seq: next, time: new Date(options.clock()).toISOString(), session, receipt, ...entry };
      if (descriptor !== null) writeWhole(descriptor, `${JSON.stringify(record)}\n`);
      seq = next;
      ring.push(record);
      if (ring.length > RING_RECORDS) ring.shift();
      return receipt;
    },
    recent: () => [...ring],
    close() {
      if (isClosed) return;
      isClosed = true;
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}

function openPrivately(file: string): number {
  const path = resolve(file);
  mkdirSync(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
  // Non-blocking, so that a pipe in its place cannot hang the start.
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK, FILE_MODE);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`the decision log ${path} is not a regular file`);
    fchmodSync(descriptor, FILE_MODE);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function writeWhole(descriptor: number, line: string): void {
  const bytes = Buffer.from(line, "utf8");
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}
