import { LRUCache } from "lru-cache";
import type { Queue } from "../approval/queue.ts";
import {
  allow,
  describeReach,
  type EffectsPolicy,
  entryText,
  type Mode,
  modes,
  type ProfileName,
  profiles,
  type ReachPolicy,
  redactText,
  siteOf as siteOfAddress,
  sitesOfText,
} from "../gate/index.ts";
import type { DecisionEntry, DecisionLog } from "../ledger/log.ts";
import { masked } from "../masking/masked.ts";
import type { Masking } from "../masking/masking.ts";
import { isHard } from "../rules/index.ts";
import type {
  Approver,
  BrowserEvent,
  CallId,
  ErrorCode,
  Intent,
  Permit,
  QuestionId,
  Receipt,
  Refuse,
  RequestFacts,
  Site,
  Verdict,
} from "../types.ts";
import { Asking, type Waiting } from "./asking.ts";
import { asksForUnsafe, Effects, type EffectVerdict } from "./effects.ts";
import { grantEntry, intentEntry, lineOf, requestEntry } from "./entries.ts";
import { type Grant, Grants } from "./grants.ts";
import { Inputs } from "./inputs.ts";
import { type Charter, charterOf, judgeShown } from "./judge.ts";
import { isPermit, issuePermit, spend } from "./permit.ts";
import { ReachDesk, wayOfCall } from "./reach-desk.ts";
import { afterNo, fault, socketWhileReading, unansweredSocket, unwritten } from "./refusals.ts";
import type { RuleHook } from "./rule.ts";
import { SiteFacts } from "./site-facts.ts";
import { Typed } from "./typed.ts";

/** Calls whose requests may still come after their end (a slow navigation). */
const REMEMBERED_CALLS = 256;
/** A page can cause refusals without end: beyond this many, only counts are written. */
const MAX_PAGE_REQUEST_RECORDS = 5_000;
/** A page can open dialogs without end. */
const MAX_DIALOG_RECORDS = 500;
const MAX_DIALOG_CHARS = 200;

/** For whoever watches. */
const RECENT_LINES = 20;

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export interface GuardOptions {
  /** What counts, whole: see `reachPolicy()`. */
  readonly reach: ReachPolicy;
  readonly effects: EffectsPolicy;
  readonly mode: Mode;
  readonly profile: ProfileName;
  /** Sites that hold something of a person, beside those that the operator opened as private. */
  readonly privateSites: ReadonlySet<Site>;
  readonly rule?: RuleHook | undefined;
  /** The operator's words. */
  readonly task: string;
  readonly log: DecisionLog;
  readonly queue: Queue;
  readonly sessionId: string;
  /** Life of a question. */
  readonly questionMs: number;
  /** Takes secret values out of what a person is shown. */
  readonly mask: Masking["maskAll"];
  readonly newCode: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly setTimer: (work: () => void, ms: number) => void;
}

export type CallDecision =
  /** `isInput`: what comes of it may be its doing. */
  | { readonly permit: Permit; readonly isInput: boolean }
  /** Somebody is asked first; then the same call comes again, with `isAnswered`. */
  | { readonly waiting: Waiting }
  /** `receipt` is null only when the record could not be written. */
  | { readonly refused: Refuse; readonly receipt: Receipt | null };

/** How a call is made. */
export interface CallTerms {
  /** The face's own channel for what this call asks. */
  readonly approver?: Approver | undefined;
  /** The first call of the batch that it is a part of: they are one input. */
  readonly group?: CallId | null;
  /** Somebody was asked about it already. */
  readonly isAnswered?: boolean;
}

/**
 * The reference monitor: every call and every request asks it. Total: whatever goes wrong inside is a refusal, nothing
 * throws.
 */
