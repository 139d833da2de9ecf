/** Looks at live processes through /proc, for tests. */
import { readdirSync, readFileSync, statSync } from "node:fs";

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly uid: number;
  readonly args: readonly string[];
  /** Lines of /proc/PID/status. */
  readonly status: ReadonlyMap<string, string>;
}

/** All processes but zombies, which have ended and only wait to be fetched. */
export function liveProcesses(): SeenProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [readProcess(Number(name))];
      } catch {
        return []; // It ended while we looked.
      }
    })
    .filter((seen) => !/^[ZX]/.test(seen.status.get("State") ?? "X"));
}

function readProcess(pid: number): SeenProcess {
  const status = new Map(
    readFileSync(`/proc/${pid}/status`, "utf8")
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    parent: Number(afterName[1]),
    group: Number(afterName[2]),
    uid: statSync(`/proc/${pid}`).uid,
    // Chromium writes its arguments anew, with spaces between them.
    args: readFileSync(`/proc/${pid}/cmdline`, "utf8").split(/[\0 ]/),
    status,
  };
}

export function descendantsOf(pid: number): SeenProcess[] {
  const all = liveProcesses();
  const below = (parent: number): SeenProcess[] =>
    all.filter((seen) => seen.parent === parent).flatMap((seen) => [seen, ...below(seen.pid)]);
  return below(pid);
}

/**
 * Command lines of what belongs to a browser: its process group, and helpers that have a group of their own but name
 * its directory.
 */
export function processesOf(browser: { readonly pid?: number; readonly directory: string }): string[] {
  return liveProcesses()
    .filter((seen) => seen.group === browser.pid || seen.args.some((argument) => argument.includes(browser.directory)))
    .map((seen) => `${seen.pid} ${seen.args.join(" ").slice(0, 200)}`);
}
