/**
 * The guard's face, and the pure helpers that other rooms may use through it: only `guard/` imports `gate/` and
 * `ledger/`.
 */

export { processTerminal } from "../approval/index.ts";
export {
  type CanonicalResult,
  type CanonicalUrl,
  canonicalUrl,
  isPublicAddress,
  type PrivateEntry,
  parsePrivate,
  profiles,
  type ReachPolicy,
  type ReachSettings,
  redactText,
  redactUrl,
  sameSite,
  siteOf,
} from "../gate/index.ts";
export { type DecisionLog, type DecisionRecord, openDecisionLog } from "../ledger/log.ts";
export type { Waiting } from "./asking.ts";
export type { CallDecision, CallGuard, EventGuard, Guard, OperatorGuard, RequestGuard } from "./monitor.ts";
export { type ApproveSettings, type GuardSettings, type OpenedGuard, openGuard, siteOfDomain } from "./open.ts";
export { isPermit } from "./permit.ts";
export type { RuleHook, RuleRequest, Widening } from "./rule.ts";
