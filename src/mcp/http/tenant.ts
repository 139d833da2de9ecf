import { randomBytes } from "node:crypto";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { CallableSession } from "../../types.ts";
import { HeldCalls } from "../held.ts";
import type { ResultsMode } from "../result.ts";
import { createServer, type ServerInfo } from "../server.ts";

/** Clients that leave without a word leave this behind; of more, the one that was quiet longest goes. */
const MOST_CLIENTS = 32;
const ID_BYTES = 16;
const SESSION_HEADER = "mcp-session-id";

export interface TenantSettings {
  readonly info: ServerInfo;
  readonly results?: ResultsMode | undefined;
  readonly now?: (() => number) | undefined;
  /** An error's kind, for the log. */
  readonly failed: (error: Error) => void;
}

/** The bearer of one token: one browser session, for all of its clients (MC-2, MC-10). */
export class Tenant {
  readonly session: CallableSession;
  readonly #settings: TenantSettings;
  readonly #held: HeldCalls;
  readonly #modern: McpHttpHandler;
  /** Of 2025 clients, by session id, the quiet ones first. */
  readonly #clients = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(session: CallableSession, settings: TenantSettings) {
    this.session = session;
    this.#settings = settings;
    this.#held = new HeldCalls(settings.now ?? (() => performance.now()));
    this.#modern = createMcpHandler(() => this.#server("modern"), {
      legacy: "reject",
      responseMode: "sse",
      onerror: settings.failed,
    });
  }

  /** Somebody is being asked, and no request shows it. */
  get isAsking(): boolean {
    return this.#held.open > 0;
  }

  async handle(request: Request, body: object | undefined): Promise<Response> {
    const options = body === undefined ? {} : { parsedBody: body };
    if (!(await isLegacyRequest(request, body))) return this.#modern.fetch(request, options);
    const id = request.headers.get(SESSION_HEADER);
    if (id !== null)
      return this.#client(id)?.handleRequest(request, options) ?? problem(404, "There is no such session.");
    if (!isInitializeRequest(body)) return problem(400, `A request needs ${SESSION_HEADER}, or begins a session.`);
    const client = await this.#begin();
    const response = await client.handleRequest(request, options);
    // It did not begin: its head was wrong.
    if (client.sessionId === undefined) await client.close();
    return response;
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all([this.#modern.close(), ...clients.map((client) => client.close())]);
    this.#held.close();
    await this.session.close();
  }

  #server(era: "modern" | "legacy") {
    const { info, results, now } = this.#settings;
    return createServer(this.session, { info, results, now, era, held: this.#held });
  }

  #client(id: string): WebStandardStreamableHTTPServerTransport | undefined {
    const client = this.#clients.get(id);
    if (client === undefined) return undefined;
    this.#clients.delete(id);
    this.#clients.set(id, client);
    return client;
  }

  async #begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    const id = randomBytes(ID_BYTES).toString("hex");
    const client = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const server = this.#server("legacy");
    server.onerror = this.#settings.failed;
    const { onclose } = server;
    server.onclose = () => {
      onclose?.();
      this.#clients.delete(id);
    };
    await server.connect(client);
    this.#clients.set(id, client);
    const [quietest] = this.#clients;
    if (this.#clients.size > MOST_CLIENTS && quietest !== undefined) await quietest[1].close();
    return client;
  }
}

function problem(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } }, { status });
}
