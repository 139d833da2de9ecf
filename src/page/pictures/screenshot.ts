import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../errors.ts";
import type { Element, Permit } from "../../types.ts";
import { stale, toFailure } from "../view/failures.ts";
import type { ReadableFrame, Time, View } from "../view/view.ts";
import { FRAME_STEP_MS, FramePlaces, onTop, stepMs } from "./frame-places.ts";
import { type Box, boxOf, isInside, moved, overlap, wholePixels } from "./geometry.ts";
import { type Mark, marksIn } from "./marks.ts";
import { paint, pngSize } from "./paint.ts";
import { coversOf, type SecretPlaces, secretPlaces, type Viewport } from "./secret-places.ts";

/** Models scale larger pictures down themselves, and charge for them. */
export const MAX_SIDE_PX = 1_568;
export const MAX_BYTES = 5 * 1024 * 1024;
/** Below this, ordinary text of 14 px has less than 3 and cannot be read. */
export const MIN_SCALE = 0.2;

/** Rounding up must not pass the limit. */
const ROUNDING_PX = 0.5;
/** A second try has to succeed, so it aims lower. */
const SECOND_TRY = 0.9;
const STEADY_PAUSE_MS = 30;
const MAX_STEADY_PAUSES = 20;

const ELEMENT = "function (id) { return globalThis.__chaperone.element(id); }";
const BOX =
  "function () { const { x, y, width, height } = this.getBoundingClientRect(); return { x, y, width, height }; }";

export interface CaptureOptions {
  readonly fullPage: boolean;
  /** Scrolled into view; its box alone is in the picture. */
  readonly element: Element | null;
  /** Writes the refs of what can be acted on into the picture. */
  readonly marks?: boolean;
}

export interface Picture {
  readonly bytes: Buffer;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels a CSS pixel; 1 unless it had to be smaller. */
  readonly scale: number;
}

/**
 * PNG of the viewport, the full page or one element, at most `MAX_BYTES` and `MAX_SIDE_PX` a side, secret fields
 * painted over in the picture. View transitions are ended, and frames that may not be shown draw nothing meanwhile.
 * Else the page is not changed, and sees nothing of a picture within the viewport. Beyond it
 * (full page, large element) Chromium itself sends a resize event, about every second time after a moment at 1 x 1,
 * though the picture shows the layout as it was. Scrolling to an element is seen like any scrolling. Rejects with
 * `Failure`: too_large, still_loading, stale, no_match, timeout, page_ended, browser_ended.
 */
export async function capture(view: View, permit: Permit, options: CaptureOptions, time: Time): Promise<Picture> {
  permit.take();
  const hidden = view.frames("every").filter(({ record }) => record.parentId !== null && !view.mayShow(record.url));
  try {
    await prepare(view, hidden, time);
    const element = options.element === null ? null : await bringIntoView(view, options.element, time);
    const before = await secretPlaces(view, new Set(), time);
    const area =
      element === null
        ? options.fullPage
          ? await wholePage(view, time)
          : before.viewport.box
        : wholePixels(moved(element, before.viewport.box));
    const inView: Box = { ...area, x: area.x - before.viewport.box.x, y: area.y - before.viewport.box.y };
    const marks = options.marks === true ? await marksIn(view, inView, time) : [];
    const scale = Math.min(1, (MAX_SIDE_PX - ROUNDING_PX) / area.width, (MAX_SIDE_PX - ROUNDING_PX) / area.height);
    const first = await shoot(view, { area, scale, before, marks }, time);
    if (first.picture.bytes.length <= MAX_BYTES) return first.picture;
    const smaller = scale * Math.sqrt(MAX_BYTES / first.picture.bytes.length) * SECOND_TRY;
    const second = await shoot(view, { area, scale: smaller, before: first.after, marks }, time);
    if (second.picture.bytes.length <= MAX_BYTES) return second.picture;
    throw tooLarge();
  } catch (error) {
    throw toFailure(error, { deadlineMs: time.totalMs });
  } finally {
    for (const frame of hidden)
      view.ask(frame, "unveil", [], stepMs(time)).catch(() => {
        // Gone, and its veil with it.
      });
  }
}

/**
 * What may not be shown draws nothing meanwhile: a page may move its frame in between, or show an old picture of it
 * elsewhere. One that does not answer is painted over alone.
 */
async function prepare(view: View, hidden: readonly ReadableFrame[], time: Time): Promise<void> {
  await Promise.all([
    ...hidden.map((frame) => view.ask(frame, "veil", [], stepMs(time, FRAME_STEP_MS)).catch(unlessEnded)),
    view.tellSecrets(view.frames(), stepMs(time, FRAME_STEP_MS)).catch(unlessEnded),
  ]);
}

function unlessEnded(error: unknown): void {
  if (Failure.is(error) && error.code === "browser_ended") throw error;
}

interface Shot {
  /** CSS pixels of the top document. */
  readonly area: Box;
  readonly scale: number;
  readonly before: SecretPlaces;
  readonly marks: readonly Mark[];
}

