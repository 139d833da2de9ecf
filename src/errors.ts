import type { ErrorCode } from "./types.ts";

const marker = Symbol.for("chaperone.failure");

/** A call that could not be done. `message` is for the model: fixed words, no text from a page, what to do next. */
export class Failure extends Error {
  readonly [marker] = true;
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Failure";
    this.code = code;
  }

  static is(value: unknown): value is Failure {
    return typeof value === "object" && value !== null && marker in value;
  }
}
