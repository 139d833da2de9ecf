import type { Waiting } from "../guard/index.ts";
import type { Pending } from "../types.ts";

/** What is told of a call that waits. */
const PENDING = {
  held: "Nothing was sent yet: what this call would send waits for a person's answer. Go on with wait_for and this approval; do not repeat the call.",
  "not made":
    "Nothing was done: a person's answer is awaited first. Go on with wait_for and this approval, then make the call again.",
} as const;

/** What a result says of it. `now`: milliseconds since 1970. */
export function pendingOf({ question }: Waiting, state: keyof typeof PENDING, now: number): Pending {
  return {
    note: PENDING[state],
    approval: question.id,
    expires_in_s: Math.max(0, Math.ceil((question.expires - now) / 1_000)),
  };
}
