import { z } from "zod";
import type { StampedEvent } from "../session/events.ts";
import { aside } from "./aside.ts";
import { newestThatFit } from "./fitting.ts";
import { timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

/** The whole result: logs are seldom what the model came for. */
const MAX_TOKENS = 450;
/** Plain lines keep at least this much. */
const MAX_ERROR_TOKENS = 350;
const MAX_LINE_CHARS = 300;

export interface ConsoleLine {
  readonly level?: string;
  readonly text: string;
  readonly times?: number;
}

export const consoleMessages = tool({
  name: "console_messages",
  title: "Console of the pages",
  description:
    "What pages wrote to the console: errors, uncaught ones too, then other lines, each oldest first; the oldest are left out when too many.",
  input: z.strictObject({ errors_only: z.boolean().optional(), timeout_ms: timeoutArgument }),
  effect: "look",
  reads: () => "aside",
  deadline: "action",
  opens: true,
  async plan(args, desk, session) {
    return aside("look", () => {
      const maxTokens = Math.min(MAX_TOKENS, session.maxContentTokens);
      const errors = desk.events.kept("errors");
      const others = args.errors_only === true ? { events: [], forgotten: 0 } : desk.events.kept("console");
      const plain = folded(others.events, true);
      const failed = folded(errors.events, false);
      const shownErrors = newestThatFit(
        failed.lines,
        plain.lines.length === 0 ? maxTokens : Math.min(MAX_ERROR_TOKENS, maxTokens),
      );
      const shown = newestThatFit(plain.lines, maxTokens - shownErrors.tokens);
      const leftOut =
        errors.forgotten + others.forgotten + failed.count + plain.count - total(shownErrors.kept) - total(shown.kept);
      return {
        errors: shownErrors.kept,
        ...(args.errors_only !== true && { messages: shown.kept }),
        ...(leftOut > 0 && { older_left_out: leftOut }),
      };
    });
  },
});

/** The same line again and again is one. */
function folded(
  events: readonly StampedEvent[],
  withLevel: boolean,
): { readonly lines: readonly ConsoleLine[]; readonly count: number } {
  const lines: ConsoleLine[] = [];
  let count = 0;
  for (const { event } of events) {
    if (event.kind !== "console") continue;
    count += 1;
    const text = event.message.length > MAX_LINE_CHARS ? `${event.message.slice(0, MAX_LINE_CHARS)}…` : event.message;
    const last = lines.at(-1);
    const level = withLevel && event.level !== "log" ? { level: event.level } : {};
    if (last !== undefined && last.text === text && last.level === level.level)
      lines[lines.length - 1] = { ...last, times: (last.times ?? 1) + 1 };
    else lines.push({ ...level, text });
  }
  return { lines, count };
}

function total(lines: readonly ConsoleLine[]): number {
  return lines.reduce((sum, line) => sum + (line.times ?? 1), 0);
}
