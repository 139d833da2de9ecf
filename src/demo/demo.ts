import { openToolbox } from "../assembly/open.ts";
import type { Config, StorageState } from "../config/index.ts";
import { canonicalUrl } from "../guard/index.ts";
import { tokensAbout } from "../tools/size.ts";
import type { Answer, Envelope, Origin, Question, ToolResult } from "../types.ts";
import { runTask, type Step, taskSteps } from "./task.ts";

/** The shipped sites lie beside `dist/` as they lie beside `src/`. */
const SITES = new URL("../../sites/server.mjs", import.meta.url);
const ACCOUNT = { user: "ada", password: "correct-horse" };
const SNAPSHOT_LINES_SHOWN = 12;

interface Sites {
  readonly backOffice: { readonly url: string; readonly effects: Readonly<Record<string, number>> };
  close(): Promise<void>;
}

export interface DemoOptions {
  readonly config: Config;
  readonly storageState: StorageState | undefined;
  readonly write: (text: string) => void;
  /** How to start the MCP server, for the closing words. */
  readonly command: readonly string[];
}

/** "done": the site really changed. */
export type DemoOutcome = "done" | "failed" | "no_browser";

/**
 * A scripted agent does a small job in a real Chromium, and a scripted person is asked about what changes something.
 */
export async function runDemo({ config, storageState, write, command }: DemoOptions): Promise<DemoOutcome> {
  const { startSites } = (await import(SITES.href)) as { startSites(): Promise<Sites> };
  const sites = await startSites();
  const site = sites.backOffice;
  const changes = (): number => site.effects.statusChanges ?? 0;
  let current: Step | null = null;
  const approve = async (question: Question): Promise<Answer> => {
    const answer = current?.answer ?? "no";
    write(asked(question, answer));
    return { answer };
  };
  const session = openToolbox(
    { ...config, private: [...config.private, originOf(site.url)] },
    { storageState, approve },
  );
  try {
    write(`A scripted agent works in a demo back office at ${site.url}: "Set order CMD-1042 to Shipped."\n`);
    write(
      "Each block is one tool call, then what a model would get to see of it. What changes something waits for a person, who is scripted, too.\n\n",
    );
    let number = 0;
    let total = 0;
    let noBrowser = false;
    let changedBeforeYes = 0;
    const done = await runTask(session, taskSteps({ url: site.url, ...ACCOUNT }), {
      begins: (step) => {
        current = step;
        number += 1;
        write(`${number}. ${step.tool} ${JSON.stringify(hidePassword(step.args))}\n   to ${step.why}\n`);
      },
      ended: (step, result, ms) => {
        const tokens = tokensAbout(JSON.stringify(result.envelope));
        total += tokens;
        noBrowser = result.envelope.error?.code === "no_browser";
        if (step.answer === "no") changedBeforeYes = changes();
        write(
          outcome(result, ms, tokens) +
            (step.answer === "no" ? `   The site counts ${counted(changedBeforeYes)}.\n\n` : "\n"),
        );
      },
    });
    if (noBrowser) return "no_browser";
    write(
      `${done ? "Done" : "Not done"}: the site counts ${counted(changes())}. All ${number} results together: about ${total} tokens.\n`,
    );
    write(`Every decision is in ${session.ledgerFile}\n\n`);
    write(connectWords(command));
    return done && changedBeforeYes === 0 && changes() === 1 ? "done" : "failed";
  } finally {
    await session.close();
    await sites.close();
  }
}

function originOf(url: string): Origin {
  const parsed = canonicalUrl(url);
  if (!parsed.ok || parsed.origin === null) throw new Error("the demo site has no origin");
  return parsed.origin;
}

function counted(changes: number): string {
  return `${changes} status change${changes === 1 ? "" : "s"}`;
}

function asked({ lines }: Question, answer: string): string {
  return `   The person is asked:\n${lines.map((line) => `   ? ${line}\n`).join("")}   and says ${answer}.\n`;
}

function outcome({ envelope }: ToolResult, ms: number, tokens: number): string {
  const facts = [
    outcomeOf(envelope),
    `${Math.round(ms)} ms`,
    `about ${tokens} tokens`,
    ...(envelope.receipt === undefined ? [] : [envelope.receipt]),
  ].join(", ");
  const lines = (envelope.snapshot ?? "").split("\n").filter((line) => line !== "");
  const shown = lines.slice(0, SNAPSHOT_LINES_SHOWN).map((line) => `   | ${line}\n`);
  const more = lines.length > shown.length ? `   | … ${lines.length - shown.length} more lines\n` : "";
  return `   ${facts}\n${shown.join("")}${more}`;
}

function outcomeOf({ ok, changed, error, refused, value, selected }: Envelope): string {
  if (refused !== undefined) return `refused by ${refused.rule}: ${refused.reason}`;
  if (error !== undefined) return `failed (${error.code}): ${error.message}`;
  if (value !== undefined) return `the field holds ${JSON.stringify(value)}`;
  if (selected !== undefined) return `selected ${JSON.stringify(selected)}`;
  return ok ? `ok${changed === undefined ? "" : `, changed: ${changed}`}` : "not done";
}

function hidePassword(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return args.text === ACCOUNT.password ? { ...args, text: "(the password)" } : args;
}

function connectWords(command: readonly string[]): string {
  const [program = "", ...args] = command;
  return [
    "Connect an MCP client (Claude Desktop, Cursor and others; the README has the place of each file):",
    JSON.stringify({ mcpServers: { chaperone: { command: program, args: [...args, "mcp"] } } }, null, 2),
    "",
    `Claude Code: claude mcp add chaperone -- ${[...command, "mcp"].join(" ")}`,
    "",
  ].join("\n");
}
