import { z } from "zod";
import { Failure } from "../errors.ts";
import { blocksOf } from "../page/blocks.ts";
import { joinFrames } from "../page/join.ts";
import { tokensAbout } from "../page/tokens.ts";
import { resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

/** How far into a page words are read in all; what one result shows is bounded by its own budget. */
const READ_TOKENS = 200_000;
const BLOCK_OVERHEAD_TOKENS = 12;

export const getText = tool({
  name: "get_text",
  title: "Read the page's words",
  description: "The words of the page or of target as blocks with their site, for reading and quoting. Goes on at cursor.",
  input: z.strictObject({
    target: targetArgument.optional(),
    cursor: z.string().max(12).optional().describe("from the result before"),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  deadline: "action",
  opens: false,
  check: (args) => (args.cursor !== undefined && !/^k\d{1,9}$/.test(args.cursor) ? "cursor must be one that get_text gave." : null),
  async plan(args, desk, session) {
    const { view, element } = args.target === undefined ? { view: await desk.tabs.current(), element: null } : await resolveTarget(desk, args.target);
    return {
      verb: "look",
      view,
      element,
      look: "nothing",
      act: async (permit) => {
        permit.take();
        const { top } = await joinFrames(view, { budgetTokens: READ_TOKENS, root: element, time: desk.time });
        const all = blocksOf(top);
        const start = args.cursor === undefined ? 0 : Number(args.cursor.slice(1));
        if (start > 0 && start >= all.length) throw new Failure("bad_arguments", "There is no text at that cursor any more. Read again without it.");
        let left = session.maxContentTokens;
        const shown: object[] = [];
        for (const block of all.slice(start)) {
          left -= tokensAbout(block.text) + BLOCK_OVERHEAD_TOKENS;
          if (left < 0 && shown.length > 0) break;
          shown.push({ id: session.blocks.add(block), text: block.text, ...(block.site !== null && { site: block.site }) });
        }
        const next = start + shown.length;
        return { blocks: shown, ...(next < all.length && { cursor: `k${next}`, blocks_left: all.length - next }) };
      },
    };
  },
});
