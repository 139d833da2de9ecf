import type { SeenNode } from "../seen.ts";
import { clean } from "./clean.ts";
import { type Covered, Layers } from "./cover.ts";
import {
  areaHref,
  attribute,
  contains,
  flatParent,
  hasAttribute,
  isElement,
  isTag,
  isText,
  labelControl,
  localName,
  parentNode,
  query,
  queryAll,
  shadowRootOf,
  textData,
} from "./dom.ts";
import { type Draft, Out, seal } from "./draft.ts";
import { isField, isSecret } from "./fields.ts";
import { Finisher } from "./finish.ts";
import { fieldLeaf, isLeaf, isRegion, isRestyled, type Leaf, leafOf } from "./leaves.ts";
import { hasListener, kindOf, type Level } from "./level.ts";
import { noteSecret, withoutSecrets } from "./mirrors.ts";
import { labelsOf, UNSEEN_NAME_MAX_CHARACTERS } from "./names.ts";
import { PRESSED_AS_A_WHOLE, roleOf, UNREAD_TAGS } from "./roles.ts";
import { focusedElement } from "./states.ts";
import { headerRole, inDataTable } from "./tables.ts";
import { isPointed, type Sight, Visibility } from "./visibility.ts";
import { type Cursor, cursorInto, step, visibleWords } from "./words.ts";

