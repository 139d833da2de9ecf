import { Masking } from "../../masking/masking.ts";
import { areaValue, attribute, inputType, inputValue, isTag, textContent } from "./dom.ts";
import { fieldsIn, isEditable, isSecret } from "./fields.ts";

const secrets = new Masking();
/** What fields of other documents of this site held: the host says it before this one is acted on or pictured. */
const ofOthers = new Masking();

/** Remembers what secret fields hold, so that a copy of it in the page's words is taken out too. */
export function noteSecret(element: Element): void {
  secrets.note(
    isTag(element, "input")
      ? inputValue(element)
      : isTag(element, "textarea")
        ? areaValue(element)
        : (textContent(element) ?? ""),
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
export const withoutSecrets = (words: string): string => ofOthers.mask(secrets.mask(words));

/** True when the words are a secret value or hold one. */
export const holdsSecret = (words: string): boolean => secrets.holds(words) || ofOthers.holds(words);

export function knowSecrets(values: readonly string[]): void {
  for (const value of values) ofOthers.note(value, true);
}

/** Whether there is any to look for. */
export const knowsSecrets = (): boolean => secrets.size > 0 || ofOthers.size > 0;

/** For the host, which takes them out of what does not come through this world. */
export const secretValues = (): readonly string[] => secrets.values;

/** A placeholder, a button's words, what stands for a picture, the chosen one of many. */
export function showsByAttribute(element: Element): boolean {
  const names = Element.prototype.getAttributeNames.call(element);
  if (names.some((name) => holdsSecret(attribute(element, name) ?? ""))) return true;
  if (isTag(element, "select")) return holdsSecret(textContent(element) ?? "");
  return isTag(element, "input") && holdsSecret(inputValue(element));
}
