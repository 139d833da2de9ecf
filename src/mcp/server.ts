import { type ListToolsResult, Server } from "@modelcontextprotocol/server";
import type { CallableSession, ToolDescription } from "../types.ts";
import { callToolResult, type ResultsMode } from "./result.ts";

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

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
 * An MCP server over a session: translates, never decides. Tools only, in the session's order; unknown tools, bad arguments, refusals and
 * failures are results with `isError`, never protocol errors. A request that the client cancels aborts its call. The low-level server, because
 * the high-level one answers unknown tools with protocol errors and puts thrown messages before the model.
 */
export function createServer(session: CallableSession, info: ServerInfo, results: ResultsMode = "both"): Server {
  const server = new Server({ name: info.name, version: info.version }, { capabilities: { tools: {} }, instructions: session.instructions });
  server.setRequestHandler("tools/list", () => ({ tools: session.tools.map((tool) => listed(tool, results)) }));
  server.setRequestHandler("tools/call", async (request, context) => {
    const { name, arguments: args } = request.params;
    const result = await session.call(name, args ?? {}, { signal: context.mcpReq.signal });
    const promisedStructure = (session.tools.find((tool) => tool.name === name)?.outputSchema ?? null) !== null;
    return callToolResult(result, { mode: results, promisedStructure });
  });
  return server;
}
