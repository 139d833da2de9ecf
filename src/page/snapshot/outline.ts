import { countsOf } from "./landmarks.ts";
import { isGap, type Slot, type Step } from "./slots.ts";

const PARTS = new Set(
  "main navigation banner contentinfo complementary region form search dialog alertdialog group article table grid treegrid list menu menubar tablist tabpanel tree feed toolbar radiogroup heading frame".split(
    " ",
  ),
);

/** Sections and headings only, each with its ref and what is in it; where the walk ended stays known. */
export function outlineOf(steps: readonly Step[]): readonly Step[] {
  const kept = new Map<string, number>();
  const out: Step[] = [];
  let parents: Slot[] = [];
  for (const step of steps) {
    if (isGap(step)) {
      out.push(step);
      continue;
    }
    parents = parents.filter((slot) => slot.depth < step.depth);
    const holder = parents.findLast((slot) => kept.has(slot.key));
    parents.push(step);
    if (!PARTS.has(step.node.role)) continue;
    const depth = holder === undefined ? 0 : (kept.get(holder.key) ?? 0) + 1;
    kept.set(step.key, depth);
    const { node } = step;
    const isHeading = node.role === "heading";
    out.push({
      ...step,
      depth,
      section: holder?.key ?? null,
      draw: (writer) =>
        isHeading || node.role === "frame"
          ? `${refOf(step, writer)}`
          : writer.section(node, step.frame, countsOf(node)),
    });
  }
  return out;
}

/** Headings and frames say no counts: a heading's are those of what follows, a frame's own sections come below. */
const refOf = (step: Slot, writer: Parameters<Slot["draw"]>[0]): string =>
  step.node.id === undefined ? step.draw(writer) : writer.section(withoutChildren(step), step.frame, "");

function withoutChildren({ node }: Slot): Slot["node"] {
  const { children: _children, ...own } = node;
  return own;
}
