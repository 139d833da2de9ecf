import type { JoinedNode } from "./joined.ts";
import { isGap, type Slot, type Step } from "./slots.ts";

/** Where an earlier look ended. */
export interface Resume {
  readonly after: string;
  readonly section: string | null;
  readonly shown: ReadonlySet<string>;
}

/**
 * Where the walk ended in the middle of a line, that line is left out as well: it would be another one in the next
 * look.
 */
export function wholeOnly(steps: readonly Step[]): readonly Step[] {
  const whole: Step[] = [];
  for (const step of steps) {
    const before = whole.at(-1);
    if (isGap(step) && before !== undefined && !isGap(before) && whole.length > 1) {
      whole.pop();
      whole.push({ gap: 1, what: before.what });
    }
    whole.push(step);
  }
  return whole;
}

/** What an earlier look has not shown, from where it ended; null when that place is gone. */
export function restOf(steps: readonly Step[], { after, section, shown }: Resume): readonly Step[] | null {
  let end = -1;
  let lastShown = -1;
  let sectionAt = -1;
  steps.forEach((step, index) => {
    if (isGap(step)) return;
    if (step.key === after) end = index;
    if (shown.has(step.key)) lastShown = index;
    if (step.key === section) sectionAt = index;
  });
  if (end === -1 && (section === null || sectionAt === -1)) return null;
  // When the order is another one now (an overlay came first), everything that was not shown is what is left.
  const from = end === -1 || lastShown === end ? lastShown + 1 : 0;
  return steps.slice(from).filter((step) => isGap(step) || !shown.has(step.key));
}

/** The lines from a heading to the next one of its level, or to the end of what holds it. */
export function partUnder(steps: readonly Step[], heading: Slot): readonly Step[] {
  const at = steps.indexOf(heading);
  const level = levelOf(heading.node);
  let end = at + 1;
  for (let step = steps[end]; step !== undefined; step = steps[end]) {
    if (
      !isGap(step) &&
      (step.depth < heading.depth ||
        (step.depth === heading.depth && step.node.role === "heading" && levelOf(step.node) <= level))
    )
      break;
    end += 1;
  }
  return steps.slice(at, end);
}

const LOWEST_LEVEL = 9;
function levelOf(node: JoinedNode): number {
  for (const state of node.states ?? []) if (/^level [1-9]$/.test(state)) return Number(state.slice(-1));
  return LOWEST_LEVEL;
}
