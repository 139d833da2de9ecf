import type { Element, Text } from "../types.ts";
import { delta, UNCHANGED } from "./delta.ts";
import { stale } from "./failures.ts";
import { joinFrames } from "./join.ts";
import { type RefOf, render } from "./render.ts";
import { refsIn, tellShown } from "./shown.ts";
import type { Time, View } from "./view.ts";

export interface LookRequest {
  /** "last": only what changed since the model last saw the page, where that is shorter. */
  readonly since: "last" | "nothing";
  /** Of a whole view; a first one takes half of it, so that something is left for what follows. */
  readonly maxTokens: number;
  /** Only this element's subtree; such a look is never the one that later looks compare with. */
  readonly root: Element | null;
  readonly time: Time;
}

export interface Look {
  readonly text: Text;
  readonly title: string;
  /** False when nothing that is shown differs from the last look. */
  readonly changed: boolean;
}

/** What a person could see now, as text with refs. Rejects with `Failure` when the page cannot be read. */
export async function lookAt(view: View, request: LookRequest): Promise<Look> {
  const { root, time } = request;
  const budgetTokens = request.maxTokens / (root === null ? 2 : 1);
  const { top, frames } = await joinFrames(view, { budgetTokens, root, time });
  const refOf: RefOf = (frameKey, node) => {
    const frame = frames.get(frameKey);
    if (frame === undefined) throw stale();
    return view.refFor(frame, node);
  };
  const rendered = render(top, { refOf, budgetTokens });
  tellShown(view, top, refsIn(rendered.lines.map((line) => line.text).join("\n")));
  const last = view.memory?.document === top.key ? view.memory.rendered : null;
  if (root === null) view.memory = { document: top.key, rendered };
  const change = root === null && last !== null ? delta(last, rendered) : null;
  const text = request.since === "last" && change !== null ? change : rendered.text;
  return { text: { text, label: { sites: new Set(rendered.sites), private: new Set() }, masked: false }, title: top.seen.title, changed: change !== UNCHANGED };
}
