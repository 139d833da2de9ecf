import type { CallId, Permit, Receipt } from "../types.ts";

const issued = new WeakSet<object>();

class IssuedPermit {
  readonly call: CallId;
  readonly receipt: Receipt;
  #isSpent = false;

  constructor(call: CallId, receipt: Receipt) {
    this.call = call;
    this.receipt = receipt;
    issued.add(this);
    Object.freeze(this);
  }

  take(): void {
    if (this.#isSpent) throw new Error("this permit was used already");
    this.#isSpent = true;
  }
}

/** For `guard/` alone: makes the permit of one allowed call. */
export function issuePermit(call: CallId, receipt: Receipt): Permit {
  // The brand exists for the compiler only; this is the one place that gives it.
  return new IssuedPermit(call, receipt) as unknown as Permit;
}

/** Whether the guard made it, and not somebody who imitates its shape. */
export function isPermit(value: unknown): value is Permit {
  return typeof value === "object" && value !== null && issued.has(value);
}

/** Makes a permit worthless, taken or not. */
export function spend(permit: Permit): void {
  try {
    permit.take();
  } catch {
    // Taken already, as it should be.
  }
}
