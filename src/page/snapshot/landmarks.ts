import type { JoinedNode } from "./joined.ts";
import { Writer } from "./line.ts";
import { isGap, type Slot, type Step } from "./slots.ts";

/** What stands around the content of a page and comes again on the next. */
const AROUND = new Set(["navigation", "banner", "complementary", "contentinfo"]);
/** Smaller ones are shown again: a line that opens them would save nothing. */
const FOLD_MIN_LINES = 4;
/** What stands around may take this part of a view before the content comes first. */
const AROUND_MAX_SHARE = 0.25;
const MAX_REMEMBERED = 60;

const isAround = (node: JoinedNode): boolean => AROUND.has(node.role);

/** A section with all lines inside it. */
export interface Block {
  readonly at: number;
  readonly end: number;
  readonly slot: Slot;
  readonly whole: boolean;
}

/** Navigation, banners, asides and footers, outermost only. */
function blocksAround(steps: readonly Step[]): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at];
    if (step === undefined || isGap(step) || !isAround(step.node)) continue;
    const end = endOf(steps, at, step);
    blocks.push({ at, end, slot: step, whole: !steps.slice(at, end + 1).some(isGap) });
    at = end - 1;
  }
  return blocks;
}

/** First index after all that is inside the section at `at`. */
function endOf(steps: readonly Step[], at: number, slot: Slot): number {
  let end = at + 1;
  for (let step = steps[end]; step !== undefined && (isGap(step) || step.depth > slot.depth); step = steps[end])
    end += 1;
  return end;
}

/** What a block looks like, whatever its elements' refs are and wherever the page is. */
function faceOf(steps: readonly Step[], block: Block): string {
  const lines = steps
    .slice(block.at, block.end)
    .map((step) =>
      isGap(step) ? "" : `${step.depth - block.slot.depth} ${step.draw(new Writer(() => "e" as never, null))}`,
    );
  return lines.join("\n").replaceAll(/ \[current\]|, current|current, /g, "");
}

const nameOf = (block: Block): string =>
  `${block.slot.frame.site ?? ""}|${block.slot.node.role}|${block.slot.node.name ?? ""}`;

/** What the model has seen around the pages of each site, to tell it once. */
export class Landmarks {
  readonly #faces = new Map<string, string>();

  /** Indexes of blocks that the model saw on the page before, as they are now. */
  repeated(steps: readonly Step[]): readonly Block[] {
    return blocksAround(steps).filter(
      (block) =>
        block.whole && block.end - block.at > FOLD_MIN_LINES && this.#faces.get(nameOf(block)) === faceOf(steps, block),
    );
  }

  /** Remembers the blocks whose every line was shown. */
  remember(steps: readonly Step[], shown: { has(key: string): boolean }): void {
    for (const block of blocksAround(steps)) {
      if (!block.whole || !steps.slice(block.at, block.end).every((step) => isGap(step) || shown.has(step.key)))
        continue;
      const name = nameOf(block);
      this.#faces.delete(name);
      this.#faces.set(name, faceOf(steps, block));
    }
    for (const name of this.#faces.keys()) {
      if (this.#faces.size <= MAX_REMEMBERED) break;
      this.#faces.delete(name);
    }
  }
}

/** Index of the last line that is no part of a block; -1 when there is none. */
function lastContent(steps: readonly Step[], blocks: readonly Block[]): number {
  let last = -1;
  let inside = 0;
  steps.forEach((step, index) => {
    while ((blocks[inside]?.end ?? Number.POSITIVE_INFINITY) <= index) inside += 1;
    if (!isGap(step) && index < (blocks[inside]?.at ?? Number.POSITIVE_INFINITY)) last = index;
  });
  return last;
}

const outermost = (steps: readonly Step[]): readonly Block[] =>
  blocksAround(steps).filter((block) => block.slot.depth === 0);

/** False when all that was walked only stands around a content that comes later. */
export const hasContent = (steps: readonly Step[]): boolean => lastContent(steps, outermost(steps)) !== -1;

/**
 * The blocks that are to come after the content, because those before it would take much of the budget. Null when the
 * page's own order does.
 */
export function contentFirst(
  steps: readonly Step[],
  costOf: (slot: Slot) => number,
  budgetTokens: number,
): readonly Block[] | null {
  const blocks = outermost(steps);
  const end = lastContent(steps, blocks);
  let around = 0;
  for (const block of blocks) {
    if (block.at > end) break;
    for (const step of steps.slice(block.at, block.end)) if (!isGap(step)) around += costOf(step);
  }
  return around > budgetTokens * AROUND_MAX_SHARE ? blocks : null;
}

const FIELDS = new Set([
  "textbox",
  "searchbox",
  "combobox",
  "spinbutton",
  "listbox",
  "checkbox",
  "radio",
  "switch",
  "slider",
]);

/** What is inside, counted, in our words: "24 rows, 3 fields". */
export function countsOf(node: JoinedNode): string {
  const counts = { row: 0, item: 0, link: 0, button: 0, field: 0, text: 0 };
  let cut = false;
  const count = (nodes: readonly JoinedNode[]): void => {
    for (const each of nodes) {
      cut ||= each.more !== undefined;
      if (each.role === "row") counts.row += (each.children ?? []).some((cell) => cell.role !== "columnheader") ? 1 : 0;
      else if (each.role === "listitem") counts.item += 1;
      else if (each.role === "link") counts.link += 1;
      else if (each.role === "button") counts.button += 1;
      else if (FIELDS.has(each.role)) counts.field += 1;
      else if (each.role === "text") counts.text += 1;
      if (each.frame !== undefined && "nodes" in each.frame) count(each.frame.nodes);
      count(each.children ?? []);
    }
  };
  cut ||= node.more !== undefined;
  count(node.children ?? []);
  if (node.frame !== undefined && "nodes" in node.frame) count(node.frame.nodes);
  const told = (["row", "item", "link", "button", "field"] as const).filter((kind) => counts[kind] > 0);
  const named = told.length === 0 && counts.text > 0 ? (["text"] as const) : told;
  return named
    .map((kind) => `${counts[kind]}${cut ? "+" : ""} ${kind}${counts[kind] === 1 && !cut ? "" : "s"}`)
    .join(", ");
}
