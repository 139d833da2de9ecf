import { connect, type Socket } from "node:net";
import type { BrowserPeers } from "./peers.ts";
import { type ProxyEvent, type ProxyOptions, type RunningProxy, startProxy } from "./proxy.ts";

export const anybody: BrowserPeers = { check: () => Promise.resolve("browser") };

export interface TestedProxy extends RunningProxy, AsyncDisposable {
  readonly events: readonly ProxyEvent[];
  /** Rules of all refusals and failures so far. */
  rules(): string[];
}

/** A proxy to which all ways are open and every name is 127.0.0.1, but for what a test says. */
export async function testedProxy(options: Partial<ProxyOptions> = {}): Promise<TestedProxy> {
  const events: ProxyEvent[] = [];
  const proxy = await startProxy({
    isOpen: () => true,
    allowAddress: () => true,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    peers: anybody,
    onDecision: (event) => events.push(event),
    now: () => performance.now(),
    ...options,
  });
  return {
    host: proxy.host,
    port: proxy.port,
    socketPort: proxy.socketPort,
    connections: () => proxy.connections(),
    cutTo: (url) => proxy.cutTo(url),
    whyNot: (url) => proxy.whyNot(url),
    cut: (host, port) => proxy.cut(host, port),
    close: () => proxy.close(),
    events,
    rules: () =>
      events.filter((event) => event.verdict === "refused" || event.verdict === "failed").map((event) => event.rule),
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

/** A client that says exactly what it is told to. */
export class RawClient {
  readonly socket: Socket;
  readonly ended: Promise<void>;
  #received = Buffer.alloc(0);
  readonly #waiting = new Set<() => void>();

  constructor(port: number) {
    this.socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    this.socket.on("data", (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      for (const look of this.#waiting) look();
    });
    this.socket.on("error", () => undefined);
    this.ended = new Promise<void>((resolve) => this.socket.on("close", resolve).on("end", resolve)).then(() => {
      for (const look of this.#waiting) look();
    });
  }

  get text(): string {
    return this.#received.toString("latin1");
  }

  say(text: string | Uint8Array): void {
    this.socket.write(typeof text === "string" ? Buffer.from(text, "latin1") : text);
  }

  /** Resolves with all that came once it holds `wanted`; rejects when the connection ends without it. */
  hear(wanted: string | RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const heard = typeof wanted === "string" ? this.text.includes(wanted) : wanted.test(this.text);
        if (!heard && !this.socket.destroyed && !this.socket.readableEnded) return;
        this.#waiting.delete(look);
        if (heard) resolve(this.text);
        else reject(new Error(`The connection ended; heard: ${JSON.stringify(this.text)}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  forget(): void {
    this.#received = Buffer.alloc(0);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

/** Sends one thing, resolves with all that came until the proxy ended the connection. */
export async function ask(port: number, text: string | Uint8Array): Promise<string> {
  using client = new RawClient(port);
  client.say(text);
  await client.ended;
  return client.text;
}
