import { Failure } from "../../errors.ts";

/**
 * Playwright's errors as codes with fixed words. Its messages quote selectors and page content, so they travel only as
 * `cause`, for the log. Unknown ones count as a timeout of the action, which is what nearly all of them are.
 */
export function toFailure(error: unknown, what: { readonly deadlineMs: number }): Failure {
  if (Failure.is(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const options = { cause: error };
  if (
    /Target page, context or browser has been closed|Target closed|Target crashed|page has been closed/.test(message)
  ) {
    return new Failure(
      "page_ended",
      "The tab was closed or crashed during the call. Use tabs or navigate to go on.",
      options,
    );
  }
  if (/intercepts pointer events/.test(message)) {
    return new Failure(
      "covered",
      "Another element lies over the target and takes the click. Close what covers it (a banner, a dialog), then try again.",
      options,
    );
  }
  if (/element is not enabled|element is disabled/.test(message)) {
    return new Failure("disabled", "The target is disabled. Fill in what it needs first.", options);
  }
  if (/not attached to the DOM|Element is not attached/.test(message)) return stale(options);
  if (/aborted/i.test(message)) return new Failure("cancelled", "The call was cancelled.", options);
  return new Failure(
    "timeout",
    `Not possible within ${what.deadlineMs} ms. Take a new snapshot to see what the page shows.`,
    options,
  );
}

export function stale(options?: ErrorOptions): Failure {
  return new Failure(
    "stale",
    "That element is not what was shown any more. Take a new snapshot and use its refs.",
    options,
  );
}

/** A frame of the page took the input in place of the target. */
export function inFrame(): Failure {
  return new Failure(
    "covered",
    "Another frame of the page took the input in place of the target, and was kept from it. Use a ref inside the frame, if it shows any.",
  );
}

/**
 * The element moved away from under the pointer: Playwright keeps such a press from the page, and with `noWaitAfter`
 * does not say so.
 */
export function missed(): Failure {
  return new Failure(
    "covered",
    "Something else came under the pointer, and nothing was clicked. Take a snapshot and try again.",
  );
}
