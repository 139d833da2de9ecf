import type { Allow, Refuse, RuleId, Site, Verdict } from "../types.ts";

export interface RefusalWords {
  /** For the model: why. Fixed words, never text from a page. */
  readonly reason: string;
  /** For the model: what to do instead. */
  readonly remedy: string;
  /** For the operator: the option or configuration line that would allow it, null when none would. */
  readonly operator: string | null;
  /** The place that was refused. A host is chosen by its owner, so it stands here and not in a sentence. */
  readonly site: Site | null;
}

export function allow(rule: RuleId): Allow {
  return { verdict: "allow", rule };
}

export function refuse(rule: RuleId, words: RefusalWords): Refuse {
  return { verdict: "refuse", rule, reason: words.reason, remedy: words.remedy, operator: words.operator, site: words.site };
}

/** The first refusal, else the last verdict. Nothing decided is a refusal (`gate.undecided`). */
export function first(verdicts: readonly Verdict[]): Verdict {
  const refused = verdicts.find((verdict) => verdict.verdict !== "allow");
  return (
    refused ?? verdicts.at(-1) ?? refuse("gate.undecided", { reason: "No rule decided about this.", remedy: "Try something else.", operator: null, site: null })
  );
}
