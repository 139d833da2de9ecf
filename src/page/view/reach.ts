import type { ReadableFrame, Time, View } from "./view.ts";

/** What a look may spend on finding out; what is not known by then is found out at the next. */
const REACH_TIMEOUT_MS = 400;
/** Roots in roots in roots. */
const ROUNDS_MAX = 4;
const LISTENERS_MAX = 300;
/** A framework's root listens to everything for everybody: it is not what is pressed. */
const DELEGATED_TYPES_MIN = 12;
const PRESSED = new Set(["click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick"]);
const GROUP = "reach";

const UNREACHED = "function () { return globalThis.__chaperone?.unreached() ?? null; }";
const ADOPT = "function (...roots) { for (const root of roots) globalThis.__chaperone.adoptRoot(root); }";
const NOTE = "function (...elements) { for (const element of elements) globalThis.__chaperone.noteListener(element); }";

/**
 * Lets the observer of one document know what scripts cannot: closed shadow roots, and elements that only a script's
 * listener makes clickable. Never rejects, never takes long: a page that hinders it is seen without them.
 */
export async function reachInto(view: View, frame: ReadableFrame, time: Time): Promise<void> {
  const endsAt = view.now() + Math.min(REACH_TIMEOUT_MS, time.remainingMs());
  try {
    const reach = new Reach(view, frame, () => Math.max(1, endsAt - view.now()));
    for (let round = 0; round < ROUNDS_MAX && view.now() < endsAt; round += 1) if (!(await reach.once())) break;
    if (reach.used) void reach.release();
  } catch {
    // The look itself says what is wrong with the page.
  }
}

class Reach {
  used = false;
  readonly #view: View;
  readonly #frame: ReadableFrame;
  readonly #leftMs: () => number;

  constructor(view: View, frame: ReadableFrame, leftMs: () => number) {
    this.#view = view;
    this.#frame = frame;
    this.#leftMs = leftMs;
  }

  /** True when there is more to find out. */
  async once(): Promise<boolean> {
    const { result } = await this.#send("Runtime.callFunctionOn", {
      functionDeclaration: UNREACHED,
      uniqueContextId: this.#frame.worldId,
      objectGroup: GROUP,
    });
    if (result.objectId === undefined) return false;
    this.used = true;
    const { result: entries } = await this.#send("Runtime.getProperties", {
      objectId: result.objectId,
      ownProperties: true,
    });
    const nodes = entries.filter((entry) => /^\d+$/.test(entry.name)).map((entry) => entry.value?.objectId ?? null);
    const parting = nodes.indexOf(null);
    const hosts = nodes.slice(0, parting).filter((id) => id !== null);
    const tops = nodes.slice(parting + 1).filter((id) => id !== null);
    const [adopted] = await Promise.all([this.#adopt(hosts), ...tops.map((top) => this.#listen(top))]);
    return adopted;
  }

  async release(): Promise<void> {
    await this.#send("Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
  }

  async #adopt(hosts: readonly string[]): Promise<boolean> {
    const roots = await Promise.all(
      hosts.map(async (objectId) => {
        const { node } = await this.#send("DOM.describeNode", { objectId });
        return (node.shadowRoots ?? [])
          .filter((root) => root.shadowRootType === "closed")
          .map((root) => root.backendNodeId);
      }),
    );
    return this.#callWith(ADOPT, roots.flat());
  }

  async #listen(top: string): Promise<void> {
    // In the page's own world: asked in another, Chromium compiles a handler attribute there and crashes when it runs.
    const { node } = await this.#send("DOM.describeNode", { objectId: top });
    const { object } = await this.#send("DOM.resolveNode", { backendNodeId: node.backendNodeId, objectGroup: GROUP });
    if (object.objectId === undefined) return;
    const { listeners } = await this.#send("DOMDebugger.getEventListeners", {
      objectId: object.objectId,
      depth: -1,
      pierce: true,
    });
    const types = new Map<number, Set<string>>();
    for (const { backendNodeId, type } of listeners) {
      if (backendNodeId === undefined) continue;
      const known = types.get(backendNodeId) ?? new Set();
      types.set(backendNodeId, known.add(type));
    }
    const pressed = [...types]
      .filter(([, all]) => all.size < DELEGATED_TYPES_MIN && [...all].some((type) => PRESSED.has(type)))
      .map(([id]) => id);
    await this.#callWith(NOTE, pressed.slice(0, LISTENERS_MAX));
  }

  /** Calls with the nodes as they are in the observer's world. False when there are none. */
  async #callWith(functionDeclaration: string, backendNodeIds: readonly number[]): Promise<boolean> {
    const { world } = this.#frame.record;
    if (backendNodeIds.length === 0 || world === null) return false;
    const objects = await Promise.all(
      backendNodeIds.map((backendNodeId) =>
        this.#send("DOM.resolveNode", { backendNodeId, executionContextId: world.contextId, objectGroup: GROUP }).then(
          ({ object }) => object.objectId ?? null,
          () => null,
        ),
      ),
    );
    const found = objects.filter((objectId) => objectId !== null).map((objectId) => ({ objectId }));
    await this.#send("Runtime.callFunctionOn", {
      functionDeclaration,
      uniqueContextId: this.#frame.worldId,
      arguments: found,
    });
    return found.length > 0;
  }

  readonly #send: View["wire"]["send"] = (method, params) =>
    this.#view.wire.send(method, params, { sessionId: this.#frame.sessionId, timeoutMs: this.#leftMs() });
}
