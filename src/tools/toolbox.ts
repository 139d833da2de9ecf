import type { z } from "zod";
import { Failure } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { CallableSession, ErrorCode, ToolResult } from "../types.ts";
import { envelopeOf } from "./envelope.ts";
import { tools as allTools, describeTools } from "./registry.ts";
import type { Tool } from "./tool.ts";

/** The tools of one session, callable by name without any face. */
export function toolbox(session: Session, instructions: string, tools: readonly Tool[] = allTools): CallableSession {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let lastPage: string | null = null;

  return {
    tools: describeTools(tools),
    instructions,
    async call(name, args, options = {}) {
      const tool = byName.get(name);
      if (tool === undefined) return failure("unknown_tool", `There is no such tool. Tools: ${tools.map((known) => known.name).join(", ")}.`);
      const parsed = parse(tool, args ?? {});
      if (!parsed.success) return failure("bad_arguments", explain(tool, parsed.error));
      const wrong = tool.check?.(parsed.data) ?? null;
      if (wrong !== null) return failure("bad_arguments", wrong);
      const timeoutMs = (parsed.data as { readonly timeout_ms?: number }).timeout_ms;
      const performed = await session.perform({
        tool: name,
        deadline: tool.deadline,
        opens: tool.opens,
        timeoutMs,
        signal: options.signal,
        plan: (desk) => tool.plan(parsed.data, desk, session),
      });
      const { result, page } = envelopeOf(performed, lastPage);
      lastPage = page;
      return result;
    },
    close: () => session.close(),
  };
}

function failure(code: ErrorCode, message: string): ToolResult {
  const error = new Failure(code, message);
  return { envelope: { ok: false, error: { code: error.code, message: error.message } } };
}

const MAX_NAME_CHARS = 40;
const MAX_NAMES = 5;

/** Objects of careless programs may throw when they are read. */
function parse(tool: Tool, args: unknown): z.ZodSafeParseResult<Record<string, unknown>> {
  try {
    return tool.input.safeParse(args);
  } catch {
    return tool.input.safeParse(null);
  }
}

/** One line that names the culprit and what the tool takes. Argument values are not repeated. */
function explain(tool: Tool, error: z.ZodError): string {
  const takes = `${tool.name} takes: ${Object.keys(tool.input.shape).join(", ")}.`;
  const [issue] = error.issues;
  if (issue === undefined) return takes;
  if (issue.code === "unrecognized_keys") return `Unknown argument ${named(issue.keys)}. ${takes}`;
  const at = issue.path.map(String).join(".");
  return `${at === "" ? "The arguments" : at}: ${issue.message}. ${takes}`;
}

function named(keys: readonly string[]): string {
  const first = keys.slice(0, MAX_NAMES).map((key) => JSON.stringify(key.slice(0, MAX_NAME_CHARS)));
  return `${first.join(", ")}${keys.length > MAX_NAMES ? ` and ${keys.length - MAX_NAMES} more` : ""}`;
}
