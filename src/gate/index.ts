/** The public face of `chaperone/gate`: pure decisions, without clock, randomness or input and output. */

export { isAskable, isHard, offersOf, RULES, type Rule, type RuleId, ruleOf } from "../rules/index.ts";
export {
  type AddressClass,
  classifyAddress,
  classifyHost,
  type HostClass,
  isAddressLiteral,
  isLocalhostName,
  type PrivateKind,
} from "./addresses.ts";
export { isPublicAddress, mayConnect } from "./connect.ts";
export { describeReach } from "./describe.ts";
export { readBody } from "./effects/body.ts";
export { decideEffect, type EffectDecision, type EffectState } from "./effects/decide.ts";
export { describeEffect, writtenHeaders } from "./effects/describe.ts";
export type { Described, EffectFacts, RequestOperation, Slot } from "./effects/facts.ts";
export { Learned } from "./effects/learned.ts";
export { isId } from "./effects/operation.ts";
export type { Operation } from "./effects/operations.ts";
export type { BodyField, BodyFile, BodyParts } from "./effects/parts.ts";
export type { PathPattern } from "./effects/path-pattern.ts";
export {
  type EffectEntry,
  type EffectsPolicy,
  type EffectsSettings,
  effectsPolicy,
  isReadLike,
  permitsEffect,
  type ReadLikeEntry,
} from "./effects/policy.ts";
export { fieldKind, lastKey } from "./effects/shape.ts";
export { isSeriousSlot, seriousVerbOf } from "./effects/signs.ts";
export { holdsPart, type TypedText } from "./effects/typed.ts";
export { allowLine, hostLine, readLikeLine, readWritten, socketLine, type Written } from "./effects/written.ts";
export { containsEntry, covers, type EntryList, entryText, parseSite, type SiteEntry } from "./entry.ts";
export { imitated, isMixedScript, type KnownName, knownNames, skeleton } from "./lookalike.ts";
export {
  ASSETS,
  type Assets,
  parseMappedName,
  REACH_KINDS,
  READINGS,
  type ReachKind,
  type ReachPolicy,
  type ReachSettings,
  type Reading,
  reachPolicy,
} from "./policy.ts";
export { isOpened, isOpenedAddress, isOpenedSite, type PrivateEntry, parsePrivate } from "./private.ts";
export {
  MODES,
  type Mode,
  modes,
  PROFILES,
  type Profile,
  type ProfileName,
  policyPage,
  profiles,
  underProfile,
} from "./profiles.ts";
export {
  firstUseEntry,
  hasCredentials,
  isFirstUse,
  isServiceWorkerScript,
  PLAIN_FACTS,
  type ReachFacts,
  type ReachSteps,
  reach,
  reachKindOf,
  reachShown,
  reachSteps,
  realName,
  requesterOf,
  withoutFragment,
} from "./reach/index.ts";
export { isCredentialName, REDACTED, redactText, redactUrl } from "./redact.ts";
export { listedHosts, type Sensitive, sensitive } from "./sensitive.ts";
export { SENSITIVE_CLASSES, SENSITIVE_SITES, SENSITIVE_WORDS, type SensitiveClass } from "./sensitive-sites.ts";
export {
  type CanonicalResult,
  type CanonicalUrl,
  canonicalUrl,
  hostMatches,
  portOf,
  sameSite,
  siteOf,
  siteOfHost,
} from "./sites.ts";
export { sitesOfText, type TaskSites } from "./task.ts";
export { allow, first, type RefusalWords, refuse, refuseBy } from "./verdict.ts";
