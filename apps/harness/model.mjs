/**
 * What stands where a model would: a stock MCP client with `chaperone mcp` behind it, and a person in front of it who
 * says yes.
 */

import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const PROGRAM = fileURLToPath(new URL("../../bin/chaperone.mjs", import.meta.url));
/** Longer than any program pretends to think: a quicker answer is nobody's. */
const THINKS_MS = 350;
const CALL_LIMIT_MS = 120_000;
/** Applications of megabytes on a busy machine. */
const ACTION_LIMIT_MS = "15000";
const NAVIGATION_LIMIT_MS = "60000";

/**
 * @typedef {{ step: string, lines: readonly string[] }} Asked
 * @typedef {{ name: string, args: Record<string, unknown>, ok: boolean, answer: Record<string, unknown> }} Called
 */

/**
 * @param {{ origin: string, folder: string, ledger: string, options: readonly string[], step: () => string }} given
 */
export async function openModel({ origin, folder, ledger, options, step }) {
  /** @type {Asked[]} */
  const asked = [];
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("CHAPERONE_") || name === "CHAPERONE_BROWSER",
  );
  const env = Object.fromEntries(
    [...inherited, ["XDG_STATE_HOME", folder], ["XDG_CONFIG_HOME", folder]].flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const args = [
    PROGRAM,
    "mcp",
    "--private",
    origin,
    "--approve",
    "elicitation",
    "--mode",
    "act",
    "--ledger",
    ledger,
    "--results",
    "structured",
    "--action-timeout",
    ACTION_LIMIT_MS,
    "--navigation-timeout",
    NAVIGATION_LIMIT_MS,
    ...options,
  ];
  const client = new Client(
    { name: "apps", version: "1" },
    { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const lines = "message" in params ? params.message.split("\n") : [];
    asked.push({ step: step(), lines });
    const code = /type (\S+)$/.exec(describedCode(params))?.[1];
    await new Promise((resolve) => setTimeout(resolve, THINKS_MS));
    return { action: "accept", content: { answer: "once", ...(code !== undefined && { code }) } };
  });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));

  /**
   * @param {string} name
   * @param {Record<string, unknown>} given
   * @returns {Promise<Called>}
   */
  const call = async (name, given = {}) => {
    const result = await client.callTool({ name, arguments: given }, { timeout: CALL_LIMIT_MS });
    const answer = isObject(result.structuredContent) ? result.structuredContent : {};
    const approval = isObject(answer.pending) ? answer.pending.approval : undefined;
    if (typeof approval === "string" && name !== "wait_for") return call("wait_for", { approval });
    return { name, args: given, ok: answer.ok === true, answer };
  };
  return { asked, call, close: () => client.close() };
}

/** @param {unknown} params */
function describedCode(params) {
  const schema = isObject(params) && isObject(params.requestedSchema) ? params.requestedSchema : {};
  const code = isObject(schema.properties) && isObject(schema.properties.code) ? schema.properties.code : {};
  return typeof code.description === "string" ? code.description : "";
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
