import { canonicalUrl, refuse } from "../gate/index.ts";
import type { Refuse, RequestKind, Site } from "../types.ts";

/** What the operator's own rule is asked about. Addresses are whole: the rule is the operator's code. */
export interface RuleRequest {
  readonly url: string;
  readonly kind: RequestKind;
  /** Chromium's finer word: Document, XHR, Fetch, Image, Script … */
  readonly resourceType: string;
  readonly method: string;
  /** Address of the top document of the tab; null when it is not known. */
  readonly mainDocument: string | null;
  /** Site of `url`; null when it has none. */
  readonly site: Site | null;
}

/** A string refuses, with the operator's reason; null leaves it to the rules. Anything else, or an exception, refuses. */
export type RuleHook = (request: RuleRequest) => string | null;

/** What a reason may take in an answer, in characters. */
const MAX_REASON_CHARS = 200;

/** The rule's refusal (`reach.rule`), or null when it has none. Never throws. */
export function askRule(rule: RuleHook, request: Omit<RuleRequest, "site">): Refuse | null {
  const parsed = canonicalUrl(request.url);
  const site = parsed.ok ? parsed.site : null;
  let answer: unknown;
  try {
    answer = rule(Object.freeze({ ...request, site }));
  } catch {
    return refused("The operator's rule failed, which counts as a refusal.", site);
  }
  if (answer === null) return null;
  if (typeof answer !== "string") return refused("The operator's rule gave no valid answer, which counts as a refusal.", site);
  return refused(oneLine(answer) || "The operator's rule refuses this.", site);
}

function refused(reason: string, site: Site | null): Refuse {
  return refuse("reach.rule", { reason, remedy: "Go on without this place.", operator: null, site });
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_REASON_CHARS * 2)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_REASON_CHARS);
}
