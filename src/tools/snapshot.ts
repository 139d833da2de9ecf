import { z } from "zod";
import { resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

export const snapshot = tool({
  name: "snapshot",
  title: "Look at the page",
  description: "Shows the page, or the part under target, with refs to act on.",
  input: z.strictObject({ target: targetArgument.optional(), timeout_ms: timeoutArgument }),
  effect: "look",
  deadline: "action",
  opens: false,
  async plan(args, desk) {
    const { view, element } = args.target === undefined ? { view: await desk.tabs.current(), element: null } : await resolveTarget(desk, args.target);
    return {
      verb: "look",
      view,
      element,
      root: element,
      look: "page",
      act: async (permit) => {
        permit.take();
        return {};
      },
    };
  },
});
