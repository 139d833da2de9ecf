import { parsePrivate } from "../gate/index.ts";
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

/** The guard of one session, with its own record. */
export function openGuard(settings: GuardSettings): { readonly guard: Guard; close(): void } {
  const log = openDecisionLog({ file: settings.ledgerFile, clock: settings.clock, newId: settings.newId });
  const guard = createGuard({ reach: { private: settings.private.map(parsePrivate) }, rule: settings.rule, log });
  return { guard, close: () => log.close() };
}
