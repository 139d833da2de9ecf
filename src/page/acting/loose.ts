import { Failure } from "../../errors.ts";
import type { Element } from "../../types.ts";
import type { World } from "../seen.ts";
import { stale } from "../view/failures.ts";
import type { ReadableFrame, Time, View } from "../view/view.ts";

/** The one element that a CSS selector matches in the page and its frames. Rejects with `Failure`. */
export async function elementBySelector(view: View, selector: string, time: Time): Promise<Element> {
  const found = await Promise.all(
    view.frames().map(async (frame) => {
      const ids = (await view.ask(frame, "bySelector", [selector])) as readonly number[] | null;
      if (ids === null) throw new Failure("bad_arguments", "That is no CSS selector.");
      return ids.map((id) => ({ frame, id }));
    }),
  );
  const [only, ...others] = found.flat();
  if (only === undefined) throw new Failure("no_match", "Nothing matches that selector (0 found).");
  if (others.length > 0) throw new Failure("ambiguous", `${others.length + 1} elements match that selector.`);
  return elementOf(view, only.frame, only.id, time);
}

/** What lies at a place of the viewport (CSS pixels), and where in its own box that is. Rejects with `Failure`. */
export async function elementAtPoint(
  view: View,
  x: number,
  y: number,
  time: Time,
): Promise<{ readonly element: Element; readonly at: { readonly x: number; readonly y: number } }> {
  const [main] = view.frames();
  if (main === undefined) throw stale();
  const hit = (await view.ask(main, "atPoint", [x, y])) as {
    readonly id: number;
    readonly x: number;
    readonly y: number;
  } | null;
  if (hit === null) throw new Failure("no_match", "There is nothing at that place of the viewport.");
  return { element: await elementOf(view, main, hit.id, time), at: { x: hit.x, y: hit.y } };
}

/**
 * What has the focus, in the page or in a frame of it that may be shown; null where that is not known. Rejects with
 * `Failure`.
 */
export async function elementInFocus(view: View, time: Time): Promise<Element | null> {
  const found = await Promise.all(
    view.frames().map(async (frame) => ({
      frame,
      focus: (await view.ask(frame, "focused", []).catch(() => null)) as Focus | null,
    })),
  );
  const [main, ...inner] = found;
  if (main === undefined || main.focus === null) return null;
  const [only, more] = main.focus.frame ? inner.filter(({ focus }) => focus !== null && !focus.frame) : [main];
  if (only === undefined || more !== undefined || only.focus === null) return null;
  return elementOf(view, only.frame, only.focus.id, time);
}

type Focus = NonNullable<ReturnType<World["focused"]>>;

/** As good as shown: whoever names it by itself has seen the page otherwise. */
async function elementOf(view: View, frame: ReadableFrame, id: number, time: Time): Promise<Element> {
  const now = await view.describe(frame, id, time);
  if (now === null) throw stale();
  const ref = view.refFor(frame, now);
  view.refs.show([[ref, { role: now.role, name: now.name, place: now.place, alone: false }]]);
  return view.resolve(
    { by: "ref", ref },
    { totalMs: time.totalMs, remainingMs: () => time.remainingMs(), signal: time.signal },
  );
}
