import { Failure } from "../../errors.ts";
import type { FrameRecord } from "../../wire/targets.ts";
import type { Time, View } from "../view/view.ts";
import { type Box, cornersOf, hull, type Mapping, mapped, mappingOnto, overlap, type Size } from "./geometry.ts";

/** One frame's answer never keeps a picture waiting longer. */
export const FRAME_STEP_MS = 1_500;

/** The main frame's area: what holds everything, so nothing of it is ever cut away. */
const EVERYWHERE: Box = { x: -1e7, y: -1e7, width: 2e7, height: 2e7 };
const SIZE = "function () { return { width: innerWidth, height: innerHeight }; }";
/** Chromium's words for an element that is not drawn. */
const NOT_DRAWN = /Could not compute box model|does not have a layout object/;

/** Where a frame's document is drawn, in CSS pixels of the top viewport. */
export interface FramePlace {
  /** Nothing of it is drawn outside of this. `whole` marks the main frame, whose area has no bounds. */
  readonly area: Box;
  readonly whole: boolean;
  /** From the frame's own viewport; null when it could not be found out. */
  readonly toTop: Mapping | null;
  /** From the viewport of the outermost frame of its process, in which Chromium counts; null likewise. */
  readonly rootToTop: Mapping | null;
}

/** Milliseconds that one step may take. Throws when the call has none left. */
export function stepMs(time: Time, mostMs = Number.POSITIVE_INFINITY): number {
  const left = time.remainingMs();
  if (left <= 0)
    throw new Failure(
      "timeout",
      `Not possible within ${time.totalMs} ms. Take a new snapshot to see what the page shows.`,
    );
  return Math.max(1, Math.min(mostMs, left));
}

/** Finds out once where each frame is drawn. Asks the browser only; changes nothing. */
export class FramePlaces {
  readonly #view: View;
  readonly #time: Time;
  readonly #silent: ReadonlySet<string>;
  readonly #found = new Map<string, Promise<FramePlace | null>>();

  /** Frames in `silent` are known not to answer: they are not asked for their size. */
  constructor(view: View, time: Time, silent: ReadonlySet<string> = new Set()) {
    this.#view = view;
    this.#time = time;
    this.#silent = silent;
  }

  /** Null when nothing of it is drawn. What cannot be found out has its parent's whole area. */
  of(frame: FrameRecord): Promise<FramePlace | null> {
    const known = this.#found.get(frame.id);
    if (known !== undefined) return known;
    const place = this.#find(frame);
    this.#found.set(frame.id, place);
    return place;
  }

  async #find(frame: FrameRecord): Promise<FramePlace | null> {
    const same: Mapping = (point) => point;
    if (frame.id === this.#view.target) return { area: EVERYWHERE, whole: true, toTop: same, rootToTop: same };
    const { wire } = this.#view;
    const parentFrame = frame.parentId === null ? undefined : wire.frame(frame.parentId);
    if (parentFrame === undefined) return null;
    const parent = await this.of(parentFrame);
    if (parent === null) return null;
    const lost: FramePlace = { area: parent.area, whole: parent.whole, toTop: null, rootToTop: null };
    const own = frame.sessionId !== parentFrame.sessionId;
    try {
      const [corners, size] = await Promise.all([this.#corners(frame, parentFrame.sessionId), this.#size(frame)]);
      if (corners === null) return null;
      const fromRoot = parent.rootToTop;
      if (fromRoot === null) return lost;
      const bounds = hull(corners.map((corner) => ({ ...fromRoot(corner), width: 0, height: 0 })));
      const area = bounds === null ? null : overlap(bounds, parent.area);
      if (area === null) return null;
      const onto = size === null ? null : mappingOnto(corners, size);
      const toTop: Mapping | null = onto === null ? null : (point) => fromRoot(onto(point));
      return { area, whole: false, toTop, rootToTop: own ? toTop : fromRoot };
    } catch (error) {
      if (Failure.is(error) && error.code === "browser_ended") throw error;
      return wire.frame(frame.id) === undefined ? null : lost;
    }
  }

  /** Of the content of the element that holds it. Null when it is not drawn. */
  async #corners(frame: FrameRecord, sessionId: string): Promise<NonNullable<ReturnType<typeof cornersOf>> | null> {
    const { wire } = this.#view;
    const { backendNodeId } = await wire.send(
      "DOM.getFrameOwner",
      { frameId: frame.id },
      { sessionId, timeoutMs: stepMs(this.#time, FRAME_STEP_MS) },
    );
    try {
      const { model } = await wire.send(
        "DOM.getBoxModel",
        { backendNodeId },
        { sessionId, timeoutMs: stepMs(this.#time, FRAME_STEP_MS) },
      );
      const corners = cornersOf(model.content);
      if (corners === null) throw new Error("not a quad");
      return corners;
    } catch (error) {
      if (error instanceof Error && !Failure.is(error) && NOT_DRAWN.test(error.message)) return null;
      throw error;
    }
  }

  async #size(frame: FrameRecord): Promise<Size | null> {
    if (this.#silent.has(frame.id)) return null;
    try {
      const value = await inWorld(this.#view, frame, SIZE, stepMs(this.#time, FRAME_STEP_MS));
      const { width, height } = (value ?? {}) as { readonly width?: unknown; readonly height?: unknown };
      return typeof width === "number" && typeof height === "number" ? { width, height } : null;
    } catch {
      return null;
    }
  }
}

/**
 * What a function without arguments returns in a document's isolated world, by value. Rejects when there is no such
 * world.
 */
export async function inWorld(
  view: View,
  frame: FrameRecord,
  functionDeclaration: string,
  timeoutMs: number,
): Promise<unknown> {
  if (frame.world === null) throw new Failure("page_ended", "The document cannot be read yet. Take a new snapshot.");
  const { result, exceptionDetails } = await view.wire.send(
    "Runtime.callFunctionOn",
    { functionDeclaration, uniqueContextId: frame.world.uniqueId, returnByValue: true },
    { sessionId: frame.sessionId, timeoutMs },
  );
  if (exceptionDetails !== undefined)
    throw new Failure("page_ended", "The document could not be read. Take a new snapshot.", {
      cause: exceptionDetails,
    });
  return result.value;
}

/** A box of a frame's viewport, as far as it is drawn, in the top viewport; null when nothing is. */
export function onTop(place: FramePlace, box: Box): Box | null {
  return place.toTop === null ? place.area : overlap(mapped(box, place.toTop), place.area);
}
