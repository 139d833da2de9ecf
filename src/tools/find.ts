import { z } from "zod";
import { Failure } from "../errors.ts";
import { findIn, type Match } from "../page/snapshot/find.ts";
import { joinFrames } from "../page/snapshot/join.ts";
import { refsIn, tellShown } from "../page/snapshot/shown.ts";
import { tokensAbout } from "../page/snapshot/tokens.ts";
import type { Ref } from "../types.ts";
import { PAGE_WORDS } from "./cursor.ts";
import { timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

/** How far into a page is searched. */
const SEARCH_TOKENS = 200_000;
const MAX_CHARS = 500;

export const find = tool({
  name: "find",
  title: "Find on the page",
  description:
    "Finds a text, or elements by role and exact name, in the page and its frames, with the row or section they stand in and refs.",
  input: z.strictObject({
    text: z.string().min(1).max(MAX_CHARS).optional(),
    role: z.string().min(1).max(40).optional(),
    name: z.string().min(1).max(MAX_CHARS).optional(),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  reads: () => "page",
  deadline: "action",
  opens: false,
  check: (args) =>
    (args.text === undefined) === (args.role === undefined && args.name === undefined)
      ? "find takes either text, or role or name or both."
      : null,
  async plan(args, desk, session) {
    const view = await desk.tabs.current();
    return {
      verb: "look",
      view,
      look: "nothing",
      act: async (permit) => {
        permit.take();
        const { top, frames } = await joinFrames(view, { budgetTokens: SEARCH_TOKENS, root: null, time: desk.time });
        const query = args.text === undefined ? { role: args.role, name: args.name } : { text: args.text };
        const all = findIn(top, query, (frameKey, node) => view.refFor(frames.get(frameKey) ?? missing(), node));
        let left = session.maxContentTokens;
        const matches: Match[] = [];
        for (const match of all) {
          left -= tokensAbout(JSON.stringify(match));
          if (left < 0 && matches.length > 0) break;
          matches.push(match);
        }
        tellShown(view, top, refsOf(matches));
        return {
          found: all.length,
          matches,
          ...(matches.length < all.length && { left_out: all.length - matches.length }),
          ...(matches.length > 0 && { note: PAGE_WORDS }),
        };
      },
    };
  },
});

const refsOf = (matches: readonly Match[]): readonly Ref[] =>
  matches.flatMap((match) => [
    ...(match.ref === undefined ? [] : [match.ref]),
    ...(match.refs ?? []).flatMap((line) => refsIn(line)),
  ]);

function missing(): never {
  throw new Failure("stale", "The page changed while it was searched. Try again.");
}
