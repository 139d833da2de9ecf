import {
  allow,
  canonicalUrl,
  describeReach,
  entryText,
  firstUseEntry,
  isFirstUse,
  isHard,
  PLAIN_FACTS,
  type ReachPolicy,
  reach,
  reachPolicy,
  redactText,
  redactUrl,
  refuse,
  type SiteEntry,
  sitesOfText,
} from "../gate/index.ts";
import type { DecisionEntry, DecisionLog } from "../ledger/log.ts";
import type { BrowserEvent, CallId, ErrorCode, Intent, Permit, Receipt, Refuse, RequestFacts, RuleId, Verdict } from "../types.ts";
import { Grants } from "./grants.ts";
import { type Charter, charterOf, judgeIntent, judgePlace, judgeRequest, judgeShown, type Rules } from "./judge.ts";
import { isPermit, issuePermit, spend } from "./permit.ts";
import type { RuleHook } from "./rule.ts";

/** Calls whose requests may still come after their end (a slow navigation). */
const REMEMBERED_CALLS = 256;
/** A page can cause refusals without end: beyond this many, only counts are written. */
const MAX_PAGE_REQUEST_RECORDS = 5_000;
const MAX_METHOD_CHARS = 40;
/** A page can open dialogs without end. */
const MAX_DIALOG_RECORDS = 500;
const MAX_DIALOG_CHARS = 200;
/** Hosts that came over https. Beyond that many the oldest is forgotten. */
const MAX_SECURE_HOSTS = 2_000;

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export interface GuardOptions {
  /** What is absent is as in `reachPolicy()`. */
  readonly reach: Partial<ReachPolicy>;
  /** Default `guarded`. */
  readonly profile?: "observe" | "guarded" | undefined;
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
  /** Whether a connection may go there at all, whatever asks; a socket only to a site in scope. `host` as a proxy is asked for it. */
  mayConnect(host: string, port: number, scheme: "http" | "https" | "ws" | "wss"): boolean;
  /** Puts the sites that an operator's further words name into scope. What went wrong leaves the scope as it was. */
  addOperatorText(text: string): void;
  /** Writes down what of the browser's events belongs into the record. A subscriber of the event stream; never throws. */
  saw(event: BrowserEvent): void;
  /** What is enforced of reach, in a few lines for the model. */
  describe(): readonly string[];
}

/** A verdict, and the site that it puts into scope. */
interface Judged {
  readonly verdict: Verdict;
  readonly grants: SiteEntry | null;
}

