import { areaValue, inputType, inputValue, isTag, textContent } from "./dom.ts";
import { fieldsIn, isEditable, isSecret } from "./fields.ts";

/** Shorter values are kept back by their field alone: replacing them would eat ordinary words. */
const MIRROR_MIN_CHARACTERS = 6;
const MIRRORS_MAX = 200;
const SECRET_SIGN = "(secret)";

const seen = new Set<string>();

/** Remembers what secret fields hold, so that a copy of it in the page's words is taken out too. Never leaves this world. */
export function noteSecret(element: Element): void {
  const value = isTag(element, "input") ? inputValue(element) : isTag(element, "textarea") ? areaValue(element) : (textContent(element) ?? "");
  const words = value.trim();
  if (words.length < MIRROR_MIN_CHARACTERS || seen.has(words)) return;
  const oldest = seen.size >= MIRRORS_MAX ? seen.values().next().value : undefined;
  if (oldest !== undefined) seen.delete(oldest);
  seen.add(words);
}

export function noteSecrets(roots: Iterable<Document | ShadowRoot>): void {
  for (const field of fieldsIn(roots)) {
    if (isTag(field, "input") ? inputType(field) !== "hidden" && isSecret(field) : (isTag(field, "textarea") || isEditable(field)) && isSecret(field))
      noteSecret(field);
  }
}

/** The words without any copy of a secret value; longest first, so that no rest stays. */
export function withoutSecrets(words: string): string {
  if (seen.size === 0 || words.length < MIRROR_MIN_CHARACTERS) return words;
  let out = words;
  for (const value of [...seen].sort((a, b) => b.length - a.length)) {
    for (const form of new Set([value, encodeURIComponent(value)])) if (out.includes(form)) out = out.split(form).join(SECRET_SIGN);
  }
  return out;
}

/** True when the words are a secret value or hold one. */
export const holdsSecret = (words: string): boolean => withoutSecrets(words) !== words;
