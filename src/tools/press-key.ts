import { z } from "zod";
import { pressKey as pressOneKey } from "../page/act.ts";
import { resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_KEY_CHARS = 40;

export const pressKey = tool({
  name: "press_key",
  title: "Press a key",
  description: "Presses one key (Enter, Escape, Tab, ArrowDown, Control+a), in target or where the focus is, and tells what changed.",
  input: z.strictObject({ key: z.string().min(1).max(MAX_KEY_CHARS), target: targetArgument.optional(), timeout_ms: timeoutArgument }),
  effect: "act",
  deadline: "action",
  opens: false,
  async plan(args, desk) {
    const { view, element } = args.target === undefined ? { view: await desk.tabs.current(), element: null } : await resolveTarget(desk, args.target);
    return {
      verb: "enter",
      view,
      element,
      values: [modelValue(args.key)],
      sink: element === null ? null : { kind: "field", element },
      look: "change",
      act: async (permit) => {
        await pressOneKey(view, element, args.key, permit, desk.time);
        return {};
      },
    };
  },
});
