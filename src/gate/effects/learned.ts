import type { RequestOperation, Slot } from "./facts.ts";
import { lastKey } from "./shape.ts";
import { isRecipientSlot, isSeriousSlot, isSeriousVerb, ordersChange } from "./signs.ts";

/** Operations of one site that are learned: what comes after them is asked about. */
const MAX_OPERATIONS = 500;
/** Values of one slot that are remembered: one that has more varies. */
const MAX_VALUES = 8;
/** A slot that varied by itself so many times is free. */
const FREE_AFTER_VARIATIONS = 2;

/** Slots that an application counts or draws anew for each request. */
const COUNTERS: ReadonlySet<string> = new Set(
  "nonce wpnonce csrf csrftoken xcsrftoken crumb etag ifmatch rev revision reqid requestid xrequestid seq sequence t ts time timestamp now cb cachebuster rnd random traceid traceparent xid at since".split(
    " ",
  ),
);

interface Known {
  readonly names: string;
  readonly values: Map<string, { readonly values: Set<string>; variations: number; last: string }>;
}

/**
 * What the pages of a site sent by themselves before anybody touched them: operations in the values that they had. A
 * slot is free when it varied by itself, or is plainly counted or drawn; never one that puts something at stake.
 */
export class Learned {
  readonly #operations = new Map<string, Known>();
  readonly #forms = new Set<string>();

  /** A page that nobody touched has sent it. */
  learn(operation: RequestOperation): void {
    if (this.#forms.size < MAX_OPERATIONS) this.#forms.add(operation.key);
    const names = namesOf(operation);
    const key = keyOf(operation, names);
    const known = this.#operations.get(key) ?? { names, values: new Map() };
    if (this.#operations.size >= MAX_OPERATIONS && !this.#operations.has(key)) return;
    for (const { name, value } of numbered(operation.slots)) {
      const slot = known.values.get(name);
      if (slot === undefined) known.values.set(name, { values: new Set([value]), variations: 0, last: value });
      else if (slot.last !== value) {
        slot.variations += 1;
        slot.last = value;
        if (slot.values.size < MAX_VALUES) slot.values.add(value);
      }
    }
    this.#operations.set(key, known);
  }

  /** Whether it is one of those, in the values that they had. */
  knows(operation: RequestOperation): boolean {
    const known = this.#operations.get(keyOf(operation, namesOf(operation)));
    if (known === undefined) return false;
    return numbered(operation.slots).every((slot) => this.#isKnown(known, slot));
  }

  /** Whether it is one of those by its names, whatever it carries. */
  knowsForm({ key }: RequestOperation): boolean {
    return this.#forms.has(key);
  }

  /** Whether the page sent that slot of this operation with this value by itself. */
  knowsSlot(operation: RequestOperation, slot: Slot): boolean {
    const known = this.#operations.get(keyOf(operation, namesOf(operation)));
    return known?.values.get(slot.name)?.values.has(slot.value) === true;
  }

  #isKnown(known: Known, slot: Slot): boolean {
    const seen = known.values.get(slot.name);
    if (seen === undefined) return false;
    if (seen.values.has(slot.value)) return true;
    // Whatever varied: another role, amount or recipient is another thing.
    if (isSeriousSlot(slot, false) || isRecipientSlot(slot.name)) return false;
    if (COUNTERS.has(lastKey(slot.name.replace(/^header /, "")))) return isCounted(slot.value);
    if (/^\d{1,16}$/.test(slot.value) && /^\d{1,16}$/.test(seen.last) && seen.variations > 0)
      return Number(slot.value) > Number(seen.last);
    if (isRandom(slot.value) && [...seen.values].every(isRandom) && seen.variations > 0) return true;
    return (
      seen.variations >= FREE_AFTER_VARIATIONS &&
      slot.value.length <= longest(seen.values) * 2 &&
      !slot.name.includes("text")
    );
  }
}

/** Counted, drawn or a moment: no words. */
function isCounted(value: string): boolean {
  return value.length <= 128 && !/\s/.test(value) && !ordersChange(value) && !isSeriousVerb(value);
}

function isRandom(value: string): boolean {
  return value.length >= 12 && /^[\w.~=+/-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

function longest(values: ReadonlySet<string>): number {
  return Math.max(8, ...[...values].map((value) => value.length));
}

/** Names that come twice are told apart. */
function numbered(slots: readonly Slot[]): readonly Slot[] {
  const seen = new Map<string, number>();
  return slots.map(({ name, value }) => {
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return { name: count === 0 ? name : `${name} #${count}`, value };
  });
}

function namesOf({ slots }: RequestOperation): string {
  return [...new Set(slots.map(({ name }) => name))].sort().join("\n");
}

function keyOf({ key }: RequestOperation, names: string): string {
  return `${key}\n${names}`;
}
