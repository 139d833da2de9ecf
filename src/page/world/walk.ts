import type { SeenNode } from "../seen.ts";
import { clean, cut } from "./clean.ts";
import { Covers } from "./cover.ts";
import {
  anchorHref,
  areaHref,
  attribute,
  contains,
  documentElement,
  flatParent,
  hasAttribute,
  isElement,
  isTag,
  isText,
  labelControl,
  localName,
  nextElementSibling,
  parentNode,
  query,
  shadowRootOf,
  textData,
} from "./dom.ts";
import { agree, type Draft, Out, seal, tell } from "./draft.ts";
import { isField, isSecret } from "./fields.ts";
import { idOf } from "./ids.ts";
import { fieldLeaf, imageName, isLeaf, isRestyled, type Leaf, leafOf, named, withStates } from "./leaves.ts";
import { noteSecret, withoutSecrets } from "./mirrors.ts";
import { ariaName, labelsOf, titleName, UNSEEN_NAME_MAX_CHARACTERS } from "./names.ts";
import { isDataTable, NAMED_BY_CONTENT, roleOf, SECTIONS, SECTIONS_WITH_NAME, UNREAD_TAGS } from "./roles.ts";
import { focusedElement, statesOf } from "./states.ts";
import { isPointed, type Sight, Visibility } from "./visibility.ts";
import { type Cursor, cursorInto, step, visibleWords } from "./words.ts";

/** Beyond this depth of output, containers vanish: the answer must stay small enough to be sent. */
const DEPTH_MAX = 40;
const VISITS_MAX = 400_000;
const ROW_MAX_TOKENS = 2_000;
const HIDDEN_COUNT_MAX = 5_000;
const CLICKABLE_WORDS_MAX = 200;
const RECENT_RUNS_MAX = 64;
const TEXT_SHOWN_CHARACTERS = 500;

type Kind = "plain" | "named" | "section" | "row" | "cell" | "clickable" | "combobox";

interface Level {
  readonly element: Element;
  readonly sight: Sight;
  readonly kind: Kind;
  readonly role: string;
  readonly cursor: Cursor;
  /** Where its children's nodes go: its own list, or the one around for plain elements. */
  readonly out: Out;
  readonly parentOut: Out;
  readonly block: boolean;
  readonly inline: boolean;
  /** Its words are told elsewhere. */
  readonly mute: boolean;
  readonly acting: boolean;
  readonly inRow: boolean;
  readonly inCell: boolean;
  readonly depth: number;
  /** Words for screen readers only, in case nothing else names it. */
  unseen: string;
}

const listeners = new WeakSet<Element>();

/** The host found a click listener on it. */
export const noteListener = (element: Element): void => {
  listeners.add(element);
};

export interface Walked {
  readonly nodes: SeenNode[];
  readonly hiddenTexts: number;
  readonly cut: boolean;
  readonly more: number;
  readonly roots: readonly ShadowRoot[];
}

/** One pass over what a person can see, in reading order, until the budget is spent. */
export class Walk {
  readonly visibility = new Visibility();
  readonly #covers = new Covers();
  readonly #focused = focusedElement();
  readonly #budget: number;
  readonly #muted = new Set<Node>();
  readonly #told = new Set<Element>();
  readonly #recent: { readonly text: Text; readonly run: Draft }[] = [];
  readonly #stack: Level[] = [];
  readonly #roots: ShadowRoot[] = [];
  #spent = 0;
  #visits = 0;
  #hidden = 0;
  #cut = false;
  #rowStart = 0;

  constructor(budgetTokens: number) {
    this.#budget = budgetTokens;
  }

