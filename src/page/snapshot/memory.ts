import type { View } from "../view/view.ts";
import { Landmarks } from "./landmarks.ts";
import type { Rendered } from "./render.ts";
import { isGap } from "./slots.ts";

/** One line of the page as it was at the last look. */
export interface KnownLine {
  readonly key: string;
  readonly section: string | null;
  readonly sign: string;
  readonly options: string | null;
  /** As the model saw it; null when it did not. */
  readonly text: string | null;
}

/** What the model saw of a tab last, and what else was there then. */
export interface Memory {
  /** Key of the main frame's document. */
  readonly document: string;
  readonly lines: readonly KnownLine[];
  /** Elements further down that the look did not come to. */
  readonly unwalked: number;
  /** Table rows in all, those further down too; null when they were not counted. */
  readonly rows: number | null;
  /** The next look must come as far to compare with this one. */
  readonly walkTokens: number;
  /** Lives on when the document goes. */
  readonly landmarks: Landmarks;
}

const memories = new WeakMap<View, Memory>();

/** What the model saw of this tab last; what changed is told against it. */
export const memoryOf = (view: View): Memory | null => memories.get(view) ?? null;

export function keep(view: View, memory: Memory): Memory {
  memories.set(view, memory);
  return memory;
}

/** What is known of a page after a look that told these lines; those that earlier looks at it told stay seen. */
export function remember(
  document: string,
  rendered: Rendered,
  walkTokens: number,
  before: Memory | null,
  told: Iterable<readonly [string, string]>,
): Memory {
  const texts = new Map<string, string>();
  if (before?.document === document)
    for (const line of before.lines) if (line.text !== null) texts.set(line.key, line.text);
  for (const [key, text] of told) texts.set(key, text);
  const lines = rendered.steps.flatMap((step): KnownLine[] => {
    if (isGap(step)) return [];
    const options = step.node.options === undefined ? null : JSON.stringify(step.node.options);
    return [{ key: step.key, section: step.section, sign: step.sign(), options, text: texts.get(step.key) ?? null }];
  });
  const landmarks = before?.landmarks ?? new Landmarks();
  landmarks.remember(rendered.steps, texts);
  return { document, lines, unwalked: rendered.unwalked, rows: rendered.rows, walkTokens, landmarks };
}
