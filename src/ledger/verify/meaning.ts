import type { RuleId } from "../../types.ts";
import { CallSet } from "./calls.ts";
import type { LedgerRecord } from "./record.ts";

/** Beyond that a ledger is not checked further but refused: no session of ours comes near. */
const MAX_REMEMBERED = 100_000;
const VERDICTS: ReadonlySet<unknown> = new Set(["allow", "refuse"]);

/** An act that was decided and whose end is not written down. */
export interface OpenIntent {
  readonly seq: number;
  readonly receipt: string;
  readonly tool: string;
}

interface Asked {
  readonly digest: unknown;
  /** Digests of the requests that wait for the answer. */
  readonly requests: readonly unknown[];
  readonly choices: readonly unknown[];
  /** Null until it is answered. */
  answer: string | null;
  /** Which of its requests went. */
  readonly gone: Set<unknown>;
  /** Grants of one request each, for those that had not gone after all. */
  keptGrants: number;
}

interface Given {
  /** Null: any number. */
  left: number | null;
  readonly by: "operator" | "approver" | "gate";
}

/** By these rules a request goes only on the strength of something that is in the ledger, too. */
const RULE_OF_ANSWERS: RuleId = "effects.answer";
const RULE_OF_GRANTS: RuleId = "effects.grant";
/** A grant of one request: its page gave up while somebody was asked. */
const KEPT = "request";

/**
 * Whether what was done follows from what was decided and answered: records in their order, each said to be right or
 * why it is not.
 */
export class Meaning {
  readonly #open = new Map<string, OpenIntent & { readonly call: unknown }>();
  readonly #allowed = new CallSet();
  readonly #questions = new Map<unknown, Asked>();
  readonly #grants = new Map<unknown, Given>();
  /** Digests that somebody was asked about and nobody said yes to. */
  readonly #denied = new Set<unknown>();

