import { Failure } from "../../errors.ts";
import type { Element, Ref, Site, Text } from "../../types.ts";
import type { CursorTable, Place } from "../view/cursors.ts";
import { stale } from "../view/failures.ts";
import type { Time, View } from "../view/view.ts";
import { delta, UNCHANGED } from "./delta.ts";
import { type ElementSeen, elementsOf } from "./elements.ts";
import { type Joined, joinFrames } from "./join.ts";
import type { RefOf } from "./joined.ts";
import { keep, memoryOf, remember } from "./memory.ts";
import { outlineOf } from "./outline.ts";
import { type CursorMaker, headerOf, type Rendered, render } from "./render.ts";
import { restOfText } from "./rest-of-text.ts";
import { refsIn, tellShown } from "./shown.ts";
import { signedInSites } from "./sign-out.ts";
import { isGap, type Step, slotsOf } from "./slots.ts";
import { partUnder } from "./steps.ts";

/** What of a page is asked for; all of it by default. */
export interface Show {
  /** "outline": sections and headings with counts. "full": the whole view, though the model has seen it. */
  readonly detail?: "outline" | "full" | undefined;
  readonly format?: "text" | "elements" | undefined;
  /** Where an earlier look ended. */
  readonly from?: Place | undefined;
}

export interface LookRequest {
  /** "last": only what changed since the model last saw the page, where that is shorter. */
  readonly since: "last" | "nothing";
  /** Of a whole view; a first one takes half of it, so that something is left for what follows. */
  readonly maxTokens: number;
  /**
   * Only this element's subtree (from a heading: to the next one); such a look is never the one that later looks
   * compare with.
   */
  readonly root: Element | null;
  readonly show?: Show | undefined;
  /** Without it nothing can be gone on with. */
  readonly cursors?: CursorTable | undefined;
  readonly time: Time;
}

export interface Look {
  readonly text: Text;
  /** With `format: "elements"`; the text is then the header alone. */
  readonly elements: readonly ElementSeen[] | null;
  /** Where the elements go on, and how many are left. Text says it itself. */
  readonly cursor: string | null;
  readonly left: number;
  readonly title: string;
  /** False when nothing that is shown differs from the last look. */
  readonly changed: boolean;
  /** Sites whose pages offer to sign out. */
  readonly signedIn: ReadonlySet<Site>;
}

/** The walk comes further than a view shows: changes below it are noticed, and content behind a long menu is found. */
const WALK_SHARE = 2;
/** An outline counts what is in the sections. */
const OUTLINE_WALK_TOKENS = 40_000;
const MAX_WALK_TOKENS = 400_000;
const WIDER = 4;
/** Beyond this a look does not compare with what a cursor went to. */
const MAX_COMPARED_TOKENS = 40_000;
const RESUME_SLACK_TOKENS = 1_000;

/**
 * What a person could see now, as text with refs. Rejects with `Failure` when the page cannot be read or a cursor's
 * place is gone.
 */
export async function lookAt(view: View, request: LookRequest): Promise<Look> {
  const { root, time, show = {} } = request;
  const from = show.from;
  const isPage = root === null && show.format !== "elements" && show.detail !== "outline" && from === undefined;
  const budgetTokens = request.maxTokens / (root === null ? 2 : 1);
  const inside = root?.role === "heading" ? null : root;
  const walk = async (walkTokens: number): Promise<Looked> => {
    const joined = await joinFrames(view, { budgetTokens: walkTokens, root: inside, time });
    const { top, frames } = joined;
    if (from !== undefined && from.document !== top.key) throw cursorGone();
    const refOf: RefOf = (frameKey, node) => {
      const frame = frames.get(frameKey);
      if (frame === undefined) throw stale();
      return view.refFor(frame, node);
    };
    const all = slotsOf(top);
    return { joined, refOf, steps: root?.role === "heading" ? under(view, root.ref, all) : all, walkTokens };
  };
  const draw = (looked: Looked, pastGaps: boolean): Shown => shownOf(view, request, looked, { budgetTokens, pastGaps });

  const memory = memoryOf(view);
  const isKnown = memory !== null && isPage;
  let walkTokens = startOf(request, isKnown ? memory.walkTokens : 0);
  let looked = await walk(walkTokens);
  let shown = draw(looked, walkTokens === MAX_WALK_TOKENS);
  while (shown.starved && walkTokens < MAX_WALK_TOKENS) {
    walkTokens = Math.min(walkTokens * WIDER, MAX_WALK_TOKENS);
    looked = await walk(walkTokens);
    shown = draw(looked, walkTokens === MAX_WALK_TOKENS);
  }
  if (!shown.found) throw cursorGone();

  const { top } = looked.joined;
  let text = shown.text;
  let changed = true;
  let known = text;
  const { rendered } = shown;
  if (rendered !== null && root === null) {
    const goesOn = from?.kind === "lines" && memory?.document === top.key && walkTokens <= MAX_COMPARED_TOKENS;
    const last = isPage && memory?.document === top.key ? memory : null;
    const change = last === null ? null : delta(last, rendered, looked.refOf);
    const isDelta = change !== null && request.since === "last" && show.detail !== "full";
    if (isDelta) text = change.text;
    changed = change?.text !== UNCHANGED;
    const lines = isDelta ? change.told : rendered.lines.map(({ key, text: line }) => [key, line] as const);
    const now = isPage || goesOn ? keep(view, remember(top.key, rendered, walkTokens, memory, lines)) : memory;
    // Lines that a delta does not repeat are known to be as they were.
    if (isDelta) known = now?.lines.map((line) => line.text ?? "").join("\n") ?? text;
  }
  const refs = shown.elements?.flatMap(({ ref }) => (ref === undefined ? [] : [ref])) ?? refsIn(known);
  // The part that was asked for is shown as a whole, and its cursors come back to it.
  tellShown(view, top, root === null ? refs : [...refs, root.ref]);
  const sites = new Set(shown.sites);
  return {
    text: { text, label: { sites, private: new Set() }, masked: false },
    elements: shown.elements,
    cursor: shown.cursor,
    left: shown.left,
    title: top.seen.title,
    changed,
    signedIn: signedInSites(top),
  };
}

