import type { Described, Slot } from "../gate/index.ts";
import type { RequestFacts } from "../types.ts";

/** Slots that an app draws anew for each request. A moment or an id may be what the request is about. */
const DRAWN =
  /(?:^|[._[?-])(?:nonce|_|cb|rnd|random|traceid|idempotency[_-]?key)\]?$|^header (?:x-request-id|traceparent|idempotency-key)$/i;
/** Those that it counts. */
const COUNTED = /^\?(?:seq|_?reqid)$/i;
/** Long, in one piece and with a digit: nobody's words, no day, no small number of a thing. */
const DRAWN_VALUE = /^(?=.*\d)[\w.~=+/]{10,128}$/;
const COUNTED_VALUE = /^\d{1,9}$/;
/** What a header says of one request among others. */
const HEADER_VALUE = /^[\w.:~=+/-]{1,128}$/;

/**
 * The same for a retry, which differs only in what an app counts or draws anew. What cannot be inspected is like
 * nothing else.
 */
export function sameOf(facts: RequestFacts, { operation, parts, place }: Described): string {
  const slots = operation.slots.filter((slot) => !variesByItself(slot)).map(({ name, value }) => [name, value]);
  return JSON.stringify([operation.key || place, slots, parts.whole ? "" : facts.id]);
}

function variesByItself({ name, value }: Slot): boolean {
  if (COUNTED.test(name)) return COUNTED_VALUE.test(value) || DRAWN_VALUE.test(value);
  return DRAWN.test(name) && (/^header /.test(name) ? HEADER_VALUE : DRAWN_VALUE).test(value);
}
