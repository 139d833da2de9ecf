import type { Socket } from "node:net";
import { type Hello, helloOf } from "./client-hello.ts";
import type { ProxyLimits } from "./limits.ts";

export const TUNNEL_OPEN = "HTTP/1.1 200 Connection established\r\n\r\n";

/** Enough for any hello that `helloOf` reads. */
const MAX_SNIFFED_BYTES = 32_768;

export interface Sniffed {
  readonly hello: Hello;
  /** What was read, to be sent first. */
  readonly bytes: Buffer;
}

/** Reads what the client sends first until it says what it is. Null: nothing came in time, or the client has left. */
export function sniff(client: Socket, first: Buffer, limits: ProxyLimits): Promise<Sniffed | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (sniffed: Sniffed | null) => {
      clearTimeout(deadline);
      client.off("data", take).off("end", gone).off("close", gone);
      client.pause();
      resolve(sniffed);
    };
    const gone = () => end(null);
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      const bytes = Buffer.concat(chunks);
      const hello = length > MAX_SNIFFED_BYTES ? "other" : helloOf(bytes);
      if (hello !== null) end({ hello, bytes });
    };
    const deadline = setTimeout(gone, limits.sniffMs);
    client.on("data", take).on("end", gone).on("close", gone);
    if (client.destroyed) gone();
    else if (first.length > 0) take(first);
  });
}

/**
 * Joins both until both have ended; a side that breaks takes the other with it. `ended` is called once both are gone.
 */
export function join(
  client: Socket,
  server: Socket,
  limits: ProxyLimits,
  ended: (bytesUp: number, bytesDown: number) => void,
): void {
  let open = 2;
  const upBefore = client.bytesRead;
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.setTimeout(limits.idleMs, () => {
      client.destroy();
      server.destroy();
    });
    from.on("error", () => to.destroy());
    from.on("end", () => {
      client.setTimeout(limits.halfOpenMs);
      server.setTimeout(limits.halfOpenMs);
    });
    const gone = () => {
      // What came whole is still being written to the other side.
      if (from.errored !== null || !from.readableEnded) to.destroy();
      open -= 1;
      if (open === 0) ended(client.bytesRead - upBefore, server.bytesRead);
    };
    if (from.closed) gone();
    else from.on("close", gone).pipe(to);
  }
}
