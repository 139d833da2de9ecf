import type { z } from "zod";
import { looseArgument } from "./loose-target.ts";
import type { AnyTool } from "./tool.ts";

const MAX_NAME_CHARS = 40;
const MAX_NAMES = 5;

export type Read = { readonly args: Record<string, unknown> } | { readonly wrong: string };

/**
 * `developer`: its targets are understood, too. A tool's arguments by its schema and its own check; or what is wrong
 * with them, in one line that repeats no value.
 */
export function readArguments(tool: AnyTool, args: unknown, developer: boolean): Read {
  const parsed = parse(tool, args ?? {});
  if (!parsed.success) return { wrong: explain(tool, parsed.error) };
  const loose = developer ? null : looseArgument(parsed.data);
  if (loose !== null)
    return {
      wrong: `${loose}: css=… and x,y are targets of the developer set only. Use a ref, or a role and an exact name.`,
    };
  const wrong = tool.check?.(parsed.data) ?? null;
  return wrong === null ? { args: parsed.data } : { wrong };
}

/** Objects of careless programs may throw when they are read. */
function parse(tool: AnyTool, args: unknown): z.ZodSafeParseResult<Record<string, unknown>> {
  try {
    return tool.input.safeParse(args);
  } catch {
    return tool.input.safeParse(null);
  }
}

/** Names the culprit and what the tool takes. */
function explain(tool: AnyTool, error: z.ZodError): string {
  const takes = `${tool.name} takes: ${Object.keys(tool.input.shape).join(", ")}.`;
  const [issue] = error.issues;
  if (issue === undefined) return takes;
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return `Unknown argument ${named(issue.keys)}${path === "" ? "" : ` in ${path}`}. ${takes}`;
  return `${path === "" ? "The arguments" : path}: ${issue.message}. ${takes}`;
}

function named(keys: readonly string[]): string {
  const first = keys.slice(0, MAX_NAMES).map((key) => JSON.stringify(key.slice(0, MAX_NAME_CHARS)));
  return `${first.join(", ")}${keys.length > MAX_NAMES ? ` and ${keys.length - MAX_NAMES} more` : ""}`;
}