export interface Guard {
  /** Decides a call and writes the decision down before it is acted on. */
  call(intent: Intent, terms?: CallTerms): CallDecision;
  /** All that a call causes is there: asks about what is held of it; null when nothing is. */
  asks(call: CallId): Waiting | null;
  /** Whether something of it is held that nobody was asked about yet. */
  holds(call: CallId): boolean;
  /** The call is given up: what is held of it is refused. */
  drop(call: CallId): void;
  /** Questions about held requests that wait for an answer, oldest first. */
  open(): readonly Waiting[];
  /** A question of this session; its answer is null as long as it waits. */
  question(id: QuestionId): ReturnType<Asking["find"]>;
  /**
   * Writes down how the permitted act ended, and makes the permit worthless. Null for a permit that is not ours or has
   * ended already.
   */
  outcome(permit: Permit, outcome: { readonly ok: boolean; readonly code?: ErrorCode | undefined }): Receipt | null;
  /**
   * Decides a request, or one redirect hop of it, before its first byte leaves. A promise where somebody is asked: then
   * `onHold` is called first.
   */
  request(facts: RequestFacts, onHold?: () => void): Verdict | Promise<Verdict>;
  /** What became of an allowed request. */
  released(facts: RequestFacts, sent: boolean): void;
  /** An allowed request is refused all the same: its name leads nowhere, or to where nothing may go. */
  overruled(facts: RequestFacts, refusal: Refuse): void;
  /** Decides whether a committed document may be shown to the model. */
  show(url: string, place?: "main" | "frame"): Verdict;
  /** Puts the sites that an operator's further words name into scope. What went wrong leaves the scope as it was. */
  addOperatorText(text: string): void;
  /** A page of that site offers to sign out: somebody is signed in there. */
  noticed(site: Site | null): void;
  /** A server answered that it has made something. `location`: of the answer, absolute. */
  made(url: string, location: string | null): void;
  /**
   * Writes down what of the browser's events belongs into the record. A subscriber of the event stream; never throws.
   */
  saw(event: BrowserEvent): void;
  /** What is enforced of reach, in a few lines for the model. */
  describe(): readonly string[];
  /** The policy of reach with all that was granted. */
  readonly policy: ReachPolicy;
  /** What was decided last, a line each, oldest first. */
  recent(): readonly string[];
  /** Sites in scope, as an operator would write them. */
  scope(): readonly string[];
}

