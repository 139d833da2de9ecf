import type { Ref, Site } from "../../types.ts";
import type { SeenFrame, SeenNode } from "../seen.ts";

/** A node whose frames hold the documents in them. */
export interface JoinedNode extends Omit<SeenNode, "children"> {
  readonly children?: readonly JoinedNode[];
  /** The name that its document knows it by, where the one to be shown is another. */
  readonly known?: string;
  /** On role "frame": its document, or why it is not shown, in fixed words. */
  readonly frame?: JoinedFrame | { readonly withheld: string; readonly site: Site | null };
}

/** One frame's document with all below it. */
export interface JoinedFrame {
  /** Tells this document from every other; lines are known by it from one look to the next. */
  readonly key: string;
  readonly site: Site | null;
  readonly seen: SeenFrame;
  readonly nodes: readonly JoinedNode[];
}

/** The ref of a node that can be acted on. */
export type RefOf = (
  frameKey: string,
  node: { readonly id: number; readonly role: string; readonly name: string },
) => Ref;

/** Puts child documents into the frame nodes that own them; `childOf` gets the frame node's local id. */
export function joinFrame(
  key: string,
  site: Site | null,
  seen: SeenFrame,
  childOf: (id: number) => JoinedNode["frame"] | null,
): JoinedFrame {
  const join = (node: SeenNode): JoinedNode => {
    const { children, ...rest } = node;
    const frame = node.role === "frame" && node.id !== undefined ? childOf(node.id) : null;
    return {
      ...rest,
      ...(children === undefined ? {} : { children: children.map(join) }),
      ...(frame === null || frame === undefined ? {} : { frame }),
    };
  };
  return { key, site, seen, nodes: seen.nodes.map(join) };
}

/**
 * The words of a node and all inside it, once: a heading around a link has the link's words as its name. Cells of a row
 * are parted by bars.
 */
export function plainWords(node: JoinedNode): string {
  const inner = (node.children ?? []).map(plainWords).filter((words) => words !== "");
  const joined = inner.join(node.role === "row" ? " | " : " ");
  const own = node.nonvisual === true ? "" : (node.name ?? "");
  if (own === "" || joined.includes(own)) return joined;
  return joined === "" ? own : `${own} ${joined}`;
}

/** Nodes of one document, in reading order. */
export function* nodesOf(nodes: readonly JoinedNode[]): Generator<JoinedNode> {
  for (const node of nodes) {
    yield node;
    yield* nodesOf(node.children ?? []);
  }
}

/** The document and all that are read inside it. */
export function* framesOf(frame: JoinedFrame): Generator<JoinedFrame> {
  yield frame;
  for (const node of nodesOf(frame.nodes))
    if (node.frame !== undefined && "nodes" in node.frame) yield* framesOf(node.frame);
}
