import { type RawData, WebSocket } from "ws";
import { Failure } from "../errors.ts";
import { type Channel, HEAD_CHARS, LARGEST_MESSAGE_BYTES, type Message } from "./channel.ts";
import { socketAddressOf } from "./endpoint.ts";

export interface SocketOptions {
  /** Until the connection is open. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Both ends of the connection, as this machine's kernel knows it. */
export interface Ends {
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

export interface SocketChannel extends Channel {
  /** Null where the system does not tell. */
  readonly ends: Ends | null;
}

const PROBE_AFTER_MS = 30_000;
const POLITE_CLOSE_MS = 500;

/**
 * CDP over a WebSocket. `endpoint`: ws, wss, http or https address of a running browser. Rejects with `Failure`:
 * no_browser when nothing usable answers in time, cancelled. They have fixed words and no cause: the address may hold a
 * token, and libraries quote it.
 */
export async function socketChannel(endpoint: string, options: SocketOptions): Promise<SocketChannel> {
  const late = AbortSignal.timeout(Math.max(1, Math.floor(options.timeoutMs)));
  const stop = options.signal === undefined ? late : AbortSignal.any([late, options.signal]);
  let socket: Opened;
  try {
    socket = await opened(await socketAddressOf(endpoint, stop), stop);
  } catch {
    if (options.signal?.aborted === true)
      throw new Failure("cancelled", "The connection to the browser was cancelled.");
    if (late.aborted)
      throw noBrowser(`The browser to attach to did not answer within ${Math.round(options.timeoutMs)} ms.`);
    throw noBrowser("No browser answers at the address to attach to.");
  }
  return channelOver(socket);
}

interface Opened {
  readonly socket: WebSocket;
  readonly ends: Ends | null;
}

function noBrowser(what: string): Failure {
  return new Failure(
    "no_browser",
    `${what} Start it with --remote-debugging-port and check --cdp-url (browser.cdpUrl); the next call tries again.`,
  );
}

function opened(address: URL, stop: AbortSignal): Promise<Opened> {
  return new Promise((resolve, reject) => {
    stop.throwIfAborted();
    const socket = new WebSocket(address, {
      perMessageDeflate: false,
      maxPayload: LARGEST_MESSAGE_BYTES,
      followRedirects: false,
    });
    const give = (): void => socket.terminate();
    stop.addEventListener("abort", give, { once: true });
    const settled = (): void => stop.removeEventListener("abort", give);
    let ends: Ends | null = null;
    socket.on("upgrade", (response) => {
      const { localPort, remoteAddress, remotePort } = response.socket.setKeepAlive(true, PROBE_AFTER_MS);
      if (localPort !== undefined && remoteAddress !== undefined && remotePort !== undefined)
        ends = { localPort, remoteAddress, remotePort };
    });
    socket.once("open", () => {
      settled();
      resolve({ socket, ends });
    });
    // Stays: an error without a listener would end our process.
    socket.on("error", (error) => {
      settled();
      reject(error);
    });
    socket.once("close", () => {
      settled();
      reject(new Error("closed before it was open"));
    });
  });
}

function channelOver({ socket, ends }: Opened): SocketChannel {
  let closed = false;
  const channel: SocketChannel = {
    ends,
    onmessage: null,
    skips: null,
    onclose: null,
    send(message) {
      if (!closed && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close() {
      end();
      socket.close();
      setTimeout(() => socket.terminate(), POLITE_CLOSE_MS).unref();
    },
  };

  function end(): void {
    if (closed) return;
    closed = true;
    channel.onclose?.();
  }

  socket.on("message", (data, isBinary) => {
    if (closed) return;
    if (Buffer.isBuffer(data) && channel.skips?.(data.toString("latin1", 0, HEAD_CHARS), data.length) === true) return;
    const message = isBinary ? null : parsed(data);
    // What does not speak the protocol is no browser: nothing it says is used.
    if (message === null) channel.close();
    else channel.onmessage?.(message);
  });
  socket.on("close", end);
  // It may have closed between its opening and now.
  if (socket.readyState !== WebSocket.OPEN) queueMicrotask(end);
  return channel;
}

function parsed(data: RawData): Message | null {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === "object" && message !== null && !Array.isArray(message) ? (message as Message) : null;
  } catch {
    return null;
  }
}
