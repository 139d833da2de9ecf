import type { Config, StorageState } from "../config/index.ts";
import { canonicalUrl } from "../guard/index.ts";
import { openToolbox } from "../tools/open.ts";
import { tokensAbout } from "../tools/size.ts";
import type { Envelope, Origin, ToolResult } from "../types.ts";
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

/** A scripted agent does a small job in a real Chromium. */
export async function runDemo({ config, storageState, write, command }: DemoOptions): Promise<DemoOutcome> {
  const { startSites } = (await import(SITES.href)) as { startSites(): Promise<Sites> };
  const sites = await startSites();
  const site = sites.backOffice;
  const session = openToolbox({ ...config, private: [...config.private, originOf(site.url)] }, { storageState });
  try {
    write(`A scripted agent works in a demo back office at ${site.url}: "Set order CMD-1042 to Shipped."\n`);
    write("Each block is one tool call, then what a model would get to see of it.\n\n");
    const steps = taskSteps({ url: site.url, ...ACCOUNT });
    let number = 0;
    let total = 0;
    let noBrowser = false;
    const done = await runTask(session, steps, (step, result, ms) => {
      number += 1;
      const tokens = tokensAbout(JSON.stringify(result.envelope));
      total += tokens;
      noBrowser = result.envelope.error?.code === "no_browser";
      write(block(number, step, result, ms, tokens));
    });
    if (noBrowser) return "no_browser";
    const changes = site.effects.statusChanges ?? 0;
    write(
      `${done ? "Done" : "Not done"}: the site counts ${changes} status change${changes === 1 ? "" : "s"}. All ${number} results together: about ${total} tokens.\n`,
    );
    write(`Every decision is in ${session.ledgerFile}\n\n`);
    write(connectWords(command));
    return done && changes === 1 ? "done" : "failed";
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

function block(number: number, step: Step, result: ToolResult, ms: number, tokens: number): string {
  const { envelope } = result;
  const head = `${number}. ${step.tool} ${JSON.stringify(hidePassword(step.args))}\n   to ${step.why}\n`;
  const facts = [outcomeOf(envelope), `${Math.round(ms)} ms`, `about ${tokens} tokens`, ...(envelope.receipt === undefined ? [] : [envelope.receipt])].join(
    ", ",
  );
  const lines = (envelope.snapshot ?? "").split("\n").filter((line) => line !== "");
  const shown = lines.slice(0, SNAPSHOT_LINES_SHOWN).map((line) => `   | ${line}\n`);
  const more = lines.length > shown.length ? `   | … ${lines.length - shown.length} more lines\n` : "";
  return `${head}   ${facts}\n${shown.join("")}${more}\n`;
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
