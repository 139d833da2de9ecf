import type { ChildProcess } from "node:child_process";

const STDERR_TAIL_CHARS = 8_192;
/** A grandchild may keep stderr open for longer than the browser lives. */
const STDERR_END_WAIT_MS = 200;

/** How the browser ended. `stderrTail` may contain text of pages: for the operator, never for the model. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
}

/** Resolves when the process has ended or could not be started; never rejects. */
export function watchExit(child: ChildProcess): Promise<Exit> {
  let stderrTail = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_TAIL_CHARS);
  });
  const stderrEnded = new Promise<void>((resolve) => child.stderr?.once("close", resolve) ?? resolve());
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      const finish = () => {
        clearTimeout(wait);
        resolve({ code, signal, stderrTail });
      };
      const wait = setTimeout(finish, STDERR_END_WAIT_MS);
      void stderrEnded.then(finish);
    });
    child.on("error", () => resolve({ code: null, signal: null, stderrTail }));
  });
}
