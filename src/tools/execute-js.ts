import { z } from "zod";
import { tokensAbout } from "../page/snapshot/tokens.ts";
import { evaluate } from "../page/view/evaluate.ts";
import { timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";
import { modelValue } from "./value.ts";

const MAX_SCRIPT_CHARS = 100_000;
/** Rough, and on the safe side: one character is at most one token, seldom more. */
const CHARS_A_TOKEN = 2;

export const executeJs = tool({
  name: "execute_js",
  title: "Run a script",
  description:
    "Developer set only. Runs an expression in the page and gives its value: a string as it is, others as JSON, nothing for null. Marks the session unguarded.",
  input: z.strictObject({ script: z.string().min(1).max(MAX_SCRIPT_CHARS), timeout_ms: timeoutArgument }),
  effect: "act",
  deadline: "action",
  opens: false,
  async plan(args, desk, session) {
    const view = await desk.tabs.current();
    return {
      verb: "press",
      view,
      values: [modelValue(args.script)],
      look: "change",
      act: async (permit) => {
        session.unguarded = true;
        const result = await evaluate(view, args.script, permit, desk.time);
        if (result === undefined) return {};
        const kept =
          tokensAbout(result) <= session.maxContentTokens
            ? result
            : result.slice(0, session.maxContentTokens / CHARS_A_TOKEN);
        return {
          result: kept,
          ...(kept.length < result.length && { characters_left_out: result.length - kept.length }),
        };
      },
    };
  },
});