  openIntents(): readonly OpenIntent[] {
    return [...this.#open.values()].map(({ seq, receipt, tool }) => ({ seq, receipt, tool }));
  }

  /** Null when it follows. */
  take(record: LedgerRecord): string | null {
    if ([this.#open, this.#questions, this.#grants, this.#denied].some(({ size }) => size > MAX_REMEMBERED))
      return "is more than can be checked";
    if (record.receipt !== `r_${record.session}_${record.seq}`) return "has the name of another record";
    switch (record.kind) {
      case "intent":
        return this.#intent(record);
      case "outcome":
        return this.#outcome(record);
      case "request":
        return this.#request(record);
      case "question":
        return this.#question(record);
      case "answer":
        return this.#answer(record);
      case "grant":
        return this.#grant(record);
      case "label":
      case "dialog":
      case "fault":
      case "browser":
        return null;
      default:
        return "is of an unknown kind";
    }
  }

  #intent(record: LedgerRecord): string | null {
    const { call, verdict, rule } = record;
    if (!VERDICTS.has(verdict) || !isNamed(rule) || !isNamed(call)) return "is an intent without a decision";
    if (verdict !== "allow") return null;
    if (!this.#allowed.add(call)) return "is more than can be checked";
    const receipt = String(record.receipt);
    this.#open.set(receipt, { seq: record.seq, receipt, tool: isNamed(record.tool) ? record.tool : "", call });
    return null;
  }

  #outcome({ of, call }: LedgerRecord): string | null {
    const intent = typeof of === "string" ? this.#open.get(of) : undefined;
    if (intent === undefined) return "tells how something ended that was not allowed, or had ended";
    if (intent.call !== call) return "tells how another call ended";
    this.#open.delete(intent.receipt);
    return null;
  }

  #request(record: LedgerRecord): string | null {
    const { verdict, rule, call, digest, grant, question } = record;
    if (!VERDICTS.has(verdict) || !isNamed(rule)) return "is a request without a decision";
    if (verdict !== "allow") return null;
    if (call !== null && !(typeof call === "string" && this.#allowed.has(call)))
      return "is a request of a call that was not allowed";
    if (grant !== undefined) return this.#byGrant(record);
    if (question !== undefined) return this.#byAnswer(record);
    if (record.decidedBy !== "gate" || rule === RULE_OF_ANSWERS || rule === RULE_OF_GRANTS)
      return "was allowed by nobody who is named";
    return digest !== undefined && this.#denied.has(digest)
      ? "was done although nobody who was asked allowed it"
      : null;
  }

  #byGrant({ grant, decidedBy }: LedgerRecord): string | null {
    const given = this.#grants.get(grant);
    if (given === undefined) return "uses a grant that was never given";
    if (given.by !== decidedBy) return "names another one as who decided";
    if (given.left === null) return null;
    if (given.left === 0) return "uses a grant more often than it says";
    given.left--;
    return null;
  }

  #byAnswer({ question, digest, decidedBy }: LedgerRecord): string | null {
    const asked = this.#questions.get(question);
    if (asked === undefined || asked.answer === null) return "was done before it was answered";
    if (asked.answer === "no") return "was done although the answer was no";
    if (decidedBy !== "approver") return "names another one as who decided";
    if (!asked.requests.includes(digest)) return "is another request than was asked about";
    if (asked.gone.has(digest)) return "uses an answer twice";
    asked.gone.add(digest);
    return null;
  }

  #question({ question, digest, requests, choices }: LedgerRecord): string | null {
    if (!isNamed(question) || !isNamed(digest) || !Array.isArray(choices) || !Array.isArray(requests))
      return "is a question that lacks something";
    if (this.#questions.has(question)) return "is a question with a name that was used";
    this.#questions.set(question, { digest, requests, choices, answer: null, gone: new Set(), keptGrants: 0 });
    for (const request of requests) this.#denied.add(request);
    return null;
  }

  #answer({ question, digest, answer, by }: LedgerRecord): string | null {
    const asked = this.#questions.get(question);
    if (asked === undefined) return "answers what was not asked";
    if (asked.digest !== digest) return "answers something else than was asked";
    if (asked.answer !== null) return "answers what was answered";
    if (typeof answer !== "string" || (answer !== "no" && !asked.choices.includes(answer)))
      return "is an answer that was not offered";
    if (answer !== "no" && !isNamed(by)) return "is a yes of nobody";
    asked.answer = answer;
    if (answer !== "no") for (const request of asked.requests) this.#denied.delete(request);
    return null;
  }

  #grant(record: LedgerRecord): string | null {
    const { grant, source, left } = record;
    if (!isNamed(grant) || this.#grants.has(grant)) return "is a grant without a name of its own";
    if (left !== undefined && left !== null && !(typeof left === "number" && Number.isSafeInteger(left) && left >= 0))
      return "is a grant that lacks something";
    const count = typeof left === "number" ? left : null;
    switch (source) {
      case "answer": {
        const problem = this.#answered(record, count);
        if (problem !== null) return problem;
        this.#grants.set(grant, { left: count, by: "approver" });
        return null;
      }
      case "firstUse":
        this.#grants.set(grant, { left: count, by: "gate" });
        return null;
      case "config":
      case "task":
        this.#grants.set(grant, { left: count, by: "operator" });
        return null;
      default:
        return "is a grant of nobody";
    }
  }

  #answered({ question, digest, permits }: LedgerRecord, left: number | null): string | null {
    const asked = this.#questions.get(question);
    if (asked === undefined || asked.answer === null) return "is a grant by an answer that was not given";
    if (asked.answer === "no") return "is a grant by an answer that was no";
    if (digest !== undefined && digest !== asked.digest) return "is a grant for something else than was asked";
    if (permits !== KEPT)
      return asked.answer === "once" && asked.requests.length > 0
        ? "is a grant for more than an answer that was for once"
        : null;
    asked.keptGrants++;
    if (left !== 1) return "is a grant for more than one request";
    return asked.keptGrants > asked.gone.size ? "uses an answer twice" : null;
  }
}

function isNamed(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
