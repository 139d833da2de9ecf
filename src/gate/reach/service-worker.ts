import type { Verdict } from "../../types.ts";
import { refuseBy } from "../verdict.ts";
import type { Asked } from "./asked.ts";

/**
 * It would outlive its page and answer for pages of later calls, out of what it keeps: pages go on without it, as where
 * a browser has none.
 */
export function byServiceWorker({ facts, place }: Asked): Verdict | null {
  if (!facts.serviceWorker) return null;
  return refuseBy("reach.serviceWorker", "plain", place.site);
}
