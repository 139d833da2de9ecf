import { z } from "zod";
import { waitFor as waitForIt } from "../page/wait.ts";
import { parseTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

const MAX_TEXT_CHARS = 1_000;

export const waitFor = tool({
  name: "wait_for",
  title: "Wait for something",
  description: "Waits until a text or target is on the page or in one of its frames; with gone, until it is not.",
  input: z.strictObject({
    target: targetArgument.optional(),
    text: z.string().min(1).max(MAX_TEXT_CHARS).optional(),
    gone: z.boolean().optional(),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  deadline: "action",
  opens: false,
  check: (args) => ((args.target === undefined) === (args.text === undefined) ? "wait_for takes exactly one of: target, text." : null),
  async plan(args, desk) {
    const what = args.text === undefined ? { target: parseTarget(args.target ?? "") } : { text: args.text };
    const view = await desk.tabs.current();
    return {
      verb: "look",
      view,
      look: "change",
      act: async (permit) => {
        permit.take();
        const came = await waitForIt(view, what, { gone: args.gone === true, time: desk.time });
        if (!came) throw desk.time.timeout();
        return args.gone === true ? { gone: true } : { found: true };
      },
    };
  },
});
