import { isInputRequiredResult, type ListToolsResult, Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CallableSession, ToolDescription } from "../types.ts";
import { type Calling, callAsking, callReturning } from "./call.ts";
import { HeldCalls, Parked } from "./held.ts";
import { PROGRESS_EVERY_MS, withProgress } from "./progress.ts";
import { callToolResult, type ResultsMode } from "./result.ts";

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

export interface ServerSettings {
  readonly info: ServerInfo;
  /** Default `both`. */
  readonly results?: ResultsMode | undefined;
  /** Of what comes in: `modern` is revision 2026-07-28. Default `legacy`, the 2025 revisions. */
  readonly era?: "legacy" | "modern" | undefined;
  /** One for all servers of a session (MC-10). */
  readonly held?: HeldCalls | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: (() => number) | undefined;
  readonly progressEveryMs?: number | undefined;
}

/**
 * The SDK's own schema leaves `__proto__` out of the arguments, and what is left out cannot be refused. Its checks are
 * made all the same.
 */
const CALL = { params: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }) };

type ListedTool = ListToolsResult["tools"][number];

function listed(tool: ToolDescription, results: ResultsMode): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...tool.inputSchema, type: "object" },
    // Whoever is promised a schema rejects results without structure, and in text mode there is none.
    ...(tool.outputSchema && results !== "text" ? { outputSchema: { ...tool.outputSchema, type: "object" } } : {}),
    annotations: { readOnlyHint: tool.readOnly },
  };
}

/**
 * An MCP server over a session: translates, never decides. Tools only, in the session's order; unknown tools, bad
 * arguments, refusals and failures are results with `isError`, never protocol errors. A request that the client cancels
 * aborts its call; one that was answered with a question does not. The low-level server, because the high-level one
 * answers unknown tools with protocol errors and puts thrown messages before the model.
 */
export function createServer(session: CallableSession, settings: ServerSettings): Server {
  const {
    info,
    results = "both",
    era = "legacy",
    now = () => performance.now(),
    progressEveryMs = PROGRESS_EVERY_MS,
  } = settings;
  const held = settings.held ?? new HeldCalls(now);
  const parked = era === "legacy" ? new Parked() : held.parked;
  const calling: Calling = { session, held, parked, now };
  const server = new Server(
    { name: info.name, version: info.version },
    { capabilities: { tools: {} }, instructions: session.instructions },
  );
  if (era === "legacy") server.onclose = () => parked.close();
  server.setRequestHandler("tools/list", () => ({ tools: session.tools.map((tool) => listed(tool, results)) }));
  server.setRequestHandler("tools/call", CALL, async ({ name, arguments: args = {} }, context) => {
    const work =
      era === "modern" ? callReturning(calling, name, args, context) : callAsking(calling, server, name, args, context);
    const result = await withProgress<Awaited<ReturnType<typeof callReturning>>>(context, progressEveryMs, work);
    if (isInputRequiredResult(result)) return result;
    const promisedStructure = (session.tools.find((tool) => tool.name === name)?.outputSchema ?? null) !== null;
    return callToolResult(result, { mode: results, promisedStructure });
  });
  return server;
}
