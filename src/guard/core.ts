import { LRUCache } from "lru-cache";
import type { Queue } from "../approval/queue.ts";
import { type EffectsPolicy, type Mode, type ProfileName, profiles, type ReachPolicy } from "../gate/index.ts";
import type { DecisionEntry, DecisionLog } from "../ledger/log.ts";
import { masked } from "../masking/masked.ts";
import type { Masking } from "../masking/masking.ts";
import { isHard } from "../rules/index.ts";
import type { CallId, Receipt, Site, Verdict } from "../types.ts";
import { Asking, type Waiting } from "./asking.ts";
import { Effects } from "./effects.ts";
import { grantEntry } from "./entries.ts";
import { type Grant, Grants } from "./grants.ts";
import { Inputs } from "./inputs.ts";
import type { Charter } from "./judge.ts";
import { ReachDesk } from "./reach-desk.ts";
import type { RuleHook } from "./rule.ts";
import { SiteFacts } from "./site-facts.ts";
import { Typed } from "./typed.ts";

/** Calls whose requests may still come after their end (a slow navigation). */
const REMEMBERED_CALLS = 256;

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

/** What the parts of the monitor share: the record, the rules, what is known of sites and inputs. */
export class Core {
  readonly options: GuardOptions;
  readonly grants: Grants;
  readonly asking: Asking;
  readonly desk: ReachDesk;
  readonly inputs: Inputs;
  readonly typed: Typed;
  readonly sites: SiteFacts;
  readonly effects: Effects;
  readonly charters = new LRUCache<CallId, Charter>({ max: REMEMBERED_CALLS });
  /** The profile writes down what it would refuse, and lets it go. */
  readonly isObserving: boolean;
  /** Requests since the last outcome. */
  counts = { allowed: 0, refused: 0 };
  #words: string;
  #isLogBroken = false;

  constructor(options: GuardOptions) {
    const { clock, setTimer, mode, sessionId } = options;
    const { choices, everySiteIsPrivate } = profiles[options.profile];
    this.options = options;
    this.#words = options.task;
    this.isObserving = choices === "recorded";
    this.grants = new Grants(options.reach, options.effects.allow);
    const record = (entry: DecisionEntry): Receipt | null => this.record(entry);
    const recordGrant = (grant: Grant, waiting: Waiting | null): boolean => record(grantEntry(grant, waiting)) !== null;
    // What a request names as its ground must stand in the record before it.
    for (const grant of this.grants.all()) if (grant.permits.kind === "effect") recordGrant(grant, null);
    this.asking = new Asking({
      queue: options.queue,
      record,
      clock,
      questionMs: options.questionMs,
      newCode: options.newCode,
      mask: options.mask,
    });
    const { grants, asking } = this;
    this.desk = new ReachDesk({ grants, rule: options.rule ?? null, asking, sessionId, recordGrant });
    this.inputs = new Inputs(clock);
    const isOperators = (text: string): boolean => this.#words.includes(text);
    this.typed = new Typed(isOperators);
    this.sites = new SiteFacts({
      policy: () => grants.policy,
      privateSites: options.privateSites,
      everySiteIsPrivate,
    });
    this.effects = new Effects({
      policy: options.effects,
      mode,
      isStrict: options.profile === "strict",
      isObserving: this.isObserving,
      sessionId,
      inputs: this.inputs,
      sites: this.sites,
      typed: this.typed,
      asking,
      grants,
      isOperators,
      recordGrant,
      clock,
      setTimer,
    });
  }

  /** Once the record could not be written, nothing is allowed any more. */
  get isLogBroken(): boolean {
    return this.#isLogBroken;
  }

  /** Null when it could not be written. */
  record(entry: DecisionEntry): Receipt | null {
    if (this.#isLogBroken) return null;
    try {
      return this.options.log.record(masked(entry, this.options.mask));
    } catch {
      this.#isLogBroken = true;
      return null;
    }
  }

  fault(of: "call" | "request"): Receipt | null {
    return this.record({ kind: "fault", of, rule: "guard.error" });
  }

  operatorSaid(text: string): void {
    this.#words += `\n${text}`;
    this.asking.operatorSpoke();
    this.effects.newTask();
  }

  /** The profile records this refusal and lets it go. */
  isWatchedOnly(verdict: Verdict): boolean {
    return (
      this.isObserving &&
      verdict.verdict === "refuse" &&
      !isHard(verdict.rule) &&
      (this.options.mode === "act" || !verdict.rule.startsWith("effects."))
    );
  }
}

export function whyOf(verdict: Verdict): string | null {
  return verdict.verdict === "refuse" ? verdict.reason : null;
}
