import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJSONRPCRequest } from "@modelcontextprotocol/server";
import type { CallableSession } from "../../types.ts";
import { lazySession } from "../lazy.ts";
import type { ResultsMode } from "../result.ts";
import type { ServerInfo } from "../server.ts";
import { admit, type Refusal } from "./admit.ts";
import { announcedBytes, readJsonBody } from "./body.ts";
import { sendRefusal, sendResponse, webRequest } from "./bridge.ts";
import { hostsOf } from "./hosts.ts";
import { Room } from "./room.ts";
import { type SetTimer, Slot } from "./slot.ts";
import { Strangers } from "./strangers.ts";
import { Tenant } from "./tenant.ts";
import { Tokens } from "./tokens.ts";

const HEAD_LIMIT_MS = 10_000;
const REQUEST_LIMIT_MS = 30_000;
/** How often connections are looked at for those limits. */
const CHECK_EVERY_MS = 1_000;
/**
 * Longer than the SDK is silent in a stream (15 s): a client that does not read has a connection without a sign of
 * life.
 */
const SILENCE_LIMIT_MS = 60_000;
/**
 * Connections without a token so far. A client that makes many calls at once opens many at once, and none of them has
 * said its token yet; whoever has said it may have as many as it likes.
 */
const MOST_STRANGERS = 2_048;
/** Of one token, at the same time: a call in line takes some 40 kB beside its body. */
const MOST = { calls: 2_048, bytes: 67_108_864 };
const MOST_LOG_LINES = 200;

export interface HttpSettings {
  /** An address of this machine, or a name that has one. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly tokens: readonly string[];
  readonly info: ServerInfo;
  readonly results?: ResultsMode | undefined;
  /** Without a call for so long a token's session ends; null: never. */
  readonly idleMs: number | null;
  /** Default 10 s for a head and 30 s for a whole request. */
  readonly limits?: { readonly headMs: number; readonly requestMs: number } | undefined;
  /** What the clients of one token may have under way; more is refused. Default 2,048 calls and 64 MiB of bodies. */
  readonly most?: { readonly calls: number; readonly bytes: number } | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: (() => number) | undefined;
  /** For `idleMs`. */
  readonly setTimer?: SetTimer | undefined;
  /**
   * A session of its own for that token: at the start, and again when the one before has ended. `port` is ours: no
   * browser has anything to do there.
   */
  openSession(token: number, port: number): CallableSession | Promise<CallableSession>;
  log(line: string): void;
}

export interface HttpFace {
  readonly port: number;
  /** Ends all sessions, then resolves. */
  close(): Promise<void>;
}

/** Serves MCP over Streamable HTTP, revision 2026-07-28 and the 2025 ones. Rejects when it cannot listen there. */
export async function serveHttp(settings: HttpSettings): Promise<HttpFace> {
  const tokens = new Tokens(settings.tokens);
  const log = sparing(settings.log);
  const { headMs, requestMs } = settings.limits ?? { headMs: HEAD_LIMIT_MS, requestMs: REQUEST_LIMIT_MS };
  const server = createServer({
    // Without one it is for us to refuse.
    requireHostHeader: false,
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, headMs),
  });
  server.timeout = SILENCE_LIMIT_MS;
  const strangers = new Strangers(server, MOST_STRANGERS);
  const address = await listening(server, settings);
  const open = (place: number) => openTenant({ ...settings, log }, place, address.port);
  const { calls, bytes } = settings.most ?? MOST;
  const bearers = settings.tokens.map((_token, place) => ({
    slot: new Slot(() => open(place), settings.idleMs, settings.setTimer),
    calls: new Room(calls),
    bytes: new Room(bytes),
  }));
  const slots = bearers.map(({ slot }) => slot);
  let isClosing = false;
  server.on("request", (request, response) => {
    if (isClosing) return sendRefusal({ status: 503, reason: "The server ends." }, response);
    answer(request, response, {
      hosts: hostsOf(settings.host, address, request.socket.localAddress),
      tokens,
      bearers,
      strangers,
    }).catch((error: unknown) => {
      log(`a request over HTTP broke (${error instanceof Error ? error.name : "unknown"})`);
      sendRefusal({ status: 500, reason: "This did not work." }, response);
    });
  });
  try {
    await Promise.all(slots.map((slot) => slot.tenant()));
  } catch (error) {
    server.close();
    await Promise.all(slots.map((slot) => slot.close()));
    throw error;
  }
  return {
    port: address.port,
    async close() {
      isClosing = true;
      server.close();
      await Promise.all(slots.map((slot) => slot.close()));
      server.closeAllConnections();
    },
  };
}

