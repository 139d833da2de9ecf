import type { Intent, Sink, Site } from "../types.ts";

/** Beyond that many the newest are looked for, and a page is taken to have seen others. */
const MAX_VALUES = 2_000;

/** Stands for what was typed into a secret field. */
export const SECRET = "(secret)";

/** Keys that write nothing and choose nothing that a click would not. */
const PUTS_NOTHING_IN: ReadonlySet<string> = new Set(["Enter", "Escape", "Tab", "Shift+Tab", "PageUp", "PageDown"]);

/** What the agent has put into pages so far. */
export class Typed {
  readonly #values = new Set<string>();
  readonly #secrets = new Set<string>();
  readonly #unseen = new Set<Site>();
  readonly #touched = new Set<Site>();
  /** An input went wherever the focus was. */
  #isAllTouched = false;
  readonly #isOperators: (text: string) => boolean;

  /** `isOperators`: whether a text is among the operator's words. */
  constructor(isOperators: (text: string) => boolean) {
    this.#isOperators = isOperators;
  }

  get values(): readonly string[] {
    return [...this.#values];
  }

  /** What was put in there cannot be recognised in a request: single keys, choices whose value the page knows. */
  hasUnseen(site: Site | null): boolean {
    return site === null ? this.#unseen.size > 0 : this.#unseen.has(site);
  }

  /** The agent clicked, typed or chose something there, ever. */
  hasTouched(site: Site | null): boolean {
    return this.#isAllTouched || (site === null ? this.#touched.size > 0 : this.#touched.has(site));
  }

  note(intent: Intent): void {
    // An address is where to, not what.
    if (intent.verb === "go" || intent.verb === "look") return;
    const site = intent.element?.site ?? null;
    if (site === null) this.#isAllTouched = true;
    else this.#touched.add(site);
    const isKey = intent.tool === "press_key";
    if (!isKey) for (const { text } of intent.values) if (text !== "") this.#values.add(text);
    for (const text of secretsIn(intent)) if (text !== "") this.#secrets.add(text);
    const isUnseen =
      (isKey && !intent.values.every(({ text }) => PUTS_NOTHING_IN.has(text))) ||
      intent.verb === "choose" ||
      intent.verb === "upload" ||
      (intent.sink?.kind === "fields" && !intent.sink.fields.every(isTypedInto)) ||
      this.#values.size > MAX_VALUES;
    if (isUnseen && intent.values.length > 0 && site !== null) this.#unseen.add(site);
    for (const oldest of this.#values) {
      if (this.#values.size <= MAX_VALUES) break;
      this.#values.delete(oldest);
    }
  }

  /** It was typed into a field whose value is shown to nobody. */
  isSecret(value: string): boolean {
    return this.#secrets.has(value);
  }

  /** For whoever reads a question. */
  sourceOf(value: string): "task" | "agent" | "page" {
    if (value !== "" && this.#isOperators(value)) return "task";
    return this.#values.has(value) || value === SECRET ? "agent" : "page";
  }
}

/** Words that will be found as they were given; what is ticked or chosen is not. */
function isTypedInto({ element, values }: Extract<Sink, { kind: "fields" }>["fields"][number]): boolean {
  return values.length > 0 && element.field !== null && element.field.type !== "select";
}

function secretsIn({ sink, values }: Intent): readonly string[] {
  if (sink?.kind === "field") return sink.element.field?.secret === true ? values.map(({ text }) => text) : [];
  if (sink?.kind !== "fields") return [];
  return sink.fields.flatMap(({ element, values: entered }) => (element.field?.secret === true ? entered.map(({ text }) => text) : []));
}
