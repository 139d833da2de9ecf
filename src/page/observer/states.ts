import {
  attribute,
  documentActive,
  hasAttribute,
  inputChecked,
  inputIndeterminate,
  isTag,
  localName,
  matches,
  optionSelected,
  parentNode,
  rootActive,
  shadowRootOf,
} from "./dom.ts";

/** The element that has the focus, through open shadow roots. */
export function focusedElement(): Element | null {
  let active = documentActive(document);
  for (;;) {
    const root = active === null ? null : shadowRootOf(active);
    const inner = root === null ? null : rootActive(root);
    if (inner === null) return active;
    active = inner;
  }
}

const aria = (element: Element, name: string): string | null => attribute(element, `aria-${name}`);

export function isDisabled(element: Element): boolean {
  if (aria(element, "disabled") === "true") return true;
  switch (localName(element)) {
    case "button":
    case "input":
    case "select":
    case "textarea":
    case "option":
    case "fieldset":
      return matches(element, ":disabled");
    default:
      return false;
  }
}

function checkedState(element: Element, role: string): string | null {
  if (isTag(element, "input") && (role === "checkbox" || role === "radio" || role === "switch")) {
    return inputIndeterminate(element) ? "mixed" : inputChecked(element) ? "checked" : "unchecked";
  }
  if (
    role !== "checkbox" &&
    role !== "radio" &&
    role !== "switch" &&
    role !== "menuitemcheckbox" &&
    role !== "menuitemradio"
  )
    return null;
  const value = aria(element, "checked");
  return value === "mixed" ? "mixed" : value === "true" ? "checked" : "unchecked";
}

function expandedState(element: Element): string | null {
  const value = aria(element, "expanded");
  if (value !== null) return value === "true" ? "expanded" : "collapsed";
  if (!isTag(element, "summary")) return null;
  const details = parentNode(element);
  return details instanceof HTMLDetailsElement ? (hasAttribute(details, "open") ? "expanded" : "collapsed") : null;
}

const LEVEL = /^h([1-6])$/;

/** States in a fixed order. `control` is the field behind a styled label, else the element itself. */
export function statesOf(element: Element, role: string, control: Element, focused: Element | null): string[] {
  const states: string[] = [];
  if (role === "heading") {
    const level = LEVEL.exec(localName(element))?.[1] ?? aria(element, "level");
    if (level !== null && /^[1-9]$/.test(level)) states.push(`level ${level}`);
  }
  const checked = checkedState(control, role);
  if (checked !== null) states.push(checked);
  const expanded = expandedState(element);
  if (expanded !== null) states.push(expanded);
  if (aria(element, "selected") === "true" || (isTag(element, "option") && optionSelected(element)))
    states.push("selected");
  const pressed = aria(element, "pressed");
  if (pressed === "true" || pressed === "mixed") states.push("pressed");
  const current = aria(element, "current");
  if (current !== null && current !== "" && current !== "false") states.push("current");
  if (isDisabled(control)) states.push("disabled");
  if (hasAttribute(control, "readonly") || aria(control, "readonly") === "true") states.push("readonly");
  if (hasAttribute(control, "required") || aria(control, "required") === "true") states.push("required");
  if (aria(control, "invalid") === "true") states.push("invalid");
  if (aria(element, "busy") === "true") states.push("busy");
  if (focused !== null && focused === control && role !== "frame") states.push("focused");
  return states;
}
