import { z } from "zod";
import { capture } from "../page/pictures/screenshot.ts";
import { resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

export const screenshot = tool({
  name: "screenshot",
  title: "Picture of the page",
  description: "PNG of what is visible, of the full page, or of one element. Secret fields are painted over.",
  input: z.strictObject({
    full_page: z.boolean().optional(),
    marks: z.boolean().optional().describe("write refs on what can be acted on"),
    target: targetArgument.optional(),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  reads: () => "page",
  deadline: "action",
  opens: false,
  pictures: true,
  check: (args) =>
    args.full_page === true && args.target !== undefined ? "screenshot takes full_page or target, not both." : null,
  async plan(args, desk) {
    const { view, element } =
      args.target === undefined
        ? { view: await desk.tabs.current(), element: null }
        : await resolveTarget(desk, args.target);
    return {
      verb: "look",
      view,
      element,
      look: "nothing",
      act: async (permit) => {
        const { bytes, width, height, scale } = await capture(
          view,
          permit,
          { fullPage: args.full_page === true, element, marks: args.marks === true },
          desk.time,
        );
        return { image: { bytes, mimeType: "image/png" as const }, width, height, ...(scale !== 1 && { scale }) };
      },
    };
  },
});
