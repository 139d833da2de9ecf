import { Masking } from "../../masking/masking.ts";
import { areaValue, attribute, inputType, inputValue, isTag, textContent } from "./dom.ts";
import { fieldsIn, isEditable, isSecret } from "./fields.ts";

const secrets = new Masking();
/** Of the fields of this document. */
const OWN = "own";

/** Remembers what secret fields hold, so that a copy of it in the page's words is taken out too. */
export function noteSecret(element: Element): void {
  secrets.note(
    isTag(element, "input")
      ? inputValue(element)
      : isTag(element, "textarea")
        ? areaValue(element)
        : (textContent(element) ?? ""),
    false,
    OWN,
  );
}

export function noteSecrets(roots: Iterable<Document | ShadowRoot>): void {
  for (const field of fieldsIn(roots)) {
    if (
      isTag(field, "input")
        ? inputType(field) !== "hidden" && isSecret(field)
        : (isTag(field, "textarea") || isEditable(field)) && isSecret(field)
    )
      noteSecret(field);
  }
}

/** The words without any copy of a secret value, however it is written. */
export const withoutSecrets = (words: string): string => secrets.mask(words);

/** True when the words are a secret value or hold one. */
export const holdsSecret = (words: string): boolean => secrets.holds(words);

/** What fields of other documents of this site held: the host says it before this one is acted on or pictured. */
export function knowSecrets(values: readonly string[]): void {
  for (const value of values) secrets.note(value, true);
}

/** Whether there is any to look for. */
export const knowsSecrets = (): boolean => secrets.size > 0;

/** For the host, which takes them out of what does not come through this world. */
export const secretValues = (): readonly string[] => secrets.valuesOf(OWN);

/** Those of the elements that show one otherwise than by text in them. */
export function showingByAttribute(elements: readonly Element[]): readonly Element[] {
  // Mostly none does, and one long text is looked through sooner than very many.
  if (!holdsSecret(elements.flatMap(wordsBeside).join("\n"))) return [];
  return elements.filter((element) => wordsBeside(element).some(holdsSecret));
}

/** A placeholder, a button's words, what stands for a picture, the chosen one of many. */
function wordsBeside(element: Element): readonly string[] {
  const words = Element.prototype.getAttributeNames.call(element).map((name) => attribute(element, name) ?? "");
  if (isTag(element, "select")) words.push(textContent(element) ?? "");
  if (isTag(element, "input")) words.push(inputValue(element));
  return words;
}
