import { Failure } from "../errors.ts";
import { masked } from "../masking/masked.ts";
import type { Masking } from "../masking/masking.ts";
import type { Performed, Session } from "../session/session.ts";
import type { CallableSession, CallOptions, ErrorCode, ToolResult } from "../types.ts";
import { readArguments } from "./arguments.ts";
import { envelopeOf } from "./envelope.ts";
import { describeTools } from "./registry.ts";
import type { AnyTool, Fields, Tool } from "./tool.ts";

export interface ToolboxOptions {
  readonly instructions: string;
  readonly tools: readonly AnyTool[];
  readonly developer: boolean;
  /** Takes secret values out of every word of a result. */
  readonly mask: Masking["maskAll"];
}

/** The tools of one session, callable by name without any face. */
export function toolbox(session: Session, { instructions, tools, developer, mask }: ToolboxOptions): CallableSession {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let lastPage: string | null = null;
  const perform = (
    tool: Tool,
    args: Record<string, unknown>,
    { signal, approver }: CallOptions,
  ): Promise<Performed<Fields>> =>
    session.perform({
      tool: tool.name,
      deadline: tool.deadline,
      opens: tool.opens,
      timeoutMs: (args as { readonly timeout_ms?: number }).timeout_ms,
      signal,
      approver,
      reads: tool.reads?.(args),
      plan: (desk) => tool.plan(args, desk, session),
    });

  return {
    tools: describeTools(tools),
    instructions,
    async call(name, args, options = {}) {
      const tool = byName.get(name);
      if (tool === undefined)
        return failure("unknown_tool", `There is no such tool. Tools: ${tools.map((known) => known.name).join(", ")}.`);
      const read = readArguments(tool, args, developer);
      if ("wrong" in read) return failure("bad_arguments", read.wrong);
      let performed: Performed<Fields>;
      try {
        performed =
          "compose" in tool
            ? await tool.compose(read.args, {
                session,
                tools,
                developer,
                signal: options.signal,
                approver: options.approver,
                now: () => performance.now(),
              })
            : await perform(tool, read.args, options);
      } catch (error) {
        if (Failure.is(error)) return failure(error.code, error.message);
        throw error;
      }
      const { result, page } = envelopeOf(performed, lastPage);
      lastPage = page;
      const envelope = masked(result.envelope, mask);
      return { ...result, envelope: session.unguarded ? { ...envelope, unguarded: true } : envelope };
    },
    close: () => session.close(),
  };
}

function failure(code: ErrorCode, message: string): ToolResult {
  const error = new Failure(code, message);
  return { envelope: { ok: false, error: { code: error.code, message: error.message } } };
}
