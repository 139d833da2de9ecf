import { Failure } from "../../errors.ts";
import type { Target } from "../../types.ts";
import type { Time, View } from "../view/view.ts";
import { joinFrames } from "./join.ts";
import type { JoinedFrame, JoinedNode } from "./joined.ts";

/** Between looks at a page that does not say when it changes (another process, canvas). */
const LOOK_EVERY_MS = 100;
/** A look for words reads this far into each document. */
const SEARCH_TOKENS = 100_000;

export type Awaited = { readonly target: Target } | { readonly text: string };

export interface WaitOptions {
  readonly gone: boolean;
  readonly time: Time;
}

/**
 * Resolves with true when it is there (or gone) in the page or one of its frames, false when the deadline came first.
 */
export async function waitFor(view: View, what: Awaited, options: WaitOptions): Promise<boolean> {
  for (;;) {
    const there =
      "text" in what ? await showsText(view, what.text, options) : await showsTarget(view, what.target, options.time);
    if (there !== null && there !== options.gone) return true;
    if (view.wire.target(view.target) === undefined || view.page.isClosed())
      throw new Failure("page_ended", "The tab was closed or crashed during the call. Use tabs or navigate to go on.");
    const left = options.time.remainingMs();
    if (left <= LOOK_EVERY_MS || options.time.signal.aborted) return false;
    await view.wire.activity.next(view.target, LOOK_EVERY_MS);
  }
}

/** Null when the page cannot be asked now. */
async function showsText(view: View, text: string, options: WaitOptions): Promise<boolean | null> {
  if (view.wire.activity.of(view.target).navigation !== null) return null;
  try {
    const { top } = await joinFrames(view, { budgetTokens: SEARCH_TOKENS, root: null, time: options.time });
    return holdsText(top, fold(text));
  } catch (error) {
    return unlessOver(error);
  }
}

async function showsTarget(view: View, target: Target, time: Time): Promise<boolean | null> {
  if (view.wire.activity.of(view.target).navigation !== null) return null;
  try {
    return (await view.count(target, time)) > 0;
  } catch (error) {
    return unlessOver(error);
  }
}

/** Null, which is "ask again"; but nothing comes any more of a browser or tab that has ended. */
function unlessOver(error: unknown): null {
  if (Failure.is(error) && error.code === "browser_ended") throw error;
  return null;
}

function holdsText(frame: JoinedFrame, wanted: string): boolean {
  const inNode = (node: JoinedNode): boolean =>
    fold(`${node.name ?? ""} ${node.value ?? ""}`).includes(wanted) ||
    (node.children ?? []).some(inNode) ||
    (node.frame !== undefined && "nodes" in node.frame && holdsText(node.frame, wanted));
  // Words that a line break or a cell's border parts still are one text.
  return frame.nodes.some(inNode) || fold(frame.nodes.map(allWords).join(" ")).includes(wanted);
}

function allWords(node: JoinedNode): string {
  return [node.name ?? "", ...(node.children ?? []).map(allWords)].join(" ");
}

function fold(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().toLowerCase();
}
