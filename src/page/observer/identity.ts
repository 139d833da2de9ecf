import {
  anchorHref,
  attribute,
  flatParent,
  hasAttribute,
  isElement,
  isTag,
  isText,
  localName,
  nextElementSibling,
  previousElementSibling,
  query,
  textData,
} from "./dom.ts";
import { chosenLabels, isField, isSecret, rawValue } from "./fields.ts";
import { UNREAD_TAGS } from "./roles.ts";
import { type Cursor, cursorInto, step } from "./words.ts";

const ITEM_MAX_CHARACTERS = 600;
const AROUND_MAX_CHARACTERS = 200;
/** Words near something that stands in no row: more than these are the page's, not its own. */
const NEAR_MAX_CHARACTERS = 300;
const VISITS_MAX = 600;
const LEVELS_MAX = 25;
const SIBLINGS_PASSED_MAX = 6;
const ALIKE_CHILDREN = 6;
const TWINS_LOOKED_AT_MAX = 8;
const LABEL_MAX_CHARACTERS = 80;

const ITEM_TAGS = new Set(["tr", "li", "article"]);
const ITEM_ROLES = new Set(["row", "listitem", "article", "treeitem"]);
const SECTION_TAGS = new Set([
  "section",
  "fieldset",
  "details",
  "dialog",
  "nav",
  "aside",
  "form",
  "table",
  "ul",
  "ol",
  "article",
  "main",
]);
const SECTION_ROLES = new Set(
  "region group dialog alertdialog tabpanel navigation complementary form table grid list listbox menu radiogroup tree article".split(
    " ",
  ),
);
const SECTION_HEADS =
  ":scope > legend, :scope > caption, :scope > summary, :scope > :is(h1,h2,h3,h4,h5,h6), :scope > header :is(h1,h2,h3,h4,h5,h6)";
/** What comes and goes by itself, or when something is pointed at. */
const QUIET_ROLES = new Set(
  "button switch checkbox radio menuitem menuitemcheckbox menuitemradio tab tooltip menu status alert timer progressbar log marquee".split(
    " ",
  ),
);
const IDENTIFYING = /^data-(?:.*-)?(?:id|key|uuid|uid|pk)$/;

const isItem = (element: Element): boolean =>
  ITEM_TAGS.has(localName(element)) || ITEM_ROLES.has(attribute(element, "role") ?? "");
const isEnd = (element: Element): boolean => isTag(element, "body") || isTag(element, "html");
const isSection = (element: Element): boolean =>
  SECTION_TAGS.has(localName(element)) || SECTION_ROLES.has(attribute(element, "role") ?? "");

/** What a field held when the agent was last told; what it wrote itself since then is no other row. */
let written = new WeakMap<Element, { readonly now: string; readonly before: string }>();
const used = new WeakMap<Element, string>();

/** The value was read back to the agent after it wrote it. */
export function noteWritten(field: Element): void {
  const now = valueIn(field);
  written.set(field, { now, before: used.get(field) ?? now });
}

/** A look tells all values anew. */
export function forgetWritten(): void {
  written = new WeakMap();
}

function valueIn(field: Element): string {
  if (isSecret(field)) return "";
  return chosenLabels(field)?.join(",") ?? rawValue(field) ?? "";
}

function heldBy(field: Element): string {
  const now = valueIn(field);
  const own = written.get(field);
  const value = own !== undefined && own.now === now ? own.before : now;
  used.set(field, value);
  return value;
}

interface Words {
  readonly text: string;
  /** They are more than names of buttons. */
  readonly data: boolean;
}

const NO_WORDS: Words = { text: "", data: false };

interface Level {
  readonly cursor: Cursor;
  readonly quiet: boolean;
}

const isQuiet = (element: Element): boolean =>
  isTag(element, "button") || hasAttribute(element, "aria-live") || QUIET_ROLES.has(attribute(element, "role") ?? "");

const fold = (words: string): string => words.replace(/\s+/g, " ").trim();

/**
 * Words of an element and what its fields hold. Whether they are seen does not count, so that pointing at it or opening
 * a menu in it changes nothing; buttons count only where there are no other words.
 */
