import { type Described, permitsEffect } from "../gate/index.ts";
import type { RequestFacts } from "../types.ts";
import type { Permits } from "./grants.ts";
import { pathOf, placeOf, slotKinds } from "./places.ts";

/** A request that is looked up among what was granted. */
export interface Asked {
  readonly described: Described;
  /** What it has in common with a retry of it. */
  readonly same: string;
  readonly facts: RequestFacts;
  /** Something in it has a stake of its own, whoever sent it before. */
  readonly isSerious: () => boolean;
}

/** Uses of a yes to a form: that form again, and those of the pages that it leads to. */
const FORM_STEPS = 10;

/** Whether what was granted permits this request. */
export function fits(permits: Permits, { described, same, facts, isSerious }: Asked): boolean {
  switch (permits.kind) {
    case "effect":
      return permitsEffect(permits.entry, described);
    case "request":
      return permits.same === same && permits.document === (facts.from.document ?? null);
    case "form": {
      if (!isWidenable(described) || described.crossSite || isSerious()) return false;
      // That form again, or a form of the document that its answer loaded.
      if (described.operation.key === permits.operation) return true;
      return described.kind === "navigation" && pathOf(facts.from.documentUrl) === permits.place;
    }
    case "edits":
      return (
        isWidenable(described) &&
        !described.crossSite &&
        !isSerious() &&
        described.operation.key === permits.operation &&
        facts.from.document === permits.document
      );
    case "sort":
      return (
        isWidenable(described) &&
        described.operation.key === permits.operation &&
        slotKinds(described).every((name) => permits.slots.includes(name))
      );
    case "reach":
    case "private":
    case "anySite":
      return false;
    default:
      permits satisfies never;
      return false;
  }
}

/** What a wider answer permits beside the request itself. Null: nothing, it holds once. */
export function widened(
  choice: "form" | "task",
  { described, facts }: Pick<Asked, "described" | "facts">,
): { readonly permits: Permits; readonly left: number | null } | null {
  if (!isWidenable(described)) return null;
  const operation = described.operation.key;
  if (choice === "task") return { permits: { kind: "sort", operation, slots: slotKinds(described) }, left: null };
  const { document } = facts.from;
  if (described.kind === "data" && document != null)
    return { permits: { kind: "edits", operation, document }, left: null };
  return { permits: { kind: "form", operation, place: placeOf(facts.url) }, left: FORM_STEPS - 1 };
}

function isWidenable(described: Described): boolean {
  return (
    described.effect !== "irreversible" &&
    (described.parts.kind === "none" || described.parts.whole) &&
    described.parts.files.length === 0
  );
}
