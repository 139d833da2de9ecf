/**
 * Who is compared: our library, our MCP server, Playwright alone and Playwright's MCP server, all with the same
 * Chromium.
 */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { chromium } from "playwright-core";
import { openSession } from "../../dist/index.js";
import { Tabs } from "../../dist/session/tabs.js";

const PROGRAM = fileURLToPath(new URL("../../bin/chaperone.mjs", import.meta.url));
/** Somebody who says yes at once, as the peer asks nobody. */
const YES = `command:${JSON.stringify([process.execPath, fileURLToPath(new URL("../../test/yes.mjs", import.meta.url))])}`;
const PEER_PROGRAM = join(dirname(createRequire(import.meta.url).resolve("@playwright/mcp/package.json")), "cli.js");
const VIEWPORT = { width: 1280, height: 800 };
/** Chromium as root cannot keep its sandbox when Playwright starts it; ours does. */
const peerSandbox = process.platform !== "linux" || process.getuid?.() !== 0;

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{ text: string, structured: string, ms: number }} Answer */

/**
 * Chromium as Playwright starts it, one page.
 * @param {string} executablePath
 */
export async function openPlain(executablePath) {
  const browser = await chromium.launch({ executablePath, headless: true, chromiumSandbox: peerSandbox });
  const page = await browser.newPage({ viewport: VIEWPORT });
  return { page, version: browser.version(), close: () => browser.close() };
}

/**
 * A session of the library, with its page and with the view that its tools work on.
 * @param {{ browser: string, origins: readonly string[], ledger: string }} options
 */
export async function openOurs({ browser, origins, ledger }) {
  /** @type {{ value: unknown }} */
  const view = { value: null };
  const session = await openSession({
    private: [...origins],
    mode: "act",
    browser: { path: browser },
    ledger: { file: ledger },
  });
  // The session hands out no view: the look alone, without the waiting of a whole call, can only be timed on the one
  // that its tools use.
  const { current } = Tabs.prototype;
  Tabs.prototype.current = async function () {
    view.value = await current.call(this);
    return view.value;
  };
  const page = await session.page().finally(() => {
    Tabs.prototype.current = current;
  });
  return { session, page, view: view.value, close: () => session.close() };
}

/**
 * `chaperone mcp` behind a stock client.
 * @param {{ browser: string, origins: readonly string[], folder: string }} options
 */
export function connectOurs({ browser, origins, folder }) {
  const ledger = join(folder, `server-${++servers}.jsonl`);
  const args = [
    PROGRAM,
    "mcp",
    "--browser",
    browser,
    "--ledger",
    ledger,
    "--mode",
    "act",
    "--approve",
    YES,
    ...origins.flatMap((origin) => ["--private", origin]),
  ];
  return connect(args, folder);
}

/**
 * `@playwright/mcp` with its defaults, headless, a fresh profile in memory.
 * @param {{ browser: string, folder: string }} options
 */
export function connectPeer({ browser, folder }) {
  const args = [
    PEER_PROGRAM,
    "--headless",
    "--isolated",
    "--executable-path",
    browser,
    "--output-dir",
    join(folder, "peer"),
  ];
  return connect([...args, ...(peerSandbox ? [] : ["--no-sandbox"])], folder);
}

let servers = 0;

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
async function connect(args, cwd) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], cwd, stderr: "ignore" });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  return {
    pid: transport.pid ?? 0,
    instructions: client.getInstructions() ?? "",
    tools: async () => (await client.listTools()).tools,
    /**
     * @param {string} name
     * @param {Record<string, unknown>} [args]
     * @returns {Promise<Answer>}
     */
    async call(name, args = {}) {
      const start = performance.now();
      const result = await client.callTool({ name, arguments: args });
      const ms = performance.now() - start;
      const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      // A number of something that did not work is no number.
      if (result.isError === true) throw new Error(`${name} failed: ${text.slice(0, 300)}`);
      return {
        text,
        structured: result.structuredContent === undefined ? "" : JSON.stringify(result.structuredContent),
        ms,
      };
    },
    close: () => client.close(),
  };
}
