import { Failure } from "../../errors.ts";
import type { ErrorCode } from "../../types.ts";

/**
 * A failure that has more to tell than its code: how far an act came, what stands in its way. Page words are in
 * `details` only.
 */
export class Incomplete extends Failure {
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>>, options?: ErrorOptions) {
    super(code, message, options);
    this.details = details;
  }
}

/** What a failure tells beside its code and message. */
export function detailsOf(failure: Failure): Readonly<Record<string, unknown>> {
  return failure instanceof Incomplete ? failure.details : {};
}
