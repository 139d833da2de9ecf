import type { Verdict } from "../../types.ts";
import { classifyHost } from "../addresses.ts";
import { blocks, covers, entryText, isWebPort } from "../entry.ts";
import { portOf } from "../sites.ts";
import { refuseBy } from "../verdict.ts";
import type { Asked } from "./asked.ts";
import { toAllow } from "./words.ts";

export function byAddress({ place }: Asked): Verdict | null {
  const found = classifyHost(place.host);
  if (found.is === "unparsable") return refuseBy("reach.address", "host", null);
  if (found.is !== "metadata") return null;
  return refuseBy("reach.metadata", "plain", place.site);
}

export function byBlock({ policy, place }: Asked): Verdict | null {
  const entry = policy.block.find((candidate) => blocks(candidate, place));
  if (entry === undefined) return null;
  return refuseBy("reach.block", "plain", place.site, { entry: entryText(entry) });
}

/** EG-5. */
export function byPort({ policy, place }: Asked): Verdict | null {
  const port = portOf(place.url);
  if (isWebPort(port) || policy.mapped.has(place.host)) return null;
  if ([...policy.scope, ...policy.helpers].some((entry) => entry.port === port && covers(entry, place))) return null;
  return refuseBy("reach.port", "plain", place.site, { place: toAllow(place), port });
}
