import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import type { ProxyLimits } from "./limits.ts";
import type { Place } from "./place.ts";
import { NoRoute } from "./route.ts";

export interface DialOptions {
  readonly limits: ProxyLimits;
  readonly signal: AbortSignal;
  /** The socket stays writable after the other side has ended: for tunnels, where each direction ends by itself. */
  readonly halfOpen?: boolean;
}

/**
 * Connects to one of these literals: the first, and beside it the next ones whenever no answer has come for a while or
 * one has failed. Whoever answers first stays. Rejects with `NoRoute("failed")`; nothing is left open then.
 */
export function dial(addresses: readonly string[], port: number, options: DialOptions): Promise<Socket> {
  const { limits, signal, halfOpen = false } = options;
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const trying = new Set<Socket>();
    let next: NodeJS.Timeout | undefined;
    let over = false;

    const end = (winner?: Socket) => {
      if (over) return;
      over = true;
      clearTimeout(next);
      clearTimeout(deadline);
      signal.removeEventListener("abort", give);
      for (const socket of trying) if (socket !== winner) socket.destroy();
      if (winner === undefined) reject(new NoRoute("failed", "proxy.connect"));
      else resolve(winner);
    };
    const give = () => end();
    const tryNext = () => {
      clearTimeout(next);
      const address = waiting.shift();
      if (over) return;
      if (address === undefined) {
        if (trying.size === 0) end();
        return;
      }
      const socket = connect({ host: address, port, noDelay: true, allowHalfOpen: halfOpen, lookup: neverLookUp });
      trying.add(socket);
      socket.on("error", () => {
        // Also after the end: an error nobody listens to would end the process.
        trying.delete(socket);
        if (!over) tryNext();
      });
      socket.once("connect", () => end(socket));
      if (waiting.length > 0) next = setTimeout(tryNext, limits.nextAddressMs);
    };
    const deadline = setTimeout(give, limits.connectMs);
    if (signal.aborted) give();
    else {
      signal.addEventListener("abort", give, { once: true });
      tryNext();
    }
  });
}

/**
 * Asks the upstream proxy at the other end of `socket` for a tunnel to the place. Rejects with `NoRoute("failed")`, and
 * the socket is gone.
 */
export function askUpstream(
  socket: Socket,
  place: Place,
  authorization: string | undefined,
  { limits, signal }: DialOptions,
): Promise<Socket> {
  const target = `${place.host.includes(":") ? `[${place.host}]` : place.host}:${place.port}`;
  return new Promise((resolve, reject) => {
    const asked = httpRequest({
      createConnection: () => socket,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...(authorization !== undefined && { "proxy-authorization": authorization }) },
    });
    const settled = () => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", failed);
    };
    const failed = () => {
      settled();
      socket.destroy();
      reject(new NoRoute("failed", "proxy.upstream"));
    };
    const deadline = setTimeout(failed, limits.connectMs);
    signal.addEventListener("abort", failed, { once: true });
    asked.on("error", failed);
    asked.on("response", failed);
    asked.on("connect", (response, _socket, head) => {
      if (response.statusCode !== 200) {
        failed();
        return;
      }
      settled();
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.end();
  });
}

function neverLookUp(
  _host: string,
  _options: unknown,
  callback: (error: Error, address: string, family: number) => void,
): void {
  callback(new Error("only literals are connected to"), "", 0);
}