  run(options: { readonly root: Element | null }): Walked {
    const top = options.root ?? documentElement(document);
    const out = new Out();
    const around = flatParent(top);
    const sight = around === null ? null : this.visibility.of(around);
    if (top !== null && (around === null || sight !== null)) this.#visit(top, sight, out, null);
    while (this.#stack.length > 0) {
      const level = this.#stack[this.#stack.length - 1];
      if (level === undefined) break;
      if (this.#mustStop(level)) this.#cut = true;
      const node = this.#cut ? null : step(level.cursor);
      if (node !== null) {
        this.#visits += 1;
        if (isText(node)) this.#text(node, level);
        else if (isElement(node)) this.#visit(node, level.sight, level.out, level);
        continue;
      }
      if (this.#cut) level.out.more += remaining(level.cursor);
      this.#stack.pop();
      this.#leave(level);
    }
    return { nodes: seal(out.done()), hiddenTexts: this.#hidden, cut: this.#cut, more: out.more, roots: this.#roots };
  }

  #mustStop(level: Level): boolean {
    if (this.#cut || this.#visits > VISITS_MAX) return true;
    if (level.inRow) return this.#spent - this.#rowStart > ROW_MAX_TOKENS;
    return this.#spent > this.#budget;
  }

  #pay(overhead: number, words = ""): void {
    this.#spent += overhead + Math.min(words.length, TEXT_SHOWN_CHARACTERS) / (/[^\0-\u024F]/.test(words) ? 1.6 : 4);
  }

  #text(text: Text, level: Level): void {
    const raw = textData(text);
    const words = clean(raw);
    if (words === "" || words === " ") {
      if (words === " ") level.out.space();
      return;
    }
    const visibility = this.visibility;
    if (!visibility.textSeen(text, level.sight)) return this.#hide(words, level);
    if (level.mute || this.#muted.has(text)) return;
    const area = visibility.textInView(text, level.sight);
    const cover = area === null ? "none" : this.#covers.over(level.element, area);
    if (cover === "patch") return this.#hide("", level);
    const safe = withoutSecrets(words);
    const run = level.out.words(safe);
    if (run === null) return;
    if (cover === "overlay") run.states = ["covered"];
    this.#pay(level.kind === "plain" ? 2 : 1, safe);
    this.#recent.push({ text, run });
    if (this.#recent.length > RECENT_RUNS_MAX * 2) this.#recent.splice(0, RECENT_RUNS_MAX);
  }

  #hide(words: string, level: Level): void {
    this.#hidden += 1;
    if (words === "" || !level.acting || !this.visibility.forReadersOnly(level.sight)) return;
    for (let index = this.#stack.length - 1; index >= 0; index -= 1) {
      const holder = this.#stack[index];
      if (holder === undefined || holder.kind === "plain") continue;
      if (holder.unseen.length < UNSEEN_NAME_MAX_CHARACTERS) holder.unseen += words;
      return;
    }
  }

  #countHidden(element: Element): void {
    if (this.#hidden >= HIDDEN_COUNT_MAX) return;
    const walker = Document.prototype.createTreeWalker.call(document, element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null && this.#hidden < HIDDEN_COUNT_MAX; node = walker.nextNode()) {
      const parent = parentNode(node);
      if (isText(node) && isElement(parent) && !UNREAD_TAGS.has(localName(parent)) && localName(parent) !== "option" && textData(node).trim() !== "")
        this.#hidden += 1;
    }
  }

  #visit(element: Element, parent: Sight | null, out: Out, level: Level | null): void {
    const tag = localName(element);
    if (UNREAD_TAGS.has(tag)) return;
    if (tag === "br" || tag === "wbr") {
      if (tag === "br") out.space();
      return;
    }
    const root = shadowRootOf(element);
    if (root !== null) this.#roots.push(root);
    const sight = this.visibility.enter(element, parent);
    if (sight === null) {
      if (isField(element)) noteSecretIfSo(element);
      return this.#countHidden(element);
    }
    const restyled = tag === "label" ? this.#restyled(element) : null;
    if (restyled !== null) return this.#leaf(element, sight, out, level, restyled);
    const role = this.#role(element, sight, level);
    if (role === "hidden") return;
    if (isLeaf(element, role)) return this.#leafAt(element, role, sight, out, level);
    this.#enter(element, role, sight, out, level);
  }

  /** The field that a label stands for, when the page made the field itself invisible. */
  #restyled(label: Element): Leaf | null {
    const control = isTag(label, "label") ? labelControl(label) : null;
    if (!isRestyled(control) || this.#told.has(control)) return null;
    const own = this.visibility.of(control);
    if (own !== null && this.visibility.boxSeen(own)) return null;
    const labels = labelsOf(control);
    const sight = this.visibility.of(label);
    if (sight === null || (visibleWords(this.visibility, label, control) === "" && !this.visibility.boxSeen(sight) && labels.length < 2)) return null;
    this.#told.add(control);
    return fieldLeaf(this.visibility, control, roleOf(control), this.#focused, label);
  }

  #leafAt(element: Element, role: string, sight: Sight, out: Out, level: Level | null): void {
    if (this.#told.has(element)) return;
    const seen = this.visibility.boxSeen(sight) || (isRestyled(element) && this.visibility.boxInPlace(sight));
    if (!seen) {
      if (isField(element)) noteSecretIfSo(element);
      return;
    }
    const leaf = leafOf(this.visibility, element, role, sight, this.#focused);
    if (leaf !== null) this.#leaf(element, sight, out, level, leaf);
  }

  #leaf(element: Element, sight: Sight, out: Out, level: Level | null, leaf: Leaf): void {
    const area = leaf.draft.act === true ? this.visibility.boxInView(sight) : null;
    const cover = area === null ? "none" : this.#covers.over(element, area);
    if (cover === "patch") return;
    if (cover === "overlay") leaf.draft.states = [...(leaf.draft.states ?? []), "covered"];
    this.#takeBack(leaf);
    if (leaf.draft.role === "img" && level?.mute === true) return;
    if (leaf.draft.href === undefined && isTag(element, "area")) leaf.draft.href = areaHref(element);
    out.push(leaf.draft);
    this.#pay(leaf.draft.act === true ? 6 : 3, `${leaf.draft.name ?? ""}${leaf.draft.value ?? ""}${leaf.draft.options?.labels.join(", ") ?? ""}`);
  }

  /** Words that became a field's name are not told again, before or after it. */
  #takeBack(leaf: Leaf): void {
    const name = leaf.draft.name ?? "";
    for (const source of leaf.from) {
      this.#muted.add(source);
      for (const { text, run } of this.#recent) {
        if (
          run.gone !== true &&
          run.name !== undefined &&
          name.includes(run.name.trim()) &&
          (text === source || (isElement(source) && (source === flatParent(text) || contains(source, text))))
        )
          run.gone = true;
      }
    }
  }

  #role(element: Element, sight: Sight, level: Level | null): string {
    const tag = localName(element);
    if ((tag === "tr" || tag === "td" || tag === "th") && !hasAttribute(element, "role")) {
      if (tag === "tr") return inDataTable(element) ? "row" : "";
      if (level === null ? !inDataTable(element) : level.kind !== "row") return "";
      return tag === "td" ? "cell" : headerRole(element);
    }
    const role = roleOf(element);
    if ((role !== "" && role !== "img") || level?.acting === true) return role;
    if (tag === "html" || tag === "body" || tag === "label") return role;
    const tabbed = hasAttribute(element, "tabindex") && Number(attribute(element, "tabindex")) >= 0 && sight.style.overflow === "visible";
    return tabbed || isPointed(sight) || hasAttribute(element, "onclick") || listeners.has(element) ? "clickable" : role;
  }

