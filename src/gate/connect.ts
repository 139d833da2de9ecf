import { classifyAddress } from "./addresses.ts";
import type { ReachPolicy } from "./policy.ts";
import { isOpened } from "./private.ts";
import { canonicalUrl } from "./sites.ts";

/** Whether a literal is an address of the public internet. */
export function isPublicAddress(address: string): boolean {
  return classifyAddress(address).is === "public";
}

const SCHEMES = ["http", "https"] as const;

/**
 * Whether a connection to this literal may be made for that host and port (EG-1, EG-4). Decides on the address's bytes,
 * not on the name. A mapped name may be served from a private address; a metadata service is reached by none.
 */
export function mayConnect(
  policy: Pick<ReachPolicy, "private"> & Partial<Pick<ReachPolicy, "mapped">>,
  address: string,
  host: string,
  port: number,
): boolean {
  switch (classifyAddress(address).is) {
    case "public":
      return true;
    case "private":
      if (policy.mapped?.has(host) === true) return true;
      return SCHEMES.some((scheme) => {
        const place = canonicalUrl(`${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}/`);
        return place.ok && isOpened(policy.private, place);
      });
    default:
      return false;
  }
}
