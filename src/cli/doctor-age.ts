import { stat } from "node:fs/promises";
import { type AskApt, newerOffer } from "../browser/offered.ts";
import type { Check } from "./check.ts";

const OLD_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Earlier is no date of a build: some packers write 1970 or 1980 for all files. */
const FIRST_CHROMIUM_MS = Date.UTC(2008, 8, 2);
/** Until this version one came every four weeks at most, and then it came on this day. */
const KNOWN_RELEASE = { major: 153, atMs: Date.UTC(2026, 8, 8) } as const;
const RELEASE_EVERY_MS = 28 * DAY_MS;

export interface AgedBrowser {
  readonly path: string;
  /** For example "Chrome/156.0.1.2"; null when it did not start. */
  readonly version: string | null;
}

export interface AgeSources {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly askApt?: AskApt;
}

/**
 * Whether the browser is so old that its holes are known to many. A warning, never a failure: the self-test says
 * whether it keeps its channels shut.
 */
export async function checkAge({ path, version }: AgedBrowser, { clock, askApt }: AgeSources): Promise<Check> {
  const newer = await newerOffer(path, askApt);
  const built = (await stat(path).catch(() => null))?.mtimeMs ?? null;
  const days = daysOld(version, built, clock());
  const age = days === null ? "its age is not known" : `at least ${days} days old`;
  const isOld = days !== null && days > OLD_DAYS;
  const mend =
    newer === null
      ? "update it: an old browser has known holes"
      : `apt-get install ${newer.packageName}: an old browser has known holes`;
  const says = newer === null ? age : `${age}; ${newer.offered} is offered, ${newer.installed} is installed`;
  return { name: "browser's age", ok: true, says, mend: isOld || newer !== null ? mend : null };
}

/**
 * Without the network, a browser is at least as old as its program's file: packages carry the day of the build, and
 * whoever unpacks it without that makes it younger, never older. Against the latter there is the day on which the next
 * version came; of versions after the known one that is not foretold, because the time between versions has changed
 * more than once. Null when neither is known.
 */
export function daysOld(version: string | null, fileMs: number | null, nowMs: number): number | null {
  const major = Number(/\/(\d+)\./.exec(version ?? "")?.[1] ?? Number.NaN);
  const replacedMs =
    major < KNOWN_RELEASE.major ? KNOWN_RELEASE.atMs - (KNOWN_RELEASE.major - 1 - major) * RELEASE_EVERY_MS : null;
  const dates = [fileMs !== null && fileMs >= FIRST_CHROMIUM_MS ? fileMs : null, replacedMs].filter(
    (date) => date !== null,
  );
  if (dates.length === 0) return null;
  return Math.max(0, Math.floor((nowMs - Math.min(...dates)) / DAY_MS));
}