async function shoot(
  view: View,
  shot: Shot,
  time: Time,
): Promise<{ readonly picture: Picture; readonly after: SecretPlaces }> {
  const { area, scale, before } = shot;
  if (scale < MIN_SCALE) throw tooLarge();
  const { viewport } = before;
  const { data } = await view.wire.send(
    "Page.captureScreenshot",
    { format: "png", ...frameOf(area, scale, viewport) },
    { sessionId: sessionOf(view), timeoutMs: stepMs(time) },
  );
  const png = Buffer.from(data, "base64");
  const after = await secretPlaces(view, before.silent, time);
  const { width, height } = pngSize(png);
  const across = width / area.width;
  const down = height / area.height;
  const covers = coversOf(before, after);
  if (covers.length > 0 && (viewport.pinch !== 1 || after.viewport.pinch !== 1)) {
    throw new Failure(
      "too_large",
      "Somebody has zoomed into the page, so its secret fields cannot be painted over. Take a snapshot instead.",
    );
  }
  const bytes = await paint(
    png,
    covers.map((box) => ({
      x: (box.x - area.x) * across,
      y: (box.y - area.y) * down,
      width: box.width * across,
      height: box.height * down,
    })),
    shot.marks.map(({ ref, box }) => ({
      text: ref,
      at: { x: (box.x + viewport.box.x - area.x) * across, y: (box.y + viewport.box.y - area.y) * down },
    })),
  );
  return { picture: { bytes, width, height, scale: Number(scale.toFixed(4)) }, after };
}

/** A clip, and above all one beyond the viewport, is more than a page may notice: only where it is needed. */
function frameOf(
  area: Box,
  scale: number,
  viewport: Viewport,
): { clip?: Box & { scale: number }; captureBeyondViewport?: boolean } {
  const { box, devicePixelRatio } = viewport;
  const beyond = !isInside(area, wholePixels(box));
  const isWhole = area.x === box.x && area.y === box.y && area.width === box.width && area.height === box.height;
  if (isWhole && scale === 1 && devicePixelRatio === 1) return {};
  return { clip: { ...area, scale: scale / devicePixelRatio }, captureBeyondViewport: beyond };
}

async function wholePage(view: View, time: Time): Promise<Box> {
  const { cssContentSize } = await view.wire.send(
    "Page.getLayoutMetrics",
    {},
    { sessionId: sessionOf(view), timeoutMs: stepMs(time) },
  );
  const box = boxOf(cssContentSize);
  if (box === null || overlap(box, box) === null)
    throw new Failure("page_ended", "The page has no size. Take a new snapshot.");
  return box;
}

/**
 * Scrolls the element into view and waits until it stands still. Its box as far as it is drawn, in the top viewport.
 */
async function bringIntoView(view: View, element: Element, time: Time): Promise<Box> {
  const { frame, localId } = view.place(element.ref);
  const objectId = await handleOf(view, frame, localId, time);
  const session = { sessionId: frame.sessionId };
  try {
    try {
      await view.wire.send("DOM.scrollIntoViewIfNeeded", { objectId }, { ...session, timeoutMs: stepMs(time) });
    } catch (error) {
      if (Failure.is(error)) throw error;
      throw invisible();
    }
    let last: Box | null = null;
    // Frames of other processes scroll in their own time.
    for (let pauses = 0; pauses < MAX_STEADY_PAUSES; pauses++) {
      const now = await drawnBox(view, frame, objectId, time);
      if (last !== null && now !== null && isSame(last, now)) return now;
      last = now;
      await pause(Math.min(STEADY_PAUSE_MS, stepMs(time)));
    }
    if (last === null) throw invisible();
    return last;
  } finally {
    view.wire.send("Runtime.releaseObject", { objectId }, session).catch(() => {
      // Gone with its document.
    });
  }
}

async function handleOf(view: View, frame: ReadableFrame, localId: number, time: Time): Promise<string> {
  try {
    const { result } = await view.wire.send(
      "Runtime.callFunctionOn",
      { functionDeclaration: ELEMENT, uniqueContextId: frame.worldId, arguments: [{ value: localId }] },
      { sessionId: frame.sessionId, timeoutMs: stepMs(time) },
    );
    if (result.objectId !== undefined) return result.objectId;
  } catch (error) {
    if (Failure.is(error)) throw error;
  }
  throw stale();
}

async function drawnBox(view: View, frame: ReadableFrame, objectId: string, time: Time): Promise<Box | null> {
  const [place, answer] = await Promise.all([
    new FramePlaces(view, time).of(frame.record),
    view.wire.send(
      "Runtime.callFunctionOn",
      { functionDeclaration: BOX, objectId, returnByValue: true },
      { sessionId: frame.sessionId, timeoutMs: stepMs(time) },
    ),
  ]);
  const box = boxOf(answer.result.value);
  if (place === null || place.toTop === null || box === null) return null;
  return onTop(place, box);
}

function isSame(one: Box, other: Box): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

function sessionOf(view: View): string {
  const sessionId = view.wire.target(view.target)?.sessionId;
  if (sessionId == null) throw new Failure("page_ended", "The tab is gone. Use tabs or navigate to go on.");
  return sessionId;
}

function invisible(): Failure {
  return new Failure("no_match", "Nothing of that target is drawn. Take a picture without target to see what is.");
}

function tooLarge(): Failure {
  return new Failure(
    "too_large",
    "That would be too large for a legible picture. Take it without full_page, or give a target; scroll to see the rest.",
  );
}
