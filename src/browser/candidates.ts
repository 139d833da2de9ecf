import { readdirSync } from "node:fs";
import path from "node:path";
import type { Candidate } from "./candidate.ts";
import { macCandidates, windowsCandidates } from "./other-platforms.ts";

export interface CandidateOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Put before every fixed absolute place; empty for the machine itself. */
  readonly root: string;
}

/** Places to look at, best first: Chrome, Chromium, Edge, Playwright's cache. None is checked yet. */
export function browserCandidates(options: CandidateOptions): Candidate[] {
  if (options.platform === "darwin") return [...macCandidates(options.env), ...playwrightCandidates(options)];
  if (options.platform === "win32") return [...windowsCandidates(options.env), ...playwrightCandidates(options)];
  return [...linuxInstalled(options), ...playwrightCandidates(options)];
}

// Programs before their wrapper scripts: a wrapper adds flags of its own. Snaps are left out: they have a private /tmp
// and would miss our preferences.
const linuxFamilies = [
  { source: "Chrome", fixed: ["/opt/google/chrome/chrome"], names: ["google-chrome-stable", "google-chrome"] },
  {
    source: "Chromium",
    fixed: [
      "/usr/lib/chromium/chromium",
      "/usr/lib64/chromium-browser/chromium-browser",
      "/usr/lib64/chromium/chromium",
      "/usr/bin/chromium",
    ],
    names: ["chromium", "chromium-browser"],
  },
  { source: "Edge", fixed: ["/opt/microsoft/msedge/msedge"], names: ["microsoft-edge-stable", "microsoft-edge"] },
] as const;

function linuxInstalled({ env, root }: CandidateOptions): Candidate[] {
  // A relative entry of PATH would run a program out of the working directory.
  const directories = (env.PATH ?? "").split(":").filter((directory) => directory.startsWith("/"));
  return linuxFamilies.flatMap(({ source, fixed, names }) => [
    ...fixed.map((place) => ({ path: root + place, source })),
    ...names.flatMap((name) =>
      directories.map((directory) => ({ path: path.posix.join(directory, name), source: `${source} in PATH` })),
    ),
  ]);
}

const programInPlaywrightFolder: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["chrome-linux64/chrome", "chrome-linux-arm64/chrome", "chrome-linux/chrome"],
  darwin: ["chrome-mac-arm64", "chrome-mac-x64"].map(
    (folder) => `${folder}/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing`,
  ),
  win32: ["chrome-win64/chrome.exe"],
};

function playwrightCandidates({ env, platform }: CandidateOptions): Candidate[] {
  const cache = playwrightCache(env, platform);
  const programs = programInPlaywrightFolder[platform];
  if (cache === null || programs === undefined) return [];
  return chromiumFolders(cache).flatMap((folder) =>
    programs.map((program) => ({ path: path.join(cache, folder, program), source: "Playwright's cache" })),
  );
}

function playwrightCache(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const named = env.PLAYWRIGHT_BROWSERS_PATH;
  if (named !== undefined && named !== "" && named !== "0") return path.isAbsolute(named) ? named : null;
  const home = env.HOME;
  if (platform === "win32") return env.LOCALAPPDATA ? path.join(env.LOCALAPPDATA, "ms-playwright") : null;
  if (platform === "darwin") return home ? path.join(home, "Library/Caches/ms-playwright") : null;
  const cacheHome = env.XDG_CACHE_HOME || (home ? path.join(home, ".cache") : "");
  return cacheHome === "" ? null : path.join(cacheHome, "ms-playwright");
}

/** Folders `chromium-<revision>`, newest first. The headless shell is another program and is not used. */
function chromiumFolders(cache: string): string[] {
  let names: string[];
  try {
    names = readdirSync(cache);
  } catch {
    return [];
  }
  const revision = (name: string) => Number(/^chromium-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
  return names.filter((name) => !Number.isNaN(revision(name))).sort((a, b) => revision(b) - revision(a));
}
