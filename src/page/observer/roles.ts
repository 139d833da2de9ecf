import {
  attribute,
  closest,
  firstElementChild,
  hasAttribute,
  inputType,
  isContentEditable,
  isHtml,
  isSvg,
  isTag,
  localName,
  nextElementSibling,
  parentNode,
  query,
  selectMultiple,
  selectSize,
} from "./dom.ts";

const KNOWN = new Set(
  (
    "alert alertdialog application article banner blockquote button cell checkbox columnheader combobox complementary contentinfo dialog feed figure form grid gridcell group heading img image link list listbox listitem log " +
    "main menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status switch tab " +
    "table tablist tabpanel textbox timer toolbar tooltip tree treegrid treeitem none presentation generic"
  ).split(" "),
);

/** Roles whose name is the words inside. */
export const NAMED_BY_CONTENT = new Set(
  "button checkbox heading link menuitem menuitemcheckbox menuitemradio option radio switch tab treeitem tooltip clickable".split(
    " ",
  ),
);

/** Roles a person acts on. */
export const ACTED_ON = new Set(
  "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem clickable canvas video audio scrollbar".split(
    " ",
  ),
);

/** What holds others but is often pressed as a whole. */
export const PRESSED_AS_A_WHOLE = new Set(["listitem", "article", "heading", "group", "region"]);

/** Roles that hold others and are worth a line. */
export const SECTIONS = new Set(
  (
    "alert alertdialog article banner complementary contentinfo dialog feed form grid group list listbox listitem log main menu menubar navigation note radiogroup region search status table tablist tabpanel toolbar " +
    "tree treegrid application"
  ).split(" "),
);

/** Of those, the ones that say nothing without a name. */
export const SECTIONS_WITH_NAME = new Set("form group list region feed application note article toolbar".split(" "));

/** Tags whose content is never words for a person. */
export const UNREAD_TAGS = new Set(
  "script style template noscript head meta link title base datalist param source track colgroup col map".split(" "),
);

const BY_TAG: Readonly<Record<string, string>> = {
  button: "button",
  textarea: "textbox",
  nav: "navigation",
  main: "main",
  aside: "complementary",
  form: "form",
  dialog: "dialog",
  article: "article",
  fieldset: "group",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  ul: "list",
  ol: "list",
  menu: "list",
  li: "listitem",
  section: "region",
  search: "search",
  option: "option",
  progress: "progressbar",
  meter: "meter",
  output: "status",
  iframe: "frame",
  frame: "frame",
  object: "frame",
  embed: "frame",
  canvas: "canvas",
  video: "video",
  audio: "audio",
  img: "img",
};

const BY_INPUT_TYPE: Readonly<Record<string, string>> = {
  submit: "button",
  button: "button",
  reset: "button",
  image: "button",
  file: "button",
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
};

function explicitRole(element: Element): string | null {
  const given = attribute(element, "role");
  if (given === null) return null;
  for (const word of given.toLowerCase().split(/\s+/))
    if (KNOWN.has(word)) return word === "image" ? "img" : word === "gridcell" ? "cell" : word;
  return null;
}

const LAYOUT_CONTENT = "table, h1, h2, h3, form, nav, main";
const DATA_MARKS = ":scope > caption, :scope > thead, :scope > tr > th, :scope > tbody > tr > th";

/** A table that shows data, not one that only arranges a page. */
export function isDataTable(table: Element): boolean {
  const role = explicitRole(table);
  if (role === "none" || role === "presentation") return false;
  if (role !== null) return true;
  if (query(table, DATA_MARKS) !== null) return true;
  const body = query(table, ":scope > tbody") ?? table;
  const first = firstElementChild(body);
  if (first === null || nextElementSibling(first) === null) return false;
  const cell = firstElementChild(first);
  return cell !== null && nextElementSibling(cell) !== null && query(table, LAYOUT_CONTENT) === null;
}

const hasNameAttribute = (element: Element): boolean =>
  hasAttribute(element, "aria-label") || hasAttribute(element, "aria-labelledby");

/**
 * ARIA role of an element, "" for a plain one. Rows and cells are the walk's own business: it knows whether their table
 * is data.
 */
export function roleOf(element: Element): string {
  const explicit = explicitRole(element);
  if (explicit !== null && explicit !== "generic" && explicit !== "none" && explicit !== "presentation")
    return explicit;
  if (isSvg(element)) return localName(element) === "svg" && hasNameAttribute(element) ? "img" : "";
  if (!isHtml(element)) return "";
  const tag = localName(element);
  switch (tag) {
    case "div":
    case "span":
    case "p":
      break;
    case "a":
    case "area":
      if (hasAttribute(element, "href")) return "link";
      break;
    case "input":
      if (isTag(element, "input")) {
        const type = inputType(element);
        if (type === "hidden") return "hidden";
        return BY_INPUT_TYPE[type] ?? (hasAttribute(element, "list") ? "combobox" : "textbox");
      }
      break;
    case "select":
      return isTag(element, "select") && (selectMultiple(element) || selectSize(element) > 1) ? "listbox" : "combobox";
    case "summary": {
      const parent = parentNode(element);
      return parent instanceof HTMLDetailsElement ? "button" : "";
    }
    case "header":
      return closest(element, "article, aside, main, nav, section") === null ? "banner" : "";
    case "footer":
      return closest(element, "article, aside, main, nav, section") === null ? "contentinfo" : "";
    case "table":
      return isDataTable(element) ? "table" : "";
    default: {
      const role = BY_TAG[tag];
      if (role !== undefined && !(explicit !== null && (role === "list" || role === "listitem" || role === "img")))
        return role;
    }
  }
  if (hasAttribute(element, "contenteditable") && isContentEditable(element)) return "textbox";
  return "";
}
