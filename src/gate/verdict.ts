import { type CaseOf, type Filling, said, type WordsOf } from "../rules/index.ts";
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
  return {
    verdict: "refuse",
    rule,
    reason: words.reason,
    remedy: words.remedy,
    operator: words.operator,
    site: words.site,
  };
}

/** In the words that the table has for that case of the rule. */
export function refuseBy<Id extends RuleId, const Case extends CaseOf<Id>>(
  rule: Id,
  of: Case,
  site: Site | null,
  ...holes: Filling<WordsOf<Id, Case>>
): Refuse {
  return refuse(rule, { ...said(rule, of, ...holes), site });
}

/** The first refusal, else the last verdict. Nothing decided is a refusal (`gate.undecided`). */
export function first(verdicts: readonly Verdict[]): Verdict {
  const refused = verdicts.find((verdict) => verdict.verdict !== "allow");
  return refused ?? verdicts.at(-1) ?? refuseBy("gate.undecided", "plain", null);
}
