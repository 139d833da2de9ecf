import { z } from "zod";
import type { Permit } from "../types.ts";
import { cursorArgument, cursorProblem, placeOf, wrongTool } from "./cursor.ts";
import { resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

export const snapshot = tool({
  name: "snapshot",
  title: "Look at the page",
  description:
    "Shows the page, or the part under target, with refs to act on; of a page that was shown before, what changed.",
  input: z.strictObject({
    target: targetArgument.optional(),
    detail: z.enum(["outline", "full"]).optional().describe("outline: sections with counts; full: all again"),
    format: z.enum(["text", "elements"]).optional().describe("elements: a list as data"),
    cursor: cursorArgument,
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  reads: () => "page",
  deadline: "action",
  opens: false,
  check(args) {
    if (args.detail === "outline" && args.format === "elements") return "An outline is text: leave out format.";
    return cursorProblem(args.cursor, [args.target, args.detail, args.format]);
  },
  async plan(args, desk, session) {
    if (args.cursor !== undefined) {
      const { view, place, element } = await placeOf(desk, session, args.cursor);
      if (place.kind === "blocks") throw wrongTool("get_text");
      return { verb: "look", view, element, root: element, look: "page", show: { from: place }, act: looking };
    }
    const { view, element } =
      args.target === undefined
        ? { view: await desk.tabs.current(), element: null }
        : await resolveTarget(desk, args.target);
    return {
      verb: "look",
      view,
      element,
      root: element,
      look: "page",
      show: { detail: args.detail, format: args.format },
      act: looking,
    };
  },
});

async function looking(permit: Permit): Promise<Record<string, never>> {
  permit.take();
  return {};
}
