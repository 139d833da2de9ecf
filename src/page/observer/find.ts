import type { ElementNow, Identity, SeenNode } from "../seen.ts";
import { cut, fold } from "./clean.ts";
import { attribute, flatParent, isTag, labelControl, localName } from "./dom.ts";
import { defaultButtonOf, fieldType, formOf, isField, isSecret } from "./fields.ts";
import { Identities } from "./identity.ts";
import { documentName, elementOf, idOf } from "./ids.ts";
import { isRestyled } from "./leaves.ts";
import { withoutSecrets } from "./mirrors.ts";
import { fieldName } from "./names.ts";
import { roleOf, SECTIONS } from "./roles.ts";
import { see } from "./see.ts";
import { isDisabled } from "./states.ts";
import type { Visibility } from "./visibility.ts";
import { visibleWords } from "./words.ts";

const WITHIN_MAX_CHARACTERS = 120;
/** The sign that a name was shown cut. */
const CUT_SIGN = "…";

/** The field that an element is or, as a styled label, stands for. */
export function controlOf(element: Element): Element {
  if (!isTag(element, "label")) return element;
  const control = labelControl(element);
  return control !== null && isRestyled(control) ? control : element;
}

function* each(nodes: readonly SeenNode[]): Generator<SeenNode> {
  for (const node of nodes) {
    yield node;
    if (node.children !== undefined) yield* each(node.children);
  }
}

const CONTAINER_TAGS = new Set(["tr", "li", "article", "fieldset", "dialog", "section", "nav", "form"]);
const CONTAINER_ROLES = new Set([
  "row",
  "listitem",
  "article",
  "group",
  "dialog",
  "alertdialog",
  "region",
  "form",
  "navigation",
]);

function within(element: Element, visibility: Visibility): string | null {
  for (let at = flatParent(element); at !== null; at = flatParent(at)) {
    if (!CONTAINER_TAGS.has(localName(at)) && !CONTAINER_ROLES.has(attribute(at, "role") ?? "")) continue;
    const words = visibleWords(visibility, at);
    return words === "" ? null : cut(words, WITHIN_MAX_CHARACTERS);
  }
  return null;
}

/** What an element is now; null when it has left the document. */
export function describe(id: number): ElementNow | null {
  const element = elementOf(id);
  if (element === null) return null;
  const { nodes, visibility } = see(Number.POSITIVE_INFINITY, element);
  if (visibility === null) return null;
  let seen: SeenNode | null = null;
  for (const node of each(nodes)) {
    if (node.id === id) {
      seen = node;
      break;
    }
  }
  const control = controlOf(element);
  const field = isField(control) ? control : null;
  const label = field === null ? null : fieldName(visibility, field);
  return {
    id,
    document: documentName(),
    role: seen?.role ?? (roleOf(element) || "generic"),
    name: seen?.name ?? "",
    within: within(element, visibility),
    place: new Identities().of(element),
    visible: seen !== null,
    disabled: isDisabled(control),
    href: seen?.href ?? null,
    field:
      field === null
        ? null
        : {
            type: fieldType(field),
            name: withoutSecrets(attribute(field, "name") ?? ""),
            secret: isSecret(field, label === null || label.nonvisual ? "" : label.text),
          },
    form: field === null ? formOf(control) : formOfField(field),
  };
}

/** What Enter in it sends. */
function formOfField(field: Element): ElementNow["form"] {
  const button = defaultButtonOf(field);
  const form = formOf(button ?? field);
  const name = button === null ? undefined : identityOf(button, idOf(button))?.name;
  return form === null || name === undefined ? form : { ...form, button: name };
}

export const isWhatWasShown = (now: Identity, shown: Identity): boolean =>
  now.role === shown.role && now.name === shown.name && now.place === shown.place;

/** Role, name and place of an element now; null when it is gone or cannot be seen any more. */
export function identityOf(element: Element, id: number): Identity | null {
  for (const node of each(see(Number.POSITIVE_INFINITY, element).nodes))
    if (node.id === id) return { role: node.role, name: node.name ?? "", place: new Identities().of(element) };
  return null;
}

/** Ids of all elements that are what was shown, wherever they are now. */
export function refind(shown: Identity): number[] {
  const identities = new Identities();
  const found = new Set<number>();
  for (const node of each(see(Number.POSITIVE_INFINITY, null).nodes)) {
    if (node.id === undefined || node.role !== shown.role || (node.name ?? "") !== shown.name) continue;
    const element = elementOf(node.id);
    if (element !== null && identities.of(element) === shown.place) found.add(node.id);
  }
  return [...found];
}

/** Marks what can be acted on with its place. */
export function placed(nodes: readonly SeenNode[]): readonly SeenNode[] {
  const identities = new Identities();
  const mark = (node: SeenNode): SeenNode => {
    const element = node.act === true && node.id !== undefined ? elementOf(node.id) : null;
    if (element === null && node.children === undefined) return node;
    return {
      ...node,
      ...(element === null ? {} : { place: identities.of(element) }),
      ...(node.children === undefined ? {} : { children: node.children.map(mark) }),
    };
  };
  return nodes.map(mark);
}

const isContainer = (node: SeenNode): boolean => node.role === "row" || SECTIONS.has(node.role);
const words = (node: SeenNode): string =>
  fold(Array.from(each([node]), (inner) => `${inner.name ?? ""} ${inner.value ?? ""}`).join(" "));

/** Innermost containers that hold the words. */
function innermost(nodes: readonly SeenNode[], wanted: string): SeenNode[] {
  const found: SeenNode[] = [];
  for (const node of nodes) {
    const inner = node.children === undefined ? [] : innermost(node.children, wanted);
    if (inner.length > 0) found.push(...inner);
    else if (isContainer(node) && words(node).includes(wanted)) found.push(node);
  }
  return found;
}

/** Ids of visible elements with that role and name; a name that ends in the sign of a cut matches what begins so. */
export function match(role: string, name: string, inside?: string): number[] {
  const { nodes } = see(Number.POSITIVE_INFINITY, null);
  const wanted = fold(name);
  const start = wanted.endsWith(CUT_SIGN) ? wanted.slice(0, -CUT_SIGN.length) : null;
  const scopes = inside === undefined ? nodes : innermost(nodes, fold(inside));
  const ids = new Set<number>();
  for (const node of each(scopes)) {
    if (node.role !== role || node.id === undefined) continue;
    const folded = fold(node.name ?? "");
    if (folded === wanted || (start !== null && start !== "" && folded.startsWith(start))) ids.add(node.id);
  }
  return [...ids];
}
