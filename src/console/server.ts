import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import { type Access, proofOf } from "./access.ts";
import { comesFromHere, cookiesOf, type Head, headOf, isJson, only } from "./checks.ts";
import {
  HEADERS_WITHIN_MS,
  LONGEST_OPERATOR_TEXT_CHARACTERS,
  LONGEST_SITE_CHARACTERS,
  MOST_BODY_BYTES,
  MOST_CONNECTIONS,
  NONCE_BYTES,
  REQUEST_WITHIN_MS,
} from "./limits.ts";
import { consolePage, openingPage, TOKEN_HEADER } from "./page.ts";
import type { Given, Taken } from "./questions.ts";
import { OPENING_PATH, PROOF_HEADER } from "./registry.ts";
import { refuse, sendJson, sendPage } from "./reply.ts";

/** What the server lets somebody do who may. */
export interface Backend {
  answer(given: Given): Taken;
  /** Null, or why not. */
  addOperatorText(text: string): Promise<string | null>;
  addSite(site: string): Promise<string | null>;
  /** The key was exchanged: there is another one now. */
  opened(): Promise<void>;
  /** False when too many watch. */
  watch(response: ServerResponse): boolean;
}

export interface ConsoleServer {
  readonly port: number;
  /** Whether the process lives on for it. */
  hold(holds: boolean): void;
  close(): Promise<void>;
}

const answerSchema = z.strictObject({
  id: z.string(),
  digest: z.string(),
  answer: z.enum(["once", "form", "task", "no"]),
  code: z.string().optional(),
});
const keySchema = z.strictObject({ key: z.string() });
const textSchema = z.strictObject({ text: z.string().trim().min(1).max(LONGEST_OPERATOR_TEXT_CHARACTERS) });
const siteSchema = z.strictObject({ site: z.string().trim().min(1).max(LONGEST_SITE_CHARACTERS) });

/** Resolves when it listens on a free port of 127.0.0.1. */
export async function startServer(
  access: Access,
  random: (bytes: number) => Uint8Array,
  backend: Backend,
): Promise<ConsoleServer> {
  // A missing Host is for our own check.
  const server = createServer({
    requireHostHeader: false,
    headersTimeout: HEADERS_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
  });
  server.maxConnections = MOST_CONNECTIONS;
  const port = await listen(server);
  const desk = new Desk(port, access, random, backend);
  server.on("request", (request, response) => {
    desk.handle(request, response).catch(() => (response.headersSent ? response.destroy() : refuse(response, 500)));
  });
  server.unref();
  return {
    port,
    hold: (holds) => void (holds ? server.ref() : server.unref()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // What was just written still goes out.
        setImmediate(() => server.closeAllConnections());
      }),
  };
}

/** Answers requests: who does not come from here, or may not, learns nothing and does nothing. */
class Desk {
  readonly #port: number;
  readonly #access: Access;
  readonly #random: (bytes: number) => Uint8Array;
  readonly #backend: Backend;

  constructor(port: number, access: Access, random: (bytes: number) => Uint8Array, backend: Backend) {
    this.#port = port;
    this.#access = access;
    this.#random = random;
    this.#backend = backend;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const head = headOf(request);
    const name = `${head.method} ${head.target}`;
    if (!comesFromHere(head, this.#port, head.target === OPENING_PATH)) return refuse(response);
    switch (name) {
      case `GET ${OPENING_PATH}`:
        return this.#sendPage(response, openingPage, { [PROOF_HEADER]: proofOf(this.#access.key) });
      case `POST ${OPENING_PATH}`:
        return await this.#open(head, request, response);
      case "GET /":
        if (!this.#access.knowsCookie(this.#cookies(head))) return refuse(response);
        return this.#sendPage(response, consolePage);
    }
    if (!this.#access.knows(this.#cookies(head), only(head, TOKEN_HEADER) ?? "")) return refuse(response);
    switch (name) {
      case "GET /state":
        if (!this.#backend.watch(response)) refuse(response, 429);
        return;
      case "POST /answer":
        return await this.#answer(head, request, response);
      case "POST /text":
        return await this.#add(head, request, response, textSchema, ({ text }) => this.#backend.addOperatorText(text));
      case "POST /site":
        return await this.#add(head, request, response, siteSchema, ({ site }) => this.#backend.addSite(site));
      default:
        return refuse(response);
    }
  }

  async #open(head: Head, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(head, request, keySchema);
    const visit = "wrong" in body ? null : this.#access.exchange(body.value.key, this.#cookies(head));
    if (visit === null) return refuse(response);
    await this.#backend.opened();
    sendJson(
      response,
      200,
      { token: visit.token },
      { "set-cookie": `${this.#cookieName()}=${visit.cookie}; Path=/; HttpOnly; SameSite=Strict` },
    );
  }

  async #answer(head: Head, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(head, request, answerSchema);
    if ("wrong" in body) return refuse(response, body.wrong);
    const taken = this.#backend.answer(body.value);
    sendJson(response, STATUS[taken.did], taken);
  }

  async #add<T>(
    head: Head,
    request: IncomingMessage,
    response: ServerResponse,
    schema: z.ZodType<T>,
    add: (value: T) => Promise<string | null>,
  ): Promise<void> {
    const body = await bodyOf(head, request, schema);
    if ("wrong" in body) return refuse(response, body.wrong);
    const problem = await add(body.value);
    sendJson(response, problem === null ? 200 : 422, { problem });
  }

  #sendPage(
    response: ServerResponse,
    page: (nonce: string) => string,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const nonce = Buffer.from(this.#random(NONCE_BYTES)).toString("base64url");
    sendPage(response, page(nonce), nonce, headers);
  }

  /** Cookies know no ports. */
  #cookieName(): string {
    return `chaperone-${this.#port}`;
  }

  #cookies(head: Head): readonly string[] {
    return cookiesOf(head, this.#cookieName());
  }
}

const STATUS = { taken: 200, gone: 409, not_offered: 409, wrong_code: 422 } as const satisfies Record<
  Taken["did"],
  number
>;

async function bodyOf<T>(
  head: Head,
  request: IncomingMessage,
  schema: z.ZodType<T>,
): Promise<{ readonly value: T } | { readonly wrong: number }> {
  if (!isJson(head)) return { wrong: 415 };
  if (Number(only(head, "content-length") ?? 0) > MOST_BODY_BYTES) return { wrong: 413 };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = Buffer.from(chunk);
    size += bytes.length;
    if (size > MOST_BODY_BYTES) return { wrong: 413 };
    chunks.push(bytes);
  }
  const parsed = schema.safeParse(jsonOf(Buffer.concat(chunks).toString("utf8")));
  return parsed.success ? { value: parsed.data } : { wrong: 400 };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      server.off("error", reject);
      server.on("error", () => {});
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port"));
      else resolve(address.port);
    });
  });
}
