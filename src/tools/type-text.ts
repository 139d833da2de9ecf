import { z } from "zod";
import { enter } from "../page/act.ts";
import { resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_TEXT_CHARS = 100_000;

export const typeText = tool({
  name: "type_text",
  title: "Type into a field",
  description: "Replaces the value of a field and gives it back as read from the page. Does not submit unless asked to.",
  input: z.strictObject({
    target: targetArgument,
    text: z.string().max(MAX_TEXT_CHARS),
    sequential: z.boolean().optional().describe("key by key, for fields that react to each key"),
    submit: z.boolean().optional().describe("press Enter afterwards"),
    timeout_ms: timeoutArgument,
  }),
  effect: "act",
  deadline: "action",
  opens: false,
  async plan(args, desk) {
    const { view, element } = await resolveTarget(desk, args.target);
    return {
      verb: "enter",
      view,
      element,
      values: [modelValue(args.text)],
      sink: { kind: "field", element },
      look: "change",
      act: async (permit) => {
        const options = { ...(args.sequential !== undefined && { sequential: args.sequential }), ...(args.submit !== undefined && { submit: args.submit }) };
        return { value: await enter(view, element, args.text, permit, options, desk.time) };
      },
    };
  },
});
