import { z } from "zod";
import { choose } from "../page/acting/act.ts";
import { reasonArgument, resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_VALUES = 100;
const MAX_VALUE_CHARS = 1_000;

export const selectOption = tool({
  name: "select_option",
  title: "Choose options",
  description: "Chooses options of a select by value or label and tells what is selected then.",
  input: z.strictObject({
    target: targetArgument,
    values: z.array(z.string().max(MAX_VALUE_CHARS)).min(1).max(MAX_VALUES),
    reason: reasonArgument,
    timeout_ms: timeoutArgument,
  }),
  effect: "act",
  deadline: "action",
  opens: false,
  async plan(args, desk) {
    const { view, element } = await resolveTarget(desk, args.target);
    return {
      verb: "choose",
      reason: args.reason,
      view,
      element,
      values: args.values.map(modelValue),
      sink: { kind: "field", element },
      look: "change",
      act: async (permit) => ({ selected: await choose(view, element, args.values, permit, desk.time) }),
    };
  },
});
