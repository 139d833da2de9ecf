import { Failure } from "../../errors.ts";
import type { Permit } from "../../types.ts";
import { toFailure } from "./failures.ts";
import { Incomplete } from "./incomplete.ts";
import type { Time, View } from "./view.ts";

/** A script that loops is ended this long before its call is over, so that the page can be looked at again. */
const END_EARLY_MS = 50;
const TERMINATE_TIMEOUT_MS = 500;
const MAX_THROWN_CHARS = 300;

/**
 * Runs a script in the page's own world and waits for its promise. A string as it is, other values as JSON, null and
 * undefined as undefined.
 */
export async function evaluate(view: View, script: string, permit: Permit, time: Time): Promise<string | undefined> {
  permit.take();
  let ended = false;
  const timer = setTimeout(
    () => {
      ended = true;
      terminate(view);
    },
    Math.max(0, time.remainingMs() - END_EARLY_MS),
  );
  try {
    const value: unknown = await view.page.evaluate(script);
    if (value === null || value === undefined) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  } catch (error) {
    if (ended)
      throw new Failure("timeout", `The script was not done within ${time.totalMs} ms and was ended.`, {
        cause: error,
      });
    const message = error instanceof Error ? error.message : String(error);
    const thrown = /^page\.evaluate: (.*)/s.exec(message)?.[1];
    if (thrown === undefined || /closed|crashed|Execution context was destroyed/.test(thrown))
      throw toFailure(error, { deadlineMs: time.totalMs });
    throw new Incomplete(
      "bad_arguments",
      "The script threw; `thrown` has its words.",
      { thrown: thrown.slice(0, MAX_THROWN_CHARS) },
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

function terminate(view: View): void {
  const sessionId = view.wire.target(view.target)?.sessionId;
  if (sessionId == null) return;
  view.wire.send("Runtime.terminateExecution", {}, { sessionId, timeoutMs: TERMINATE_TIMEOUT_MS }).catch(() => {
    // A script that only waits has nothing to end; its call is over all the same.
  });
}