interface Bearer {
  readonly slot: Slot<Tenant>;
  readonly calls: Room;
  readonly bytes: Room;
}

interface Place {
  readonly hosts: ReadonlySet<string>;
  readonly tokens: Tokens;
  readonly bearers: readonly Bearer[];
  readonly strangers: Strangers;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { hosts, tokens, bearers, strangers }: Place,
): Promise<void> {
  const { method = "", url: target = "", rawHeaders } = request;
  const admitted = admit({ method, target, rawHeaders }, hosts, tokens);
  const bearer = "token" in admitted ? bearers[admitted.token] : undefined;
  if ("status" in admitted) return sendRefusal(admitted, response);
  if (bearer === undefined) throw new Error("a token without a place");
  strangers.knows(request.socket);
  const serve = async (body?: object): Promise<void> =>
    sendResponse(
      await (await bearer.slot.tenant()).handle(webRequest(request, response, request.headers.host ?? ""), body),
      response,
    );
  // A stream that only listens is no call.
  return method === "POST" ? post(request, response, bearer, serve) : serve();
}

async function post(
  request: IncomingMessage,
  response: ServerResponse,
  { slot, calls, bytes }: Bearer,
  serve: (body: object) => Promise<void>,
): Promise<void> {
  const bodyOver = bytes.take(announcedBytes(request));
  if (bodyOver === null) return sendRefusal(tooMany, response);
  let callOver: (() => void) | null = null;
  try {
    const read = await readJsonBody(request);
    if ("status" in read) return sendRefusal(read, response);
    // An answer or a cancellation ends calls: it finds its way however many there are.
    callOver = isJSONRPCRequest(read.body) ? calls.take(1) : () => {};
    if (callOver === null) return sendRefusal(tooMany, response);
    await slot.during(() => serve(read.body));
  } finally {
    bodyOver();
    callOver?.();
  }
}

const tooMany: Refusal = {
  status: 429,
  reason: "Too many calls at the same time. This one was not made: wait for answers, then make it again.",
  headers: { "retry-after": "1" },
};

async function openTenant(
  { openSession, info, results, now, log }: HttpSettings,
  place: number,
  port: number,
): Promise<Tenant> {
  const opened = await openSession(place, port);
  let isCalled = false;
  const openSessionNow = (): CallableSession => {
    isCalled = true;
    return opened;
  };
  const session = lazySession(
    { tools: opened.tools, instructions: opened.instructions, openSession: openSessionNow },
    log,
  );
  const close = async (): Promise<void> => {
    await session.close();
    // It holds a record open, without a call, too.
    if (!isCalled) await opened.close();
  };
  // The error's own words may quote what the client sent.
  return new Tenant(
    { ...session, close },
    { info, results, now, failed: (error) => log(`a message over HTTP could not be used (${error.name})`) },
  );
}

/** Whoever sends nothing but garbage must not fill a log. */
function sparing(log: (line: string) => void): (line: string) => void {
  let lines = 0;
  return (line) => {
    lines += 1;
    if (lines <= MOST_LOG_LINES) log(line);
  };
}

async function listening(server: Server, { host, port }: HttpSettings): Promise<AddressInfo> {
  server.listen({ port, host, backlog: MOST_STRANGERS });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}
