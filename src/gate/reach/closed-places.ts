import type { Verdict } from "../../types.ts";
import { classifyHost } from "../addresses.ts";
import { blocks, covers, entryText, isWebPort } from "../entry.ts";
import { portOf } from "../sites.ts";
import { refuse } from "../verdict.ts";
import type { Asked } from "./asked.ts";
import { allowOption, notAnAddress } from "./words.ts";

export function byAddress({ place }: Asked): Verdict | null {
  const found = classifyHost(place.host);
  if (found.is === "unparsable") return notAnAddress("The host is not an address that can be judged.");
  if (found.is !== "metadata") return null;
  return refuse("reach.metadata", {
    reason: "This is the metadata service of a cloud machine.",
    remedy: "Go on without it; it is never opened.",
    operator: null,
    site: place.site,
  });
}

export function byBlock({ policy, place }: Asked): Verdict | null {
  const entry = policy.block.find((candidate) => blocks(candidate, place));
  if (entry === undefined) return null;
  return refuse("reach.block", {
    reason: "The operator blocks this place.",
    remedy: "Go on without it.",
    operator: `take ${entryText(entry)} out of block`,
    site: place.site,
  });
}

/** EG-5. */
export function byPort({ policy, place }: Asked): Verdict | null {
  const port = portOf(place.url);
  if (isWebPort(port) || policy.mapped.has(place.host)) return null;
  if ([...policy.scope, ...policy.helpers].some((entry) => entry.port === port && covers(entry, place))) return null;
  return refuse("reach.port", {
    reason: "Only the ports 80 and 443 are open, and those that the operator named.",
    remedy: "Use the site's ordinary address, or tell the operator that this port is needed.",
    operator: `${allowOption(place)}:${port}`,
    site: place.site,
  });
}
