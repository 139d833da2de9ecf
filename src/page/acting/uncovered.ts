import { setTimeout as wait } from "node:timers/promises";
import type { Element } from "../../types.ts";
import { Incomplete } from "../view/incomplete.ts";
import type { ReadableFrame, Time, View } from "../view/view.ts";

/** What is just fading out gets this long. */
const AGAIN_MS = 120;
const MAX_NAME_CHARS = 80;

interface Point {
  readonly x: number;
  readonly y: number;
  readonly cover: { readonly id: number; readonly controls: readonly number[] } | null;
}

interface Found {
  readonly frame: ReadableFrame;
  readonly cover: NonNullable<Point["cover"]>;
}

const KINDS: Readonly<Record<string, string>> = {
  dialog: "A dialog",
  alertdialog: "A dialog",
  frame: "A frame",
  img: "A picture",
  banner: "A banner",
};

/**
 * Brings an element into view. Rejects with `covered` at once when something lies over the place where it would be
 * clicked, in its document or over a frame that holds it, with the refs of the cover and of what can be acted on in it.
 */
export async function expectUncovered(view: View, element: Element, time: Time): Promise<void> {
  if ((await coverOf(view, element, time)) === null) return;
  await wait(Math.min(AGAIN_MS, time.remainingMs()));
  const found = await coverOf(view, element, time);
  if (found !== null) throw await covered(view, found, time);
}

async function coverOf(view: View, element: Element, time: Time): Promise<Found | null> {
  const { frame, localId } = view.place(element.ref);
  let point = (await view.ask(frame, "clickPoint", [localId])) as Point | null;
  let at = frame;
  while (point !== null) {
    if (point.cover !== null) return { frame: at, cover: point.cover };
    const { parentId } = at.record;
    const parent = parentId === null ? undefined : view.frames().find(({ record }) => record.id === parentId);
    const owner = parent === undefined ? null : await view.wire.ownerOf(at.record, time.remainingMs());
    if (parent === undefined || owner === null) return null;
    point = (await view.ask(parent, "framePoint", [owner.id, point.x, point.y])) as Point | null;
    at = parent;
  }
  return null;
}

async function covered(view: View, { frame, cover }: Found, time: Time): Promise<Incomplete> {
  const shown = async (
    id: number,
  ): Promise<{ readonly ref: string; readonly role: string; readonly name?: string } | null> => {
    const now = await view.describe(frame, id, time);
    if (now === null) return null;
    const ref = view.refFor(frame, now);
    view.refs.show([[ref, { role: now.role, name: now.name, place: now.place, alone: false }]]);
    const name = now.name.slice(0, MAX_NAME_CHARS);
    return { ref, role: now.role, ...(name !== "" && { name }) };
  };
  const whole = await shown(cover.id);
  const controls = (await Promise.all(cover.controls.map(shown))).filter((control) => control !== null);
  const kind = KINDS[whole?.role ?? ""] ?? "Another element";
  const ways =
    controls.length === 0
      ? "It offers no control: wait until it is gone, or press Escape."
      : "Use one of the controls in it first.";
  return new Incomplete("covered", `${kind} lies over the target and would take the click. ${ways}`, {
    ...(whole !== null && { cover: whole }),
    ...(controls.length > 0 && { cover_controls: controls }),
  });
}
