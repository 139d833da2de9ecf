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

/**
 * A value that goes into a page: where from, how long, and what, as a digest that only the holder of the key can
 * compare, or in full where the operator keeps values.
 */
export interface ValueEntry {
  readonly channel: Channel["kind"];
  readonly characters: number;
  /** Never that of a secret. The log keeps it only where it was told to, and on disk only. */
  readonly text?: string;
  readonly digest?: string;
}

/** What was decided. Addresses come redacted; of a page's words only those of its dialogs are here. */
export type DecisionEntry =
  | {
      readonly kind: "intent";
      readonly call: CallId;
      readonly tool: string;
      readonly verb: Verb;
      readonly target: { readonly ref: Ref; readonly role: string; readonly site: Site | null } | null;
      readonly sink: { readonly kind: string; readonly url?: string } | null;
      readonly values: readonly ValueEntry[];
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
      /** The question whose answer let it go, or not. Each of its requests goes once at most. */
      readonly question?: QuestionId;
    }
  /** Something was granted: a site came into scope, or an effect is permitted. */
  | {
      readonly kind: "grant";
      readonly grant: string;
      /** What it lets happen: the kinds of guard/grants.ts. */
      readonly permits?: string;
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
      /** Of each request that waits for the answer: its own digest; empty where none does. */
      readonly requests: readonly string[];
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
  | {
      readonly kind: "dialog";
      readonly type: string;
      readonly words: string;
      readonly answered: "dismissed" | "accepted";
    }
  /** A call or request that could not even be read. */
  | { readonly kind: "fault"; readonly of: "call" | "request"; readonly rule: RuleId }
  /** A browser runs: its version, known only now. */
  | { readonly kind: "browser"; readonly version: string };

/**
 * Who has the last word in a decision: our rules, the operator's configuration or words, somebody who was asked, the
 * judge.
 */
export type DecidedBy = "gate" | "operator" | "approver" | "judge";

export type DecisionRecord = DecisionEntry & {
  readonly seq: number;
  readonly time: string;
  readonly session: string;
  readonly receipt: Receipt;
};
