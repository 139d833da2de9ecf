import type { Element } from "../../types.ts";
import type { LookOptions, SeenFrame } from "../seen.ts";
import { stale } from "../view/failures.ts";
import { reachInto } from "../view/reach.ts";
import type { ReadableFrame, Time, View } from "../view/view.ts";
import { type JoinedFrame, type JoinedNode, joinFrame } from "./joined.ts";
import { withoutSecrets } from "./pieces.ts";

export interface JoinOptions {
  readonly budgetTokens: number;
  /** Only this element's subtree. */
  readonly root: Element | null;
  readonly time: Time;
}

export interface Joined {
  readonly top: JoinedFrame;
  /** The frames that were read, by the keys that the joined documents have. */
  readonly frames: ReadonlyMap<string, ReadableFrame>;
}

const OWNER_TIMEOUT_MS = 1_000;
/** Frames inside that do not answer may cost a look so much, */
const FRAME_TIMEOUT_MS = 1_500;
/** and of what is left of the call no more than this: the page around them must be told in time. */
const FRAMES_SHARE = 0.4;

interface Looked {
  readonly frame: ReadableFrame;
  /** Null when it may not be shown. */
  readonly seen: SeenFrame | null;
  /** Local id of the element that holds it, in the parent's document. */
  readonly ownerId: number;
}

/**
 * Looks at all frames of a tab at once and puts each where its element is. Rejects with `Failure` when the first frame
 * cannot be read.
 */
export async function joinFrames(view: View, options: JoinOptions): Promise<Joined> {
  const { root, time } = options;
  const all = view.frames("all");
  const place = root === null ? null : view.place(root.ref);
  const start = place === null ? all[0] : all.find((frame) => frame.worldId === place.frame.worldId);
  if (start === undefined) throw stale();
  const inside = place === null ? all : all.filter((frame) => isUnder(view, frame, start));
  const ask = async (frame: ReadableFrame, timeoutMs: number, rootId?: number): Promise<SeenFrame> => {
    await reachInto(view, frame, time);
    const look: LookOptions = { budgetTokens: options.budgetTokens, ...(rootId !== undefined && { rootId }) };
    return (await view.ask(frame, "look", [look], timeoutMs)) as SeenFrame;
  };
  const within = (limitMs: number): number => Math.max(1, Math.min(limitMs, time.remainingMs() * FRAMES_SHARE));
  const inner = inside.map(async (frame): Promise<Looked | null> => {
    if (frame === start) return null;
    // A frame that does not answer is not read; only the one that was asked for must answer.
    const child = await lookInto(view, frame, (each) => ask(each, within(FRAME_TIMEOUT_MS)));
    if (child === null) return null;
    const owner = await view.wire.ownerOf(frame.record, within(OWNER_TIMEOUT_MS));
    return owner === null ? null : { ...child, ownerId: owner.id };
  });
  const [top, ...children] = await Promise.all([ask(start, Math.max(1, time.remainingMs()), place?.localId), ...inner]);
  const looked = children.filter((child) => child !== null);

  const join = (frame: ReadableFrame, seen: SeenFrame): JoinedFrame => {
    for (const value of seen.secrets ?? []) view.secrets.note(value, false, view.siteOfFrame(frame.record));
    const children = new Map<number, NonNullable<JoinedNode["frame"]>>();
    for (const child of looked) {
      if (child.frame.record.parentId !== frame.record.id) continue;
      children.set(
        child.ownerId,
        child.seen === null
          ? { withheld: "out of reach", site: view.siteOf(child.frame.record.url) }
          : join(child.frame, child.seen),
      );
    }
    return joinFrame(frame.worldId, view.siteOf(frame.record.url), seen, (id) => children.get(id) ?? null);
  };
  return {
    // Only now all of them are known.
    top: withoutSecrets(join(start, top), view.secrets),
    frames: new Map([...inside, ...looked.map(({ frame }) => frame)].map((frame) => [frame.worldId, frame])),
  };
}

/** A frame often gets its document while the look is under way: then that one is read. Null when it does not answer. */
async function lookInto(
  view: View,
  frame: ReadableFrame,
  ask: (frame: ReadableFrame) => Promise<SeenFrame>,
): Promise<Omit<Looked, "ownerId"> | null> {
  if (!view.mayShow(frame.record.url)) return { frame, seen: null };
  const seen = await ask(frame).catch(() => null);
  if (seen !== null) return { frame, seen };
  const anew = view.frames().find(({ record, worldId }) => record.id === frame.record.id && worldId !== frame.worldId);
  const later = anew === undefined ? null : await ask(anew).catch(() => null);
  return anew === undefined || later === null ? null : { frame: anew, seen: later };
}

function isUnder(view: View, frame: ReadableFrame, ancestor: ReadableFrame): boolean {
  for (let at: string | null = frame.record.id; at !== null; at = view.wire.frame(at)?.parentId ?? null)
    if (at === ancestor.record.id) return true;
  return false;
}
