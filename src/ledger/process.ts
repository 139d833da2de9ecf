import { readFileSync } from "node:fs";

/** Field 22 of `/proc/PID/stat`, counted from the one behind the name, which may hold anything. */
const START_FIELD = 19;

/**
 * When a process started, as the system counts it; null where it does not tell (Linux does). A number may be given to
 * another process later.
 */
export function startedAt(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[START_FIELD] ?? null;
  } catch {
    return null;
  }
}

/** Whether that very process still runs. */
export function isRunning(pid: number, started: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const now = startedAt(pid);
  return started === null || now === null || now === started;
}
