import { cleanTrimmed, cut } from "./clean.ts";
import { attribute, hasAttribute, inputType, isTag, localName, optionLabel, query, selectOptions } from "./dom.ts";
import type { Draft } from "./draft.ts";
import { chosenLabels, isField, isSecret, rawValue } from "./fields.ts";
import { idOf } from "./ids.ts";
import { holdsSecret, noteSecret, withoutSecrets } from "./mirrors.ts";
import { ariaName, fieldName, type Name, titleName, UNSEEN_NAME_MAX_CHARACTERS } from "./names.ts";
import { statesOf } from "./states.ts";
import type { Sight, Visibility } from "./visibility.ts";

const OPTIONS_MAX = 30;
const VALUE_MAX_CHARACTERS = 2_000;
const REGION_MIN_PIXELS = 16;

export interface Leaf {
  readonly draft: Draft;
  readonly from: readonly Node[];
}

/** Sets a name only when there is one. */
export function named(draft: Draft, name: Pick<Name, "text" | "nonvisual">): Draft {
  if (name.text === "") return draft;
  draft.name = name.text;
  if (name.nonvisual) draft.nonvisual = true;
  return draft;
}

export function withStates(draft: Draft, states: string[]): Draft {
  if (states.length > 0) draft.states = states;
  return draft;
}

/**
 * A field, told by name, state and (unless secret) value. `shown` is what a person presses: the field, or the label
 * that stands for it.
 */
export function fieldLeaf(
  visibility: Visibility,
  control: Element,
  role: string,
  focused: Element | null,
  shown: Element = control,
): Leaf {
  const name = fieldName(visibility, control);
  const draft = named({ role, id: idOf(shown), act: true }, name);
  const secret = isSecret(control, name.nonvisual ? "" : name.text);
  const raw = rawValue(control);
  if (secret) {
    noteSecret(control);
    draft.secret = { filled: (raw ?? "") !== "" };
  } else if (isTag(control, "select")) {
    const all = Array.from(selectOptions(control));
    const chosen = chosenLabels(control) ?? [];
    draft.value = withoutSecrets(chosen.join(", "));
    draft.options = {
      labels: all
        .slice(0, OPTIONS_MAX)
        .map((option) => withoutSecrets(cut(cleanTrimmed(optionLabel(option)), UNSEEN_NAME_MAX_CHARACTERS))),
      total: all.length,
    };
  } else if (raw !== null) {
    if (holdsSecret(raw)) draft.secret = { filled: true };
    else draft.value = cleanTrimmed(raw).slice(0, VALUE_MAX_CHARACTERS);
  }
  return { draft: withStates(draft, statesOf(shown, role, control, focused)), from: name.from };
}

/** By which a place inside of it can be given. */
const sizeOf = (rect: DOMRect): string => `${Math.round(rect.width)} by ${Math.round(rect.height)} px`;

export function imageName(element: Element): Name {
  const words = attribute(element, "alt") ?? attribute(element, "aria-label") ?? "";
  return { text: cut(withoutSecrets(cleanTrimmed(words)), UNSEEN_NAME_MAX_CHARACTERS), nonvisual: true, from: [] };
}

/**
 * What has no words inside of its own: fields, pictures, frames, regions of pixels. Null when it is nothing to tell.
 */
export function leafOf(
  visibility: Visibility,
  element: Element,
  role: string,
  sight: Sight,
  focused: Element | null,
): Leaf | null {
  if (isField(element) && !(isTag(element, "input") && role === "img"))
    return fieldLeaf(visibility, element, role, focused);
  const aria = ariaName(visibility, element);
  const rect = visibility.rect(sight);
  switch (role) {
    case "region":
      return {
        draft: named(
          { role, id: idOf(element), act: true, value: sizeOf(rect) },
          aria.text === "" ? imageName(element) : aria,
        ),
        from: [],
      };
    case "img": {
      const name = aria.text === "" ? imageName(element) : aria;
      return name.text === "" ? null : { draft: named({ role }, { ...name, nonvisual: true }), from: [] };
    }
    case "frame":
      return { draft: named({ role, id: idOf(element) }, aria.text === "" ? titleName(element) : aria), from: [] };
    case "canvas":
      if (rect.width < REGION_MIN_PIXELS || rect.height < REGION_MIN_PIXELS) return null;
      return { draft: named({ role, id: idOf(element), act: true, value: sizeOf(rect) }, aria), from: [] };
    case "video":
    case "audio":
      return { draft: named({ role, id: idOf(element), act: true }, aria), from: [] };
    case "progressbar":
    case "meter": {
      const draft = named({ role, id: idOf(element) }, aria);
      const value =
        attribute(element, "aria-valuetext") ?? attribute(element, "aria-valuenow") ?? attribute(element, "value");
      if (value !== null) draft.value = withoutSecrets(cut(cleanTrimmed(value), UNSEEN_NAME_MAX_CHARACTERS));
      return { draft, from: [] };
    }
    case "slider":
    case "spinbutton": {
      const draft = named({ role, id: idOf(element), act: true }, aria);
      const value = attribute(element, "aria-valuetext") ?? attribute(element, "aria-valuenow");
      if (value !== null) draft.value = withoutSecrets(cut(cleanTrimmed(value), UNSEEN_NAME_MAX_CHARACTERS));
      return { draft: withStates(draft, statesOf(element, role, element, focused)), from: aria.from };
    }
    default:
      return null;
  }
}

/** A picture of which every place may mean something else. */
export const isRegion = (element: Element): boolean =>
  isTag(element, "img") && (hasAttribute(element, "usemap") || hasAttribute(element, "ismap"));

const LEAF_ROLES = new Set("img frame canvas video audio progressbar meter slider spinbutton".split(" "));

/** Whether nothing inside it is walked. */
export function isLeaf(element: Element, role: string): boolean {
  if (role === "hidden" || isField(element)) return true;
  if (role === "region") return isRegion(element);
  if (role === "img")
    return (
      localName(element) === "img" || localName(element) === "svg" || query(element, "a[href], button, input") === null
    );
  return LEAF_ROLES.has(role);
}

/** Checkbox, radio and file fields are often made invisible, with a styled label in their place. */
export function isRestyled(control: Element | null): control is HTMLInputElement {
  return (
    isTag(control, "input") &&
    (inputType(control) === "checkbox" || inputType(control) === "radio" || inputType(control) === "file")
  );
}
