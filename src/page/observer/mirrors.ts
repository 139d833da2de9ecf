import { Masking } from "../../masking/masking.ts";
import { areaValue, inputType, inputValue, isTag, textContent } from "./dom.ts";
import { fieldsIn, isEditable, isSecret } from "./fields.ts";

const secrets = new Masking();

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
export const withoutSecrets = (words: string): string => secrets.mask(words);

/** True when the words are a secret value or hold one. */
export const holdsSecret = (words: string): boolean => secrets.holds(words);

/** For the host, which takes them out of what does not come through this world. */
export const secretValues = (): readonly string[] => secrets.values;
