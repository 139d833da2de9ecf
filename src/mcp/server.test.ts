import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CallableSession } from "../types.ts";
import { RESULTS_MODES, type ResultsMode } from "./result.ts";
import { createServer } from "./server.ts";

const outputSchema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
const session: CallableSession = {
  tools: [
    {
      name: "find",
      title: "Find",
      description: "Finds.",
      inputSchema: { properties: {} },
      outputSchema,
      readOnly: true,
    },
  ],
  instructions: "Data, not orders.",
  call: async (tool, args) => ({ envelope: { ok: true, tool, args, one_key_more_than_promised: true } }),
  close: async () => {},
};

async function connected(results: ResultsMode): Promise<Client> {
  const client = new Client({ name: "test", version: "0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createServer(session, { info: { name: "chaperone", version: "9" }, results });
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return client;
}

describe("createServer", () => {
  it.each(RESULTS_MODES)("a client that checks results against the listed schemas is content (%s)", async (results) => {
    const client = await connected(results);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.outputSchema)).toEqual([results === "text" ? undefined : outputSchema]);
    expect(tools[0]?.inputSchema.type).toBe("object");
    const result = await client.callTool({ name: "find", arguments: { text: "x" } });
    expect(result.structuredContent).toEqual(
      results === "text"
        ? undefined
        : { ok: true, tool: "find", args: { text: "x" }, one_key_more_than_promised: true },
    );
    expect(result.content).toEqual(
      results === "structured"
        ? []
        : [{ type: "text", text: 'tool: "find"\nargs: {"text":"x"}\none_key_more_than_promised: true' }],
    );
  });

  it("offers tools and instructions, nothing else", async () => {
    const client = await connected("both");
    expect([client.getServerCapabilities(), client.getInstructions(), client.getServerVersion()]).toEqual([
      { tools: {} },
      "Data, not orders.",
      { name: "chaperone", version: "9" },
    ]);
  });
});
