import { z } from "zod";
import { aside } from "./aside.ts";
import { newestThatFit } from "./fitting.ts";
import { timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

const FIRST_ERROR_STATUS = 400;

export const networkRequests = tool({
  name: "network_requests",
  title: "Requests of the pages",
  description:
    "Method, address and status of recent requests, oldest first, refused ones with their rule. Never bodies.",
  input: z.strictObject({
    url_contains: z.string().min(1).max(500).optional(),
    errors_only: z.boolean().optional().describe("failed and refused ones"),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  reads: () => "aside",
  deadline: "action",
  opens: true,
  async plan(args, desk, session) {
    return aside("look", () => {
      const { events, forgotten } = desk.events.kept("requests");
      const wanted = events.flatMap(({ event }) => {
        if (event.kind !== "request") return [];
        if (args.url_contains !== undefined && !event.url.includes(args.url_contains)) return [];
        const failed = event.refused !== null || (event.status !== null && event.status >= FIRST_ERROR_STATUS);
        if (args.errors_only === true && !failed) return [];
        return [
          {
            method: event.method,
            url: event.url,
            ...(event.status !== null && { status: event.status }),
            ...(event.refused !== null && { refused: event.refused.rule }),
            ...(event.refused?.operator !== undefined && { operator: event.refused.operator }),
          },
        ];
      });
      // The newest are what a call was about: the oldest go first when all are too many.
      const { kept } = newestThatFit(wanted, session.maxContentTokens);
      const leftOut = wanted.length - kept.length + forgotten;
      return { requests: kept, ...(leftOut > 0 && { older_left_out: leftOut }) };
    });
  },
});
