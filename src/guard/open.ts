import { mayConnect, parsePrivate } from "../gate/index.ts";
import { openDecisionLog } from "../ledger/log.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { RuleHook } from "./rule.ts";

export interface GuardSettings {
  /** Entries as the operator wrote them; a malformed one is an `Error` that names it. */
  readonly private: readonly string[];
  readonly rule?: RuleHook | undefined;
  /** Where decisions are written; null keeps them in memory. */
  readonly ledgerFile: string | null;
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
  const log = openDecisionLog({ file: settings.ledgerFile, clock: settings.clock, newId: settings.newId });
  const reach = { private: settings.private.map(parsePrivate) };
  const guard = createGuard({ reach, rule: settings.rule, log });
  return { guard, allowAddress: (address, host, port) => mayConnect(reach, address, host, port), close: () => log.close() };
}
