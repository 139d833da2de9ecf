import { cleanTrimmed, cut } from "./clean.ts";
import {
  areaLabels,
  attribute,
  byId,
  flatParent,
  inputLabels,
  inputType,
  isElement,
  isSvg,
  isTag,
  isText,
  localName,
  nextSibling,
  parentNode,
  previousSibling,
  query,
  queryAll,
  selectLabels,
  textContent,
  textData,
} from "./dom.ts";
import { rawValue } from "./fields.ts";
import { withoutSecrets } from "./mirrors.ts";
import { UNREAD_TAGS } from "./roles.ts";
import type { Visibility } from "./visibility.ts";
import { visibleWords } from "./words.ts";

/** Names that no person sees are kept this short. */
export const UNSEEN_NAME_MAX_CHARACTERS = 80;
const LABEL_MAX_CHARACTERS = 80;
const LEVELS_UP = 3;

export interface Name {
  readonly text: string;
  readonly nonvisual: boolean;
  /** Where the words stand in the page, when they do: they are not told twice. */
  readonly from: readonly Node[];
}

const NO_NAME: Name = { text: "", nonvisual: false, from: [] };
const unseen = (text: string | null): Name =>
  text === null || cleanTrimmed(text) === ""
    ? NO_NAME
    : { text: cut(withoutSecrets(cleanTrimmed(text)), UNSEEN_NAME_MAX_CHARACTERS), nonvisual: true, from: [] };

/**
 * Name by aria-labelledby or aria-label; empty when there is none. Words that are referred to but cannot be seen count
 * as unseen.
 */
export function ariaName(visibility: Visibility, element: Element): Name {
  const references = attribute(element, "aria-labelledby");
  if (references !== null) {
    const found = references.split(/\s+/).flatMap((id) => (id === "" ? [] : (byId(element, id) ?? [])));
    const seen = found.filter((referred) => referred !== element && visibleWords(visibility, referred) !== "");
    if (seen.length > 0)
      return {
        text: seen.map((referred) => visibleWords(visibility, referred)).join(" "),
        nonvisual: false,
        from: seen,
      };
    const hidden = unseen(
      found.map((referred) => attribute(referred, "aria-label") ?? referred.textContent ?? "").join(" "),
    );
    if (hidden.text !== "") return hidden;
  }
  return unseen(attribute(element, "aria-label"));
}

/** By its title, or that of the drawing in it. */
export function titleName(element: Element): Name {
  const own = unseen(attribute(element, "title"));
  if (own.text !== "") return own;
  const drawn = query(element, ":scope > title, svg > title");
  return drawn !== null && isSvg(drawn) ? unseen(textContent(drawn)) : NO_NAME;
}

/** The labels of a field, whether by `for` or around it. */
export function labelsOf(control: Element): readonly HTMLLabelElement[] {
  const labels = isTag(control, "input")
    ? inputLabels(control)
    : isTag(control, "select")
      ? selectLabels(control)
      : isTag(control, "textarea")
        ? areaLabels(control)
        : null;
  return labels === null ? [] : Array.from(labels);
}

const CONTROLS = "input:not([type=hidden]), select, textarea, button, a[href], [contenteditable], [role]";
const OUTSIDE = new Set([
  "body",
  "form",
  "fieldset",
  "table",
  "tbody",
  "tr",
  "main",
  "section",
  "ul",
  "ol",
  "dialog",
  "html",
]);

function wordsAt(visibility: Visibility, node: Node): string {
  if (isText(node)) {
    const parent = flatParent(node);
    const sight = parent === null ? null : visibility.of(parent);
    return sight !== null && visibility.textSeen(node, sight) ? withoutSecrets(cleanTrimmed(textData(node))) : "";
  }
  if (!isElement(node) || UNREAD_TAGS.has(localName(node)) || query(node, CONTROLS) !== null) return "";
  return visibleWords(visibility, node);
}

const isBlank = (node: Node): boolean =>
  isText(node)
    ? textData(node).trim() === ""
    : !isElement(node) ||
      localName(node) === "br" ||
      (localName(node) === "input" && attribute(node, "type") === "hidden");

function beside(visibility: Visibility, node: Node, next: (from: Node) => Node | null): Name {
  let at = next(node);
  while (at !== null && isBlank(at)) at = next(at);
  if (
    at === null ||
    (isElement(at) &&
      (localName(at) === "input" ||
        localName(at) === "select" ||
        localName(at) === "button" ||
        localName(at) === "textarea"))
  )
    return NO_NAME;
  const text = wordsAt(visibility, at);
  return text === "" || text.length > LABEL_MAX_CHARACTERS ? NO_NAME : { text, nonvisual: false, from: [at] };
}

/**
 * Words beside a field that has no label of its own: before it, or after it for a box to tick; else those beside what
 * holds only it.
 */
function nearby(visibility: Visibility, control: Element): Name {
  const ticked = isTag(control, "input") && (inputType(control) === "checkbox" || inputType(control) === "radio");
  let at: Element = control;
  for (let up = 0; up < LEVELS_UP; up += 1) {
    const ways = ticked ? [nextSibling, previousSibling] : [previousSibling];
    for (const way of ways) {
      const name = beside(visibility, at, way);
      if (name.text !== "") return name;
    }
    const parent = parentNode(at);
    if (
      !isElement(parent) ||
      OUTSIDE.has(localName(parent)) ||
      queryAll(parent, "input:not([type=hidden]), select, textarea").length > 1
    )
      return NO_NAME;
    at = parent;
  }
  return NO_NAME;
}

const BUTTON_WORDS: Readonly<Record<string, string>> = {
  submit: "Submit",
  reset: "Reset",
  image: "Submit",
  file: "Choose file",
};

/** Name of a field or of an input that is a button. */
export function fieldName(visibility: Visibility, control: Element): Name {
  const aria = ariaName(visibility, control);
  if (aria.text !== "") return aria;
  const labels = labelsOf(control).filter((label) => visibleWords(visibility, label, control) !== "");
  if (labels.length > 0)
    return {
      text: labels.map((label) => visibleWords(visibility, label, control)).join(" "),
      nonvisual: false,
      from: labels,
    };
  if (isTag(control, "input")) {
    const type = inputType(control);
    if (type === "image") return unseen(attribute(control, "alt") ?? attribute(control, "title") ?? "Submit");
    if (type === "submit" || type === "button" || type === "reset") {
      const words = attribute(control, "value");
      return words !== null && cleanTrimmed(words) !== ""
        ? { text: withoutSecrets(cleanTrimmed(words)), nonvisual: false, from: [] }
        : titleName(control).text !== ""
          ? titleName(control)
          : { text: BUTTON_WORDS[type] ?? "", nonvisual: false, from: [] };
    }
  }
  const near = nearby(visibility, control);
  if (near.text !== "") return near;
  const placeholder = cleanTrimmed(attribute(control, "placeholder") ?? attribute(control, "aria-placeholder") ?? "");
  if (placeholder !== "")
    return {
      text: cut(withoutSecrets(placeholder), UNSEEN_NAME_MAX_CHARACTERS),
      nonvisual: (rawValue(control) ?? "") !== "",
      from: [],
    };
  const title = titleName(control);
  if (title.text !== "") return title;
  return isTag(control, "input") && inputType(control) === "file"
    ? { text: BUTTON_WORDS.file ?? "", nonvisual: false, from: [] }
    : NO_NAME;
}