interface Looked {
  readonly joined: Joined;
  readonly refOf: RefOf;
  readonly steps: readonly Step[];
  readonly walkTokens: number;
}

interface Shown {
  readonly text: string;
  readonly rendered: Rendered | null;
  readonly elements: readonly ElementSeen[] | null;
  readonly cursor: string | null;
  readonly left: number;
  readonly sites: Rendered["sites"];
  readonly starved: boolean;
  readonly found: boolean;
}

function startOf({ maxTokens, root, show = {} }: LookRequest, knownTokens: number): number {
  const least = maxTokens * (root === null ? WALK_SHARE : 1);
  if (show.detail === "outline") return Math.max(least, OUTLINE_WALK_TOKENS);
  const { from } = show;
  const walked =
    from === undefined || from.kind === "blocks"
      ? 0
      : from.kind === "text"
        ? MAX_COMPARED_TOKENS
        : from.walkedTokens + maxTokens + RESUME_SLACK_TOKENS;
  return Math.min(Math.max(least, knownTokens, walked), MAX_WALK_TOKENS);
}

function shownOf(
  view: View,
  request: LookRequest,
  looked: Looked,
  options: { readonly budgetTokens: number; readonly pastGaps: boolean },
): Shown {
  const { joined, refOf, steps, walkTokens } = looked;
  const { show = {}, cursors } = request;
  const { from } = show;
  const root = request.root?.ref ?? null;
  const place = { tab: view.tab, document: joined.top.key, root };
  const kind = show.detail === "outline" || from?.kind === "outline" ? "outline" : "lines";
  const resume = from === undefined || from.kind === "text" || from.kind === "blocks" ? undefined : from;

  if (show.format === "elements" || from?.kind === "elements") {
    const seen = elementsOf(joined.top, steps, {
      refOf,
      budgetTokens: request.maxTokens,
      resume,
      pastGaps: options.pastGaps,
    });
    const { last } = seen;
    const cursor =
      seen.left > 0 && last !== null && cursors !== undefined
        ? cursors.add({
            kind: "elements",
            ...place,
            after: last.key,
            section: last.section,
            shown: seen.shown,
            walkedTokens: walkTokens,
          })
        : null;
    return {
      text: headerOf(joined.top),
      rendered: null,
      elements: seen.elements,
      cursor,
      left: seen.left,
      sites: seen.sites,
      starved: seen.starved,
      found: seen.found,
    };
  }

  const maker: CursorMaker | undefined =
    cursors === undefined
      ? undefined
      : {
          lines: (after, shown) =>
            cursors.add({ kind, ...place, after: after.key, section: after.section, shown, walkedTokens: walkTokens }),
          text: (after, offset) => cursors.add({ kind: "text", ...place, after, offset }),
        };
  const drawn = render(joined.top, {
    refOf,
    budgetTokens: options.budgetTokens,
    steps:
      kind === "outline"
        ? outlineOf(steps)
        : from?.kind === "text"
          ? restOfText(steps, from, options.budgetTokens)
          : steps,
    around: from?.kind === "text" ? steps : undefined,
    cursors: maker,
    resume,
    landmarks:
      request.root === null && kind === "lines" && show.detail !== "full" ? memoryOf(view)?.landmarks : undefined,
    pastGaps: options.pastGaps || from?.kind === "text",
  });
  const isEmptyRest = from?.kind === "text" && drawn.lines.length === 0;
  return {
    text: drawn.text,
    rendered: kind === "lines" && from?.kind !== "text" ? drawn : null,
    elements: null,
    cursor: null,
    left: 0,
    sites: drawn.sites,
    starved: kind === "lines" && from?.kind !== "text" && drawn.starved,
    found: drawn.found && !isEmptyRest,
  };
}

/** A heading stands for what it is above. */
function under(view: View, ref: Ref, steps: readonly Step[]): readonly Step[] {
  const { frame, localId } = view.place(ref);
  const heading = steps.find((step) => !isGap(step) && step.frame.key === frame.worldId && step.node.id === localId);
  if (heading === undefined || isGap(heading)) throw stale();
  return partUnder(steps, heading);
}

const cursorGone = (): Failure =>
  new Failure("stale", "What that cursor stood at is no longer on the page. Take a new snapshot.");
