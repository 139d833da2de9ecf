import { canonicalUrl, refuseBy } from "../gate/index.ts";
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

/**
 * What a rule returns to open a place that the scope would refuse. An object, so that no reason can be taken for it.
 */
export interface Widening {
  readonly allow: true;
}

/**
 * A string refuses, with the operator's reason. Null leaves it to the other rules. `{ allow: true }` opens what only
 * scope, reading, assets, ports, helpers, or the sensitive and look-alike lists refuse; it opens no private address, no
 * other scheme, nothing that `block` names, and says nothing about effects and values. Anything else, or an exception,
 * refuses.
 */
export type RuleHook = (request: RuleRequest) => string | null | Widening;

export type RuleAnswer = { readonly is: "refuse"; readonly refusal: Refuse } | { readonly is: "allow" | "none" };

/** What a reason may take in an answer, in characters. */
const MAX_REASON_CHARS = 200;

/** The rule's answer; a refusal is `reach.rule`. Never throws. */
export function askRule(rule: RuleHook, request: Omit<RuleRequest, "site">): RuleAnswer {
  const parsed = canonicalUrl(request.url);
  const site = parsed.ok ? parsed.site : null;
  let answer: unknown;
  try {
    answer = rule(Object.freeze({ ...request, site }));
    if (answer === null) return { is: "none" };
    if (isWidening(answer)) return { is: "allow" };
  } catch {
    return refused("failed", site);
  }
  if (typeof answer !== "string") return refused("invalid", site);
  const reason = oneLine(answer);
  return reason === ""
    ? refused("plain", site)
    : { is: "refuse", refusal: refuseBy("reach.rule", "said", site, { said: reason }) };
}

function isWidening(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return false;
  const keys = Reflect.ownKeys(answer);
  return keys.length === 1 && keys[0] === "allow" && "allow" in answer && answer.allow === true;
}

function refused(why: "plain" | "invalid" | "failed", site: Site | null): RuleAnswer {
  return { is: "refuse", refusal: refuseBy("reach.rule", why, site) };
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_REASON_CHARS * 2)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_REASON_CHARS);
}
