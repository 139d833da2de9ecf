import { z } from "zod";
import { goBackOrForward, historyEntry } from "../page/acting/go.ts";
import { timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

export const goBack = historyTool(
  "go_back",
  "back",
  "Back one page",
  "Goes back one page in the tab's history and shows it.",
);
export const goForward = historyTool(
  "go_forward",
  "forward",
  "Forward one page",
  "Goes forward one page in the tab's history and shows it.",
);

function historyTool<const Name extends string>(
  name: Name,
  direction: "back" | "forward",
  title: string,
  description: string,
) {
  return tool({
    name,
    title,
    description,
    input: z.strictObject({ timeout_ms: timeoutArgument }),
    effect: "look",
    deadline: "navigation",
    opens: false,
    async plan(_args, desk) {
      const view = await desk.tabs.current();
      const url = await historyEntry(view, direction, desk.time);
      return {
        verb: "go",
        view,
        sink: url === null ? null : { kind: "url", url },
        look: "page",
        act: async (permit) => {
          if (url === null) {
            permit.take();
            return { note: `there is no page to go ${direction} to` };
          }
          const outcome = await goBackOrForward(view, direction, permit, desk.time);
          return outcome === "none" ? { note: "no document came; the page is as before" } : {};
        },
      };
    },
  });
}