export function createGuard(options: GuardOptions): Guard {
  const { mode, sessionId, clock, setTimer, queue, log } = options;
  const { choices, everySiteIsPrivate } = profiles[options.profile];
  const isObserving = choices === "recorded";
  let words = options.task;
  const grants = new Grants(options.reach, options.effects.allow);
  const charters = new LRUCache<CallId, Charter>({ max: REMEMBERED_CALLS });
  const open = new WeakMap<Permit, Receipt>();
  let counts = { allowed: 0, refused: 0 };
  let pageRecords = 0;
  let dialogRecords = 0;
  let isLogBroken = false;

  const record = (entry: DecisionEntry): Receipt | null => {
    if (isLogBroken) return null;
    try {
      return log.record(masked(entry, options.mask));
    } catch {
      isLogBroken = true;
      return null;
    }
  };
  const recordGrant = (grant: Grant, waiting: Waiting | null): boolean => record(grantEntry(grant, waiting)) !== null;
  // What a request names as its ground must stand in the record before it.
  for (const grant of grants.all()) if (grant.permits.kind === "effect") recordGrant(grant, null);

  const asking = new Asking({
    queue,
    record,
    clock,
    questionMs: options.questionMs,
    newCode: options.newCode,
    mask: options.mask,
  });
  const desk = new ReachDesk({ grants, rule: options.rule ?? null, asking, sessionId, recordGrant });
  const inputs = new Inputs(clock);
  const isOperators = (text: string): boolean => words.includes(text);
  const typed = new Typed(isOperators);
  const sites = new SiteFacts({ policy: () => grants.policy, privateSites: options.privateSites, everySiteIsPrivate });
  const effects = new Effects({
    policy: options.effects,
    mode,
    isStrict: options.profile === "strict",
    isObserving,
    sessionId,
    inputs,
    sites,
    typed,
    asking,
    grants,
    isOperators,
    recordGrant,
    clock,
    setTimer,
  });

  /** A pointer that hovers and a page that scrolls are inputs where something of a person's is. */
  const isInput = (intent: Intent): boolean => {
    if (intent.verb === "look") return false;
    return intent.verb !== "point" || sitesOf(intent).some((site) => sites.isPrivate(site));
  };

  const isWatchedOnly = (verdict: Verdict): boolean =>
    isObserving &&
    verdict.verdict === "refuse" &&
    !isHard(verdict.rule) &&
    (mode === "act" || !verdict.rule.startsWith("effects."));

  /** Reach alone, with the site that a first use of the operator's own code puts into scope. */
  const reached = (facts: RequestFacts): Verdict => {
    const call = facts.cause.by === "call" ? facts.cause.call : null;
    const { verdict, grants: used } = desk.judgeFacts(facts, call === null ? null : (charters.get(call) ?? null));
    return used !== null && !desk.grant("firstUse", { kind: "reach", entry: used }) ? unwritten() : verdict;
  };

  /** Somebody may be asked about a main navigation that follows from what the agent did. */
  const askedAtWire = (facts: RequestFacts, refused: Refuse): Waiting | null => {
    const call = facts.input ?? (facts.cause.by === "call" ? facts.cause.call : null);
    if (call === null || facts.kind !== "navigation" || !SAFE_METHODS.has(facts.method)) return null;
    const input = inputs.of(call);
    const { hop, redirectedFrom, from } = facts;
    const way =
      hop > 0
        ? ({ by: "redirect", site: siteOf(redirectedFrom) } as const)
        : ({ by: "page", site: siteOf(from.documentUrl) } as const);
    return desk.ask(refused, facts.url, facts.kind, {
      call,
      approver: input?.approver,
      reason: input?.reason ?? null,
      way,
    });
  };

  const withEffects = (
    facts: RequestFacts,
    reach: Verdict,
    onHold: () => void,
  ): EffectVerdict | Promise<EffectVerdict> => {
    if (reach.verdict === "refuse")
      return { verdict: quietly(facts, reach), digest: null, grant: null, question: null };
    if (facts.kind === "socket" && !modes[mode].sockets)
      return { verdict: socketWhileReading(), digest: null, grant: null, question: null };
    return effects.decide(facts, reach.rule, onHold);
  };

  const judge = (facts: RequestFacts, onHold: () => void): EffectVerdict | Promise<EffectVerdict> => {
    const reach = reached(facts);
    const waiting = reach.verdict === "refuse" && !isWatchedOnly(reach) ? askedAtWire(facts, reach) : null;
    if (waiting === null || reach.verdict !== "refuse") return withEffects(facts, reach, onHold);
    onHold();
    return waiting.answered.then((choice) =>
      withEffects(facts, choice === "no" ? afterNo(reach) : reached(facts), onHold),
    );
  };

  /** Writes a verdict down where it belongs into the record; what could not be written does not happen. */
  const settle = (facts: RequestFacts, judged: EffectVerdict): Verdict => {
    const call = facts.cause.by === "call" ? facts.cause.call : (facts.input ?? null);
    const verdict = isWatchedOnly(judged.verdict) ? allow(judged.verdict.rule) : judged.verdict;
    const isEffect = judged.digest !== null || (call !== null && !SAFE_METHODS.has(facts.method));
    const isRecorded = isEffect || (judged.verdict.verdict === "refuse" && pageRecords < MAX_PAGE_REQUEST_RECORDS);
    if (isRecorded && !isEffect) pageRecords++;
    const isWritten = isRecorded
      ? record(requestEntry(facts, call, verdict, whyOf(judged.verdict), judged)) !== null
      : !isLogBroken;
    const final = isWritten || verdict.verdict === "refuse" ? asAnswered(facts, verdict) : unwritten();
    if (final.verdict === "allow") counts.allowed++;
    else counts.refused++;
    return final;
  };

  const broken = (facts: RequestFacts | null): Verdict => {
    record({ kind: "fault", of: facts === null ? "call" : "request", rule: "guard.error" });
    counts.refused++;
    return fault();
  };

  return {
    get policy() {
      return grants.policy;
    },

    recent: () => log.recent().slice(-RECENT_LINES).map(lineOf),

    scope: () => grants.policy.scope.map(entryText),

    call(intent, terms = {}) {
      let verdict: Verdict;
      let entry: DecisionEntry;
      let charter: Charter;
      let used: ReturnType<typeof desk.judgeCall>["grants"];
      try {
        const judged = desk.judgeCall(intent);
        used = judged.grants;
        verdict = isWatchedOnly(judged.verdict) ? allow(judged.verdict.rule) : judged.verdict;
        if (verdict.verdict === "refuse" && intent.sink?.kind !== "dialog") {
          const address = intent.sink?.kind === "url" ? intent.sink.url : (intent.element?.href ?? null);
          const about = {
            call: intent.call,
            approver: terms.approver,
            reason: intent.reason ?? null,
            way: wayOfCall(intent),
          };
          const waiting =
            address === null || terms.isAnswered === true ? null : desk.ask(verdict, address, "navigation", about);
          if (waiting !== null) return { waiting };
          if (terms.isAnswered === true) verdict = afterNo(verdict);
        }
        if (verdict.verdict === "allow" && isInput(intent)) {
          const socket = effects.socketsBefore(intent, terms.approver);
          if (socket !== null && terms.isAnswered !== true && "question" in socket) return { waiting: socket };
          if (socket !== null) verdict = "question" in socket ? unansweredSocket(null, null) : socket;
        }
        entry = intentEntry(intent, verdict, whyOf(judged.verdict));
        charter = charterOf(desk.rules, intent);
      } catch {
        const receipt = record({ kind: "fault", of: "call", rule: "guard.error" });
        return { refused: fault(), receipt };
      }
      const receipt = record(entry);
      if (receipt === null) return { refused: unwritten(), receipt };
      if (verdict.verdict !== "allow") return { refused: verdict, receipt };
      if (used !== null && !desk.grant("firstUse", { kind: "reach", entry: used }))
        return { refused: unwritten(), receipt };
      charters.set(intent.call, charter);
      if (isInput(intent)) {
        inputs.begin(intent, terms.approver, terms.group ?? null);
        // An address is judged by what it is, when it is asked for.
        if (intent.verb !== "go") for (const site of sitesOf(intent)) sites.touch(site);
        else if (intent.element !== null) sites.touch(intent.element.site);
      } else inputs.heard(terms.approver);
      typed.note(intent);
      const permit = issuePermit(intent.call, receipt, actsOf(intent));
      open.set(permit, receipt);
      return { permit, isInput: isInput(intent) };
    },

    asks: (call) => effects.asks(call),
    holds: (call) => (inputs.of(call)?.held.length ?? 0) > 0,
    drop: (call) => effects.drop(call),
    open: () => asking.open().filter(({ question }) => question.about === "effect"),
    question: (id) => asking.find(id),

    outcome(permit, outcome) {
      const of = isPermit(permit) ? open.get(permit) : undefined;
      if (of === undefined) return null;
      open.delete(permit);
      spend(permit);
      const requests = counts;
      counts = { allowed: 0, refused: 0 };
      return record({ kind: "outcome", call: permit.call, of, ok: outcome.ok, code: outcome.code ?? null, requests });
    },

    request(facts, onHold = () => {}) {
      try {
        const judged = judge(facts, onHold);
        if (!(judged instanceof Promise)) return settle(facts, judged);
        return judged.then((late) => settle(facts, late)).catch(() => broken(facts));
      } catch {
        return broken(facts);
      }
    },

    released(facts, sent) {
      try {
        effects.released(facts, sent);
      } catch {
        record({ kind: "fault", of: "request", rule: "guard.error" });
      }
    },

    overruled(facts, refusal) {
      try {
        // No profile lets it go: there is no connection.
        counts.allowed = Math.max(0, counts.allowed - 1);
        counts.refused++;
        if (pageRecords++ >= MAX_PAGE_REQUEST_RECORDS) return;
        const call = facts.cause.by === "call" ? facts.cause.call : (facts.input ?? null);
        record(
          requestEntry(facts, call, refusal, whyOf(refusal), {
            verdict: refusal,
            digest: null,
            grant: null,
            question: null,
          }),
        );
      } catch {
        record({ kind: "fault", of: "request", rule: "guard.error" });
      }
    },

    show(url, place = "main") {
      try {
        const judged = judgeShown(desk.rules, url, place);
        const verdict = isWatchedOnly(judged) ? allow(judged.rule) : judged;
        if (verdict.verdict === "allow" && verdict.rule !== "reach.scheme") desk.shown(url);
        return verdict;
      } catch {
        return fault();
      }
    },

    noticed(site) {
      sites.makePrivate(site, "signOut");
    },

    made(url, location) {
      effects.made(url, location);
    },

    saw(event) {
      if (event.kind === "browser_started") record({ kind: "browser", version: event.reason });
      if (event.kind !== "dialog" || dialogRecords >= MAX_DIALOG_RECORDS) return;
      dialogRecords++;
      record({
        kind: "dialog",
        type: event.type,
        words: redactText(event.message.slice(0, MAX_DIALOG_CHARS)),
        answered: event.answered,
      });
    },

    addOperatorText(text) {
      try {
        for (const entry of sitesOfText(text, grants.policy.subdomains).sites)
          desk.grant("task", { kind: "reach", entry });
        words += `\n${text}`;
        asking.operatorSpoke();
        effects.newTask();
      } catch {
        record({ kind: "fault", of: "call", rule: "guard.error" });
      }
    },

    describe: () => describeReach(grants.policy, isObserving),
  };
}

