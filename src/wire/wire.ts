import type { ConnectOverCDPTransport } from "playwright-core";
import { Failure } from "../errors.ts";
import { Activity } from "./activity.ts";
import type { Channel, Message } from "./channel.ts";
import {
  type CommandName,
  type CommandParams,
  type CommandResult,
  Connection,
  narrow,
  type WireEvent,
} from "./connection.ts";
import { Floods } from "./flood.ts";
import { type Causes, Interception, type Judge, type RequestSeen } from "./interception.ts";
import { NamedHosts } from "./named-hosts.ts";
import { Ownership } from "./ownership.ts";
import { type FrameRecord, type TargetRecord, Targets } from "./targets.ts";

export interface WireOptions {
  readonly channel: Channel;
  /**
   * The browser is somebody's own: only the contexts that Playwright makes through this wire are ours. Nothing else is
   * judged, listed or shown to Playwright.
   */
  readonly shared?: boolean;
  /** Chromium's rules of the proxy for each context that Playwright makes; null for the browser's own. */
  readonly contextProxy?: () => string | null;
  readonly judge: Judge;
  /** Runs in the isolated world of every document, before any script of the page. */
  readonly worldSource: string;
  /** Runs in every document itself, before any script of the page. */
  readonly pageSource?: string;
  /** Whose doing a request of that page (target id) is, made by a document at that address. */
  readonly causeOf: (page: string | null, documentUrl: string | null, document: string | null) => Causes;
  readonly onRequest?: (seen: RequestSeen) => void;
  /** `location`: where the answer says that what it made is, absolute. */
  readonly onResponse?: (
    networkId: string,
    answer: { readonly status: number; readonly url: string; readonly location: string | null },
  ) => void;
  /** Whether words of a frame at that address are told: its console and its errors. Default: all are. */
  readonly mayTell?: (frameUrl: string) => boolean;
  /** Playwright sends input, a script or an address to that page (target id). */
  readonly onDriven?: (page: string) => void;
  /** A line of a page's console that is told to nobody, as there are too many. */
  readonly onLineLost?: (level: "error" | "log") => void;
  readonly onClosed?: () => void;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/**
 * A document in the isolated world of which a call is made. A world that is gone is an error, never another document.
 */
export interface WorldAddress {
  readonly sessionId: string;
  readonly uniqueId: string;
}

/**
 * The one place between Playwright and the browser: carries both ways, knows every target and frame, holds every
 * request until the judge has spoken. It knows no rules.
 */
export class Wire {
  readonly #connection: Connection;
  readonly #targets = new Targets();
  readonly #ownership: Ownership | null;
  readonly #interception: Interception;
  readonly #options: WireOptions;
  readonly #named: NamedHosts;
  /** Which frame of a page asked last. */
  readonly #dialogFrames = new Map<string, string>();
  readonly activity: Activity;

