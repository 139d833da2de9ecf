import type { HoleRow } from "./rows/holes.ts";
import { HOSTS } from "./sites.ts";

/** What a session of rows with hosts of their own is opened with. */
export interface Reach {
  readonly hosts: readonly string[];
  readonly private: readonly string[];
  readonly open: readonly string[];
}

type Hosted = Pick<HoleRow, "pages" | "open" | "stray">;

/**
 * All hosts of the rows that are not there anyway. A host below another one is not named: it belongs to that one's
 * site.
 */
export function reachOf(rows: readonly Hosted[]): Reach {
  const hosts = new Set<string>();
  const open = new Set<string>();
  const stray = new Set<string>();
  for (const row of rows) {
    for (const key of Object.keys(row.pages)) hosts.add(key.split("/")[0] ?? "");
    for (const host of row.open ?? []) open.add(host);
    for (const host of row.stray ?? []) stray.add(host);
  }
  for (const host of open) {
    hosts.add(host);
    // The site itself, of which an open host is only a corner.
    if (host.split(".").length > 2) hosts.add(host.split(".").slice(1).join("."));
  }
  const own = [...hosts].filter((host) => !HOSTS.includes(host));
  const isBelow = (host: string): boolean => own.some((other) => host.endsWith(`.${other}`));
  return {
    hosts: own,
    private: own.filter((host) => !open.has(host) && !stray.has(host) && !isBelow(host)),
    open: [...open],
  };
}
