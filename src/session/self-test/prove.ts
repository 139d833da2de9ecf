import type { Launched } from "../../browser/launch.ts";
import { Failure } from "../../errors.ts";
import type { Certificate } from "./certificate.ts";
import { digestOf, type ProvenBrowsers, provenBrowsers } from "./proven.ts";
import { runSelfTest, type SelfTestOptions, type SelfTestReport } from "./run.ts";

/** Each of the two runs, on a slow machine; usually one takes one to two seconds. */
const SELF_TEST_MS = 30_000;

/** What was started. */
export type ProvenLaunch = Pick<Launched, "version" | "path" | "settings" | "sandboxed" | "uid" | "downloads">;

export interface ProveOptions extends Omit<SelfTestOptions, "certificate"> {
  readonly launched: ProvenLaunch;
  /** Runs the test in a browser like this one that takes the certificate, which this one must not. */
  readonly overTls: (test: (at: Trusting) => Promise<SelfTestReport>) => Promise<SelfTestReport>;
  /** Default: the one of this user. Null: always tested, and not remembered. */
  readonly proven?: ProvenBrowsers | null | undefined;
  /** Told what came of a test, before a failure is thrown. */
  readonly onReport?: ((report: SelfTestReport, launched: ProvenLaunch) => void) | undefined;
}

type Trusting = Pick<SelfTestOptions, "browser" | "own"> & { readonly certificate: Certificate };

/**
 * Lets nobody use a browser that has not shown that it keeps its channels shut (EG-9). Rejects with `Failure`:
 * no_browser, cancelled.
 */
export async function proveBrowser(options: ProveOptions): Promise<void> {
  const proven = options.proven === undefined ? provenBrowsers() : options.proven;
  const digest = digestOf(options.launched);
  if (proven?.has(digest) === true) return;
  const timeoutMs = Math.min(options.timeoutMs, SELF_TEST_MS);
  // One after the other: WebRTC goes on at the pace of the machine, and beside another browser it does not get far
  // enough to be seen.
  const plain = await runSelfTest({ ...options, timeoutMs });
  const report = together(
    plain,
    await options.overTls((at) => runSelfTest({ ...options, ...at, headless: true, timeoutMs })),
  );
  options.onReport?.(report, options.launched);
  const problem = problemOf(report);
  if (problem !== null) throw new Failure("no_browser", problem);
  proven?.add(digest);
}

/** One report: a channel with its name once more where it got out over TLS only. */
function together(plain: SelfTestReport, secure: SelfTestReport): SelfTestReport {
  const known = new Map(plain.channels.map((channel) => [channel.name, channel]));
  const more = secure.channels.flatMap((channel) => {
    if (!known.has(channel.name)) return [channel];
    return channel.arrived && known.get(channel.name)?.arrived === false
      ? [{ ...channel, name: `${channel.name} over TLS` }]
      : [];
  });
  return {
    channels: [...plain.channels, ...more],
    proves: plain.proves && secure.proves,
    tookMs: plain.tookMs + secure.tookMs,
  };
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
