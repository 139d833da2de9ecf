import { z } from "zod";
import { press } from "../page/acting/act.ts";
import { expectUncovered } from "../page/acting/uncovered.ts";
import { reasonArgument, resolvePlace, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

export const click = tool({
  name: "click",
  title: "Click",
  description: "Clicks one element and tells what changed.",
  input: z.strictObject({
    target: targetArgument,
    button: z.enum(["left", "right", "middle"]).optional(),
    count: z.number().int().min(1).max(3).optional().describe("2 for a double click"),
    reason: reasonArgument,
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  deadline: "action",
  opens: false,
  async plan(args, desk) {
    const { view, element, at } = await resolvePlace(desk, args.target);
    return {
      verb: "press",
      reason: args.reason,
      view,
      element,
      look: "change",
      act: async (permit) => {
        if (at === undefined) await expectUncovered(view, element, desk.time);
        await press(
          view,
          element,
          permit,
          { ...(args.button && { button: args.button }), ...(args.count !== undefined && { count: args.count }), at },
          desk.time,
        );
        return {};
      },
    };
  },
});
