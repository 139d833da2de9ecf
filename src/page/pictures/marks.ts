import type { Ref } from "../../types.ts";
import { joinFrames } from "../snapshot/join.ts";
import { framesOf, nodesOf } from "../snapshot/joined.ts";
import { tellShown } from "../snapshot/shown.ts";
import type { Time, View } from "../view/view.ts";
import { FramePlaces, onTop } from "./frame-places.ts";
import { type Box, boxOf, overlap } from "./geometry.ts";

/** More than these would cover the picture. */
export const MAX_MARKS = 150;
const LOOK_TOKENS = 8_000;

/** Where an element that can be acted on is drawn. */
export interface Mark {
  readonly ref: Ref;
  /** CSS pixels of the top viewport. */
  readonly box: Box;
}

/**
 * The refs of what can be acted on within `area` (CSS pixels of the top viewport), in reading order. The model is taken
 * to know them from now on.
 */
export async function marksIn(view: View, area: Box, time: Time): Promise<readonly Mark[]> {
  const { top, frames } = await joinFrames(view, { budgetTokens: LOOK_TOKENS, root: null, time });
  const places = new FramePlaces(view, time);
  const found: Mark[] = [];
  for (const joined of framesOf(top)) {
    const frame = frames.get(joined.key);
    const place = frame === undefined ? null : await places.of(frame.record);
    if (frame === undefined || place === null || place.toTop === null) continue;
    const acting = [...nodesOf(joined.nodes)].flatMap((node) =>
      node.act === true && node.id !== undefined ? [{ ...node, id: node.id }] : [],
    );
    const boxes = await view.ask(frame, "boxes", [acting.map((node) => node.id)]);
    for (const [at, node] of acting.entries()) {
      const own = boxOf(Array.isArray(boxes) ? boxes[at] : null);
      const drawn = own === null ? null : onTop(place, own);
      const seen = drawn === null ? null : overlap(drawn, area);
      if (seen !== null && found.length < MAX_MARKS) found.push({ ref: view.refFor(frame, node), box: seen });
    }
  }
  tellShown(
    view,
    top,
    found.map((mark) => mark.ref),
  );
  return found;
}