  constructor(options: WireOptions) {
    this.#options = options;
    this.activity = new Activity(options.now);
    const floods = new Floods(options.now, (level) => options.onLineLost?.(level));
    options.channel.skips = (head, bytes) => floods.skips(head, bytes);
    this.#connection = new Connection(options.channel, {
      event: (event) => this.#event(event),
      beforeSending: (message) => this.#withProxy(this.#ownership?.narrowed(message) ?? message),
      sentByPlaywright: (message) => {
        this.#joinWorld(message);
        this.#driven(message);
      },
      answeredToPlaywright: (method, message) => {
        if (method === "Page.getFrameTree") this.#targets.frameTree(message);
        else if (method === "Target.createBrowserContext") this.#contextMade(message);
      },
      closed: () => {
        this.activity.end();
        options.onClosed?.();
      },
    });
    this.#ownership = options.shared === true ? new Ownership(() => this.#connection, this.#targets) : null;
    this.#named = new NamedHosts((method, params, how) => this.#connection.send(method, params, how));
    this.#interception = new Interception({
      connection: () => this.#connection,
      targets: this.#targets,
      ownership: this.#ownership,
      judge: options.judge,
      causeOf: options.causeOf,
      holding: (page, id, isHeld) => this.activity.holding(page, id, isHeld),
      commits: (page, isThere, withinMs) =>
        this.activity.until(page, ({ navigation }) => navigation === null || isThere(), withinMs).catch(() => {}),
      named: (page, host) => this.#named.names(page, host),
      held: (facts, networkId) => {
        if (facts.kind === "navigation" && facts.from.page !== null)
          this.activity.navigationStarted(facts.from.page, networkId ?? facts.id, facts.url);
      },
      seen: (seen) => {
        const { facts, networkId, verdict } = seen;
        if (verdict.verdict === "refuse" && facts.kind === "navigation" && facts.from.page !== null)
          this.activity.navigationFailed(facts.from.page, networkId ?? facts.id);
        options.onRequest?.(seen);
      },
    });
  }

  /** Before `transport()` is given to Playwright. */
  async start(timeoutMs: number): Promise<void> {
    await this.#connection.send("Target.setDiscoverTargets", { discover: true, filter: [{}] }, { timeoutMs });
    await this.#interception.start(timeoutMs);
  }

  /** Leaves a shared browser as it was: our contexts are closed first, then nothing is held any more. Never rejects. */
  async leave(timeoutMs: number): Promise<void> {
    const contexts = this.#ownership?.contexts ?? [];
    try {
      await Promise.all(
        contexts.map((browserContextId) =>
          this.send("Target.disposeBrowserContext", { browserContextId }, { timeoutMs }),
        ),
      );
      await this.#interception.stop(timeoutMs);
    } catch {
      // A browser that does not answer drops both when the connection ends.
    }
    this.close();
  }

  get closed(): boolean {
    return this.#connection.closed;
  }

  transport(): ConnectOverCDPTransport {
    return this.#connection.transport();
  }

  send<M extends CommandName>(
    method: M,
    params: CommandParams<M>,
    options: { readonly sessionId?: string | undefined; readonly timeoutMs?: number } = {},
  ): Promise<CommandResult<M>> {
    return this.#connection.send(method, params, options);
  }

  frames(page: string): readonly FrameRecord[] {
    return this.#targets.framesOf(page);
  }

  /** Names of all documents that are there now. */
  documents(): ReadonlySet<string> {
    return this.#targets.documents();
  }

  /** The frame whose dialog the page (target id) shows, or showed last. */
  dialogFrame(page: string): FrameRecord | undefined {
    const id = this.#dialogFrames.get(page);
    return id === undefined ? undefined : this.#targets.frame(id);
  }

  frame(id: string): FrameRecord | undefined {
    return this.#targets.frame(id);
  }

  target(id: string): TargetRecord | undefined {
    return this.#targets.target(id);
  }

  pages(): readonly TargetRecord[] {
    const ownership = this.#ownership;
    return ownership === null
      ? this.#targets.pages()
      : this.#targets.pages().filter((target) => ownership.isOwn(target));
  }

  /**
   * Calls `__chaperone[method](...args)` in one document's isolated world.
   * Rejects with `Failure`: timeout, page_ended (the document is gone), browser_ended.
   */
  async callWorld(world: WorldAddress, method: string, args: readonly unknown[], timeoutMs: number): Promise<unknown> {
    const answer = await this.#send(
      world,
      {
        functionDeclaration: CALL_WORLD,
        uniqueContextId: world.uniqueId,
        arguments: [{ value: method }, { value: JSON.stringify(args) }],
        awaitPromise: true,
        returnByValue: true,
      },
      timeoutMs,
    );
    return parse(answer);
  }

  /** The element that holds a frame, in its parent's document; null when it has none any more. */
  async ownerOf(
    frame: FrameRecord,
    timeoutMs: number,
  ): Promise<{ readonly id: number; readonly document: string } | null> {
    const parent = frame.parentId === null ? undefined : this.#targets.frame(frame.parentId);
    if (parent?.world == null) return null;
    const { sessionId, world } = parent;
    try {
      const { backendNodeId } = await this.send("DOM.getFrameOwner", { frameId: frame.id }, { sessionId, timeoutMs });
      const { object } = await this.send(
        "DOM.resolveNode",
        { backendNodeId, executionContextId: world.contextId },
        { sessionId, timeoutMs },
      );
      if (object.objectId === undefined) return null;
      const answer = await this.#send(
        { sessionId, uniqueId: world.uniqueId },
        { functionDeclaration: ID_OF_THIS, objectId: object.objectId, returnByValue: true },
        timeoutMs,
      );
      return parse(answer) as { readonly id: number; readonly document: string };
    } catch {
      return null;
    }
  }

  close(): void {
    this.#connection.close();
  }

  async #send(
    world: WorldAddress,
    params: CommandParams<"Runtime.callFunctionOn">,
    timeoutMs: number,
  ): Promise<string> {
    let answer: CommandResult<"Runtime.callFunctionOn">;
    try {
      answer = await this.send("Runtime.callFunctionOn", params, { sessionId: world.sessionId, timeoutMs });
    } catch (error) {
      if (Failure.is(error)) throw error;
      throw new Failure("page_ended", "The document is gone. Take a new snapshot.", { cause: error });
    }
    if (answer.exceptionDetails !== undefined || typeof answer.result.value !== "string") {
      throw new Failure("page_ended", "The document could not be read. Take a new snapshot.", {
        cause: answer.exceptionDetails,
      });
    }
    return answer.result.value;
  }

  #event(event: WireEvent): boolean {
    if (this.#interception.event(event) || this.#ownership?.event(event) === true) return true;
    const swallowed = this.#targets.event(event);
    const destroyed = event.sessionId === undefined ? narrow(event, "Target.targetDestroyed") : null;
    if (destroyed !== null) {
      this.activity.forget(destroyed.targetId);
      this.#named.forget(destroyed.targetId);
      this.#dialogFrames.delete(destroyed.targetId);
    }
    const download = event.sessionId === undefined ? narrow(event, "Browser.downloadWillBegin") : null;
    const loading = download === null ? null : this.#targets.pageOf(download.frameId);
    // What is saved in the place of a document brings none.
    if (loading !== null) this.activity.downloads(loading);
    if (event.sessionId !== undefined) {
      const target = this.#targets.targetOfSession(event.sessionId);
      const page = target === undefined ? null : this.#targets.pageOf(target.id);
      if (page !== null) {
        this.activity.event(event, page);
        this.#named.event(event, page);
      }
    }
    this.#freeDocument(event);
    const dialog = narrow(event, "Page.javascriptDialogOpening");
    const asking = dialog === null ? null : this.#targets.pageOf(dialog.frameId);
    if (dialog !== null && asking !== null) this.#dialogFrames.set(asking, dialog.frameId);
    const socket = narrow(event, "Network.webSocketCreated");
    const owner =
      socket === null || event.sessionId === undefined ? undefined : this.#targets.targetOfSession(event.sessionId);
    if (socket !== null && owner !== undefined) void this.#interception.socket(socket.url, socket.requestId, owner);
    const response = narrow(event, "Network.responseReceived");
    if (response !== null) this.#options.onResponse?.(response.requestId, answerOf(response.response));
    return swallowed || (WORDS.has(event.method) && !this.#mayTell(event.sessionId));
  }

  /** False for a frame in a process of its own whose words are not told, and for its workers. */
  #mayTell(sessionId: string | null | undefined): boolean {
    const { mayTell } = this.#options;
    const target = sessionId == null ? undefined : this.#targets.targetOfSession(sessionId);
    if (mayTell === undefined || target === undefined || target.type === "page") return true;
    if (target.type === "iframe" && !mayTell(this.frame(target.id)?.url ?? target.url)) return false;
    return this.#mayTell(target.parentSessionId);
  }

  /** A frame's new document takes no input until it hears that no act is under way in its page (`observer/bar.ts`). */
  #freeDocument(event: WireEvent): void {
    const created = narrow(event, "Runtime.executionContextCreated");
    const frameId = (created?.context.auxData as { frameId?: string } | undefined)?.frameId;
    const frame = frameId === undefined ? undefined : this.#targets.frame(frameId);
    const page = frameId === undefined ? null : this.#targets.pageOf(frameId);
    if (
      created === null ||
      frame?.world?.uniqueId !== created.context.uniqueId ||
      page === null ||
      page === frameId ||
      this.activity.of(page).armed
    )
      return;
    this.callWorld(
      { sessionId: frame.sessionId, uniqueId: created.context.uniqueId },
      "free",
      [],
      FREE_TIMEOUT_MS,
    ).catch(() => {
      // Gone already, or busy: the next act's end says it again.
    });
  }

  #withProxy(message: Message): Message {
    const proxyServer =
      message.method === "Target.createBrowserContext" ? (this.#options.contextProxy?.() ?? null) : null;
    // Without that exception loopback would pass beside it.
    return proxyServer === null
      ? message
      : { ...message, params: { ...message.params, proxyServer, proxyBypassList: "<-loopback>" } };
  }

  #contextMade(message: Message): void {
    const { browserContextId } = (message.result ?? {}) as { browserContextId?: string };
    if (browserContextId !== undefined) this.#ownership?.made(browserContextId);
  }

  #driven(message: Message): void {
    if (message.sessionId === undefined || !DRIVING.has(message.method ?? "")) return;
    const target = this.#targets.targetOfSession(message.sessionId);
    const page = target === undefined ? null : this.#targets.pageOf(target.id);
    if (page !== null) this.#options.onDriven?.(page);
  }

  /**
   * Playwright makes its isolated world in every new document of a page; our script joins that world under the same
   * name.
   */
  #joinWorld(message: Message): void {
    if (message.method !== "Page.addScriptToEvaluateOnNewDocument" || message.sessionId === undefined) return;
    const { worldName } = message.params as { worldName?: string };
    if (worldName === undefined) return;
    this.#targets.useWorld(worldName);
    const { worldSource, pageSource } = this.#options;
    const scripts = [{ source: worldSource, worldName }, ...(pageSource === undefined ? [] : [{ source: pageSource }])];
    for (const script of scripts)
      this.send(
        "Page.addScriptToEvaluateOnNewDocument",
        { ...script, runImmediately: true },
        { sessionId: message.sessionId },
      ).catch(() => {
        // The page is gone already: nothing will be read from it.
      });
  }
}

