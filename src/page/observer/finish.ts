import { clean, cut } from "./clean.ts";
import type { Cover } from "./cover.ts";
import { anchorHref, areaHref, isTag, nextElementSibling, query } from "./dom.ts";
import { agree, type Draft, tell } from "./draft.ts";
import { idOf } from "./ids.ts";
import { imageName, named, withStates } from "./leaves.ts";
import { actsByItself, type Level } from "./level.ts";
import { withoutSecrets } from "./mirrors.ts";
import { ariaName, titleName, UNSEEN_NAME_MAX_CHARACTERS } from "./names.ts";
import { PRESSED_AS_A_WHOLE, roleOf, SECTIONS, SECTIONS_WITH_NAME } from "./roles.ts";
import { statesOf } from "./states.ts";
import type { Visibility } from "./visibility.ts";
import { visibleWords } from "./words.ts";

/** More words than these are no name of something to press. */
const CLICKABLE_WORDS_MAX = 200;
/** By these words a row is known again. */
const ROW_NAME_MAX_CHARACTERS = 120;

/** Makes the node of a container once its inside was walked. */
export class Finisher {
  readonly visibility: Visibility;
  readonly #focused: Element | null;
  readonly #pay: (overhead: number, words?: string) => void;
  readonly #coverOf: (level: Level) => Cover;

  constructor(
    visibility: Visibility,
    focused: Element | null,
    pay: (overhead: number, words?: string) => void,
    coverOf: (level: Level) => Cover,
  ) {
    this.visibility = visibility;
    this.#focused = focused;
    this.#pay = pay;
    this.#coverOf = coverOf;
  }

  /**
   * The node of a container that was walked; null when it dissolves into the one around, "nothing" when there is
   * nothing to see.
   */
  finish(level: Level, items: Draft[]): Draft | "nothing" | null {
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
    if (items.every((item) => item.name === undefined && item.children === undefined && item.act !== true))
      return "nothing";
    const draft: Draft = { role: "row", id: idOf(level.element), children: items };
    if (actsByItself(level)) {
      draft.act = true;
      draft.name = cut(tell(items).words, ROW_NAME_MAX_CHARACTERS);
    }
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
    return withStates(
      named({ role, id: idOf(element), children: told.items }, told.name),
      statesOf(element, role, element, this.#focused),
    );
  }

  #sectionName(level: Level, items: Draft[]): { name: { text: string; nonvisual: boolean }; items: Draft[] } {
    const { element, role } = level;
    const aria = ariaName(this.visibility, element);
    const legend =
      role === "group"
        ? query(element, ":scope > legend")
        : role === "table"
          ? query(element, ":scope > caption")
          : null;
    const words = aria.text === "" && legend !== null ? visibleWords(this.visibility, legend) : aria.text;
    if (words === "") return { name: { text: "", nonvisual: false }, items };
    const first = items[0];
    const repeats =
      first !== undefined &&
      (first.role === "text" || first.role === "heading") &&
      first.name === words &&
      first.children === undefined;
    // A name that only screen readers hear is shown when it stands in the page as well.
    return {
      name: { text: words, nonvisual: aria.text !== "" && aria.nonvisual && !repeats },
      items: repeats && items.length > 1 ? items.slice(1) : items,
    };
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
      named(
        draft,
        rest === ""
          ? titleName(element)
          : { text: cut(withoutSecrets(rest), UNSEEN_NAME_MAX_CHARACTERS), nonvisual: true },
      );
    }
    if (draft.act === true) {
      if (!told.seen && !this.#boxSeenInside(level)) return "nothing";
      const cover = this.#coverOf(level);
      if (cover === "patch" && !told.seen) return "nothing";
      if (cover === "overlay") draft.states = ["covered"];
    } else if (draft.name === undefined && children.length === 0) return "nothing";
    const address = hrefOf(element);
    if (role === "link" && address !== null) draft.href = withoutSecrets(address);
    if (children.length > 0) draft.children = children;
    this.#pay(role === "link" ? 8 : 5);
    const states = [...statesOf(element, role, element, this.#focused), ...(draft.states ?? [])];
    return withStates(draft, states);
  }

  /** Its own box, or, for one without size, a child's that floats or stands elsewhere. */
  #boxSeenInside(level: Level): boolean {
    if (level.sight.display !== "contents" && this.visibility.boxSeen(level.sight)) return true;
    if (!level.sight.painted || !level.sight.shown) return false;
    for (
      let child = query(level.element, "svg, img, i, span, div");
      child !== null;
      child = nextElementSibling(child)
    ) {
      const sight = this.visibility.of(child);
      if (sight !== null && this.visibility.boxSeen(sight)) return true;
    }
    return false;
  }

  #clickable(level: Level, items: Draft[]): Draft | "nothing" | null {
    const told = tell(items);
    if (
      told.acting.length > 1 ||
      told.words.length > CLICKABLE_WORDS_MAX ||
      items.some((item) => SECTIONS.has(item.role) || item.role === "row")
    )
      return PRESSED_AS_A_WHOLE.has(roleOf(level.element)) ? this.#asItIs(level, items) : null;
    return this.#named(level, items);
  }

  /** Too much is in it to be one thing to press. */
  #asItIs(level: Level, items: Draft[]): Draft | "nothing" | null {
    const own = { ...level, role: roleOf(level.element) };
    return own.role === "heading" ? null : this.#section(own, items);
  }

  #combobox(level: Level, items: Draft[]): Draft | "nothing" | null {
    if (items.some((item) => item.role === "combobox" || item.role === "textbox" || item.role === "searchbox"))
      return null;
    const told = tell(items);
    if (!told.seen && !this.#boxSeenInside(level)) return "nothing";
    const aria = ariaName(this.visibility, level.element);
    const draft = named(
      { role: level.role, id: idOf(level.element), act: true },
      aria.text === "" ? titleName(level.element) : aria,
    );
    if (told.words !== "") draft.value = told.words;
    if (told.acting.length > 0) draft.children = told.acting;
    this.#pay(6, told.words);
    return withStates(draft, statesOf(level.element, level.role, level.element, this.#focused));
  }
}

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

function hrefOf(element: Element): string | null {
  if (isTag(element, "a")) return anchorHref(element);
  return isTag(element, "area") ? areaHref(element) : null;
}
