import type { Message } from "./channel.ts";
import { narrow, type WireEvent } from "./connection.ts";

export interface TargetRecord {
  readonly id: string;
  /** page, iframe, worker, shared_worker, service_worker, browser, tab, other … */
  readonly type: string;
  readonly openerId: string | null;
  readonly contextId: string | null;
  url: string;
  /** The session that Playwright talks to it through; null while there is none. */
  sessionId: string | null;
  /** The session it was attached from, which for a frame or a worker is its owner's. */
  parentSessionId: string | null;
}

export interface FrameRecord {
  readonly id: string;
  parentId: string | null;
  /** Where its document lives: the page's session, or its own for a frame in another process. */
  sessionId: string;
  url: string;
  loaderId: string;
  /** The isolated world of the document that is there now; null until it exists. */
  world: { readonly uniqueId: string; readonly contextId: number } | null;
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly parentId?: string; readonly loaderId: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

const DISCOVERY: ReadonlySet<string> = new Set([
  "Target.targetCreated",
  "Target.targetInfoChanged",
  "Target.targetDestroyed",
  "Target.targetCrashed",
]);

/**
 * Who is who in the browser: targets, their sessions, frames, and the isolated world of each frame. Follows events,
 * asks nothing.
 */
export class Targets {
  readonly #targets = new Map<string, TargetRecord>();
  readonly #frames = new Map<string, FrameRecord>();
  readonly #sessions = new Map<string, string>();
  /** One name a page, so a set. */
  readonly #worldNames = new Set<string>();

  target(id: string): TargetRecord | undefined {
    return this.#targets.get(id);
  }

  frame(id: string): FrameRecord | undefined {
    return this.#frames.get(id);
  }

  targetOfSession(sessionId: string): TargetRecord | undefined {
    const id = this.#sessions.get(sessionId);
    return id === undefined ? undefined : this.#targets.get(id);
  }

  all(): readonly TargetRecord[] {
    return [...this.#targets.values()];
  }

  pages(): readonly TargetRecord[] {
    return this.all().filter((target) => target.type === "page");
  }

  /** The page that a frame or target is in: its own id for a page. Null for shared and service workers. */
  pageOf(id: string): string | null {
    const target = this.#targets.get(id);
    if (target?.type === "page") return id;
    const frame = this.#frames.get(id);
    if (frame !== undefined) return frame.parentId === null ? frame.id : this.pageOf(frame.parentId);
    if (target?.parentSessionId == null) return null;
    const owner = this.#sessions.get(target.parentSessionId);
    return owner === undefined ? null : this.pageOf(owner);
  }

  /** Names of all documents that are there now. */
  documents(): ReadonlySet<string> {
    return new Set([...this.#frames.values()].map(({ loaderId }) => loaderId));
  }

  /** All frames of a page, parents before children. */
  framesOf(pageId: string): readonly FrameRecord[] {
    const children = new Map<string, FrameRecord[]>();
    for (const frame of this.#frames.values()) {
      if (frame.parentId === null) continue;
      const siblings = children.get(frame.parentId);
      if (siblings === undefined) children.set(frame.parentId, [frame]);
      else siblings.push(frame);
    }
    const found: FrameRecord[] = [];
    const main = this.#frames.get(pageId);
    const queue = main === undefined ? [] : [main];
    for (let frame = queue.shift(); frame !== undefined; frame = queue.shift()) {
      found.push(frame);
      queue.push(...(children.get(frame.id) ?? []));
    }
    return found;
  }

  useWorld(name: string): void {
    this.#worldNames.add(name);
  }

  /** Playwright's answer to `Page.getFrameTree`: the frames that were there before the session. */
  frameTree(message: Message): void {
    const tree = (message.result as { frameTree?: FrameTree } | undefined)?.frameTree;
    if (tree !== undefined && message.sessionId !== undefined) this.#plant(tree, message.sessionId);
  }

  /** True when the event belongs to the wire alone. */
  event(event: WireEvent): boolean {
    if (event.sessionId === undefined && DISCOVERY.has(event.method)) {
      this.#discover(event);
      return true;
    }
    const attached = narrow(event, "Target.attachedToTarget");
    if (attached !== null) {
      const record = this.#remember(attached.targetInfo);
      this.#sessions.set(attached.sessionId, record.id);
      if (record.sessionId === null) {
        record.sessionId = attached.sessionId;
        record.parentSessionId = event.sessionId ?? null;
      }
      // A frame that moves to a process of its own is told by this session from now on.
      const frame = this.#frames.get(record.id);
      if (frame !== undefined && record.type === "iframe") {
        frame.sessionId = attached.sessionId;
        frame.world = null;
      }
      return false;
    }
    const detached = narrow(event, "Target.detachedFromTarget");
    if (detached !== null) {
      const record = this.targetOfSession(detached.sessionId);
      this.#sessions.delete(detached.sessionId);
      if (record?.sessionId === detached.sessionId) record.sessionId = null;
      return false;
    }
    if (event.sessionId !== undefined) this.#followFrames(event, event.sessionId);
    return false;
  }

  #discover(event: WireEvent): void {
    const seen = narrow(event, "Target.targetCreated") ?? narrow(event, "Target.targetInfoChanged");
    if (seen !== null) {
      this.#remember(seen.targetInfo).url = seen.targetInfo.url;
      return;
    }
    const gone = narrow(event, "Target.targetDestroyed");
    if (gone === null) return;
    this.#targets.delete(gone.targetId);
    this.#forgetFrame(gone.targetId);
  }

  #remember(info: {
    targetId: string;
    type: string;
    url: string;
    openerId?: string;
    browserContextId?: string;
  }): TargetRecord {
    const known = this.#targets.get(info.targetId);
    if (known !== undefined) return known;
    const record: TargetRecord = {
      id: info.targetId,
      type: info.type,
      openerId: info.openerId ?? null,
      contextId: info.browserContextId ?? null,
      url: info.url,
      sessionId: null,
      parentSessionId: null,
    };
    this.#targets.set(record.id, record);
    return record;
  }

