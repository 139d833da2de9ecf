import { spawn } from "node:child_process";
import { Failure } from "../errors.ts";
import { type FoundBrowser, findBrowser } from "./find.ts";
import { type AskApt, newerOffer } from "./offered.ts";

const LOCK_TIMEOUT_SECONDS = 120;
/** Of one try to reach a server of packages. */
const NETWORK_TIMEOUT_SECONDS = 30;
const REFRESH_TIMEOUT_MS = 3 * 60_000;
const LONGEST_LAST_WORD_CHARS = 1_000;
/**
 * The one line of `installLine` that we run ourselves: the distribution's own package, from the sources that the
 * machine is set up with.
 */
const DEBIAN_LINE = /Install one: apt-get install -y chromium /;

/** Runs a program to its end, or so long. Null when it went well, else its last word. */
export type RunProgram = (program: string, args: readonly string[], timeoutMs?: number) => Promise<string | null>;

export interface InstallOptions {
  /** A program that the operator named: then nothing is installed. */
  readonly path?: string;
  /** Told in one line each: that something is being installed, and what is to be known about what is there. */
  readonly say: (line: string) => void;
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly isRoot?: boolean;
  /** Put before the fixed places of Linux; empty for the machine itself. */
  readonly root?: string;
  readonly run?: RunProgram;
  readonly askApt?: AskApt;
}

/** Either the browser that is there (now), or one line that says what to do. */
export type EnsuredBrowser =
  | { readonly found: FoundBrowser; readonly installed: boolean }
  | { readonly missing: string };

/**
 * Makes sure that there is a Chromium: as root on Debian by its own package, elsewhere by saying the line to run.
 * Downloads nothing itself. One that is there stays as it is; when the machine's package lists know a newer one, that
 * is said, without asking the network. Rejects only with what `findBrowser` rejects with besides `no_browser`.
 */
export async function ensureBrowser(options: InstallOptions): Promise<EnsuredBrowser> {
  const {
    path,
    say,
    env,
    platform = process.platform,
    isRoot = process.getuid?.() === 0,
    root,
    run = runAptGet,
  } = options;
  const look = () =>
    lookForBrowser({
      ...(path !== undefined && { path }),
      ...(env && { env }),
      platform,
      ...(root !== undefined && { root }),
    });
  const first = await look();
  if ("found" in first) {
    if (path === undefined && platform === "linux") await sayWhatIsOffered(first.found, options);
    return { ...first, installed: false };
  }
  if (platform !== "linux" || !isRoot || path !== undefined || !DEBIAN_LINE.test(first.missing)) return first;
  say("installing Chromium (apt-get install chromium)");
  const failure = await installPackage(run, say);
  if (failure !== null) return { missing: `${first.missing} apt-get could not: ${failure}` };
  const second = await look();
  return "found" in second ? { ...second, installed: true } : second;
}

async function lookForBrowser(
  options: Parameters<typeof findBrowser>[0],
): Promise<{ readonly found: FoundBrowser } | { readonly missing: string }> {
  try {
    return { found: await findBrowser(options) };
  } catch (error) {
    if (Failure.is(error) && error.code === "no_browser") return { missing: error.message };
    throw error;
  }
}

async function sayWhatIsOffered({ path }: FoundBrowser, { say, askApt, root = "" }: InstallOptions): Promise<void> {
  const newer = await newerOffer(path.slice(root.length), askApt);
  if (newer === null) return;
  const { packageName, installed, offered } = newer;
  say(
    `${packageName} ${installed} is installed, ${offered} is offered. An old browser has known holes: apt-get install ${packageName}`,
  );
}

/**
 * An old list offers an old browser, or one that is no longer there to be fetched: so the lists come first. Those that
 * cannot be had are said, not waited for.
 */
async function installPackage(run: RunProgram, say: (line: string) => void): Promise<string | null> {
  const common = ["-q", "-o", `DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS}`];
  const network = ["http", "https"].flatMap((scheme) => [
    "-o",
    `Acquire::${scheme}::Timeout=${NETWORK_TIMEOUT_SECONDS}`,
  ]);
  // By itself apt-get takes an old list for a new one and calls that a success.
  const refresh = [...common, ...network, "-o", "APT::Update::Error-Mode=any", "update"];
  const failure = await run("apt-get", refresh, REFRESH_TIMEOUT_MS);
  if (failure !== null) say(`the package lists could not all be refreshed, so an old browser may come: ${failure}`);
  return run("apt-get", [...common, "install", "-y", "--no-install-recommends", "chromium"]);
}

const runAptGet: RunProgram = (program, args, timeout) =>
  new Promise((resolve) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const child = spawn(program, args, {
      env,
      stdio: ["ignore", "ignore", "pipe"],
      ...(timeout !== undefined && { timeout }),
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-LONGEST_LAST_WORD_CHARS);
    });
    child.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "it could not be started"));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(null);
      resolve(said.trim().split("\n").at(-1) || (signal === null ? `exit code ${code}` : "it took too long"));
    });
  });
