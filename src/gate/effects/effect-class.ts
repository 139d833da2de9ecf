import type { EffectClass } from "../../types.ts";
import type { Address } from "./address.ts";
import { isIrreversibleCommand, saysIrreversible } from "./irreversible.ts";
import type { Operation } from "./operations.ts";
import { isSafeMethod } from "./override.ts";
import type { BodyField, BodyParts } from "./parts.ts";
import { lastKey } from "./shape.ts";
import { COMMAND_KEYS, IRREVERSIBLE, MADE_FOR_GOOD, NOUNS, PAYMENT_FIELDS, REVERSIBLE } from "./verbs.ts";
import { hasPhrase, isListed, wordsOf } from "./words.ts";

export interface ClassFacts {
  readonly method: string;
  readonly override: string | null;
  readonly address: Address | null;
  readonly parts: BodyParts;
  /** Of the body, those of a text that reads as JSON included. */
  readonly fields: readonly BodyField[];
  readonly operations: readonly Operation[];
  readonly element: { readonly role: string; readonly name: string } | null;
  readonly crossSite: boolean;
}

/**
 * What a request changes, as far as its facts tell. Irreversible by any sign of it; reversible only by a sign, and
 * where nothing else could be behind it; else unknown, because a small form can change the address that a password is
 * reset by as well as a title.
 */
export function effectClassOf(facts: ClassFacts): EffectClass {
  if (isIrreversible(facts)) return "irreversible";
  return isPlain(facts) && saysReversible(facts) ? "reversible" : "unknown";
}

function isIrreversible({ method, override, address, fields, operations, element }: ClassFacts): boolean {
  if (method.toUpperCase() === "DELETE" || override === "DELETE") return true;
  const segments = address?.segments ?? [];
  if (
    segments.some((segment, at) => isIrreversibleCommand(segment) && (at === segments.length - 1 || !isNoun(segment)))
  )
    return true;
  if (hasPhrase(IRREVERSIBLE, lastWords(segments))) return true;
  const last = (segments.at(-1) ?? "").toLowerCase();
  if (!isSafeMethod(method) && method !== "PATCH" && MADE_FOR_GOOD.has(last)) return true;
  if ([...(address?.query ?? []), ...fields].some(isIrreversibleField)) return true;
  if (operations.some(isIrreversibleOperation)) return true;
  // What is ticked or chosen is called by what it is ("Buy milk"), what is pressed by what it does.
  return element !== null && !IS_DATA.has(element.role) && saysIrreversible(element.name);
}

const IS_DATA: ReadonlySet<string> = new Set([
  "checkbox",
  "radio",
  "option",
  "combobox",
  "listbox",
  "slider",
  "treeitem",
]);

function isIrreversibleField({ name, value }: BodyField): boolean {
  const key = lastKey(name);
  if (PAYMENT_FIELDS.has(key)) return true;
  if (COMMAND_KEYS.has(key) && isIrreversibleCommand(value)) return true;
  const written = lastWritten(name);
  return !wordsOf(written).some((word) => NOUNS.has(word)) && isIrreversibleCommand(written);
}

/** `/order/12/note` is about an order, `/items/12/order` makes one. */
function isNoun(segment: string): boolean {
  const words = wordsOf(segment);
  return words.length === 1 && NOUNS.has(words[0] ?? "");
}

/** Of the end of a path: `/checkout/submit`, `/cart/add`. */
function lastWords(segments: readonly string[]): readonly string[] {
  return segments.slice(-2).flatMap(wordsOf);
}

function isIrreversibleOperation({ kind, name, fields }: Operation): boolean {
  return kind !== "query" && [name, ...fields].some(saysIrreversible);
}

/** The last key as it is written, so that its words can be told apart. */
function lastWritten(name: string): string {
  const [last = ""] = /[^.[\]"]+(?=[\]"\d[]*$)/.exec(name.slice(-200)) ?? [];
  return last;
}

function isPlain({ method, override, parts, crossSite }: ClassFacts): boolean {
  return (
    (method === "POST" || method === "PUT" || method === "PATCH") && override === null && parts.whole && !crossSite
  );
}

/** By what is sent alone: a page's label may make it more serious, never less. */
function saysReversible({ address, operations }: ClassFacts): boolean {
  const names = operations.flatMap(({ name, fields }) => [name, ...fields]);
  return [lastWords(address?.segments ?? []), ...names.map(wordsOf)].some(
    (words) => words.some((word) => isListed(REVERSIBLE, word)) || hasPhrase(REVERSIBLE, words),
  );
}
