import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type ElicitResult,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { childEnvironment, provenEnvironment } from "../child-environment.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";

/**
 * The product as its users start it, stock MCP clients of both generations before it, and a person who can reach its
 * console.
 */

export const PROGRAM = fileURLToPath(new URL("../../bin/chaperone.mjs", import.meta.url));
/** `chaperone mcp` whose calls have less patience with people. */
export const IMPATIENT = fileURLToPath(new URL("impatient.mjs", import.meta.url));
export const GENERATIONS = ["2026-07-28", "2025"] as const;
export type Generation = (typeof GENERATIONS)[number];
/** Of a test with a product and a browser in it, on a busy machine. */
export const LIMIT_MS = 180_000;
const self = { name: "stock", version: "1" };

export interface Result {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

export type Elicited = ElicitResult;

/** Whoever sits at the client, or pretends to: gets a question's lines. */
export type Sitter = (message: string, signal: AbortSignal | undefined) => Promise<Elicited>;

export interface Connected {
  readonly instructions: string;
  /** Of a client over stdio. */
  readonly pid: number | null;
  tools(): Promise<readonly string[]>;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Result>;
  close(): Promise<void>;
}

/** A directory of its own for what the product writes about its live sessions. */
export function stateDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "chaperone-questions-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Start {
  readonly state: string;
  readonly sitter?: Sitter | undefined;
  readonly program?: string;
  readonly env?: Record<string, string>;
}

/** Starts `chaperone mcp ...args` and connects a stock client of that generation over stdio. */
export async function connect(
  generation: Generation,
  args: readonly string[],
  start: Start,
): Promise<Connected & { stderr(): string }> {
  const { program } = start;
  const command = program === undefined ? [PROGRAM, "mcp", ...args] : [program, ...args];
  const parameters = {
    command: process.execPath,
    args: command,
    env: { ...provenEnvironment(start.state), ...start.env },
    stderr: "pipe" as const,
  };
  let said = "";
  const transport = generation === "2025" ? new LegacyStdio(parameters) : new ModernStdio(parameters);
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = await joined(generation, transport, start.sitter);
  return { ...client, pid: transport.pid, stderr: () => said };
}

/** Connects a stock client of that generation to a server over HTTP. */
export async function connectHttp(
  generation: Generation,
  url: URL,
  token: string,
  sitter?: Sitter,
): Promise<Connected> {
  const options: StreamableHTTPClientTransportOptions = {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  };
  return joined(
    generation,
    generation === "2025"
      ? new LegacyHttp(url, options as ConstructorParameters<typeof LegacyHttp>[1])
      : new ModernHttp(url, options),
    sitter,
  );
}

async function joined(generation: Generation, transport: unknown, sitter: Sitter | undefined): Promise<Connected> {
  const capabilities = sitter === undefined ? {} : { elicitation: {} };
  if (generation === "2025") {
    const client = new LegacyClient(self, { capabilities });
    if (sitter !== undefined)
      client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => sitter(params.message, signal));
    await client.connect(transport as Parameters<LegacyClient["connect"]>[0]);
    return {
      instructions: client.getInstructions() ?? "",
      pid: null,
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, given = {}, signal) =>
        resultOf(
          await client.callTool({ name, arguments: given }, undefined, {
            timeout: LIMIT_MS,
            ...(signal && { signal }),
          }),
        ),
      close: () => client.close(),
    };
  }
  const client = new ModernClient(self, { versionNegotiation: { mode: "auto" }, capabilities });
  if (sitter !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) =>
      sitter((params as { message: string }).message, undefined),
    );
  await client.connect(transport as Parameters<ModernClient["connect"]>[0]);
  return {
    instructions: client.getInstructions() ?? "",
    pid: null,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}, signal) =>
      resultOf(await client.callTool({ name, arguments: given }, { timeout: LIMIT_MS, ...(signal && { signal }) })),
    close: () => client.close(),
  };
}

function resultOf(result: unknown): Result {
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: { text?: string }[];
    structuredContent?: Record<string, unknown>;
  };
  return {
    isError: isError === true,
    text: content.map(({ text }) => text ?? "").join("\n"),
    structured: structuredContent ?? {},
  };
}

/** Starts `chaperone mcp --http 0 ...args` with these tokens. */
export async function serve(
  args: readonly string[],
  tokens: readonly string[],
  state: string,
): Promise<{ readonly url: URL; end(): Promise<void> }> {
  const env = { ...provenEnvironment(state), CHAPERONE_HTTP_TOKEN: tokens.join(",") };
  const child = spawn(process.execPath, [PROGRAM, "mcp", "--http", "0", ...args], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<URL>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const served = /at (http:\S+\/mcp)/.exec(said)?.[1];
      if (served !== undefined) resolve(new URL(served));
    });
    child.once("exit", () => reject(new Error(said)));
  });
  return { url, end: () => ended(child, exited) };
}

async function ended(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  await exited;
}

/** What `chaperone console --print` says the address is; of all live sessions. */
export async function consoleAddresses(state: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, "console", "--print"], {
    env: childEnvironment(state),
  });
  return stdout.match(/http:\/\/\S+/g) ?? [];
}

export const elapsed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A site whose buttons post. What it got is in `server.hits`; what was clicked stands in the page. */
export async function buttonSite(): Promise<RecordingServer & { readonly posts: () => number }> {
  const server = await recordingServer((_request, response, hit) => {
    if (hit.method === "POST") return void response.end("done");
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(BUTTONS);
  });
  return Object.assign(server, { posts: () => server.hits.filter(({ method }) => method === "POST").length });
}

const BUTTONS = `<!doctype html><title>Buttons</title><h1>Buttons</h1>
<button onclick="change('closed')">Close it</button> <button onclick="change('open')">Open it</button>
<button onclick="give('/given', 'given', new AbortController())">Give up later</button> <button onclick="controller.abort()">Give up now</button>
<p id="clicks">Clicked 0 times</p><p id="said">Nothing yet</p>
<script>
let count = 0;
let controller = new AbortController();
const say = (words) => { document.getElementById("said").textContent = words; };
const clicked = () => { document.getElementById("clicks").textContent = "Clicked " + ++count + " times"; };
async function send(path, value, signal) {
  clicked();
  say("Waiting");
  try {
    const response = await fetch(path, { method: "POST", body: new URLSearchParams({ status: value }), signal });
    say("Answered " + response.status + " after click " + count);
  } catch {
    say("Not sent after click " + count);
  }
}
const change = (value) => send("/change", value);
const give = (path, value, own) => { controller = own; return send(path, value, own.signal); };
</script>`;
