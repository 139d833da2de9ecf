import { z } from "zod";
import { Failure } from "../errors.ts";
import { waitFor as waitForIt } from "../page/snapshot/wait.ts";
import type { Desk, Plan } from "../session/session.ts";
import { parseTarget, targetArgument, timeoutArgument } from "./target.ts";
import { tool } from "./tool.ts";

const MAX_TEXT_CHARS = 1_000;
const MAX_APPROVAL_CHARS = 12;

export const waitFor = tool({
  name: "wait_for",
  title: "Wait for something",
  description: "Waits until a text or target is on the page or in one of its frames; with gone, until it is not.",
  input: z.strictObject({
    target: targetArgument.optional(),
    text: z.string().min(1).max(MAX_TEXT_CHARS).optional(),
    approval: z
      .string()
      .min(1)
      .max(MAX_APPROVAL_CHARS)
      .optional()
      .describe("of a pending result: until it is answered"),
    gone: z.boolean().optional(),
    timeout_ms: timeoutArgument,
  }),
  effect: "look",
  reads: ({ approval }) => (approval === undefined ? "page" : "aside"),
  deadline: "action",
  opens: false,
  check: ({ target, text, approval, gone }) => {
    if ([target, text, approval].filter((one) => one !== undefined).length !== 1)
      return "wait_for takes exactly one of: target, text, approval.";
    return gone !== undefined && approval !== undefined ? "gone does not go with approval." : null;
  },
  async plan(args, desk): Promise<Plan<Awaiting>> {
    if (args.approval !== undefined) return answered(args.approval, desk);
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

export interface Awaiting {
  readonly [field: string]: unknown;
  readonly answer?: "yes" | "no";
  readonly gone?: true;
  readonly found?: true;
}

/** Then shows what the answer let happen. */
async function answered(id: string, desk: Desk): Promise<Plan<Awaiting>> {
  const approval = desk.approval(id);
  if (approval === undefined)
    throw new Failure("no_match", "There is no such approval. Use the one that a pending result gave.");
  return {
    verb: "look",
    view: desk.tabs.active,
    look: "change",
    // What was held goes on now.
    stirs: true,
    waits: approval,
    act: async (permit) => {
      permit.take();
      return { answer: (await approval.answered) === "no" ? "no" : "yes" };
    },
  };
}
