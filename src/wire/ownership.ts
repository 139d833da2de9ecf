import { LRUCache } from "lru-cache";
import type { Message } from "./channel.ts";
import type { Connection, WireEvent } from "./connection.ts";
import { narrow } from "./connection.ts";
import type { TargetRecord, Targets } from "./targets.ts";

/** "unknown" after everybody was asked: a frame that is gone, or a tab that does not answer. */
export type Owner = "own" | "foreign" | "unknown";

const ASK_TIMEOUT_MS = 1_000;
/** Oldest forgotten: asked for again. */
const REMEMBERED_FRAMES = 20_000;

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[] | undefined;
}

/**
 * Tells our browser context from the person's, in a browser that is not ours. Only what is known to be foreign counts
 * as foreign: a context that Playwright did not make through this wire, or a frame that such a context's own tab names.
 * A page of ours cannot put its frames there.
 */
export class Ownership {
  readonly #connection: () => Connection;
  readonly #targets: Targets;
  readonly #own = new Set<string>();
  /** Frames of foreign tabs, and foreign targets that are gone. */
  readonly #foreignFrames = new LRUCache<string, true>({ max: REMEMBERED_FRAMES });
  /** Frames and targets of ours that are gone: their last requests may come later. */
  readonly #ownFrames = new LRUCache<string, true>({ max: REMEMBERED_FRAMES });
  /** Sessions to foreign targets: Playwright must not see them. */
  readonly #quiet = new Set<string>();
  readonly #asking = new Map<string, string[]>();
  readonly #waiting = new Map<string, Set<() => void>>();
  #ask: Promise<void> = Promise.resolve();
  #nextAsk: Promise<void> | null = null;

  constructor(connection: () => Connection, targets: Targets) {
    this.#connection = connection;
    this.#targets = targets;
  }

  get contexts(): readonly string[] {
    return [...this.#own];
  }

  made(contextId: string): void {
    this.#own.add(contextId);
  }

  isOwn(target: TargetRecord): boolean {
    return target.contextId !== null && this.#own.has(target.contextId);
  }

  /** Whose a request of that frame or target is, if it can be said at once. */
  known(frameId: string): "own" | "foreign" | null {
    const target = this.#targets.target(frameId);
    if (target !== undefined && target.contextId !== null) return this.isOwn(target) ? "own" : "foreign";
    // Frames are followed in our own tabs only.
    if (this.#targets.frame(frameId) !== undefined || this.#ownFrames.has(frameId)) return "own";
    return this.#foreignFrames.has(frameId) ? "foreign" : null;
  }

  /** The same, after asking the foreign tabs for their frames. */
  async of(frameId: string): Promise<Owner> {
    const known = this.known(frameId);
    if (known !== null) return known;
    await Promise.race([this.#askFresh(), this.#appears(frameId)]);
    this.#waiting.delete(frameId);
    return this.known(frameId) ?? "unknown";
  }

  /**
   * Playwright wants each new target of the whole browser paused until it has looked at it. Only tabs are needed;
   * workers would stay paused when it leaves them.
   */
  narrowed(message: Message): Message {
    if (message.sessionId !== undefined || message.method !== "Target.setAutoAttach") return message;
    return { ...message, params: { ...message.params, filter: [{ type: "page" }] } };
  }

  /** True: the event is about what is not ours, Playwright must not see it. */
  event(event: WireEvent): boolean {
    if (event.sessionId !== undefined) {
      if (this.#quiet.has(event.sessionId)) return true;
      const attached = narrow(event, "Page.frameAttached");
      if (attached !== null) for (const wake of this.#waiting.get(attached.frameId) ?? []) wake();
      const detached = narrow(event, "Page.frameDetached");
      if (detached !== null) this.#ownFrames.set(detached.frameId, true);
      return false;
    }
    const attached = narrow(event, "Target.attachedToTarget");
    if (attached !== null) {
      const { targetInfo, sessionId } = attached;
      if (
        targetInfo.type === "browser" ||
        (targetInfo.browserContextId !== undefined && this.#own.has(targetInfo.browserContextId))
      )
        return false;
      this.#quiet.add(sessionId);
      const asking = this.#asking.get(targetInfo.targetId);
      if (asking !== undefined && !attached.waitingForDebugger) asking.push(sessionId);
      else void this.#letGo(sessionId, attached.waitingForDebugger);
      return true;
    }
    // Its last requests may come after it.
    const gone = narrow(event, "Target.targetDestroyed");
    const whose = gone === null ? null : this.known(gone.targetId);
    if (gone !== null && whose !== null)
      (whose === "own" ? this.#ownFrames : this.#foreignFrames).set(gone.targetId, true);
    const detached = narrow(event, "Target.detachedFromTarget");
    return detached !== null && this.#quiet.delete(detached.sessionId);
  }

  /** An ask that begins now or later: one that runs already may have passed the frame's tab. */
  #askFresh(): Promise<void> {
    this.#nextAsk ??= this.#ask.then(() => {
      this.#nextAsk = null;
      this.#ask = this.#askAll();
      return this.#ask;
    });
    return this.#nextAsk;
  }

  async #askAll(): Promise<void> {
    const foreign = this.#targets
      .all()
      .filter((target) => (target.type === "page" || target.type === "iframe") && !this.isOwn(target));
    await Promise.all(foreign.map((target) => this.#askOne(target.id)));
  }

  async #askOne(targetId: string): Promise<void> {
    const sessions: string[] = [];
    this.#asking.set(targetId, sessions);
    try {
      const { sessionId } = await this.#connection().send(
        "Target.attachToTarget",
        { targetId, flatten: true },
        { timeoutMs: ASK_TIMEOUT_MS },
      );
      const { frameTree } = await this.#connection().send(
        "Page.getFrameTree",
        {},
        { sessionId, timeoutMs: ASK_TIMEOUT_MS },
      );
      this.#rememberAll(frameTree);
    } catch {
      // Gone, or it does not answer: its frames stay unknown.
    } finally {
      this.#asking.delete(targetId);
      for (const sessionId of sessions) void this.#letGo(sessionId, false);
    }
  }

  #rememberAll(tree: FrameTree): void {
    this.#foreignFrames.set(tree.frame.id, true);
    for (const child of tree.childFrames ?? []) this.#rememberAll(child);
  }

  #appears(frameId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(frameId) ?? new Set();
      waiting.add(resolve);
      this.#waiting.set(frameId, waiting);
    });
  }

  /** A paused target goes on first: detaching alone does not wake every kind. */
  async #letGo(sessionId: string, isPaused: boolean): Promise<void> {
    const connection = this.#connection();
    try {
      if (isPaused) await connection.send("Runtime.runIfWaitingForDebugger", {}, { sessionId });
      await connection.send("Target.detachFromTarget", { sessionId });
    } catch {
      // It is gone already.
    }
  }
}
