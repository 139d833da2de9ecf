import { z } from "zod";
import { timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_TEXT_CHARS = 2_000;

export const handleNextDialog = tool({
  name: "handle_next_dialog",
  title: "Answer the next dialog",
  description:
    "Says beforehand how the next confirm or prompt of the active tab is answered, once, while its page stays. Without it they are dismissed.",
  input: z.strictObject({
    accept: z.boolean(),
    prompt_text: z.string().max(MAX_TEXT_CHARS).optional(),
    timeout_ms: timeoutArgument,
  }),
  effect: "act",
  inReadMode: ({ accept }) => (accept ? "This session only reads: dialogs can be dismissed, not accepted." : null),
  deadline: "action",
  opens: false,
  check: (args) => (args.prompt_text !== undefined && !args.accept ? "prompt_text goes only with accept: true." : null),
  async plan(args, desk) {
    const view = await desk.tabs.current();
    return {
      verb: "answer",
      view,
      values: args.prompt_text === undefined ? [] : [modelValue(args.prompt_text)],
      sink: { kind: "dialog" },
      look: "nothing",
      act: async (permit) => {
        permit.take();
        desk.tabs.armDialog(view, { accept: args.accept, promptText: args.prompt_text });
        return { armed: args.accept ? "accept" : "dismiss" };
      },
    };
  },
});
