import type { TypedText } from "../gate/index.ts";
import type { Element, Intent, Sink, Site, Value } from "../types.ts";

/** Beyond that many the oldest are forgotten, and a page is taken to have seen others. */
const MAX_VALUES = 2_000;

/** Stands for what was typed into a secret field. */
export const SECRET = "(secret)";

/** Keys that write nothing and choose nothing that a click would not. */
const PUTS_NOTHING_IN: ReadonlySet<string> = new Set([
  ..."Enter Escape Tab Shift+Tab PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight Home End Backspace Delete F5".split(
    " ",
  ),
]);
/** Names of fields that search or filter, in lower case. */
const SEARCH_NAMES =
  /^(?:q|s|query|search|suche|recherche|filter|keyword|keywords|term|find|searchterm|search_query|searchquery|k|kw|search[-_ ]?(?:text|input|field|box))$/i;

/** What the agent has put into pages so far. */
export class Typed {
  #texts: TypedText[] = [];
  readonly #unseen = new Set<Site>();
  #isUnseenAnywhere = false;
  readonly #isOperators: (text: string) => boolean;

  /** `isOperators`: whether a text is among the operator's words. */
  constructor(isOperators: (text: string) => boolean) {
    this.#isOperators = isOperators;
  }

  get texts(): readonly TypedText[] {
    return this.#texts;
  }

  /** Keys were pressed one by one there: what they wrote cannot be recognised in a request. */
  hasUnseen(site: Site | null): boolean {
    return this.#isUnseenAnywhere || (site === null ? this.#unseen.size > 0 : this.#unseen.has(site));
  }

  note(intent: Intent): void {
    // An address is where to, not what; a pointer that only hovers writes nothing.
    if (intent.verb === "go" || intent.verb === "look" || intent.verb === "point" || intent.values.length === 0) return;
    if (intent.tool === "press_key") {
      if (intent.values.every(({ text }) => PUTS_NOTHING_IN.has(text))) return;
      const sites = intent.element !== null ? [intent.element.site] : (intent.sites ?? [null]);
      for (const site of sites) this.#hide(site);
      return;
    }
    for (const { element, values } of fieldsOf(intent)) for (const { text } of values) this.#add(text, element, intent);
  }

  /** All of it stood in a question that was answered with yes: an app may send it on in its own words. */
  shown(isIn: (text: string) => boolean): void {
    this.#texts = this.#texts.map((one) => (!one.isShown && isIn(one.text) ? { ...one, isShown: true } : one));
  }

  /** A question about what was typed there key by key was answered with yes. */
  unseenShown(site: Site | null): void {
    if (site !== null) this.#unseen.delete(site);
  }

  /** It was typed into a field whose value is shown to nobody. */
  isSecret(value: string): boolean {
    return this.#texts.some(({ text, isSecret }) => isSecret && text === value);
  }

  /** For whoever reads a question: "page" is said only of what holds nothing that was typed. */
  sourceOf(value: string): "task" | "agent" | "page" {
    if (value !== "" && this.#isOperators(value)) return "task";
    const isTyped = this.#texts.some(({ text }) => value === text || (text.length > 1 && value.includes(text)));
    return isTyped || value === SECRET ? "agent" : "page";
  }

  #hide(site: Site | null): void {
    if (site === null) this.#isUnseenAnywhere = true;
    else this.#unseen.add(site);
  }

  #add(text: string, element: Element | null, intent: Intent): void {
    if (text === "") return;
    const field = element?.field ?? null;
    const isSecret =
      field?.secret === true || intent.values.some(({ channel, text: of }) => channel.kind === "SECRET" && of === text);
    const site = element?.site ?? intent.site ?? null;
    const isChosen = intent.verb === "choose" || field?.type === "select";
    const one: TypedText = { text, site, isSearch: isSearchField(element), isChosen, isSecret, isShown: false };
    // The same again is newly typed.
    this.#texts = [...this.#texts.filter((other) => other.text !== text || other.site !== site), one];
    if (this.#texts.length <= MAX_VALUES) return;
    this.#hide(this.#texts[0]?.site ?? null);
    this.#texts = this.#texts.slice(1);
  }
}

function isSearchField(element: Element | null): boolean {
  const field = element?.field ?? null;
  return element?.role === "searchbox" || field?.type === "search" || (field !== null && SEARCH_NAMES.test(field.name));
}

function fieldsOf({
  sink,
  values,
  element,
}: Intent): readonly { readonly element: Element | null; readonly values: readonly Value[] }[] {
  if (isFields(sink)) return sink.fields;
  return [{ element: sink?.kind === "field" ? sink.element : element, values }];
}

function isFields(sink: Sink | null): sink is Extract<Sink, { kind: "fields" }> {
  return sink?.kind === "fields";
}
