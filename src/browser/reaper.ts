import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { windowsReaperScript } from "./other-platforms.ts";

/** Said instead of a pid when no browser was started. */
const NO_BROWSER = "0";

/**
 * `sh` and not Node: it is there everywhere, costs 1 MB instead of 40, and starts in a millisecond.
 * Without a word on stdin we died while starting Chromium: that one ends by itself when its pipe closes, so a second is given.
 * A zombie counts as dead: in a container without init nobody fetches it. Every wait has a bound all the same.
 */
const reaperScript = `
  trap '' HUP INT TERM
  read -r pid
  while read -r more; do :; done
  alive() { kill -s 0 "$pid" 2>/dev/null && ! grep -qs '^State:.Z' "/proc/$pid/status"; }
  case $pid in
    ${NO_BROWSER}) ;;
    '') sleep 1 ;;
    *) kill -s KILL -- "-$pid" 2>/dev/null
       tries=0
       while alive && [ "$tries" -lt 40 ]; do sleep 0.05; tries=$((tries + 1)); done ;;
  esac
  tries=0
  until rm -rf -- "$1" 2>/dev/null && [ ! -e "$1" ]; do
    [ "$tries" -lt 40 ] || exit 1
    sleep 0.05
    tries=$((tries + 1))
  done
`;

/** A process of its own that outlives us: kills the browser when we are gone, then removes its directory. */
export interface Reaper {
  /** Names the browser, which leads a process group of its own. */
  watch(pid: number): void;
  /** Lets it do its work now. Resolves when neither browser nor directory is left. Safe to call again. */
  release(): Promise<void>;
}

export function startReaper(directory: string): Reaper {
  const command =
    process.platform === "win32"
      ? { program: process.execPath, args: ["-e", windowsReaperScript, directory] }
      : { program: "/bin/sh", args: ["-c", reaperScript, "sh", directory] };
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
  const child = spawn(command.program, command.args, { detached: true, cwd: "/", env, stdio: ["pipe", "ignore", "ignore"], windowsHide: true });
  child.unref();
  child.stdin.on("error", () => undefined);
  const done = new Promise<boolean>((resolve) => {
    child.on("exit", (code) => resolve(code === 0));
    child.on("error", () => resolve(false));
  });
  let named = false;
  return {
    watch(pid) {
      named = true;
      child.stdin.write(`${pid}\n`);
    },
    async release() {
      if (!child.stdin.writableEnded) child.stdin.end(named ? "" : `${NO_BROWSER}\n`);
      child.ref();
      // A reaper that was itself killed, or could not be started, leaves its work to us.
      if (!(await done)) await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
