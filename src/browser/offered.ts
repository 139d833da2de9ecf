import { execFile } from "node:child_process";

/** The lists are on this machine; only a very busy one needs longer. */
const WITHIN_MS = 5_000;

/** Debian's packages by the program that they bring. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ["/usr/lib/chromium/chromium", "chromium"],
  ["/opt/google/chrome/chrome", "google-chrome-stable"],
  ["/opt/microsoft/msedge/msedge", "microsoft-edge-stable"],
]);

/** What apt says of a package; null when there is no apt, or none that answers in time. */
export type AskApt = (packageName: string) => Promise<string | null>;

export interface NewerOffer {
  readonly packageName: string;
  readonly installed: string;
  readonly offered: string;
}

/**
 * The newer version of an installed program that the package lists of this machine know. Reads only: no network, no
 * lists refreshed. Never rejects.
 */
export async function newerOffer(program: string, ask: AskApt = askApt): Promise<NewerOffer | null> {
  const packageName = PACKAGES.get(program);
  if (packageName === undefined) return null;
  const policy = (await ask(packageName)) ?? "";
  const installed = /^ {2}Installed: (\d\S*)$/m.exec(policy)?.[1];
  const offered = /^ {2}Candidate: (\d\S*)$/m.exec(policy)?.[1];
  if (installed === undefined || offered === undefined || !isNewer(offered, installed)) return null;
  return { packageName, installed, offered };
}

/** By the numbers of the upstream version: what a distribution changes about one version is not told. */
function isNewer(offered: string, installed: string): boolean {
  const numbers = (version: string): readonly number[] => (/^[\d.]+/.exec(version)?.[0] ?? "").split(".").map(Number);
  const ours = numbers(installed);
  for (const [at, theirs] of numbers(offered).entries()) {
    const difference = theirs - (ours[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

const askApt: AskApt = (packageName) =>
  new Promise((resolve) => {
    const options = { timeout: WITHIN_MS, env: { ...process.env, LC_ALL: "C" } };
    execFile("apt-cache", ["policy", packageName], options, (error, stdout) => resolve(error === null ? stdout : null));
  });
