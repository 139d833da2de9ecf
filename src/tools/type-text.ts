import { z } from "zod";
import { enter } from "../page/acting/act.ts";
import { valueFrom } from "./source.ts";
import { reasonArgument, resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_TEXT_CHARS = 100_000;

export const typeText = tool({
  name: "type_text",
  title: "Type into a field",
  description:
    "Replaces the value of a field and gives it back as read from the page. Does not submit unless asked to.",
  input: z.strictObject({
    target: targetArgument,
    text: z.string().max(MAX_TEXT_CHARS).optional(),
    from: z.string().min(1).max(12).optional().describe("in place of text: ref or block id whose words are typed"),
    sequential: z.boolean().optional().describe("key by key, for fields that react to each key"),
    submit: z.boolean().optional().describe("press Enter afterwards"),
    reason: reasonArgument,
    timeout_ms: timeoutArgument,
  }),
  effect: "act",
  deadline: "action",
  opens: false,
  check: (args) =>
    (args.text === undefined) === (args.from === undefined) ? "type_text takes exactly one of: text, from." : null,
  async plan(args, desk, session) {
    const { view, element } = await resolveTarget(desk, args.target);
    const value = args.from === undefined ? modelValue(args.text ?? "") : await valueFrom(args.from, desk, session);
    return {
      verb: "enter",
      reason: args.reason,
      view,
      element,
      values: [value],
      sink: { kind: "field", element },
      look: "change",
      act: async (permit) => {
        const options = {
          ...(args.sequential !== undefined && { sequential: args.sequential }),
          ...(args.submit !== undefined && { submit: args.submit }),
        };
        return { value: await enter(view, element, value.text, permit, options, desk.time) };
      },
    };
  },
});
