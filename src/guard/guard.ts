import { type ReachPolicy, redactUrl, refuse } from "../gate/index.ts";
import type { DecisionEntry, DecisionLog } from "../ledger/log.ts";
import type { CallId, ErrorCode, Intent, Permit, Receipt, Refuse, RequestFacts, RuleId, Verdict } from "../types.ts";
import { type Charter, charterOf, judgeIntent, judgeRequest, judgeShown, type Rules } from "./judge.ts";
import { isPermit, issuePermit, spend } from "./permit.ts";
import type { RuleHook } from "./rule.ts";

/** Calls whose requests may still come after their end (a slow navigation). */
const REMEMBERED_CALLS = 256;
/** A page can cause refusals without end: beyond this many, only counts are written. */
const MAX_PAGE_REQUEST_RECORDS = 5_000;
const MAX_METHOD_CHARS = 40;

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export interface GuardOptions {
  readonly reach: ReachPolicy;
  readonly rule?: RuleHook | undefined;
  readonly log: DecisionLog;
}

export type CallDecision =
  | { readonly permit: Permit }
  /** `receipt` is null only when the record could not be written. */
  | { readonly refused: Refuse; readonly receipt: Receipt | null };

/** The reference monitor: every call and every request asks it. Total: whatever goes wrong inside is a refusal, nothing throws. */
export interface Guard {
  /** Decides a call and writes the decision down before it is acted on. */
  call(intent: Intent): CallDecision;
  /** Writes down how the permitted act ended, and makes the permit worthless. Null for a permit that is not ours or has ended already. */
  outcome(permit: Permit, outcome: { readonly ok: boolean; readonly code?: ErrorCode | undefined }): Receipt | null;
  /** Decides a request, or one redirect hop of it, before its first byte leaves. */
  request(facts: RequestFacts): Verdict;
  /** Decides whether a committed document may be shown to the model. */
  show(url: string, place?: "main" | "frame"): Verdict;
}

export function createGuard(options: GuardOptions): Guard {
  const rules: Rules = { reach: options.reach, rule: options.rule ?? null };
  const charters = new Map<CallId, Charter>();
  const open = new WeakMap<Permit, Receipt>();
  let counts = { allowed: 0, refused: 0 };
  let pageRecords = 0;
  let isLogBroken = false;

  const record = (entry: DecisionEntry): Receipt | null => {
    if (isLogBroken) return null;
    try {
      return options.log.record(entry);
    } catch {
      isLogBroken = true;
      return null;
    }
  };

  const remember = (call: CallId, charter: Charter): void => {
    charters.set(call, charter);
    if (charters.size <= REMEMBERED_CALLS) return;
    const oldest = charters.keys().next().value;
    if (oldest !== undefined) charters.delete(oldest);
  };

  const judgeAndCount = (facts: RequestFacts): { readonly verdict: Verdict; readonly entry: DecisionEntry | null } => {
    try {
      const call = facts.cause.by === "call" ? facts.cause.call : null;
      const verdict = judgeRequest(rules, facts, call === null ? null : (charters.get(call) ?? null));
      const isAgentsOwn = call !== null && !SAFE_METHODS.has(facts.method);
      const isRecorded = isAgentsOwn || (verdict.verdict === "refuse" && pageRecords < MAX_PAGE_REQUEST_RECORDS);
      if (isRecorded && !isAgentsOwn) pageRecords++;
      return { verdict, entry: isRecorded ? requestEntry(facts, call, verdict) : null };
    } catch {
      return { verdict: fault(), entry: { kind: "fault", of: "request", rule: "guard.error" } };
    }
  };

  return {
    call(intent) {
      let verdict: Verdict;
      let entry: DecisionEntry;
      let charter: Charter;
      try {
        verdict = judgeIntent(rules, intent);
        entry = intentEntry(intent, verdict);
        charter = charterOf(rules, intent);
      } catch {
        const receipt = record({ kind: "fault", of: "call", rule: "guard.error" });
        return { refused: fault(), receipt };
      }
      const receipt = record(entry);
      if (receipt === null) return { refused: unwritten(), receipt };
      if (verdict.verdict !== "allow") return { refused: verdict, receipt };
      remember(intent.call, charter);
      const permit = issuePermit(intent.call, receipt, actsOf(intent));
      open.set(permit, receipt);
      return { permit };
    },

    outcome(permit, outcome) {
      const of = isPermit(permit) ? open.get(permit) : undefined;
      if (of === undefined) return null;
      open.delete(permit);
      spend(permit);
      const requests = counts;
      counts = { allowed: 0, refused: 0 };
      return record({ kind: "outcome", call: permit.call, of, ok: outcome.ok, code: outcome.code ?? null, requests });
    },

    request(facts) {
      const { verdict, entry } = judgeAndCount(facts);
      const isWritten = entry === null ? !isLogBroken : record(entry) !== null;
      const final = isWritten || verdict.verdict === "refuse" ? verdict : unwritten();
      if (final.verdict === "allow") counts.allowed++;
      else counts.refused++;
      return final;
    },

    show(url, place = "main") {
      try {
        return judgeShown(rules, url, place);
      } catch {
        return fault();
      }
    },
  };
}

/** A form is filled field by field, under one judgement. */
function actsOf({ sink }: Intent): number {
  return sink?.kind === "fields" ? sink.fields.length + (sink.submit ? 1 : 0) : 1;
}

function intentEntry(intent: Intent, verdict: Verdict): DecisionEntry {
  const { element, sink } = intent;
  return {
    kind: "intent",
    call: intent.call,
    tool: intent.tool,
    verb: intent.verb,
    target: element === null ? null : { ref: element.ref, role: element.role, site: element.site },
    sink: sink === null ? null : sink.kind === "url" ? { kind: sink.kind, url: redactUrl(sink.url) } : { kind: sink.kind },
    values: intent.values.map((value) => ({ channel: value.channel.kind, characters: value.text.length })),
    verdict: verdict.verdict,
    rule: verdict.rule,
    why: whyOf(verdict),
  };
}

function requestEntry(facts: RequestFacts, call: CallId | null, verdict: Verdict): DecisionEntry {
  return {
    kind: "request",
    call,
    by: facts.cause.by,
    // Scripts choose methods freely.
    method: facts.method.slice(0, MAX_METHOD_CHARS),
    url: redactUrl(facts.url),
    requestKind: facts.kind,
    resourceType: facts.resourceType,
    hop: facts.hop,
    verdict: verdict.verdict,
    rule: verdict.rule,
    why: whyOf(verdict),
  };
}

function whyOf(verdict: Verdict): string | null {
  return verdict.verdict === "refuse" ? verdict.reason : null;
}

function fault(): Refuse {
  return broken("guard.error", "The guard could not judge this, so it is refused.");
}

function unwritten(): Refuse {
  return broken("guard.log", "The decision could not be written down, so nothing is done any more.");
}

function broken(rule: RuleId, reason: string): Refuse {
  return refuse(rule, { reason, remedy: "Tell the operator; trying again will not help.", operator: null, site: null });
}