/** Where an input goes: to the element's site, else to every document of the tab, else nobody knows. */
function sitesOf({ element, sites }: Intent): readonly (Site | null)[] {
  return element === null ? (sites ?? [null]) : [element.site];
}

/** A form is filled field by field, under one judgement. */
function actsOf({ sink }: Intent): number {
  return sink?.kind === "fields" ? sink.fields.length + (sink.submit ? 1 : 0) : 1;
}

/**
 * What the page can read must not look like a success: it fails. Only what nobody reads (beacons, reports, documents,
 * requests without an answer that scripts may see) is answered as if it had arrived.
 */
function asAnswered(facts: RequestFacts, verdict: Verdict): Verdict {
  if (verdict.verdict === "allow" || verdict.quiet !== true || !isReadable(facts)) return verdict;
  const { quiet: _, ...refusal } = verdict;
  return { ...refusal, aside: true };
}

/**
 * Scripts read answers of their own origin. Of another one they may only what it shares, and an answer that shares
 * nothing fails for whoever wants to read it.
 */
function isReadable({ resourceType, kind, headers, url }: RequestFacts): boolean {
  if (kind !== "data" || resourceType === "Ping" || resourceType === "CSPViolationReport") return false;
  const origin = Object.entries(headers).find(([name]) => name.toLowerCase() === "origin")?.[1];
  return origin === undefined || !URL.canParse(url) || new URL(url).origin === origin;
}

/** A page's own report to a place out of reach: nobody reads its answer. */
function quietly(facts: RequestFacts, refused: Refuse): Refuse {
  const isTelling = facts.kind === "data" && (!SAFE_METHODS.has(facts.method) || asksForUnsafe(facts));
  return isTelling ? { ...refused, quiet: true } : refused;
}

function siteOf(url: string | null): Site | null {
  return url === null ? null : siteOfAddress(url);
}

function whyOf(verdict: Verdict): string | null {
  return verdict.verdict === "refuse" ? verdict.reason : null;
}
