/**
 * `chaperone mcp` on stdio whose calls wait for a person so long only: the first argument, in ms; the second is the
 * configuration as JSON. From dist/, like the program.
 */

import { openAttended } from "../../dist/cli/attended.js";
import { configFromObject } from "../../dist/config/index.js";
import { serveStdioSession } from "../../dist/mcp/stdio.js";

const [, , patience = "", settings = "{}"] = process.argv;
const { config } = configFromObject("mcp", JSON.parse(settings));
const session = openAttended(
  config,
  { patienceMs: Number(patience) },
  { title: "MCP client on stdio", env: process.env, terminal: false },
);
serveStdioSession({
  tools: session.tools,
  instructions: session.instructions,
  openSession: () => session,
  info: { name: "chaperone", version: "0" },
});
