import { z } from "zod";
import { Failure } from "../errors.ts";
import { type Block, blocksOf } from "../page/snapshot/blocks.ts";
import { joinFrames } from "../page/snapshot/join.ts";
import { tokensAbout } from "../page/snapshot/tokens.ts";
import type { Place } from "../page/view/cursors.ts";
import type { View } from "../page/view/view.ts";
import type { Desk, Session } from "../session/session.ts";
import type { Element } from "../types.ts";
import { cursorArgument, cursorProblem, PAGE_WORDS, placeOf, wrongTool } from "./cursor.ts";
import { resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

/** How far into a page words are read in all; what one result shows is bounded by its own budget. */
const READ_TOKENS = 200_000;
const BLOCK_OVERHEAD_TOKENS = 12;

export const getText = tool({
  name: "get_text",
  title: "Read the page's words",
  description:
    "The words of the page or of target as blocks with their site, for reading and quoting. Goes on at cursor.",
  input: z.strictObject({
    target: targetArgument.optional(),
    cursor: cursorArgument,
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  reads: () => "page",
  deadline: "action",
  opens: false,
  check: (args) => cursorProblem(args.cursor, [args.target]),
  async plan(args, desk, session) {
    const { view, element, place } = await startOf(args, desk, session);
    return {
      verb: "look",
      view,
      element,
      look: "nothing",
      act: async (permit) => {
        permit.take();
        const { top } = await joinFrames(view, { budgetTokens: READ_TOKENS, root: element, time: desk.time });
        const all = blocksOf(top);
        const start = place === null ? 0 : placeAfter(all, top.key, place);
        let left = session.maxContentTokens;
        const blocks: object[] = [];
        for (const block of all.slice(start)) {
          left -= tokensAbout(block.text) + BLOCK_OVERHEAD_TOKENS;
          if (left < 0 && blocks.length > 0) break;
          blocks.push({
            id: session.blocks.add(block),
            text: block.text,
            ...(block.site !== null && { site: block.site }),
          });
        }
        const next = start + blocks.length;
        const last = all[next - 1];
        if (last === undefined || next === all.length)
          return { blocks, ...(blocks.length > 0 && { note: PAGE_WORDS }) };
        const nth = all.slice(0, next - 1).filter(({ text }) => text === last.text).length;
        const cursor = session.cursors.add({
          kind: "blocks",
          tab: view.tab,
          document: top.key,
          root: element?.ref ?? null,
          after: last.text,
          nth,
        });
        return { blocks, cursor, blocks_left: all.length - next, note: PAGE_WORDS };
      },
    };
  },
});

type BlocksPlace = Extract<Place, { kind: "blocks" }>;

async function startOf(
  args: { readonly target?: string | undefined; readonly cursor?: string | undefined },
  desk: Desk,
  session: Session,
): Promise<{ readonly view: View; readonly element: Element | null; readonly place: BlocksPlace | null }> {
  if (args.cursor === undefined)
    return {
      ...(args.target === undefined
        ? { view: await desk.tabs.current(), element: null }
        : await resolveTarget(desk, args.target)),
      place: null,
    };
  const { view, element, place } = await placeOf(desk, session, args.cursor);
  if (place.kind !== "blocks") throw wrongTool("snapshot");
  return { view, element, place };
}

/** Index of the block after the one that was read last. Throws stale when that one is gone. */
function placeAfter(all: readonly Block[], document: string, { document: known, after, nth }: BlocksPlace): number {
  const same = all.flatMap(({ text }, index) => (text === after ? [index] : []));
  const at = document === known ? (same[nth] ?? same.at(-1)) : undefined;
  if (at === undefined)
    throw new Failure("stale", "The text at that cursor is no longer on the page. Read again without it.");
  return at + 1;
}
