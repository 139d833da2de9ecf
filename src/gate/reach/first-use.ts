import type { Allow, Refuse, Verdict } from "../../types.ts";
import { isAddressLiteral } from "../addresses.ts";
import { isWebPort, type SiteEntry } from "../entry.ts";
import type { ReachPolicy } from "../policy.ts";
import { canonicalUrl, portOf } from "../sites.ts";

/** An allowed navigation that would put its site into scope, were it the first and no scope given (OS-1). */
export function isFirstUse(policy: ReachPolicy, verdict: Verdict): verdict is Allow | Refuse {
  return !policy.scopeGiven && (verdict.rule === "reach.site" || verdict.rule === "reach.open");
}

/** What the first use grants: the address's site. Null for what has none. */
export function firstUseEntry(policy: ReachPolicy, url: string): SiteEntry | null {
  const place = canonicalUrl(url);
  if (!place.ok || place.site === null) return null;
  const port = portOf(place.url);
  return {
    host: isAddressLiteral(place.host) || !policy.subdomains ? place.host : place.site,
    scheme: null,
    port: isWebPort(port) ? null : port,
    subdomains: policy.subdomains,
  };
}
