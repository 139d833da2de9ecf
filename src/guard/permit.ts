import type { CallId, Permit, Receipt } from "../types.ts";

const issued = new WeakSet<object>();

class IssuedPermit {
  readonly call: CallId;
  readonly receipt: Receipt;
  #actsLeft: number;

  constructor(call: CallId, receipt: Receipt, acts: number) {
    this.call = call;
    this.receipt = receipt;
    this.#actsLeft = acts;
    issued.add(this);
    Object.freeze(this);
  }

  take(): void {
    if (this.#actsLeft === 0) throw new Error("this permit was used already");
    this.#actsLeft -= 1;
  }

  spend(): void {
    this.#actsLeft = 0;
  }
}

/** For `guard/` alone: makes the permit of one allowed call, good for so many acts. */
export function issuePermit(call: CallId, receipt: Receipt, acts = 1): Permit {
  // The brand exists for the compiler only; this is the one place that gives it.
  return new IssuedPermit(call, receipt, acts) as unknown as Permit;
}

/** Whether the guard made it, and not somebody who imitates its shape. */
export function isPermit(value: unknown): value is Permit {
  return typeof value === "object" && value !== null && issued.has(value);
}

/** Makes a permit worthless, taken or not. */
export function spend(permit: Permit): void {
  if (permit instanceof IssuedPermit) permit.spend();
}
