import type { Verdict } from "../../types.ts";
import { imitated, isMixedScript, type KnownName, knownNames } from "../lookalike.ts";
import type { ReachPolicy } from "../policy.ts";
import { listedHosts, sensitive } from "../sensitive.ts";
import { refuseBy } from "../verdict.ts";
import { type Asked, isChoice, sameMain } from "./asked.ts";
import { mustBeNamed, toAllow } from "./words.ts";

/** Once: there are hundreds. */
const listed = knownNames(listedHosts);

/** Once for each policy: skeletons are costly, and every request asks. */
const namesOfPolicies = new WeakMap<ReachPolicy, readonly KnownName[]>();

function namedIn(policy: ReachPolicy): readonly KnownName[] {
  const known =
    namesOfPolicies.get(policy) ?? knownNames([...policy.scope, ...policy.helpers].map((entry) => entry.host));
  namesOfPolicies.set(policy, known);
  return known;
}

/**
 * The name that a host may be taken for: one that the operator named, else one of the sensitive list; null for none.
 */
export function realName(policy: ReachPolicy, host: string): string | null {
  return imitated(host, namedIn(policy), listed);
}

/** OS-8. Pictures and frames are no place that somebody takes for another. */
export function byLookalike({ policy, facts, place }: Asked): Verdict | null {
  if (!isChoice(policy, facts)) return null;
  const real = realName(policy, place.host);
  if (real === null && !isMixedScript(place.host)) return null;
  const allowed = toAllow(place);
  return real === null
    ? refuseBy("reach.lookalike", "mixed", place.site, { place: allowed })
    : refuseBy("reach.lookalike", "imitates", place.site, { place: allowed, real });
}

/** OS-9. */
export function bySensitive({ policy, facts, place }: Asked): Verdict | null {
  const found = sensitive(place.host, policy.sensitive.add, policy.sensitive.remove);
  if (found === null) return null;
  // A frame is not shown; a picture is one, unless a person's account pays for it.
  if (
    !isChoice(policy, facts) &&
    !(facts.kind === "subresource" && facts.credentials && !sameMain(policy, facts, place))
  )
    return null;
  return mustBeNamed(found.host, place);
}
