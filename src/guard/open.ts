import { mayConnect, type ReachSettings, reachPolicy } from "../gate/index.ts";
import { type LedgerSettings, openDecisionLog } from "../ledger/log.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { RuleHook } from "./rule.ts";

export interface GuardSettings {
  /** Where requests may go, as the operator wrote it; a malformed or contradicting entry is an `Error` that names it. */
  readonly reach: ReachSettings;
  /** `observe`: what only scope, reading and lists refuse is recorded and let go. */
  readonly profile?: "observe" | "guarded" | undefined;
  readonly rule?: RuleHook | undefined;
  /** Where decisions are written, signed; null keeps them in memory. */
  readonly ledger: LedgerSettings | null;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly newId: () => string;
}

export interface OpenedGuard {
  readonly guard: Guard;
  /** Whether a connection to this literal may be made for that host and port (EG-4). */
  readonly allowAddress: (address: string, host: string, port: number) => boolean;
  close(): void;
}

/** The guard of one session, with its own record. */
export function openGuard(settings: GuardSettings): OpenedGuard {
  const reach = reachPolicy(settings.reach);
  const log = openDecisionLog({ ledger: settings.ledger, clock: settings.clock, newId: settings.newId });
  const guard = createGuard({ reach, profile: settings.profile, rule: settings.rule, log });
  return { guard, allowAddress: (address, host, port) => mayConnect(reach, address, host, port), close: () => log.close() };
}