  #followFrames(event: WireEvent, sessionId: string): void {
    const attached = narrow(event, "Page.frameAttached");
    if (attached !== null) {
      const known = this.#frames.get(attached.frameId);
      if (known === undefined)
        this.#frames.set(attached.frameId, emptyFrame(attached.frameId, attached.parentFrameId, sessionId));
      // Back from another process into its parent's.
      else Object.assign(known, { sessionId, parentId: attached.parentFrameId, world: null });
      return;
    }
    const navigated = narrow(event, "Page.frameNavigated");
    if (navigated !== null) {
      const { id, parentId, loaderId, url, urlFragment } = navigated.frame;
      const frame = this.#frames.get(id) ?? emptyFrame(id, parentId ?? null, sessionId);
      // Of a document that left while its frames were loading, or that waits in the back-forward cache, they are never
      // said to be detached.
      if (frame.loaderId !== loaderId) this.#forgetChildren(id);
      frame.sessionId = sessionId;
      frame.url = url + (urlFragment ?? "");
      // Its world stays as it is: Chromium announces contexts and commits in either order.
      frame.loaderId = loaderId;
      this.#frames.set(id, frame);
      return;
    }
    const within = narrow(event, "Page.navigatedWithinDocument");
    if (within !== null) {
      const frame = this.#frames.get(within.frameId);
      if (frame !== undefined) frame.url = within.url;
      return;
    }
    const detached = narrow(event, "Page.frameDetached");
    if (detached !== null) {
      const frame = this.#frames.get(detached.frameId);
      if (frame !== undefined && detached.reason !== "swap" && frame.sessionId === sessionId)
        this.#forgetFrame(detached.frameId);
      return;
    }
    this.#followWorlds(event, sessionId);
  }

  #followWorlds(event: WireEvent, sessionId: string): void {
    const created = narrow(event, "Runtime.executionContextCreated");
    if (created !== null) {
      const { name, uniqueId, id, auxData } = created.context;
      const frameId = (auxData as { frameId?: string } | undefined)?.frameId;
      if (frameId === undefined || !this.#worldNames.has(name)) return;
      const frame = this.#frames.get(frameId) ?? emptyFrame(frameId, null, sessionId);
      this.#frames.set(frameId, frame);
      frame.sessionId = sessionId;
      frame.world = { uniqueId, contextId: id };
      return;
    }
    const destroyed = narrow(event, "Runtime.executionContextDestroyed");
    if (destroyed !== null) {
      for (const frame of this.#frames.values()) {
        if (frame.world?.uniqueId === destroyed.executionContextUniqueId) frame.world = null;
      }
      return;
    }
    if (event.method === "Runtime.executionContextsCleared") {
      for (const frame of this.#frames.values()) if (frame.sessionId === sessionId) frame.world = null;
    }
  }

  #plant(tree: FrameTree, sessionId: string): void {
    const { id, parentId, loaderId, url } = tree.frame;
    const known = this.#frames.get(id);
    const frame = known ?? emptyFrame(id, parentId ?? null, sessionId);
    Object.assign(frame, { sessionId, loaderId, url });
    this.#frames.set(id, frame);
    for (const child of tree.childFrames ?? []) this.#plant(child, sessionId);
  }

  #forgetFrame(id: string): void {
    this.#frames.delete(id);
    this.#forgetChildren(id);
  }

  #forgetChildren(id: string): void {
    for (const frame of [...this.#frames.values()]) if (frame.parentId === id) this.#forgetFrame(frame.id);
  }
}

function emptyFrame(id: string, parentId: string | null, sessionId: string): FrameRecord {
  return { id, parentId, sessionId, url: "", loaderId: "", world: null };
}
