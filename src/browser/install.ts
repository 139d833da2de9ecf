import { spawn } from "node:child_process";
import { Failure } from "../errors.ts";
import { type FoundBrowser, findBrowser } from "./find.ts";

const LOCK_TIMEOUT_SECONDS = 120;
const LONGEST_LAST_WORD_CHARS = 1_000;
/** The one line of `installLine` that we run ourselves: the distribution's own package, from the sources that the machine is set up with. */
const DEBIAN_LINE = /Install one: apt-get install -y chromium /;

/** Runs a program to its end. Null when it went well, else its last word. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | null>;

export interface InstallOptions {
  /** A program that the operator named: then nothing is installed. */
  readonly path?: string;
  /** Told when something is being installed, in one line. */
  readonly say: (line: string) => void;
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly isRoot?: boolean;
  /** Put before the fixed places of Linux; empty for the machine itself. */
  readonly root?: string;
  readonly run?: RunProgram;
}

/** Either the browser that is there (now), or one line that says what to do. */
export type EnsuredBrowser = { readonly found: FoundBrowser; readonly installed: boolean } | { readonly missing: string };

/**
 * Makes sure that there is a Chromium: as root on Debian by its own package, elsewhere by saying the line to run. Downloads nothing itself.
 * Rejects only with what `findBrowser` rejects with besides `no_browser`.
 */
export async function ensureBrowser(options: InstallOptions): Promise<EnsuredBrowser> {
  const { path, say, env, platform = process.platform, isRoot = process.getuid?.() === 0, root, run = runAptGet } = options;
  const look = () => lookForBrowser({ ...(path !== undefined && { path }), ...(env && { env }), platform, ...(root !== undefined && { root }) });
  const first = await look();
  if ("found" in first) return { ...first, installed: false };
  if (platform !== "linux" || !isRoot || path !== undefined || !DEBIAN_LINE.test(first.missing)) return first;
  say("installing Chromium (apt-get install chromium)");
  const failure = await installPackage(run);
  if (failure !== null) return { missing: `${first.missing} apt-get could not: ${failure}` };
  const second = await look();
  return "found" in second ? { ...second, installed: true } : second;
}

async function lookForBrowser(options: Parameters<typeof findBrowser>[0]): Promise<{ readonly found: FoundBrowser } | { readonly missing: string }> {
  try {
    return { found: await findBrowser(options) };
  } catch (error) {
    if (Failure.is(error) && error.code === "no_browser") return { missing: error.message };
    throw error;
  }
}

async function installPackage(run: RunProgram): Promise<string | null> {
  const common = ["-q", "-o", `DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS}`];
  const chromium = [...common, "install", "-y", "--no-install-recommends", "chromium"];
  // Without package lists, or with old ones, the first try fails at once.
  if ((await run("apt-get", chromium)) === null) return null;
  return (await run("apt-get", [...common, "update"])) ?? (await run("apt-get", chromium));
}

const runAptGet: RunProgram = (program, args) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-LONGEST_LAST_WORD_CHARS);
    });
    child.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "it could not be started"));
    child.on("close", (code) => resolve(code === 0 ? null : said.trim().split("\n").at(-1) || `exit code ${code}`));
  });