export function createGuard(options: GuardOptions): Guard {
  const grants = new Grants({ ...reachPolicy(), ...options.reach });
  const isObserving = options.profile === "observe";
  const secureHosts = new Set<string>();
  const wasSecure = (host: string): boolean => secureHosts.has(host);
  const rulesWith = (policy: ReachPolicy): Rules => ({ reach: policy, rule: options.rule ?? null, wasSecure });
  let rules = rulesWith(grants.policy);
  /** A page was shown, so that what follows may be its wish. */
  let hasRead = false;
  const charters = new Map<CallId, Charter>();
  const open = new WeakMap<Permit, Receipt>();
  let counts = { allowed: 0, refused: 0 };
  let pageRecords = 0;
  let dialogRecords = 0;
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

  const grant = (source: "task" | "firstUse", entry: SiteEntry): Receipt | null => {
    const { id } = grants.add(source, entry);
    rules = rulesWith(grants.policy);
    return record({ kind: "grant", grant: id, source, site: entryText(entry) });
  };

  /** OS-1: the site of the first navigation, before anything was read, may come into scope; null where this is none. */
  const firstUse = (url: string, judge: (rules: Rules) => Verdict): Judged | null => {
    if (hasRead || !isFirstUse(grants.policy, reach(grants.policy, { ...PLAIN_FACTS, url }))) return null;
    const entry = firstUseEntry(grants.policy, url);
    if (entry === null) return null;
    const verdict = judge(rulesWith(grants.with(entry)));
    return verdict.verdict === "allow" ? { verdict: allow("reach.firstUse"), grants: entry } : { verdict, grants: null };
  };

  const isWatchedOnly = (verdict: Verdict): boolean => isObserving && verdict.verdict === "refuse" && !isHard(verdict);

  const judgeCall = (intent: Intent): Judged => {
    const { sink } = intent;
    const isAddress = intent.verb === "go" && sink?.kind === "url" && intent.element === null;
    return (isAddress ? firstUse(sink.url, (under) => judgeIntent(under, intent)) : null) ?? { verdict: judgeIntent(rules, intent), grants: null };
  };

  const judgeFacts = (facts: RequestFacts, charter: Charter | null): Verdict => {
    // The operator's own code has no call that named its address.
    if (facts.cause.by === "code" && facts.kind === "navigation" && facts.hop === 0) {
      const used = firstUse(facts.url, (under) => judgeRequest(under, facts, charter));
      if (used !== null) {
        hasRead = true;
        return used.grants !== null && grant("firstUse", used.grants) === null ? unwritten() : used.verdict;
      }
    }
    return judgeRequest(rules, facts, charter);
  };

  const noteSecure = (url: string): void => {
    const place = canonicalUrl(url);
    if (!place.ok || place.url.protocol !== "https:") return;
    secureHosts.add(place.host);
    const [oldest] = secureHosts;
    if (secureHosts.size > MAX_SECURE_HOSTS && oldest !== undefined) secureHosts.delete(oldest);
  };

  const judgeAndCount = (facts: RequestFacts): { readonly verdict: Verdict; readonly entry: DecisionEntry | null } => {
    try {
      const call = facts.cause.by === "call" ? facts.cause.call : null;
      const judged = judgeFacts(facts, call === null ? null : (charters.get(call) ?? null));
      const verdict = isWatchedOnly(judged) ? allow(judged.rule) : judged;
      const isAgentsOwn = call !== null && !SAFE_METHODS.has(facts.method);
      const isRecorded = isAgentsOwn || (judged.verdict === "refuse" && pageRecords < MAX_PAGE_REQUEST_RECORDS);
      if (isRecorded && !isAgentsOwn) pageRecords++;
      return { verdict, entry: isRecorded ? requestEntry(facts, call, verdict, whyOf(judged)) : null };
    } catch {
      return { verdict: fault(), entry: { kind: "fault", of: "request", rule: "guard.error" } };
    }
  };

  return {
    call(intent) {
      let verdict: Verdict;
      let entry: DecisionEntry;
      let charter: Charter;
      let granted: SiteEntry | null;
      try {
        const judged = judgeCall(intent);
        granted = judged.grants;
        verdict = isWatchedOnly(judged.verdict) ? allow(judged.verdict.rule) : judged.verdict;
        entry = intentEntry(intent, verdict, whyOf(judged.verdict));
        charter = charterOf(rules, intent);
      } catch {
        const receipt = record({ kind: "fault", of: "call", rule: "guard.error" });
        return { refused: fault(), receipt };
      }
      const receipt = record(entry);
      if (receipt === null) return { refused: unwritten(), receipt };
      if (verdict.verdict !== "allow") return { refused: verdict, receipt };
      if (granted !== null && grant("firstUse", granted) === null) return { refused: unwritten(), receipt };
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
        const judged = judgeShown(rules, url, place);
        const verdict = isWatchedOnly(judged) ? allow(judged.rule) : judged;
        if (verdict.verdict === "allow" && verdict.rule !== "reach.scheme") {
          hasRead = true;
          noteSecure(url);
        }
        return verdict;
      } catch {
        return fault();
      }
    },

    mayConnect(host, port, scheme) {
      try {
        const authority = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
        return judgePlace(rules, `${scheme}://${authority}:${port}/`, scheme === "ws" || scheme === "wss");
      } catch {
        return false;
      }
    },

    saw(event) {
      if (event.kind !== "dialog" || dialogRecords >= MAX_DIALOG_RECORDS) return;
      dialogRecords++;
      record({ kind: "dialog", type: event.type, words: redactText(event.message.slice(0, MAX_DIALOG_CHARS)), answered: event.answered });
    },

    addOperatorText(text) {
      try {
        for (const entry of sitesOfText(text, grants.policy.subdomains).sites) grant("task", entry);
      } catch {
        record({ kind: "fault", of: "call", rule: "guard.error" });
      }
    },

    describe: () => describeReach(grants.policy, isObserving),
  };
}

/** A form is filled field by field, under one judgement. */
function actsOf({ sink }: Intent): number {
  return sink?.kind === "fields" ? sink.fields.length + (sink.submit ? 1 : 0) : 1;
}

function intentEntry(intent: Intent, verdict: Verdict, why: string | null): DecisionEntry {
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
    why,
  };
}

function requestEntry(facts: RequestFacts, call: CallId | null, verdict: Verdict, why: string | null): DecisionEntry {
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
    why,
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
