import { constants } from "node:fs";
import { access, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { Failure } from "../errors.ts";
import { browserCandidates } from "./candidates.ts";
import { installLine } from "./install-line.ts";

export interface FindOptions {
  /** A program that the operator named; then nothing else is looked at. */
  readonly path?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** Put before the fixed places of Linux; empty for the machine itself. */
  readonly root?: string;
}

export interface FoundBrowser {
  /** Absolute path of the program to run; behind a known wrapper script, the program itself. */
  readonly path: string;
  /** How it was found, for people: "named", "Chrome", "Chromium", "Edge", "Playwright's cache". */
  readonly source: string;
}

/**
 * Finds a Chromium: the named program, else Chrome, Chromium, Edge, Playwright's cache. Never downloads.
 * @throws Failure `no_browser`: one line with the command that installs one, or what is wrong with the named program.
 */
export async function findBrowser(options: FindOptions = {}): Promise<FoundBrowser> {
  const { env = process.env, platform = process.platform, root = "" } = options;
  if (options.path !== undefined) return namedBrowser(options.path, root);
  for (const candidate of browserCandidates({ env, platform, root })) {
    if (await isProgram(candidate.path))
      return { path: await programBehind(candidate.path, root), source: candidate.source };
  }
  const osRelease = await readFile(`${root}/etc/os-release`, "utf8").catch(() => "");
  throw new Failure(
    "no_browser",
    `No Chromium was found. Install one: ${installLine(platform, osRelease)} (or name one with --browser PATH).`,
  );
}

async function namedBrowser(named: string, root: string): Promise<FoundBrowser> {
  const absolute = path.resolve(named);
  if (!(await isProgram(absolute)))
    throw new Failure(
      "no_browser",
      `The browser named by --browser is missing or is not a program that can be run: ${absolute}`,
    );
  if ((await realpath(absolute)) === "/usr/bin/snap") {
    throw new Failure(
      "no_browser",
      "The browser named by --browser is a snap, which cannot see the profile it is given. Name a Chrome or Chromium that is not a snap.",
    );
  }
  return { path: await programBehind(absolute, root), source: "named" };
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

const programsBehindWrappers = [
  {
    wrapper: /^\/usr\/bin\/chromium(-browser)?$/,
    programs: ["/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"],
  },
  { wrapper: /^\/opt\/google\/chrome\/google-chrome$/, programs: ["/opt/google/chrome/chrome"] },
  { wrapper: /^\/opt\/microsoft\/msedge\/microsoft-edge$/, programs: ["/opt/microsoft/msedge/msedge"] },
];

/** A distribution's wrapper script adds flags and extensions that nobody here chose. */
async function programBehind(file: string, root: string): Promise<string> {
  const prefix = root === "" ? "" : await realpath(root);
  const real = (await realpath(file)).slice(prefix.length);
  for (const { wrapper, programs } of programsBehindWrappers) {
    if (!wrapper.test(real)) continue;
    for (const program of programs) if (await isProgram(root + program)) return root + program;
  }
  return file;
}
