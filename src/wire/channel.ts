import type { Readable, Writable } from "node:stream";
import { LongMessage } from "./long-message.ts";

/** One CDP message, either way. What is in `params` and `result` is typed where it is used. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: object | undefined;
  readonly result?: object;
  readonly error?: { readonly message: string; readonly code?: number };
  readonly sessionId?: string;
}

/** A two-way stream of CDP messages: the pipe of a launched browser, the socket of an attached one. */
export interface Channel {
  send(message: Message): void;
  close(): void;
  onmessage: ((message: Message) => void) | null;
  /** Whether a message of that size that begins so (`HEAD_CHARS`) is of no use: it is not even parsed. */
  skips: ((head: string, bytes: number) => boolean) | null;
  /** Called once, when nothing more will come. */
  onclose: (() => void) | null;
}

/** The browser writes a message's method first, then its parameters. */
export const HEAD_CHARS = 80;
const END = 0;
/**
 * Bodies come twice in a message, once as a text with six characters for some bytes: of longer messages their strings
 * are cut.
 */
const LONG_MESSAGE_BYTES = 16_777_216;
/** Pictures and big pages come as one message; what is longer cannot even be read. */
export const LARGEST_MESSAGE_BYTES = 268_435_456;
/** How the only messages begin in which strings are cut. */
const HELD_REQUEST = '{"method":"Fetch.requestPaused"';

/** CDP over `--remote-debugging-pipe`: JSON texts, each ended by a NUL byte. */
export function pipeChannel(toBrowser: Writable, fromBrowser: Readable): Channel {
  let pending: Buffer[] = [];
  let bytes = 0;
  let long: LongMessage | null = null;
  let closed = false;

  const channel: Channel = {
    onmessage: null,
    skips: null,
    onclose: null,
    send(message) {
      if (!closed) toBrowser.write(`${JSON.stringify(message)}\0`);
    },
    close() {
      end();
      toBrowser.destroy();
      fromBrowser.destroy();
    },
  };

  function end(): void {
    if (closed) return;
    closed = true;
    pending = [];
    long = null;
    channel.onclose?.();
  }

  function take(piece: Buffer): void {
    bytes += piece.length;
    if (long !== null) long.take(piece);
    else pending.push(piece);
    if (long === null && bytes > LONG_MESSAGE_BYTES && isHeldRequest(pending)) {
      long = new LongMessage(LONG_MESSAGE_BYTES);
      for (const one of pending.splice(0)) long.take(one);
    }
    if ((long?.bytes ?? bytes) > LARGEST_MESSAGE_BYTES) channel.close();
  }

  function taken(): string {
    const text = long?.text ?? (pending.length === 1 ? String(pending[0]) : Buffer.concat(pending).toString());
    pending = [];
    bytes = 0;
    long = null;
    return text;
  }

  function receive(chunk: Buffer): void {
    let start = 0;
    for (let at = chunk.indexOf(END); at !== -1; at = chunk.indexOf(END, start)) {
      take(chunk.subarray(start, at));
      start = at + 1;
      if (closed) return;
      const size = bytes;
      const text = taken();
      if (channel.skips?.(text.slice(0, HEAD_CHARS), size) !== true) channel.onmessage?.(JSON.parse(text) as Message);
    }
    if (start < chunk.length && !closed) take(chunk.subarray(start));
  }

  fromBrowser.on("data", receive);
  fromBrowser.on("close", end);
  fromBrowser.on("error", end);
  toBrowser.on("error", end);
  toBrowser.on("close", end);
  return channel;
}

function isHeldRequest(pieces: readonly Buffer[]): boolean {
  let head = "";
  for (const piece of pieces) {
    head += piece.toString("latin1", 0, HELD_REQUEST.length);
    if (piece.length >= HELD_REQUEST.length || head.length >= HELD_REQUEST.length) break;
  }
  return head.startsWith(HELD_REQUEST);
}