/** Events that hold words of a document. */
const WORDS: ReadonlySet<string> = new Set(["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"]);

/** Commands by which a program does something to a page. */
const DRIVING: ReadonlySet<string> = new Set([
  "Input.dispatchMouseEvent",
  "Input.dispatchKeyEvent",
  "Input.insertText",
  "Input.dispatchTouchEvent",
  "Input.dispatchDragEvent",
  "Page.navigate",
  "Page.reload",
  "Page.navigateToHistoryEntry",
  "Runtime.evaluate",
  "Runtime.callFunctionOn",
  "DOM.setFileInputFiles",
]);

function answerOf({
  status,
  url,
  headers,
}: {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}) {
  const location = Object.entries(headers).find(([name]) => name.toLowerCase() === "location")?.[1];
  return {
    status,
    url,
    location: location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : null,
  };
}

const FREE_TIMEOUT_MS = 5_000;
/** JSON as text: deep trees break the protocol's own values. */
const CALL_WORLD =
  "async function (method, args) { return JSON.stringify((await globalThis.__chaperone[method](...JSON.parse(args))) ?? null); }";
const ID_OF_THIS =
  "function () { const world = globalThis.__chaperone; return JSON.stringify({ id: world.idOf(this), document: world.document }); }";

function parse(text: string): unknown {
  return JSON.parse(text);
}
