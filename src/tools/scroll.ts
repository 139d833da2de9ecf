import { z } from "zod";
import { scroll as scrollView } from "../page/acting/scroll.ts";
import { resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

export const scroll = tool({
  name: "scroll",
  title: "Scroll",
  description:
    "Scrolls the page, or what holds target, by one screen or to its top or bottom; tells the position and what came into view.",
  input: z.strictObject({
    direction: z.enum(["up", "down", "left", "right", "top", "bottom"]),
    target: targetArgument.optional(),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  deadline: "action",
  opens: false,
  async plan(args, desk) {
    const { view, element } =
      args.target === undefined
        ? { view: await desk.tabs.current(), element: null }
        : await resolveTarget(desk, args.target);
    return {
      verb: "point",
      view,
      element,
      look: "change",
      act: async (permit) => ({ position: await scrollView(view, element, args.direction, permit) }),
    };
  },
});
