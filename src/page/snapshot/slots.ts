import type { Site } from "../../types.ts";
import type { JoinedFrame, JoinedNode } from "./joined.ts";
import { holdsLink, isLongText, Writer } from "./line.ts";

export type What = "row" | "item" | "element";

/** One line that a view can have, before it is known whether it is shown. */
export interface Slot {
  /** The same element, row or text has the same key in the next look. */
  readonly key: string;
  /** Key of the section line that holds it, null at the top. */
  readonly section: string | null;
  readonly depth: number;
  readonly what: What;
  readonly node: JoinedNode;
  readonly frame: JoinedFrame;
  /** All that is inside the element stands on this line too. */
  readonly holds: boolean;
  /** Without indentation. `brief` leaves out what a line that was shown before has said. */
  draw(writer: Writer, brief?: boolean): string;
  /** The same as long as nothing shown of it differs; refs count by their element. */
  sign(): string;
}

/** Here the walk ended: how much it left out. */
export interface Gap {
  readonly gap: number;
  readonly what: What;
}

export type Step = Slot | Gap;

export const isGap = (step: Step): step is Gap => "gap" in step;

const INLINE_ITEM_MAX_CHARACTERS = 400;
/** What a node costs on a line beside its words: role, ref, quotes. */
const INLINE_NODE_CHARACTERS = 10;
const SITE = /^[a-z0-9.:[\]_-]{1,253}$/;
const WITHHELD = /^[a-z0-9 ,.'-]{1,120}$/i;

export const siteWords = (site: Site | null): string =>
  site === null ? "a page without a site" : SITE.test(site) ? site : "an unnamed site";
const whatIs = (node: JoinedNode | undefined): What =>
  node?.role === "row" ? "row" : node?.role === "listitem" ? "item" : "element";

/** Fits on a line with others. */
const isFlat = (node: JoinedNode): boolean =>
  node.role !== "row" &&
  node.role !== "frame" &&
  node.role !== "table" &&
  (node.children ?? []).every((child) => isFlat(child));

const inlineLength = (node: JoinedNode): number =>
  INLINE_NODE_CHARACTERS +
  (node.name?.length ?? 0) +
  (node.value?.length ?? 0) +
  (node.children ?? []).reduce((sum, child) => sum + inlineLength(child), 0);

const moreInside = (node: JoinedNode): number =>
  (node.more ?? 0) + (node.children ?? []).reduce((sum, child) => sum + moreInside(child), 0);

/** Signs name elements by their local id: an element that took another's place differs, a ref is not spent. */
const signing = (): Writer => new Writer((_frame, node) => `#${node.id}` as never, null);

/** All lines of a view in reading order, and where the walk ended. */
export function slotsOf(top: JoinedFrame): readonly Step[] {
  const list = new SlotList();
  list.frame(top, 0, null);
  return list.steps;
}

class SlotList {
  readonly steps: Step[] = [];
  readonly #texts = new Map<string, number>();

  frame(frame: JoinedFrame, depth: number, section: string | null): void {
    this.#nodes(frame.nodes, frame, depth, section);
    this.#gap(frame.seen.more, frame.nodes);
  }

  #gap(count: number | undefined, children: readonly JoinedNode[]): void {
    if (count !== undefined && count > 0) this.steps.push({ gap: count, what: whatIs(children[children.length - 1]) });
  }

  #add(slot: Omit<Slot, "sign">, draw: (writer: Writer) => string = (writer) => slot.draw(writer)): void {
    this.steps.push({ ...slot, sign: () => draw(signing()) });
  }

  #nodes(nodes: readonly JoinedNode[], frame: JoinedFrame, depth: number, section: string | null): void {
    const addressed = new Set<number>();
    for (const node of nodes) {
      if (node.role !== "row") {
        this.#node(node, frame, depth, section);
        continue;
      }
      const before = new Set(addressed);
      (node.children ?? []).forEach((cell, index) => {
        if (holdsLink(cell)) addressed.add(index);
      });
      const key = this.#keyOf(node, frame, section);
      const draw = (writer: Writer): string => writer.row(node, frame, before);
      this.#add({ key, section, depth, what: "row", node, frame, holds: true, draw }, (writer) =>
        writer.row(node, frame, new Set()),
      );
      this.#gap(moreInside(node), []);
    }
  }

  #node(node: JoinedNode, frame: JoinedFrame, depth: number, section: string | null): void {
    const key = this.#keyOf(node, frame, section);
    const slot = { key, section, depth, node, frame, holds: false };
    if (node.role === "frame") {
      this.#frameNode(slot);
      return;
    }
    const children = node.children ?? [];
    if (node.role === "listitem" && children.every(isFlat) && inlineLength(node) <= INLINE_ITEM_MAX_CHARACTERS) {
      const rest = node.more === undefined ? "" : ` (+${node.more} more)`;
      this.#add({
        ...slot,
        what: "item",
        holds: true,
        draw: (writer) => `item ${children.map((child) => writer.inline(child, frame)).join(" ")}${rest}`,
      });
      this.#gap(moreInside(node), []);
      return;
    }
    const [only] = children;
    const isAlone =
      children.length === 1 &&
      only !== undefined &&
      node.more === undefined &&
      !(only.children ?? []).length &&
      isFlat(only) &&
      !isLongText(only);
    if (isAlone) {
      this.#add({
        ...slot,
        what: "element",
        holds: true,
        draw: (writer, brief) => `${writer.own(node, frame)}: ${writer.own(only, frame, true, brief)}`,
      });
      return;
    }
    if (isLongText(node)) this.#add({ ...slot, what: "element", draw: (writer) => writer.longText(node, key) });
    else this.#add({ ...slot, what: whatIs(node), draw: (writer, brief) => writer.own(node, frame, true, brief) });
    this.#nodes(children, frame, depth + 1, key);
    this.#gap(node.more, children);
  }

  #frameNode(slot: Omit<Slot, "what" | "draw" | "sign">): void {
    const { node, frame, key, depth } = slot;
    const own = (writer: Writer): string => writer.own({ ...node, act: false }, frame);
    const inner = node.frame;
    if (inner === undefined) {
      this.#add({ ...slot, what: "element", draw: (writer) => `${own(writer)} (not read)` });
      return;
    }
    const from = siteWords(inner.site);
    if (!("nodes" in inner)) {
      const why = WITHHELD.test(inner.withheld) ? inner.withheld : "withheld";
      this.#add({ ...slot, what: "element", draw: (writer) => `${own(writer)} from ${from} (not shown: ${why})` });
      return;
    }
    this.#add({ ...slot, what: "element", draw: (writer) => `${own(writer)} from ${from}` });
    this.frame(inner, depth + 1, key);
  }

  #keyOf(node: JoinedNode, frame: JoinedFrame, section: string | null): string {
    if (node.id !== undefined) return `${frame.key}:${node.id}`;
    const base = `${section ?? frame.key}|${node.role}|${node.name ?? ""}`;
    const count = this.#texts.get(base) ?? 0;
    this.#texts.set(base, count + 1);
    return `${base}|${count}`;
  }
}
