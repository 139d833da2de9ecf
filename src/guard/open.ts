import { randomInt } from "node:crypto";
import { callbackApprover, commandApprover, createQueue, newCode, setTimer } from "../approval/index.ts";
import {
  type EffectsSettings,
  effectsPolicy,
  type Mode,
  mayConnect,
  type ProfileName,
  profiles,
  type ReachSettings,
  reachPolicy,
  siteOf,
  underProfile,
} from "../gate/index.ts";
import { type LedgerSettings, openDecisionLog } from "../ledger/log.ts";
import type { Masking } from "../masking/masking.ts";
import type { Answer, Approver, Question, Site } from "../types.ts";
import { createGuard } from "./guard.ts";
import type { Guard } from "./monitor.ts";
import type { RuleHook } from "./rule.ts";

/** Who is asked. */
export interface ApproveSettings {
  /** `console`, `elicitation`, `terminal`, `command:…`, `none`, in the order in which they are asked. */
  readonly order: readonly string[];
  /** The program's own way, asked before all others. */
  readonly callback?: ((question: Question, signal: AbortSignal) => Promise<Pick<Answer, "answer">>) | undefined;
  /** Channels that a face has made; what is not there is passed over. */
  readonly channels?: { readonly console?: Approver | undefined; readonly terminal?: Approver | undefined } | undefined;
}

export interface GuardSettings {
  /**
   * Where requests may go, as the operator wrote it; a malformed or contradicting entry is an `Error` that names it.
   */
  readonly reach: ReachSettings;
  readonly effects?: EffectsSettings | undefined;
  /** Absent: `act`, but `read` where something private is in reach and nobody can be asked. */
  readonly mode?: Mode | undefined;
  /**
   * `observe`: what only scope, reading, lists and effects refuse or ask is recorded and let go. `strict`: every site
   * is private.
   */
  readonly profile?: ProfileName | undefined;
  readonly privateSites?: readonly Site[] | undefined;
  readonly rule?: RuleHook | undefined;
  readonly approve?: ApproveSettings | undefined;
  /** Life of a question; default 120 s. */
  readonly questionMs?: number | undefined;
  /** Where decisions are written, signed; null keeps them in memory. */
  readonly ledger: LedgerSettings | null;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** Takes secret values out of what a person is shown. */
  readonly mask?: Masking["maskAll"] | undefined;
}

export interface OpenedGuard {
  readonly guard: Guard;
  readonly mode: Mode;
  /** Whether a connection to this literal may be made for that host and port (EG-4). */
  readonly allowAddress: (address: string, host: string, port: number) => boolean;
  close(): void;
}

const QUESTION_MS = 120_000;

/** The guard of one session, with its own record and its own questions. */
export function openGuard(settings: GuardSettings): OpenedGuard {
  const { clock, newId, approve = { order: [] }, profile = "guarded" } = settings;
  const reach = reachPolicy(underProfile(settings.reach, profiles[profile]));
  const effects = effectsPolicy(settings.effects);
  const privateSites = new Set(settings.privateSites);
  const approvers = approversOf(approve);
  const hasPrivate = privateSites.size > 0 || reach.private.length > 0;
  const mode = settings.mode ?? (hasPrivate && approvers.length === 0 ? "read" : "act");
  const sessionId = newId();
  const log = openDecisionLog({ ledger: settings.ledger, clock, newId: () => sessionId });
  const queue = createQueue({ approvers, clock, setTimer });
  const guard = createGuard({
    reach,
    effects,
    mode,
    profile,
    privateSites,
    rule: settings.rule,
    task: settings.reach.task ?? "",
    log,
    queue,
    sessionId,
    questionMs: settings.questionMs ?? QUESTION_MS,
    newCode: () => newCode(randomInt),
    mask: settings.mask ?? ((texts) => texts),
    clock,
    setTimer: (work, ms) => void setTimer(work, ms),
  });
  return {
    guard,
    mode,
    allowAddress: (address, host, port) => mayConnect(guard.policy, address, host, port),
    close: () => {
      queue.close();
      log.close();
    },
  };
}

function approversOf({ order, callback, channels = {} }: ApproveSettings): readonly (Approver | "elicitation")[] {
  const named = order.flatMap((name): readonly (Approver | "elicitation")[] => {
    if (name === "elicitation") return ["elicitation"];
    if (name.startsWith("command:")) return [commandApprover(name.slice("command:".length))];
    const channel = name === "console" ? channels.console : name === "terminal" ? channels.terminal : undefined;
    return channel === undefined ? [] : [channel];
  });
  return callback === undefined ? named : [callbackApprover(callback), ...named];
}

/** The site that an address, or the domain of a cookie, belongs to. */
export function siteOfDomain(domain: string): Site | null {
  return siteOf(`http://${domain.replace(/^\./, "")}/`);
}