const VISITS_MAX = 400_000;
const ROW_MAX_TOKENS = 2_000;
const HIDDEN_COUNT_MAX = 5_000;
const RECENT_RUNS_MAX = 64;
const TEXT_SHOWN_CHARACTERS = 500;

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
  readonly layers = new Layers();
  readonly #covered: Covered;
  readonly #finisher: Finisher;
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

  constructor(budgetTokens: number, covered: Covered) {
    this.#budget = budgetTokens;
    this.#covered = covered;
    const pay = (overhead: number, words?: string): void => this.#pay(overhead, words);
    this.#finisher = new Finisher(this.visibility, this.#focused, pay, (level) =>
      this.#coverOf(level.element, level.sight),
    );
  }

  /** Walks the parts given, in that order; what was walked once is not walked again. */
  run(parts: readonly Element[]): Walked {
    const out = new Out();
    for (const part of parts) {
      const around = flatParent(part);
      const sight = around === null ? null : this.visibility.of(around);
      if (around === null || sight !== null) this.#visit(part, sight, out, null);
      this.#walk();
      this.#told.add(part);
    }
    return { nodes: seal(out.done()), hiddenTexts: this.#hidden, cut: this.#cut, more: out.more, roots: this.#roots };
  }

  #walk(): void {
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
  }

  #coverOf(element: Element, sight: Sight): "overlay" | "patch" | "none" {
    this.layers.place(element, element, this.visibility.boxInView(sight));
    return this.#covered.get(element) ?? "none";
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
    if (!visibility.textSeen(text, level.sight)) {
      this.#hide(words, level);
      return;
    }
    if (level.mute || this.#muted.has(text)) return;
    this.layers.place(text, level.element, visibility.textInView(text, level.sight));
    const cover = this.#covered.get(text);
    if (cover === "patch") {
      this.#hide("", level);
      return;
    }
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
      if (
        isText(node) &&
        isElement(parent) &&
        !UNREAD_TAGS.has(localName(parent)) &&
        localName(parent) !== "option" &&
        textData(node).trim() !== ""
      )
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
    if (this.#told.has(element)) return;
    const sight = this.visibility.enter(element, parent);
    if (sight === null) {
      if (isField(element)) noteSecretIfSo(element);
      this.#countHidden(element);
      return;
    }
    this.layers.consider(sight, this.visibility);
    const restyled = tag === "label" ? this.#restyled(element) : null;
    const role = restyled === null ? this.#role(element, sight, level) : "";
    if (restyled !== null) this.#leaf(element, sight, out, level, restyled);
    else if (isLeaf(element, role)) this.#leafAt(element, role, sight, out, level);
    else this.#enter(element, role, sight, out, level);
  }

  /** The field that a label stands for, when the page made the field itself invisible. */
  #restyled(label: Element): Leaf | null {
    const control = isTag(label, "label") ? labelControl(label) : null;
    if (!isRestyled(control) || this.#told.has(control)) return null;
    const own = this.visibility.of(control);
    if (own !== null && this.visibility.boxSeen(own)) return null;
    const labels = labelsOf(control);
    const sight = this.visibility.of(label);
    if (
      sight === null ||
      (visibleWords(this.visibility, label, control) === "" && !this.visibility.boxSeen(sight) && labels.length < 2)
    )
      return null;
    this.#told.add(control);
    return fieldLeaf(this.visibility, control, roleOf(control), this.#focused, label);
  }

  #leafAt(element: Element, role: string, sight: Sight, out: Out, level: Level | null): void {
    if (role === "hidden") return;
    const seen = this.visibility.boxSeen(sight) || (isRestyled(element) && this.visibility.boxInPlace(sight));
    if (!seen) {
      if (isField(element)) noteSecretIfSo(element);
      return;
    }
    const leaf = leafOf(this.visibility, element, role, sight, this.#focused);
    if (leaf !== null) this.#leaf(element, sight, out, level, leaf);
  }

  #leaf(element: Element, sight: Sight, out: Out, level: Level | null, leaf: Leaf): void {
    const cover = leaf.draft.act === true ? this.#coverOf(element, sight) : "none";
    if (cover === "patch") return;
    if (cover === "overlay") leaf.draft.states = [...(leaf.draft.states ?? []), "covered"];
    this.#takeBack(leaf);
    if (leaf.draft.role === "img" && level?.mute === true) return;
    if (leaf.draft.href === undefined && isTag(element, "area")) leaf.draft.href = areaHref(element);
    out.push(leaf.draft);
    this.#pay(
      leaf.draft.act === true ? 6 : 3,
      `${leaf.draft.name ?? ""}${leaf.draft.value ?? ""}${leaf.draft.options?.labels.join(", ") ?? ""}`,
    );
  }

  /** Words that became a field's name are not told again, before or after it. */
  #takeBack(leaf: Leaf): void {
    const name = leaf.draft.name ?? "";
    for (const source of leaf.from) {
      this.#muted.add(source);
      // A label around its field is still being walked.
      const open = this.#stack.findIndex((level) => level.element === source);
      if (open !== -1) for (const level of this.#stack.slice(open)) level.mute = true;
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
    if (isRegion(element)) return "region";
    if ((role !== "" && role !== "img" && !PRESSED_AS_A_WHOLE.has(role)) || level?.acting === true) return role;
    if (tag === "html" || tag === "body" || tag === "label") return role;
    const tabbed =
      hasAttribute(element, "tabindex") &&
      Number(attribute(element, "tabindex")) >= 0 &&
      sight.style.overflow === "visible";
    if (!tabbed && !isPointed(sight) && !hasListener(element)) return role;
    return (role !== "" && role !== "img" && query(element, CONTROLS) !== null) ||
      (!tabbed && !isPointed(sight) && listensForOthers(element))
      ? role
      : "clickable";
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
      // What acts inside a label keeps a name of its own.
      mute: ((level?.mute ?? false) && kind !== "named" && kind !== "clickable") || this.#muted.has(element),
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
    const draft = this.#finisher.finish(level, items);
    if (draft === null) {
      for (const item of items) parentOut.push(item);
      parentOut.more += out.more;
      return;
    }
    if (draft === "nothing") return;
    if (out.more > 0) draft.more = (draft.more ?? 0) + out.more;
    parentOut.push(draft);
  }
}

const CONTROLS = "a[href], button, input, select, textarea, [role], [tabindex], [onclick], table, ul, ol";
const STRUCTURE = "table, ul, ol, form, main, nav, section, article, h1, h2, input, select, textarea";

/** One listener around many things is no thing to press. */
const listensForOthers = (element: Element): boolean =>
  query(element, STRUCTURE) !== null || queryAll(element, "a[href], button").length > 1;

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
