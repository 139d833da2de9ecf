import { Failure } from "../../errors.ts";
import type { FrameRecord } from "../../wire/targets.ts";
import type { Time, View } from "../view/view.ts";
import { FRAME_STEP_MS, type FramePlace, FramePlaces, inWorld, onTop, stepMs } from "./frame-places.ts";
import { type Box, boxOf, hull, moved, overlap } from "./geometry.ts";

/** Without the main frame there is no picture, so it gets more time than others. */
const MAIN_STEP_MS = 6_000;
/** What moves less than this between two looks stands still. */
const STILL_PX = 0.5;

/** The top document's viewport, in CSS pixels. */
export interface Viewport {
  /** In the document: `x` and `y` are how far it is scrolled. */
  readonly box: Box;
  readonly devicePixelRatio: number;
  /** Other than 1 while a person has zoomed in with two fingers. */
  readonly pinch: number;
}

/** One look at all frames. */
export interface SecretPlaces {
  readonly viewport: Viewport;
  /** What has to be painted over, by frame, in CSS pixels of the top viewport. */
  readonly covers: ReadonlyMap<string, readonly Box[]>;
  /** Frames that did not answer: all of them is covered. */
  readonly silent: ReadonlySet<string>;
}

const VIEWPORT =
  "function () { return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight, ratio: devicePixelRatio, pinch: visualViewport === null ? 1 : visualViewport.scale }; }";

/**
 * Where secret fields are drawn now, in frames of any depth. A frame that cannot be asked, or may not be shown, is
 * covered whole; frames in `silent` are not asked again. Rejects with `Failure`: when the main frame cannot be asked,
 * `still_loading` while a navigation is pending, else what happened.
 */
export async function secretPlaces(view: View, silent: ReadonlySet<string>, time: Time): Promise<SecretPlaces> {
  const main = view.wire.frame(view.target);
  if (main === undefined) throw new Failure("page_ended", "The tab is gone. Use tabs or navigate to go on.");
  // A pending navigation suspends it until its end, however long we wait.
  const mainMs = view.wire.activity.of(view.target).navigation === null ? MAIN_STEP_MS : FRAME_STEP_MS;
  const places = new FramePlaces(view, time, silent);
  const silentNow = new Set(silent);
  const covers = new Map<string, readonly Box[]>();
  const lookAt = async (frame: FrameRecord): Promise<void> => {
    if (frame !== main && !view.mayShow(frame.url)) {
      const place = await places.of(frame);
      if (place !== null) covers.set(frame.id, [wholeOf(place)]);
      return;
    }
    const asked = silent.has(frame.id)
      ? null
      : secretBoxes(view, frame, stepMs(time, frame === main ? mainMs : FRAME_STEP_MS));
    const [place, boxes] = await Promise.all([places.of(frame), asked]);
    if (boxes === null) silentNow.add(frame.id);
    if (place === null) return;
    covers.set(frame.id, boxes === null ? [wholeOf(place)] : drawn(place, boxes));
  };
  try {
    const [viewport] = await Promise.all([
      viewportOf(view, main, stepMs(time, mainMs)),
      ...view.wire.frames(view.target).map(lookAt),
    ]);
    return { viewport, covers, silent: silentNow };
  } catch (error) {
    throw mainIsSilent(view, error);
  }
}

/**
 * What to paint, in CSS pixels of the top document, so that nothing shows that was there before the capture, after it,
 * or on a straight way between. When the page scrolled meanwhile, the picture may show either place.
 */
export function coversOf(before: SecretPlaces, after: SecretPlaces): readonly Box[] {
  const from = before.viewport.box;
  const to = after.viewport.box;
  const scrolled = Math.abs(from.x - to.x) >= STILL_PX || Math.abs(from.y - to.y) >= STILL_PX;
  const boxes: Box[] = [];
  for (const id of new Set([...before.covers.keys(), ...after.covers.keys()])) {
    const earlier = (before.covers.get(id) ?? []).map((box) => moved(box, from));
    const onScreen = after.covers.get(id) ?? [];
    const later = onScreen.map((box) => moved(box, to));
    if (!scrolled && isStill(earlier, later)) {
      boxes.push(...earlier);
      continue;
    }
    const around = hull([
      ...earlier,
      ...later,
      ...onScreen.map((box) => moved(box, from)),
      ...earlier.map((box) => moved(box, { x: to.x - from.x, y: to.y - from.y })),
    ]);
    if (around !== null) boxes.push(around);
  }
  return boxes;
}

function isStill(earlier: readonly Box[], later: readonly Box[]): boolean {
  if (earlier.length !== later.length) return false;
  return earlier.every((box, index) => {
    const other = later[index];
    return (
      other !== undefined &&
      (["x", "y", "width", "height"] as const).every((side) => Math.abs(box[side] - other[side]) < STILL_PX)
    );
  });
}

/** Null when the frame cannot be asked, or answers something else than boxes. */
async function secretBoxes(view: View, frame: FrameRecord, timeoutMs: number): Promise<readonly Box[] | null> {
  if (frame.world === null) return null;
  try {
    const answer = await view.ask(
      { sessionId: frame.sessionId, worldId: frame.world.uniqueId },
      "secretBoxes",
      [],
      timeoutMs,
    );
    if (!Array.isArray(answer)) return null;
    const boxes = answer.flatMap((value) => boxOf(value) ?? []);
    return boxes.length === answer.length ? boxes : null;
  } catch (error) {
    if (Failure.is(error) && error.code === "browser_ended") throw error;
    return null;
  }
}

function drawn(place: FramePlace, boxes: readonly Box[]): readonly Box[] {
  if (boxes.length > 0 && place.toTop === null) return [wholeOf(place)];
  return boxes.flatMap((box) => onTop(place, box) ?? []);
}

/** All of a frame. Of the main frame that would be the whole picture, which is worth nothing. */
function wholeOf(place: FramePlace): Box {
  if (place.whole) throw silentPage();
  return place.area;
}

async function viewportOf(view: View, main: FrameRecord, timeoutMs: number): Promise<Viewport> {
  const value = await inWorld(view, main, VIEWPORT, timeoutMs);
  const box = boxOf(value);
  const { ratio, pinch } = (value ?? {}) as { readonly ratio?: unknown; readonly pinch?: unknown };
  if (
    box === null ||
    overlap(box, box) === null ||
    typeof ratio !== "number" ||
    !(ratio > 0) ||
    typeof pinch !== "number"
  ) {
    throw new Failure("page_ended", "The page has no size. Take a new snapshot.");
  }
  return { box, devicePixelRatio: ratio, pinch };
}

function mainIsSilent(view: View, error: unknown): unknown {
  if (Failure.is(error) && error.code === "browser_ended") return error;
  if (view.wire.activity.of(view.target).navigation !== null) {
    return new Failure(
      "still_loading",
      "The page is still loading, so its secret fields cannot be painted over. Use wait_for or snapshot first.",
      {
        cause: error,
      },
    );
  }
  return Failure.is(error) && error.code === "timeout" ? silentPage({ cause: error }) : error;
}

function silentPage(options?: ErrorOptions): Failure {
  return new Failure(
    "timeout",
    "The page does not answer, so its secret fields cannot be painted over. Try again later, or open it again with navigate.",
    options,
  );
}
