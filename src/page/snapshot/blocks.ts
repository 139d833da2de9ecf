import type { Site } from "../../types.ts";
import { type JoinedFrame, type JoinedNode, plainWords } from "./joined.ts";

/** One run of a page's words, read as a person would. */
export interface Block {
  readonly text: string;
  readonly site: Site | null;
}

const BREAKS_LINE = new Set(["row", "listitem", "heading", "paragraph", "text", "caption", "option"]);

/**
 * The words of a look, in reading order: a row, an item, a heading, a paragraph is one block. Values of fields are not
 * words of the page.
 */
export function blocksOf(frame: JoinedFrame): readonly Block[] {
  const blocks: Block[] = [];
  const walk = (nodes: readonly JoinedNode[], inside: JoinedFrame): void => {
    for (const node of nodes) {
      if (node.frame !== undefined) {
        if ("nodes" in node.frame) walk(node.frame.nodes, node.frame);
        continue;
      }
      if (BREAKS_LINE.has(node.role) && !holdsBlocks(node)) {
        add(blocks, plainWords(node), inside.site);
        // An item's own frames still have their own words.
        continue;
      }
      if (node.name !== undefined && node.nonvisual !== true) add(blocks, node.name, inside.site);
      walk(node.children ?? [], inside);
    }
  };
  walk(frame.nodes, frame);
  return blocks;
}

function add(blocks: Block[], text: string, site: Site | null): void {
  if (text !== "") blocks.push({ text, site });
}

/** Rows and frames below are blocks of their own. */
function holdsBlocks(node: JoinedNode): boolean {
  return (node.children ?? []).some(
    (child) => child.role === "row" || child.role === "listitem" || child.frame !== undefined || holdsBlocks(child),
  );
}
