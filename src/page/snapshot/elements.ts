import type { Ref, Site } from "../../types.ts";
import { wholeAddress } from "./address.ts";
import { type JoinedFrame, type JoinedNode, plainWords, type RefOf } from "./joined.ts";
import { head } from "./quote.ts";
import { isGap, type Slot, type Step } from "./slots.ts";
import { type Resume, restOf, wholeOnly } from "./steps.ts";
import { tokensAbout } from "./tokens.ts";

/** One element as data. Words are the page's. */
export interface ElementSeen {
  /** On what can be acted on. */
  readonly ref?: Ref;
  readonly role: string;
  readonly name?: string;
  /** Words of a row, an item or a text; the value of a field that is not secret. */
  readonly text?: string;
  readonly href?: string;
  readonly site?: Site;
}

const MAX_CHARACTERS = 500;
const ROLE = /^[a-z]{1,24}$/;

export interface ElementsSeen {
  readonly elements: readonly ElementSeen[];
  readonly left: number;
  readonly last: Slot | null;
  readonly shown: ReadonlySet<string>;
  readonly sites: readonly Site[];
  readonly starved: boolean;
  readonly found: boolean;
}

export interface ElementsOptions {
  readonly refOf: RefOf;
  readonly budgetTokens: number;
  readonly resume: Resume | undefined;
  readonly pastGaps: boolean;
}

const STARVED_SHARE = 0.5;

/** What the lines of a view show, as data: a line's own element first, then what can be acted on in it. */
export function elementsOf(top: JoinedFrame, all: readonly Step[], options: ElementsOptions): ElementsSeen {
  const { resume, pastGaps } = options;
  const steps = pastGaps ? all : wholeOnly(all);
  const rest = resume === undefined ? steps : restOf(steps, resume);
  const elements: ElementSeen[] = [];
  const shown = new Set(resume?.shown);
  const sites = new Set<Site>(top.site === null ? [] : [top.site]);
  let spent = 0;
  let left = 0;
  let last: Slot | null = null;
  for (const step of rest ?? []) {
    if (isGap(step)) {
      if (!pastGaps) left += step.gap;
      continue;
    }
    const found = left > 0 ? [] : ofLine(step, options.refOf);
    const cost = tokensAbout(JSON.stringify(found));
    if (left > 0 || (spent + cost > options.budgetTokens && elements.length > 0)) {
      left += 1;
      continue;
    }
    spent += cost;
    elements.push(...found);
    shown.add(step.key);
    if (step.frame.site !== null) sites.add(step.frame.site);
    last = step;
  }
  const starved = steps.some(isGap) && spent < options.budgetTokens * STARVED_SHARE;
  return { elements, left, last, shown, sites: [...sites], starved, found: rest !== null };
}

function ofLine({ node, frame, what, holds }: Slot, refOf: RefOf): readonly ElementSeen[] {
  const own = seen(node, frame, refOf);
  if (!holds) return [own];
  const inner = Array.from(nodesIn(node.children ?? []), (each) => seen(each, frame, refOf));
  return what === "element"
    ? [own, ...inner]
    : [{ ...own, text: head(plainWords(node), MAX_CHARACTERS) }, ...inner.filter(({ ref }) => ref !== undefined)];
}

function* nodesIn(nodes: readonly JoinedNode[]): Generator<JoinedNode> {
  for (const node of nodes) {
    yield node;
    yield* nodesIn(node.children ?? []);
  }
}

function seen(node: JoinedNode, frame: JoinedFrame, refOf: RefOf): ElementSeen {
  const ref =
    node.act === true && node.id !== undefined
      ? refOf(frame.key, { id: node.id, role: node.role, name: node.name ?? "" })
      : null;
  const words = node.name === undefined || node.name === "" ? null : head(node.name, MAX_CHARACTERS);
  const href = node.href === undefined ? null : wholeAddress(node.href);
  return {
    ...(ref !== null && { ref }),
    role: ROLE.test(node.role) ? node.role : "element",
    ...(words !== null && (node.role === "text" ? { text: words } : { name: words })),
    ...(node.value !== undefined && node.secret === undefined && { text: head(node.value, MAX_CHARACTERS) }),
    ...(href !== null && { href }),
    ...(frame.site !== null && { site: frame.site }),
  };
}
