import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { windowsReaperScript } from "./other-platforms.ts";

const SHELL = "/bin/sh";
const onWindows = process.platform === "win32";

/**
 * `sh` and not Node: it is there everywhere, costs 1 MB instead of 40, and starts in a millisecond.
 * A zombie counts as dead: in a container without init nobody fetches it. Every wait has a bound all the same.
 */
const reaperScript = `
  trap '' HUP INT TERM
  read -r pid
  while read -r more; do :; done
  alive() { kill -s 0 "$pid" 2>/dev/null && ! grep -qs '^State:.Z' "/proc/$pid/status"; }
  if [ -n "$pid" ]; then
    kill -s KILL -- "-$pid" 2>/dev/null
    tries=0
    while alive && [ "$tries" -lt 40 ]; do sleep 0.05; tries=$((tries + 1)); done
  fi
  tries=0
  until rm -rf -- "$1" 2>/dev/null && [ ! -e "$1" ]; do
    [ "$tries" -lt 40 ] || exit 1
    sleep 0.05
    tries=$((tries + 1))
  done
`;

/** Tells its pid to the reaper before it becomes the browser, so that no browser ever runs unknown to it. */
const announceScript = `echo $$ >&5; exec "$@" 5>&-`;

export interface WatchedOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A process of its own that outlives us: when we are gone it kills the browser, then removes the directory. */
export interface Reaper {
  /**
   * Starts a program in a process group of its own, its stderr and descriptors 3 and 4 as pipes. For once. Throws what
   * `spawn` throws.
   */
  start(program: string, args: readonly string[], options: WatchedOptions): ChildProcess;
  /** Lets it do its work now. Resolves when neither browser nor directory is left. Safe to call again. */
  release(): Promise<void>;
}

/** @param directory need not be there yet. */
export function startReaper(directory: string): Reaper {
  const [program, args] = onWindows
    ? [process.execPath, ["-e", windowsReaperScript, directory]]
    : [SHELL, ["-c", reaperScript, "sh", directory]];
  const reaper = spawn(program, args, {
    detached: true,
    cwd: onWindows ? undefined : "/",
    env: onWindows ? process.env : { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    windowsHide: true,
  });
  reaper.unref();
  reaper.stdin.on("error", () => undefined);
  const done = new Promise<boolean>((resolve) => {
    reaper.on("exit", (code) => resolve(code === 0));
    reaper.on("error", () => resolve(false));
  });
  return {
    start(browser, flags, options) {
      if (onWindows) {
        const child = spawn(browser, flags, {
          ...options,
          windowsHide: true,
          stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
        });
        reaper.stdin.write(`${child.pid ?? ""}\n`);
        return child;
      }
      return spawn(SHELL, ["-c", announceScript, "sh", browser, ...flags], {
        ...options,
        detached: true,
        stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", reaper.stdin],
      });
    },
    async release() {
      reaper.stdin.end();
      reaper.ref();
      // A reaper that was itself killed, or could not be started, leaves its work to us.
      if (!(await done)) await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
