import type { Verdict } from "../../types.ts";
import { refuse } from "../verdict.ts";
import type { Asked } from "./asked.ts";

/** It would outlive its page and answer for pages of later calls, out of what it keeps: pages go on without it, as where a browser has none. */
export function byServiceWorker({ facts, place }: Asked): Verdict | null {
  if (!facts.serviceWorker) return null;
  return refuse("reach.serviceWorker", {
    reason: "Service Workers are not started: they would answer for later pages.",
    remedy: "Go on: pages work without it, though not offline.",
    operator: null,
    site: place.site,
  });
}
