import type { CallableSession, ToolResult } from "../types.ts";

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
}

const ORDER = "CMD-1042";

/** What an agent with the task "set order CMD-1042 to Shipped" would call. */
export function taskSteps(site: BackOffice): readonly Step[] {
  return [
    { why: "open the back office", tool: "navigate", args: { url: site.url } },
    { why: "say who we are", tool: "type_text", args: { target: 'textbox "User"', text: site.user } },
    { why: "give the password; it never comes back", tool: "type_text", args: { target: 'textbox "Password"', text: site.password } },
    { why: "sign in", tool: "click", args: { target: 'button "Sign in"' } },
    { why: `find order ${ORDER}`, tool: "type_text", args: { target: 'searchbox "Search"', text: ORDER, submit: true } },
    { why: "open the order of that very row", tool: "click", args: { target: `link "View" in "${ORDER}"` } },
    { why: "choose the new status", tool: "select_option", args: { target: 'combobox "Status"', values: ["Shipped"] } },
    { why: "save it", tool: "click", args: { target: 'button "Save status"' } },
    { why: "see that it is so", tool: "snapshot", args: {} },
  ];
}

/** Makes the calls in order and stops at the first that does not succeed. True when all did. */
export async function runTask(
  session: CallableSession,
  steps: readonly Step[],
  report: (step: Step, result: ToolResult, ms: number) => void,
): Promise<boolean> {
  for (const step of steps) {
    const start = performance.now();
    const result = await session.call(step.tool, step.args);
    report(step, result, performance.now() - start);
    if (!result.envelope.ok) return false;
  }
  return true;
}
