import type { Ref } from "../../types.ts";
import { ANY_PLACE, type Shown } from "../view/refs.ts";
import type { View } from "../view/view.ts";
import { framesOf, type JoinedFrame, type JoinedNode, nodesOf } from "./joined.ts";

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const REFS = /\be[1-9]\d*\b/g;

/** The refs that a text of ours shows. Words from pages stand in quotes and are passed over. */
export function refsIn(text: string): readonly Ref[] {
  return (text.replace(QUOTED, "").match(REFS) ?? []) as Ref[];
}

/** The model is given these refs: from now on they mean what the look found them to be. */
export function tellShown(view: View, top: JoinedFrame, refs: Iterable<Ref>): void {
  const found = new Map<string, Shown>();
  for (const frame of framesOf(top)) {
    const same = new Map<string, number>();
    const acting = [...nodesOf(frame.nodes)].filter((node) => node.act === true && node.id !== undefined);
    for (const node of acting) same.set(looksOf(node), (same.get(looksOf(node)) ?? 0) + 1);
    for (const node of acting)
      found.set(`${frame.key}/${node.id}`, {
        role: node.role,
        name: node.known ?? node.name ?? "",
        place: node.place ?? "",
        alone: same.get(looksOf(node)) === 1,
      });
    // Sections, to be looked at: what is in them may change.
    for (const node of nodesOf(frame.nodes))
      if (node.act !== true && node.id !== undefined)
        found.set(`${frame.key}/${node.id}`, {
          role: node.role,
          name: node.known ?? node.name ?? "",
          place: ANY_PLACE,
          alone: false,
        });
  }
  const shown: (readonly [Ref, Shown])[] = [];
  for (const ref of new Set(refs)) {
    const entry = view.refs.get(ref);
    const what = entry === undefined ? undefined : found.get(`${entry.worldId}/${entry.localId}`);
    if (what !== undefined) shown.push([ref, what]);
  }
  view.refs.show(shown);
}

const looksOf = (node: JoinedNode): string => `${node.role} ${node.place} ${node.known ?? node.name ?? ""}`;
