import type { CallableSession, Choice, ToolResult } from "../types.ts";

/** The part of the demo's site that the task needs to know: its address and the account. */
export interface BackOffice {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** One call of the scripted agent and why it makes it. */
export interface Step {
  readonly why: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the scripted person says when somebody is asked about it. */
  readonly answer?: Choice;
}

const ORDER = "CMD-1042";

/** What an agent with the task "set order CMD-1042 to Shipped" would call, and a person who first does not want it. */
export function taskSteps(site: BackOffice): readonly Step[] {
  const save = { tool: "click", args: { target: 'button "Save status"' } } as const;
  return [
    { why: "open the back office", tool: "navigate", args: { url: site.url } },
    { why: "say who we are", tool: "type_text", args: { target: 'textbox "User"', text: site.user } },
    {
      why: "give the password; it never comes back",
      tool: "type_text",
      args: { target: 'textbox "Password"', text: site.password },
    },
    { why: "sign in", tool: "click", args: { target: 'button "Sign in"' }, answer: "once" },
    {
      why: `find order ${ORDER}`,
      tool: "type_text",
      args: { target: 'searchbox "Search"', text: ORDER, submit: true },
    },
    { why: "open the order of that very row", tool: "click", args: { target: `link "View" in "${ORDER}"` } },
    { why: "choose the new status", tool: "select_option", args: { target: 'combobox "Status"', values: ["Shipped"] } },
    { why: "save it, which the person does not want yet", ...save, answer: "no" },
    { why: "save it, with a yes", ...save, answer: "once" },
    { why: "see that it is so", tool: "snapshot", args: {} },
  ];
}

/** Whether it came to what it was to come to: a no is a refusal. */
export function isAsMeant({ answer }: Step, { envelope }: ToolResult): boolean {
  return answer === "no" ? envelope.refused !== undefined : envelope.ok;
}

/** Makes the calls in order and stops at the first that does not come to what it should. True when all did. */
export async function runTask(
  session: CallableSession,
  steps: readonly Step[],
  watch: {
    readonly begins: (step: Step) => void;
    readonly ended: (step: Step, result: ToolResult, ms: number) => void;
  },
): Promise<boolean> {
  for (const step of steps) {
    const start = performance.now();
    watch.begins(step);
    const result = await session.call(step.tool, step.args);
    watch.ended(step, result, performance.now() - start);
    if (!isAsMeant(step, result)) return false;
  }
  return true;
}