function collect(element: Element, max: number, except: (child: Element) => boolean): Words {
  let plain = "";
  let all = "";
  let held = "";
  let visits = 0;
  const add = (words: string, quiet: boolean): void => {
    if (!quiet) plain += words;
    all += words;
  };
  const stack: Level[] = [{ cursor: cursorInto(element), quiet: isQuiet(element) }];
  while (stack.length > 0 && plain.length < max * 2 && visits < VISITS_MAX) {
    const level = stack[stack.length - 1];
    if (level === undefined) break;
    const node = step(level.cursor);
    visits += 1;
    if (node === null) {
      stack.pop();
      add(" ", level.quiet);
    } else if (isText(node)) add(textData(node), level.quiet);
    else if (isElement(node) && PLAIN_TAGS.has(localName(node)) && !hasAttributes(node)) {
      // Most of a page, and nothing to ask about it.
      if (except(node)) continue;
      add(" ", level.quiet);
      stack.push({ cursor: cursorInto(node), quiet: level.quiet });
    } else if (isElement(node) && !UNREAD_TAGS.has(localName(node)) && !except(node)) {
      const quiet = level.quiet || isQuiet(node);
      if (isField(node)) held += ` ${heldBy(node)}`;
      else {
        const label = attribute(node, "alt") ?? attribute(node, "aria-label");
        add(label === null ? " " : ` ${label} `, quiet);
        stack.push({ cursor: cursorInto(node), quiet });
      }
    }
  }
  const words = fold(plain);
  return { text: fold(`${words === "" ? all : words}${held}`).slice(0, max), data: words !== "" || held.trim() !== "" };
}

const PLAIN_TAGS = new Set("td th tr span div p b i em strong small li ul ol h1 h2 h3 h4".split(" "));
const attributesThere = Element.prototype.hasAttributes;
const hasAttributes = (element: Element): boolean => attributesThere.call(element);

const none = (): boolean => false;

function childTags(element: Element): string {
  let tags = "";
  let count = 0;
  for (
    let child = query(element, ":scope > *");
    child !== null && count < ALIKE_CHILDREN;
    child = nextElementSibling(child), count += 1
  )
    tags += `${localName(child)} `;
  return tags;
}

/** Made by the same template, as far as one can tell. */
function alike(one: Element, other: Element): boolean {
  if (localName(one) !== localName(other)) return false;
  const tags = childTags(one);
  const style = attribute(one, "class");
  return (
    (tags !== "" && tags === childTags(other)) ||
    (style !== null && style !== "" && style === attribute(other, "class"))
  );
}

type Way = (from: Element) => Element | null;
const WAYS: readonly Way[] = [previousElementSibling, nextElementSibling];

function nearestOfTag(element: Element, way: Way): Element | null {
  let at = way(element);
  for (let passed = 0; at !== null && passed < SIBLINGS_PASSED_MAX; passed += 1, at = way(at))
    if (localName(at) === localName(element)) return at;
  return null;
}

/** What somebody would call it: enough to tell Delete from Edit. */
function labelOf(element: Element): string {
  const words = isField(element) ? "" : collect(element, LABEL_MAX_CHARACTERS, none).text;
  return [
    attribute(element, "aria-label"),
    attribute(element, "title"),
    attribute(element, "type"),
    attribute(element, "placeholder"),
    words,
  ].join("|");
}

const byTag = Element.prototype.getElementsByTagName;

/** The place of elements among their like, as one look or one question finds it. */
export class Identities {
  readonly #words = new Map<Element, Words>();
  readonly #around = new Map<Element, string>();
  readonly #labels = new Map<Element, string>();

  /**
   * A short sign for the row, item or section that an element stands in. The same for an element as long as those words
   * are the same; the same function answers when it is shown and when it is acted on.
   */
  of(element: Element): string {
    const { holder, words } = this.#item(element);
    return digest(
      JSON.stringify([ownMarks(element), holder === element ? "" : ownMarks(holder), words, this.#aroundOf(holder, 0)]),
    );
  }

  #wordsOf(element: Element): Words {
    const known = this.#words.get(element);
    if (known !== undefined) return known;
    const words = collect(element, ITEM_MAX_CHARACTERS, none);
    this.#words.set(element, words);
    return words;
  }

  #labelOf(element: Element): string {
    const known = this.#labels.get(element);
    if (known !== undefined) return known;
    const label = labelOf(element);
    this.#labels.set(element, label);
    return label;
  }

  /**
   * The innermost row or item around it with words of its own: marked as one, or repeated beside it with the same
   * control inside. One that has nothing but names of buttons says too little: what is around it is asked too. Outside
   * of rows it is the words nearby.
   */
  #item(element: Element): { readonly holder: Element; readonly words: string } {
    const field = isField(element);
    const own = field ? "" : this.#wordsOf(element).text;
    // What a field holds itself is not its place.
    const wordsOf = (at: Element): Words =>
      field ? collect(at, ITEM_MAX_CHARACTERS, (child) => child === element) : this.#wordsOf(at);
    const parts: string[] = [];
    let holder: Element | null = null;
    let near = false;
    let at: Element | null = element;
    for (let level = 0; at !== null && !isEnd(at) && level < LEVELS_MAX; level += 1, at = flatParent(at)) {
      if (at !== element && isCell(at)) continue;
      const { text, data } = at === element && field ? NO_WORDS : wordsOf(at);
      const more = text !== "" && (text !== own || (at === element && isItem(at)));
      const item = isItem(at) || this.#twinBeside(at, element);
      const words = more ? text : item && !isItem(at) ? this.#gap(at, element) : "";
      if (item && words !== "") {
        holder = at;
        parts.push(words);
        if (data || !more) return { holder, words: parts.join(" | ") };
      } else if (
        more &&
        data &&
        text.length <= NEAR_MAX_CHARACTERS &&
        at !== element &&
        (!near || this.#repeated(at))
      ) {
        const enough = near || this.#repeated(at);
        near = true;
        holder ??= at;
        parts.push(text);
        if (enough) break;
      }
    }
    return { holder: holder ?? element, words: parts.join(" | ") };
  }

