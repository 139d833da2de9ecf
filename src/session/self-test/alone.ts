import { Failure } from "../../errors.ts";
import { said } from "../../rules/index.ts";
import type { Verdict } from "../../types.ts";
import { type LiveOptions, startLive } from "../live.ts";
import type { ProvenLaunch } from "./prove.ts";
import type { SelfTestReport } from "./run.ts";

/** What came of a start that has no other purpose. */
export interface TestedStart {
  /** Null when the browser was there, but did not get as far as the test. */
  readonly tested: { readonly report: SelfTestReport; readonly launched: ProvenLaunch } | null;
  /** Why nothing may be opened with it; null when it may. */
  readonly failure: Failure | null;
}

/**
 * Starts the browser as a session does, lets it test itself whatever is remembered, and ends it. What is remembered
 * stays as it is. Rejects when no loopback port can be had.
 */
export async function testStart(
  options: Pick<LiveOptions, "browser" | "startTimeoutMs" | "now" | "signal" | "rig">,
): Promise<TestedStart> {
  const refuse: Verdict = { verdict: "refuse", rule: "selftest.only", ...said("selftest.only", "plain"), site: null };
  let tested: TestedStart["tested"] = null;
  const told = (report: SelfTestReport, launched: ProvenLaunch): void => {
    tested = { report, launched };
  };
  try {
    const live = await startLive({
      ...options,
      egress: { allowAddress: () => false, hostMap: new Map(), onDecision: () => {} },
      judge: { request: () => refuse },
      causeOf: () => ({ cause: { by: "browser" }, input: null }),
      onRequest: () => {},
      onResponse: () => {},
      onEnd: () => {},
      selfTest: { proven: null, onReport: told },
    });
    await live.close();
    return { tested, failure: null };
  } catch (error) {
    if (!Failure.is(error)) throw error;
    return { tested, failure: error };
  }
}
