import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { endToEnd, hasBody, valuesOf } from "./headers.ts";
import type { HttpTarget, Place } from "./place.ts";
import { NoRoute, type Upstream } from "./route.ts";

/** One answer to whatever has no connection: a page must not learn from it what there is in a private network. */
export const NO_CONNECTION_STATUS = 502;
/** To what a browser would never send. */
export const MALFORMED_STATUS = 400;
const PASSWORD_WANTED_STATUS = 407;
/** Servers send more than browsers: policies and many cookies. */
const RESPONSE_HEAD_BYTES = 262_144;

/**
 * Makes a connection that was resolved and checked; `open` is called before anything is sent. Rejects with `NoRoute`.
 */
export type Connect = (signal: AbortSignal) => Promise<Socket>;

/**
 * The servers' side of one connection of the browser. It keeps the connection it has made, so later requests to the
 * same place need no second look-up; a request to another place gets a new one.
 */
export class ServerSide {
  #agent: PinnedAgent | null = null;
  #key = "";

  agentFor(place: Place, connect: Connect): Agent {
    const key = `${place.port} ${place.host}`;
    if (this.#agent === null || key !== this.#key) {
      this.end();
      this.#agent = new PinnedAgent();
      this.#key = key;
    }
    this.#agent.connect = connect;
    return this.#agent;
  }

  end(): void {
    this.#agent?.end();
    this.#agent = null;
  }
}

/** Node's keeping of connections over connections that we made: it never sees a name to look up. */
class PinnedAgent extends Agent {
  connect: Connect = () => Promise.reject(new NoRoute("failed", "proxy.connect"));
  readonly #stop = new AbortController();

  constructor() {
    super({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1 });
  }

  override createConnection(_options: unknown, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    // On an error Node reads no second argument, which its types do not say.
    const done = callback as (error: Error | null, stream?: Duplex) => void;
    this.connect(this.#stop.signal).then((socket) => done(null, socket), done);
  }

  end(): void {
    this.#stop.abort();
    this.destroy();
  }
}

export interface ExchangeEnd {
  /** Why there was no connection; null when there was one, whatever became of it. */
  readonly without: NoRoute | null;
  /** Of the bodies. */
  readonly bytesUp: number;
  readonly bytesDown: number;
}

export interface ExchangeOptions {
  readonly target: HttpTarget;
  readonly side: ServerSide;
  readonly connect: Connect;
  readonly upstream: Upstream | null;
  /** A kept connection is about to be used again. It is not when this throws. */
  readonly reused: () => void;
  /** Called once. */
  readonly ended: (end: ExchangeEnd) => void;
}

/** Carries one request there and its answer back, as streams and with framing made anew. */
export function exchange(request: IncomingMessage, response: ServerResponse, options: ExchangeOptions): void {
  const { target, side, connect, upstream } = options;
  const client = request.socket;
  let bytesUp = 0;
  let bytesDown = 0;
  let over = false;
  let isTurnedAway = false;
  const end = (without: NoRoute | null) => {
    if (over) return;
    over = true;
    options.ended({ without, bytesUp, bytesDown });
  };

  let connects = false;
  const onward = httpRequest({
    agent: side.agentFor(target, (signal) => {
      connects = true;
      return connect(signal);
    }),
    host: target.host,
    port: target.port,
    method: request.method ?? "",
    path: upstream === null ? target.path : `http://${target.authority}${target.path}`,
    headers: requestHeaders(request, upstream),
    maxHeaderSize: RESPONSE_HEAD_BYTES,
    insecureHTTPParser: false,
  });
  onward.on("error", (error) => {
    if (isTurnedAway) return;
    if (error instanceof NoRoute && !response.headersSent) {
      end(error);
      refuse(response, NO_CONNECTION_STATUS);
      return;
    }
    // As without a proxy: the browser sees a connection that broke, and tries again where it may.
    end(null);
    client.destroy();
  });
  if (!connects && !allowed(options.reused)) onward.destroy(new NoRoute("refused", "proxy.record"));
  onward.on("response", (answer) => {
    if (upstream !== null && answer.statusCode === PASSWORD_WANTED_STATUS) {
      // Passed on, it would make the browser ask a person for our own proxy's password.
      isTurnedAway = true;
      end(new NoRoute("failed", "proxy.upstream"));
      refuse(response, NO_CONNECTION_STATUS);
      onward.destroy();
      return;
    }
    answer.on("data", (chunk: Buffer) => {
      bytesDown += chunk.length;
    });
    try {
      response.sendDate = false;
      response.writeHead(
        answer.statusCode ?? NO_CONNECTION_STATUS,
        answer.statusMessage ?? "",
        endToEnd(answer.rawHeaders),
      );
    } catch {
      end(null);
      client.destroy();
      onward.destroy();
      return;
    }
    answer.on("error", () => client.destroy());
    answer.on("close", () => {
      // A cut answer must look cut.
      if (!answer.complete) client.destroy();
    });
    answer.pipe(response);
    // A stream of events has a head long before it has a body; a small answer is one packet.
    setImmediate(() => {
      if (!response.writableEnded && !response.destroyed) response.flushHeaders();
    });
  });
  onward.on("upgrade", (_answer, socket) => {
    // Nobody asked for one.
    socket.destroy();
    client.destroy();
  });
  onward.on("close", () => {
    if (!response.headersSent) client.destroy();
  });
  response.on("close", () => {
    end(null);
    if (!response.writableFinished) onward.destroy();
  });
  request.on("error", () => onward.destroy());
  if (!hasBody(request.rawHeaders)) {
    onward.end();
    return;
  }
  request.on("data", (chunk: Buffer) => {
    bytesUp += chunk.length;
  });
  request.pipe(onward);
}

function allowed(say: () => void): boolean {
  try {
    say();
    return true;
  } catch {
    return false;
  }
}

/** An answer of our own, without a word for the page, and the end of the connection. */
export function refuse(response: ServerResponse, status: number): void {
  response.sendDate = false;
  response.writeHead(status, { connection: "close", "content-length": "0", "cache-control": "no-store" });
  response.end();
}

function requestHeaders(request: IncomingMessage, upstream: Upstream | null): string[] {
  const headers = endToEnd(request.rawHeaders);
  if (valuesOf(request.rawHeaders, "transfer-encoding").length > 0) headers.push("Transfer-Encoding", "chunked");
  if (upstream?.authorization !== undefined) headers.push("Proxy-Authorization", upstream.authorization);
  headers.push("Connection", "keep-alive");
  return headers;
}
