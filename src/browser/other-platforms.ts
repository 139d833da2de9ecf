/** macOS and Windows. UNTESTED: written from documentation, never run on those systems. */
import { spawn } from "node:child_process";
import path from "node:path";
import type { Candidate } from "./candidate.ts";

const macBundles = [
  { app: "Google Chrome", source: "Chrome" },
  { app: "Chromium", source: "Chromium" },
  { app: "Microsoft Edge", source: "Edge" },
] as const;

export function macCandidates(env: NodeJS.ProcessEnv): Candidate[] {
  const folders = ["/Applications", ...(env.HOME ? [path.posix.join(env.HOME, "Applications")] : [])];
  return macBundles.flatMap(({ app, source }) =>
    folders.map((folder) => ({ path: `${folder}/${app}.app/Contents/MacOS/${app}`, source })),
  );
}

const windowsPrograms = [
  { program: "Google\\Chrome\\Application\\chrome.exe", source: "Chrome" },
  { program: "Chromium\\Application\\chrome.exe", source: "Chromium" },
  { program: "Microsoft\\Edge\\Application\\msedge.exe", source: "Edge" },
] as const;

export function windowsCandidates(env: NodeJS.ProcessEnv): Candidate[] {
  const folders = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"]
    .map((name) => env[name] ?? "")
    .filter((folder) => folder !== "");
  return windowsPrograms.flatMap(({ program, source }) =>
    folders.map((folder) => ({ path: path.win32.join(folder, program), source })),
  );
}

/**
 * What `sh` does elsewhere (reaper.ts): reads the pid, waits for the end of stdin, kills the tree, removes the
 * directory.
 */
export const windowsReaperScript = `
  const { execFileSync } = require("node:child_process");
  let said = "";
  process.stdin.on("data", (data) => { said += data; });
  process.stdin.on("end", () => {
    const pid = Number.parseInt(said, 10);
    try { if (pid > 0) execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" }); } catch {}
    require("node:fs").rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 60, retryDelay: 50 });
  });
`;

export function killWindowsTree(pid: number): void {
  spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
    "error",
    () => undefined,
  );
}
