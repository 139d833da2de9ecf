import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { provenEnvironment } from "./child-environment.ts";

const PROGRAM = fileURLToPath(new URL("../bin/chaperone.mjs", import.meta.url));

export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
  readonly image: Buffer | null;
}

/** A stock MCP client over stdio with the real server process behind it. */
export interface ConnectedClient extends AsyncDisposable {
  readonly pid: number;
  readonly instructions: string;
  tools(): Promise<readonly { readonly name: string; readonly inputSchema: object }[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

export const GENERATIONS = ["2026-07-28", "2025"] as const;

/** Starts `chaperone mcp ...args` and connects the client of that generation. */
export async function connect(
  generation: (typeof GENERATIONS)[number],
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ConnectedClient> {
  const parameters = {
    command: process.execPath,
    args: [PROGRAM, "mcp", ...args],
    env: { ...provenEnvironment(), ...env },
    stderr: "pipe" as const,
  };
  if (generation === "2025") {
    const transport = new LegacyTransport(parameters);
    const client = new LegacyClient({ name: "stock", version: "1" });
    await client.connect(transport);
    return wrap(transport.pid, client.getInstructions(), {
      list: async () => (await client.listTools()).tools,
      call: (name, given) => client.callTool({ name, arguments: given }),
      close: () => client.close(),
    });
  }
  const transport = new ModernTransport(parameters);
  const client = new ModernClient({ name: "stock", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  return wrap(transport.pid, client.getInstructions(), {
    list: async () => (await client.listTools()).tools,
    call: (name, given) => client.callTool({ name, arguments: given }),
    close: () => client.close(),
  });
}

interface Raw {
  list(): Promise<readonly { readonly name: string; readonly inputSchema: object }[]>;
  call(name: string, args: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
}

function wrap(pid: number | null, instructions: string | undefined, raw: Raw): ConnectedClient {
  if (pid === null) throw new Error("the server has no process");
  return {
    pid,
    instructions: instructions ?? "",
    tools: () => raw.list(),
    async call(name, args = {}) {
      const result = (await raw.call(name, args)) as {
        isError?: boolean;
        content: readonly Block[];
        structuredContent?: Record<string, unknown>;
      };
      const picture = result.content.find((block) => block.type === "image")?.data;
      return {
        isError: result.isError === true,
        text: result.content.flatMap((block) => (block.type === "text" ? [block.text ?? ""] : [])).join("\n"),
        structured: result.structuredContent,
        image: picture === undefined ? null : Buffer.from(picture, "base64"),
      };
    },
    close: () => raw.close(),
    [Symbol.asyncDispose]: () => raw.close(),
  };
}
