import type { LookOptions, SeenFrame, World } from "../seen.ts";
import { arm, disarm, isActing, standGuard } from "./arm.ts";
import { barInput, free, isBarred } from "./bar.ts";
import { keepSecretsHere, leaveClipboard } from "./carry.ts";
import { cleanTrimmed } from "./clean.ts";
import { type ClickPoint, clickPoint, framePoint } from "./click-point.ts";
import {
  adoptRoot,
  box,
  documentBody,
  documentElement,
  documentTitle,
  isTag,
  localName,
  optionLabel,
  optionValue,
  selectOptions,
} from "./dom.ts";
import { chosenLabels, isField, isSecret, rawValue } from "./fields.ts";
import { controlOf, describe, match, placed, refind } from "./find.ts";
import { forgetWritten, noteWritten } from "./identity.ts";
import { documentName, elementOf, idOf } from "./ids.ts";
import { noteListener } from "./level.ts";
import { atPoint, bySelector } from "./loose.ts";
import { holdsSecret, knowSecrets, noteSecrets, secretValues, withoutSecrets } from "./mirrors.ts";
import { keepFromOtherSchemes } from "./other-schemes.ts";
import { allFresh, unreached } from "./reach.ts";
import { screens, scroll } from "./scroll.ts";
import { secretBoxes } from "./secret-boxes.ts";
import { see } from "./see.ts";
import { focusedElement, isDisabled } from "./states.ts";
import { unveil, veil } from "./veil.ts";
import { knownRoots, quiet, version, watch, watchRoots } from "./watch.ts";

/** All that the world offers: `World`, and what only makes sense where elements are. */
export interface PageWorld extends World {
  /** The element of a local id, null when it has left the document. */
  element(id: number): Element | null;
  /** Local id of an element, for the owner of a frame. */
  idOf(element: Element): number;
  /** Lets looks enter a closed shadow root that the host resolved. */
  adoptRoot(root: ShadowRoot): void;
  /** Brings an element into view; where a click on it goes, and what lies over that place. */
  clickPoint(id: number): ClickPoint | null;
  /** The same for a point inside a frame, in the document that holds it. */
  framePoint(id: number, x: number, y: number): ClickPoint | null;
  /** Ids of what a selector matches; null when it is none. */
  bySelector(selector: string): number[] | null;
  /** What lies at a place of the viewport, and where in its padding box that is. */
  atPoint(x: number, y: number): { readonly id: number; readonly x: number; readonly y: number } | null;
  /** What only the host can find out (`reach.ts`). */
  unreached(): (Node | null)[] | null;
  /** Marks an element on which the host found a click listener. */
  noteListener(element: Element): void;
  /** In a browser whose clipboard is a person's (`worldWithoutClipboard`). */
  leaveClipboard(): void;
}

const NAME = "__chaperone";
const SECRET = "(secret)";

/** For each document of the window. */
function begin(): void {
  standGuard();
  keepFromOtherSchemes();
  keepSecretsHere();
}

function look(options: LookOptions): SeenFrame {
  watch(begin);
  if (options.rootId === undefined) forgetWritten();
  noteSecrets(knownRoots());
  const now = version();
  const root = options.rootId === undefined ? null : elementOf(options.rootId);
  const empty = options.rootId !== undefined && root === null;
  const walked = empty
    ? { nodes: [], hiddenTexts: 0, cut: false, more: 0, roots: [] }
    : see(options.budgetTokens, root);
  watchRoots(walked.roots);
  return {
    url: withoutSecrets(location.href),
    title: withoutSecrets(cleanTrimmed(documentTitle(document))),
    nodes: placed(walked.nodes),
    hiddenTexts: walked.hiddenTexts,
    cut: walked.cut,
    ...(walked.more > 0 ? { more: walked.more } : {}),
    ...(root === null && screens() > 1 ? { screens: screens() } : {}),
    version: now,
    ...(secretValues().length > 0 ? { secrets: secretValues() } : {}),
  };
}

function focused(): { id: number; frame: boolean } | null {
  const element = focusedElement();
  if (element === null || element === documentBody(document) || element === documentElement(document)) return null;
  return { id: idOf(element), frame: ["iframe", "frame"].includes(localName(element)) };
}

/** Takes the focus from a frame that has it. */
function leaveFrame(): void {
  const element = focusedElement();
  if (element instanceof HTMLElement && ["iframe", "frame"].includes(localName(element))) element.blur();
}

function value(id: number): string | readonly string[] | null {
  const element = elementOf(id);
  if (element === null) return null;
  const control = controlOf(element);
  if (!isField(control)) return null;
  noteWritten(control);
  if (isSecret(control)) return SECRET;
  const chosen = chosenLabels(control);
  if (chosen !== null) return chosen.map(withoutSecrets);
  const raw = rawValue(control);
  return raw !== null && holdsSecret(raw) ? SECRET : raw;
}

function options(id: number): { value: string; label: string; disabled: boolean }[] | null {
  const element = elementOf(id);
  if (!isTag(element, "select")) return null;
  return Array.from(selectOptions(element), (option) => ({
    value: optionValue(option),
    label: cleanTrimmed(optionLabel(option)),
    disabled: isDisabled(option),
  }));
}

const world: PageWorld = {
  get document() {
    return documentName();
  },
  look,
  describe,
  arm,
  disarm,
  acting: () => isActing() || isBarred(),
  bar: barInput,
  free,
  hasFocus: () => document.hasFocus(),
  leaveFrame,
  refind,
  match,
  value,
  options,
  quiet,
  version,
  boxes: (ids) =>
    ids.map((id) => {
      const element = elementOf(id);
      if (element === null) return null;
      const { x, y, width, height } = box(element);
      return { x, y, width, height };
    }),
  secretBoxes,
  knowSecrets,
  veil,
  unveil,
  scroll,
  clickPoint,
  framePoint,
  bySelector,
  atPoint,
  focused,
  noteListener,
  leaveClipboard,
  unreached: () => unreached(knownRoots()),
  idOf,
  element: elementOf,
  adoptRoot(root) {
    adoptRoot(root);
    allFresh();
    watchRoots([root]);
  },
};

// A second run in the same world leaves the first one in charge.
if (!(NAME in globalThis)) {
  Object.defineProperty(globalThis, NAME, { value: Object.freeze(world), enumerable: false });
  watch(begin);
}
