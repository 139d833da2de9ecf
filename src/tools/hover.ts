import { z } from "zod";
import { hover as hoverOver } from "../page/acting/act.ts";
import { expectUncovered } from "../page/acting/uncovered.ts";
import { resolvePlace, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

export const hover = tool({
  name: "hover",
  title: "Point at an element",
  description: "Moves the pointer over one element (menus that open on hover) and tells what changed.",
  input: z.strictObject({ target: targetArgument, timeout_ms: timeoutArgument }),
  effect: "look",
  deadline: "action",
  opens: false,
  async plan(args, desk) {
    const { view, element, at } = await resolvePlace(desk, args.target);
    return {
      verb: "point",
      view,
      element,
      look: "change",
      act: async (permit) => {
        if (at === undefined) await expectUncovered(view, element, desk.time);
        await hoverOver(view, element, permit, desk.time, at);
        return {};
      },
    };
  },
});
