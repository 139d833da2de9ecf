import type { Place } from "../view/cursors.ts";
import { head } from "./quote.ts";
import { isGap, type Step } from "./slots.ts";
import { tokensAbout } from "./tokens.ts";

const PART_CHARACTERS = 1_000;
/** What a header and the sections around may take. */
const AROUND_TOKENS = 100;

/** The one line that goes on with a text, whole or with a cursor of its own; nothing when that text is gone. */
export function restOfText(
  steps: readonly Step[],
  from: Extract<Place, { kind: "text" }>,
  budgetTokens: number,
): readonly Step[] {
  const slot = steps.find((step) => !isGap(step) && step.key === from.after);
  if (slot === undefined || isGap(slot)) return [];
  const rest = (slot.node.name ?? "").slice(from.offset);
  let length = 0;
  for (let cost = AROUND_TOKENS; length < rest.length; ) {
    const part = head(rest.slice(length), PART_CHARACTERS);
    cost += tokensAbout(part);
    if (length > 0 && cost > budgetTokens) break;
    length += part.length;
  }
  return length === 0
    ? []
    : [{ ...slot, draw: (writer) => writer.partOfText(slot.node, slot.key, from.offset, length) }];
}
