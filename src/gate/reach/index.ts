/** Rule 2: where a request may go. One rule, or one family of rules, a file. */
export { reachKindOf } from "./asked.ts";
export {
  hasCredentials,
  isServiceWorkerScript,
  PLAIN_FACTS,
  type ReachFacts,
  requesterOf,
  withoutFragment,
} from "./facts.ts";
export { firstUseEntry, isFirstUse } from "./first-use.ts";
export { REACH_STEPS, type ReachSteps, reach, reachShown, reachSteps } from "./reach.ts";
export { realName } from "./risky-names.ts";
