import type { EffectClass } from "../../types.ts";
import type { Address } from "./address.ts";
import { isIrreversibleCommand, saysIrreversible } from "./irreversible.ts";
import type { Operation } from "./operations.ts";
import { isSafeMethod } from "./override.ts";
import type { BodyField, BodyParts } from "./parts.ts";
import { lastKey } from "./shape.ts";
import { COMMAND_KEYS, MADE_FOR_GOOD, NO_FIELD_VERBS, PAYMENT_FIELDS, REVERSIBLE } from "./verbs.ts";
import { hasPhrase, isListed, wordsOf } from "./words.ts";

export interface ClassFacts {
  readonly method: string;
  readonly override: string | null;
  readonly address: Address | null;
  readonly parts: BodyParts;
  /** Of the body, those of a text that reads as JSON included. */
  readonly fields: readonly BodyField[];
  readonly operations: readonly Operation[];
  readonly element: { readonly name: string } | null;
  readonly crossSite: boolean;
}

/**
 * What a request changes, as far as its facts tell. Irreversible by any sign of it; reversible only by a sign, and where nothing else could be behind it; else
 * unknown, because a small form can change the address that a password is reset by as well as a title.
 */
export function effectClassOf(facts: ClassFacts): EffectClass {
  if (isIrreversible(facts)) return "irreversible";
  return isPlain(facts) && saysReversible(facts) ? "reversible" : "unknown";
}

function isIrreversible({ method, override, address, fields, operations, element }: ClassFacts): boolean {
  if (method.toUpperCase() === "DELETE" || override === "DELETE") return true;
  const segments = address?.segments ?? [];
  if (segments.some(isIrreversibleCommand)) return true;
  const last = (segments.at(-1) ?? "").toLowerCase();
  if (!isSafeMethod(method) && method !== "PATCH" && MADE_FOR_GOOD.has(last)) return true;
  if ([...(address?.query ?? []), ...fields].some(isIrreversibleField)) return true;
  if (operations.some(isIrreversibleOperation)) return true;
  return element !== null && saysIrreversible(element.name);
}

function isIrreversibleField({ name, value }: BodyField): boolean {
  const key = lastKey(name);
  if (PAYMENT_FIELDS.has(key)) return true;
  if (COMMAND_KEYS.has(key) && isIrreversibleCommand(value)) return true;
  const written = lastWritten(name);
  const words = wordsOf(written);
  return !words.some((word) => NO_FIELD_VERBS.has(word)) && isIrreversibleCommand(written);
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
  return (method === "POST" || method === "PUT" || method === "PATCH") && override === null && parts.whole && !crossSite;
}

function saysReversible({ address, operations, element }: ClassFacts): boolean {
  const names = [...(address?.segments ?? []).slice(-2), ...operations.flatMap(({ name, fields }) => [name, ...fields]), element?.name ?? ""];
  return names.some((name) => {
    const words = wordsOf(name);
    return words.some((word) => isListed(REVERSIBLE, word)) || hasPhrase(REVERSIBLE, words);
  });
}
