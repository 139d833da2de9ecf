import type { Launched } from "../../browser/launch.ts";
import { Failure } from "../../errors.ts";
import { digestOf, type ProvenBrowsers, provenBrowsers } from "./proven.ts";
import { runSelfTest, type SelfTestOptions, type SelfTestReport } from "./run.ts";

/** A slow machine; usually it takes one to two seconds. */
const SELF_TEST_MS = 20_000;

/** What was started. */
export type ProvenLaunch = Pick<Launched, "version" | "path" | "settings" | "sandboxed" | "uid" | "downloads">;

export interface ProveOptions extends SelfTestOptions {
  readonly launched: ProvenLaunch;
  /** Default: the one of this user. Null: always tested, and not remembered. */
  readonly proven?: ProvenBrowsers | null | undefined;
  /** Told what came of a test, before a failure is thrown. */
  readonly onReport?: ((report: SelfTestReport, launched: ProvenLaunch) => void) | undefined;
}

/** Lets nobody use a browser that has not shown that it keeps its channels shut (EG-9). Rejects with `Failure`: no_browser, cancelled. */
export async function proveBrowser(options: ProveOptions): Promise<void> {
  const proven = options.proven === undefined ? provenBrowsers() : options.proven;
  const digest = digestOf(options.launched);
  if (proven?.has(digest) === true) return;
  const report = await runSelfTest({ ...options, timeoutMs: Math.min(options.timeoutMs, SELF_TEST_MS) });
  options.onReport?.(report, options.launched);
  const problem = problemOf(report);
  if (problem !== null) throw new Failure("no_browser", problem);
  proven?.add(digest);
}

/** What is wrong, in fixed words; null when nothing is. */
export function problemOf({ channels, proves }: SelfTestReport): string | null {
  const arrived = channels.filter((channel) => channel.arrived).map(({ name }) => name);
  if (arrived.length > 0)
    return `The self-test failed: ${arrived.join(", ")} got out beside the guard. Nothing is opened with this browser. Tell the operator: chaperone doctor says more.`;
  if (!proves)
    return "The self-test could not be done: its page did not load, or what was allowed did not arrive, so it proves nothing. Try again; if it stays so, tell the operator: chaperone doctor says more.";
  return null;
}
