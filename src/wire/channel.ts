import type { Readable, Writable } from "node:stream";

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
  /** Called once, when nothing more will come. */
  onclose: (() => void) | null;
}

const END = 0;

/** CDP over `--remote-debugging-pipe`: JSON texts, each ended by a NUL byte. */
export function pipeChannel(toBrowser: Writable, fromBrowser: Readable): Channel {
  let pending: Buffer[] = [];
  let closed = false;

  const channel: Channel = {
    onmessage: null,
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
    channel.onclose?.();
  }

  function receive(chunk: Buffer): void {
    let start = 0;
    for (let at = chunk.indexOf(END); at !== -1; at = chunk.indexOf(END, start)) {
      pending.push(chunk.subarray(start, at));
      const text = pending.length === 1 ? String(pending[0]) : Buffer.concat(pending).toString();
      pending = [];
      start = at + 1;
      if (!closed) channel.onmessage?.(JSON.parse(text) as Message);
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }

  fromBrowser.on("data", receive);
  fromBrowser.on("close", end);
  fromBrowser.on("error", end);
  toBrowser.on("error", end);
  toBrowser.on("close", end);
  return channel;
}
