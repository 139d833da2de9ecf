import { z } from "zod";
import { pressKey as pressOneKey } from "../page/acting/act.ts";
import { elementInFocus } from "../page/acting/loose.ts";
import { reasonArgument, resolveTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_KEY_CHARS = 40;
const SCROLLS_OR_CLOSES: ReadonlySet<string> = new Set([
  "PageDown",
  "PageUp",
  "ArrowDown",
  "ArrowUp",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
  "Escape",
]);

export const pressKey = tool({
  name: "press_key",
  title: "Press a key",
  description:
    "Presses one key (Enter, Escape, Tab, ArrowDown, Control+a), in target or where the focus is, and tells what changed.",
  input: z.strictObject({
    key: z.string().min(1).max(MAX_KEY_CHARS),
    target: targetArgument.optional(),
    reason: reasonArgument,
    timeout_ms: timeoutArgument,
  }),
  effect: "act",
  inReadMode: ({ key }) =>
    SCROLLS_OR_CLOSES.has(key)
      ? null
      : `This session only reads: press_key takes ${[...SCROLLS_OR_CLOSES].join(", ")}.`,
  deadline: "action",
  opens: false,
  async plan(args, desk) {
    const { view, element } =
      args.target === undefined
        ? { view: await desk.tabs.current(), element: null }
        : await resolveTarget(desk, args.target);
    const focus = element === null ? await elementInFocus(view, desk.time) : null;
    return {
      verb: "enter",
      reason: args.reason,
      view,
      element,
      focus,
      values: [modelValue(args.key)],
      sink: element === null ? null : { kind: "field", element },
      look: "change",
      act: async (permit) => {
        await pressOneKey(view, element, focus, args.key, permit, desk.time);
        return {};
      },
    };
  },
});