  #enter(element: Element, role: string, sight: Sight, out: Out, level: Level | null): void {
    const depth = (level?.depth ?? 0) + 1;
    const kind = kindOf(role, level, depth);
    const inline = sight.display.startsWith("inline") || sight.display === "contents";
    const own = kind !== "plain";
    const block = !inline;
    if (block) out.close();
    else if (sight.display !== "inline") out.space();
    if (kind === "row") this.#rowStart = this.#spent;
    this.#stack.push({
      element,
      sight,
      kind,
      role,
      cursor: cursorInto(element),
      out: own ? new Out() : out,
      parentOut: out,
      block,
      inline,
      depth: own ? depth : depth - 1,
      unseen: "",
      mute: (level?.mute ?? false) || this.#muted.has(element),
      acting: (level?.acting ?? false) || kind === "named" || kind === "clickable",
      inRow: (level?.inRow ?? false) || kind === "row",
      inCell: (level?.inCell ?? false) || kind === "cell",
    });
  }

  #leave(level: Level): void {
    const { out, parentOut } = level;
    if (level.kind === "plain") {
      if (level.block) out.close();
      else if (level.sight.display !== "inline") out.space();
      return;
    }
    const items = out.done();
    const draft = this.#finish(level, items);
    if (draft === null) {
      for (const item of items) parentOut.push(item);
      parentOut.more += out.more;
      return;
    }
    if (draft === "nothing") return;
    if (out.more > 0) draft.more = (draft.more ?? 0) + out.more;
    parentOut.push(draft);
  }

  /** The node of a container that was walked; null when it dissolves into the one around, "nothing" when there is nothing to see. */
  #finish(level: Level, items: Draft[]): Draft | "nothing" | null {
    switch (level.kind) {
      case "plain":
        return null;
      case "row":
        return this.#row(level, items);
      case "cell":
        return cell(level, items);
      case "section":
        return this.#section(level, items);
      case "named":
        return this.#named(level, items);
      case "clickable":
        return this.#clickable(level, items);
      case "combobox":
        return this.#combobox(level, items);
    }
  }

  #row(level: Level, items: Draft[]): Draft | "nothing" {
    if (items.every((item) => item.name === undefined && item.children === undefined && item.act !== true)) return "nothing";
    const draft: Draft = { role: "row", id: idOf(level.element), children: items };
    if (actsByItself(level)) draft.act = true;
    this.#pay(3);
    return withStates(draft, statesOf(level.element, "row", level.element, this.#focused));
  }

  #section(level: Level, items: Draft[]): Draft | "nothing" | null {
    if (items.length === 0) return "nothing";
    const { role, element } = level;
    if (role === "listitem") {
      if (items.length === 1) return null;
      this.#pay(2);
      return { role, id: idOf(element), children: items };
    }
    const told = this.#sectionName(level, items);
    if (told.name.text === "" && SECTIONS_WITH_NAME.has(role)) return null;
    this.#pay(3, told.name.text);
    return withStates(named({ role, id: idOf(element), children: told.items }, told.name), statesOf(element, role, element, this.#focused));
  }

  #sectionName(level: Level, items: Draft[]): { name: { text: string; nonvisual: boolean }; items: Draft[] } {
    const { element, role } = level;
    const aria = ariaName(this.visibility, element);
    const legend = role === "group" ? query(element, ":scope > legend") : role === "table" ? query(element, ":scope > caption") : null;
    const words = aria.text === "" && legend !== null ? visibleWords(this.visibility, legend) : aria.text;
    if (words === "") return { name: { text: "", nonvisual: false }, items };
    const first = items[0];
    const repeats = first !== undefined && (first.role === "text" || first.role === "heading") && first.name === words && first.children === undefined;
    // A name that only screen readers hear is shown when it stands in the page as well.
    return { name: { text: words, nonvisual: aria.text !== "" && aria.nonvisual && !repeats }, items: repeats && items.length > 1 ? items.slice(1) : items };
  }

  /** Name by the words inside; by an attribute when there is one, and both when they do not agree. */
  #named(level: Level, items: Draft[]): Draft | "nothing" {
    const { element, role } = level;
    const told = tell(items);
    const draft: Draft = { role, id: idOf(element) };
    if (role !== "heading" && role !== "tooltip") draft.act = true;
    const aria = isTag(element, "img") ? imageName(element) : ariaName(this.visibility, element);
    const children = told.acting;
    if (aria.text !== "") {
      named(draft, { text: aria.text, nonvisual: !(told.seen && told.words.includes(aria.text)) && aria.nonvisual });
      if (told.seen && !agree(aria.text, told.words)) children.unshift({ role: "text", name: told.words });
    } else if (told.words !== "") named(draft, { text: told.words, nonvisual: !told.seen });
    else {
      const rest = clean(level.unseen).trim();
      named(draft, rest === "" ? titleName(element) : { text: cut(withoutSecrets(rest), UNSEEN_NAME_MAX_CHARACTERS), nonvisual: true });
    }
    if (draft.act === true) {
      if (!told.seen && !this.#boxSeenInside(level)) return "nothing";
      const cover = this.#coverOf(level);
      if (cover === "patch" && !told.seen) return "nothing";
      if (cover === "overlay") draft.states = ["covered"];
    } else if (draft.name === undefined && children.length === 0) return "nothing";
    const address = hrefOf(element);
    if (role === "link" && address !== null) draft.href = address;
    if (children.length > 0) draft.children = children;
    this.#pay(role === "link" ? 8 : 5);
    const states = [...statesOf(element, role, element, this.#focused), ...(draft.states ?? [])];
    return withStates(draft, states);
  }

  #coverOf(level: Level): ReturnType<Covers["over"]> {
    const area = this.visibility.boxInView(level.sight);
    return area === null ? "none" : this.#covers.over(level.element, area);
  }

  /** Its own box, or, for one without size, a child's that floats or stands elsewhere. */
  #boxSeenInside(level: Level): boolean {
    if (level.sight.display !== "contents" && this.visibility.boxSeen(level.sight)) return true;
    if (!level.sight.painted || !level.sight.shown) return false;
    for (let child = query(level.element, "svg, img, i, span, div"); child !== null; child = nextElementSibling(child)) {
      const sight = this.visibility.of(child);
      if (sight !== null && this.visibility.boxSeen(sight)) return true;
    }
    return false;
  }

  #clickable(level: Level, items: Draft[]): Draft | "nothing" | null {
    const told = tell(items);
    if (told.acting.length > 1 || told.words.length > CLICKABLE_WORDS_MAX || items.some((item) => SECTIONS.has(item.role) || item.role === "row")) return null;
    return this.#named(level, items);
  }

  #combobox(level: Level, items: Draft[]): Draft | "nothing" | null {
    if (items.some((item) => item.role === "combobox" || item.role === "textbox" || item.role === "searchbox")) return null;
    const told = tell(items);
    if (!told.seen && !this.#boxSeenInside(level)) return "nothing";
    const aria = ariaName(this.visibility, level.element);
    const draft = named({ role: level.role, id: idOf(level.element), act: true }, aria.text === "" ? titleName(level.element) : aria);
    if (told.words !== "") draft.value = told.words;
    if (told.acting.length > 0) draft.children = told.acting;
    this.#pay(6, told.words);
    return withStates(draft, statesOf(level.element, level.role, level.element, this.#focused));
  }
}

function kindOf(role: string, level: Level | null, depth: number): Kind {
  if (role === "") return "plain";
  if (NAMED_BY_CONTENT.has(role)) return role === "clickable" ? "clickable" : role === "heading" && level?.acting === true ? "plain" : "named";
  if (depth > DEPTH_MAX || level?.acting === true) return "plain";
  if (role === "combobox" || role === "textbox" || role === "searchbox") return "combobox";
  if (isCellRole(role) && level?.inCell !== true && level?.inRow !== false) return "cell";
  if (level?.inRow === true) return "plain";
  if (role === "row") return "row";
  return SECTIONS.has(role) ? "section" : "plain";
}

const isCellRole = (role: string): boolean => role === "cell" || role === "columnheader" || role === "rowheader";

function cell(level: Level, items: Draft[]): Draft {
  const only = items[0];
  const draft: Draft = { role: level.role };
  if (actsByItself(level) && items.every((item) => item.role === "text")) {
    draft.act = true;
    draft.id = idOf(level.element);
  }
  if (items.length === 0) return draft;
  if (items.length === 1 && only?.role === "text" && only.name !== undefined) draft.name = only.name;
  else draft.children = items;
  return draft;
}

/** A row or cell that is pressed as a whole. */
function actsByItself(level: Level): boolean {
  const element = level.element;
  if (hasAttribute(element, "onclick") || listeners.has(element)) return true;
  return isPointed(level.sight);
}

function hrefOf(element: Element): string | null {
  if (isTag(element, "a")) return anchorHref(element);
  return isTag(element, "area") ? areaHref(element) : null;
}

const tables = new WeakMap<Element, { readonly at: number; readonly data: boolean }>();
let looks = 0;
/** A table is judged once a look. */
export const beginLook = (): void => {
  looks += 1;
};

function inDataTable(row: Element): boolean {
  let table: Element | null = flatParent(row);
  while (table !== null && !isTag(table, "table")) table = flatParent(table);
  if (table === null) return false;
  const known = tables.get(table);
  if (known !== undefined && known.at === looks) return known.data;
  const data = isDataTable(table);
  tables.set(table, { at: looks, data });
  return data;
}

function headerRole(header: Element): string {
  const scope = attribute(header, "scope");
  if (scope === "row") return "rowheader";
  const row = flatParent(header);
  return scope !== "col" && row !== null && query(row, ":scope > td") !== null ? "rowheader" : "columnheader";
}

function noteSecretIfSo(element: Element): void {
  if (isSecret(element)) noteSecret(element);
}

/** How many elements a container's cursor has not come to. */
function remaining(cursor: Cursor): number {
  let count = 0;
  for (let node = step(cursor); node !== null; node = step(cursor))
    if (isElement(node) ? !UNREAD_TAGS.has(localName(node)) : isText(node) && textData(node).trim() !== "") count += 1;
  return count;
}