  #repeated(element: Element): boolean {
    return WAYS.some((way) => {
      const other = nearestOfTag(element, way);
      return other !== null && alike(element, other);
    });
  }

  #twinBeside(holder: Element, element: Element): boolean {
    return WAYS.some((way) => {
      const other = nearestOfTag(holder, way);
      return other !== null && this.#holdsTwin(other, element, holder === element);
    });
  }

  #holdsTwin(other: Element, element: Element, itself: boolean): boolean {
    const label = this.#labelOf(element);
    if (itself) return this.#labelOf(other) === label;
    const found = byTag.call(other, localName(element));
    for (let index = 0; index < Math.min(found.length, TWINS_LOOKED_AT_MAX); index += 1) {
      const twin = found.item(index);
      if (twin !== null && this.#labelOf(twin) === label) return true;
    }
    return false;
  }

  /** Words between an element and its like on both sides, for rows that nothing is put around. */
  #gap(holder: Element, element: Element): string {
    let words = "";
    for (const way of WAYS) {
      let at = way(holder);
      for (let passed = 0; at !== null && passed < SIBLINGS_PASSED_MAX; passed += 1, at = way(at)) {
        if (localName(at) === localName(holder) && this.#holdsTwin(at, element, holder === element)) break;
        words += ` ${isField(at) ? "" : this.#wordsOf(at).text}`;
      }
      words += "|";
    }
    return words.replace(/[\s|]+/g, "") === "" ? "" : fold(words).slice(0, NEAR_MAX_CHARACTERS);
  }

  /** Names of the sections around, and the words of the rows around without those of rows like this one. */
  #aroundOf(inner: Element, level: number): string {
    const known = this.#around.get(inner);
    if (known !== undefined) return known;
    const outer = flatParent(inner);
    if (outer === null || isEnd(outer) || level > LEVELS_MAX) return "";
    let part = "";
    if (isItem(outer) || (!isSection(outer) && !isCell(outer) && !isTableBody(outer) && this.#repeated(outer)))
      part = collect(
        outer,
        AROUND_MAX_CHARACTERS,
        (child) => child === inner || (flatParent(child) === outer && alike(child, inner)),
      ).text;
    if (isSection(outer)) part += `#${this.#sectionName(outer)}`;
    const around = `${part}/${this.#aroundOf(outer, level + 1)}`;
    this.#around.set(inner, around);
    return around;
  }

  #sectionName(section: Element): string {
    const before = previousElementSibling(section);
    const head =
      query(section, SECTION_HEADS) ?? (before !== null && /^h[1-6]$/.test(localName(before)) ? before : null);
    const words = attribute(section, "aria-label") ?? (head === null ? "" : this.#wordsOf(head).text);
    // What is counted in brackets changes with what is inside.
    return fold(words.replace(/\(\d+\)/g, "")).slice(0, AROUND_MAX_CHARACTERS);
  }
}

const isCell = (element: Element): boolean => {
  const tag = localName(element);
  return (
    tag === "td" || tag === "th" || /^(?:cell|gridcell|rowheader|columnheader)$/.test(attribute(element, "role") ?? "")
  );
};
const isTableBody = (element: Element): boolean => localName(element) === "tbody" || localName(element) === "thead";

/** What a page writes on an element to know it by. */
function ownMarks(element: Element): string {
  let marks = "";
  for (const name of Element.prototype.getAttributeNames.call(element))
    if (IDENTIFYING.test(name)) marks += `${name}=${attribute(element, name)};`;
  const link = isTag(element, "a") ? element : null;
  if (link !== null && hasAttribute(link, "href")) marks += anchorHref(link).replace(/#.*$/, "");
  if (
    isTag(element, "button") ||
    (isTag(element, "input") && /^(?:submit|button|image|radio|checkbox)$/.test(attribute(element, "type") ?? ""))
  )
    marks += `|${attribute(element, "value") ?? ""}|${attribute(element, "formaction") ?? ""}`;
  return marks;
}

/** 64 bits, enough to tell rows of one page apart. */
function digest(words: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < words.length; index += 1) {
    const code = words.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (b >>> 0).toString(36) + (a >>> 0).toString(36);
}
