import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";
import type { ConnectOverCDPTransport } from "playwright-core";
import { Failure } from "../errors.ts";
import type { Channel, Message } from "./channel.ts";

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

export type CommandName = keyof Commands;
export type EventName = keyof Events;
export type CommandParams<M extends CommandName> = Commands[M]["paramsType"] extends []
  ? object
  : Commands[M]["paramsType"][0];
export type CommandResult<M extends CommandName> = Commands[M]["returnType"];

/** An event as it came; `narrow` gives its parameters their type. */
export interface WireEvent {
  readonly method: string;
  readonly params: object;
  /** Absent on events of the browser itself. */
  readonly sessionId: string | undefined;
}

/** The parameters of `event` when it is of that name, else null. */
export function narrow<E extends EventName>(event: WireEvent, name: E): Events[E][0] | null {
  return event.method === name ? (event.params as Events[E][0]) : null;
}

/** Playwright counts its ids up from 1: ours can never meet them. */
const FIRST_OWN_ID = 1_000_000_000;
const DEFAULT_COMMAND_TIMEOUT_MS = 5_000;

interface Waiting {
  readonly resolve: (result: object) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  readonly sessionId: string | undefined;
}

/** What watches the traffic. */
export interface Observer {
  /** Every event, before Playwright gets it. True: it is ours alone, Playwright must not see it. */
  event(event: WireEvent): boolean;
  /** Every command of Playwright, before it is sent; what comes back is sent. */
  beforeSending(message: Message): Message;
  /** Every command of Playwright, after it was sent. */
  sentByPlaywright(message: Message): void;
  /** Every answer to Playwright, before it gets it, with the command's name. */
  answeredToPlaywright(method: string, message: Message): void;
  closed(): void;
}

/** Commands of Playwright whose answers the wire's bookkeeping needs. */
const FOLLOWED: ReadonlySet<string> = new Set(["Page.getFrameTree", "Target.createBrowserContext"]);

/** One browser connection with two speakers: Playwright (through `transport()`) and the wire itself. */
export class Connection {
  readonly #channel: Channel;
  readonly #observer: Observer;
  readonly #waiting = new Map<number, Waiting>();
  readonly #followed = new Map<number, string>();
  readonly #forPlaywright: Message[] = [];
  #nextId = FIRST_OWN_ID;
  #playwright: ConnectOverCDPTransport | null = null;
  #closed = false;

  constructor(channel: Channel, observer: Observer) {
    this.#channel = channel;
    this.#observer = observer;
    channel.onmessage = (message) => this.#receive(message);
    channel.onclose = () => this.#end();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * One command of ours. Rejects with `Failure("timeout")`, `Failure("browser_ended")`, or the browser's own words,
   * which may quote a page: they are for the log, never for the model.
   */
  send<M extends CommandName>(
    method: M,
    params: CommandParams<M>,
    options: { readonly sessionId?: string | undefined; readonly timeoutMs?: number } = {},
  ): Promise<CommandResult<M>> {
    const { sessionId, timeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = options;
    if (this.#closed) return Promise.reject(ended());
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Failure("timeout", `The browser did not answer within ${timeoutMs} ms.`));
      }, timeoutMs);
      this.#waiting.set(id, { resolve: resolve as (result: object) => void, reject, timer, sessionId });
      this.#channel.send(sessionId === undefined ? { id, method, params } : { id, method, params, sessionId });
    });
  }

  /** For `chromium.connectOverCDP`. Give it out once. */
  transport(): ConnectOverCDPTransport {
    const transport: ConnectOverCDPTransport = {
      send: (message) => this.#sendForPlaywright(message as Message),
      // Playwright only disconnects; the browser's end belongs to browser/.
      close: () => {
        this.#playwright = null;
      },
    };
    this.#playwright = transport;
    return transport;
  }

  close(): void {
    this.#channel.close();
  }

  #sendForPlaywright(message: Message): void {
    if (message.id !== undefined && message.method !== undefined && FOLLOWED.has(message.method))
      this.#followed.set(message.id, message.method);
    this.#channel.send(this.#observer.beforeSending(message));
    this.#observer.sentByPlaywright(message);
  }

  #receive(message: Message): void {
    if (message.id === undefined) {
      const swallowed = this.#observer.event({
        method: message.method ?? "",
        params: message.params ?? {},
        sessionId: message.sessionId,
      });
      if (message.method === "Target.detachedFromTarget")
        this.#forget((message.params as { sessionId?: string } | undefined)?.sessionId);
      if (!swallowed) this.#deliver(message);
      return;
    }
    if (message.id >= FIRST_OWN_ID) {
      this.#settle(message.id, message);
      return;
    }
    const method = this.#followed.get(message.id);
    if (method !== undefined) {
      this.#followed.delete(message.id);
      this.#observer.answeredToPlaywright(method, message);
    }
    this.#deliver(message);
  }

  /**
   * Each message in a task of its own: Playwright goes on in promise callbacks after an answer (and only there begins
   * to listen for what follows it), so two messages of one chunk must not reach it in one go.
   */
  #deliver(message: Message): void {
    if (this.#forPlaywright.push(message) === 1) setImmediate(this.#deliverNext);
  }

  readonly #deliverNext = (): void => {
    const message = this.#forPlaywright.shift();
    if (message !== undefined) this.#playwright?.onmessage?.(message);
    if (this.#forPlaywright.length > 0) setImmediate(this.#deliverNext);
    else if (this.#closed) this.#playwright?.onclose?.("the browser ended");
  };

  #settle(id: number, message: Message): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (message.error === undefined) waiting.resolve(message.result ?? {});
    else waiting.reject(new Error(message.error.message));
  }

  /** A detached session answers nothing more: what waits for it would wait for its deadline. */
  #forget(sessionId: string | undefined): void {
    if (sessionId === undefined) return;
    for (const [id, waiting] of this.#waiting) {
      if (waiting.sessionId !== sessionId) continue;
      this.#waiting.delete(id);
      clearTimeout(waiting.timer);
      waiting.reject(new Failure("page_ended", "The page is gone."));
    }
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const waiting of this.#waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(ended());
    }
    this.#waiting.clear();
    this.#observer.closed();
    if (this.#forPlaywright.length === 0) this.#playwright?.onclose?.("the browser ended");
  }
}

function ended(): Failure {
  return new Failure("browser_ended", "The browser has ended. The next call starts a new one.");
}
