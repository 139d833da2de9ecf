import {
  allow,
  canonicalUrl,
  first,
  hasCredentials,
  isOpenedSite,
  isServiceWorkerScript,
  PLAIN_FACTS,
  type ReachPolicy,
  reach,
  reachShown,
  refuseBy,
  requesterOf,
  withoutFragment,
} from "../gate/index.ts";
import { isHard } from "../rules/index.ts";
import type { Element, Intent, RequestFacts, Verdict } from "../types.ts";
import { askRule, type RuleHook } from "./rule.ts";

/** What the operator laid down for a session, with what was granted in it. */
export interface Rules {
  readonly reach: ReachPolicy;
  readonly rule: RuleHook | null;
  /** Whether a document of this host came over https in this session. */
  wasSecure(host: string): boolean;
}

/** What an allowed call may bring about at the wire. */
export interface Charter {
  /** The address that the call itself named, without fragment. */
  readonly address: string | null;
  /** The call acts on an element of a place that the operator opened although it is private. */
  readonly actsInOpened: boolean;
}

/** Decides one call before anything happens. */
export function judgeIntent(rules: Rules, intent: Intent): Verdict {
  switch (intent.verb) {
    case "go":
      return judgeGo(rules, intent);
    case "look":
      return allow("guard.look");
    case "point":
    case "press":
    case "enter":
    case "choose":
    case "answer":
    case "upload":
    case "signIn":
      return first([
        ...(intent.sink?.kind === "url" ? [judgeGo(rules, intent)] : []),
        intent.element === null ? allow("guard.act") : judgePressed(rules, intent.element),
      ]);
    default:
      intent.verb satisfies never;
      return refuseBy("guard.unknown", "kind", null);
  }
}

/** What the wire may let pass on the strength of an allowed call. */
export function charterOf(rules: Rules, intent: Intent): Charter {
  const named = intent.sink?.kind === "url" && intent.element === null ? withoutFragment(intent.sink.url) : null;
  return {
    address: named,
    actsInOpened: intent.element !== null && isOpenedSite(rules.reach.private, intent.element.site),
  };
}

/**
 * Decides one request, or one redirect hop, before its first byte leaves. `charter` is that of the call behind it, if
 * any.
 */
export function judgeRequest(rules: Rules, facts: RequestFacts, charter: Charter | null): Verdict {
  const requester = requesterOf(facts);
  const isNamed =
    charter !== null &&
    charter.address !== null &&
    facts.method === "GET" &&
    charter.address === withoutFragment(facts.url);
  const verdict = reach(rules.reach, {
    url: facts.url,
    kind: facts.kind,
    method: facts.method,
    requester,
    mainUrl: facts.from.mainUrl,
    hop: facts.hop,
    redirectedFrom: facts.redirectedFrom,
    by: facts.cause.by,
    agentChose: isNamed || (charter?.actsInOpened === true && requester === null),
    serviceWorker: isServiceWorkerScript(facts.headers),
    credentials: hasCredentials(facts.headers),
    namedByDocument: facts.namedByDocument ?? null,
    wasSecure: wasSecure(rules, facts.url),
    shown: null,
  });
  return byRule(rules, verdict, {
    url: facts.url,
    kind: facts.kind,
    resourceType: facts.resourceType,
    method: facts.method,
    mainDocument: facts.from.mainUrl,
  });
}

/** Decides whether a committed document may be shown. */
export function judgeShown(rules: Rules, url: string, place: "main" | "frame"): Verdict {
  const kind = place === "main" ? "navigation" : "subframe";
  return byRule(rules, reachShown(rules.reach, url, place), {
    url,
    kind,
    resourceType: "Document",
    method: "GET",
    mainDocument: place === "main" ? url : null,
  });
}

function judgeGo(rules: Rules, intent: Intent): Verdict {
  // Back, forward and a new tab name no address; their requests are judged at the wire, what they show before it is
  // shown.
  if (intent.sink === null) return allow("guard.go");
  if (intent.sink.kind !== "url") return refuseBy("guard.unknown", "address", null);
  return judgeAddress(rules, intent.sink.url, intent.element);
}

/**
 * A link's text never matters, its address does. What its script does with a javascript: address is judged at the wire.
 */
function judgePressed(rules: Rules, element: Element): Verdict {
  if (element.href === null) return allow("guard.act");
  const parsed = canonicalUrl(element.href);
  if (parsed.ok && parsed.url.protocol === "javascript:") return allow("guard.act");
  const verdict = judgeAddress(rules, element.href, element);
  // Which document the link stands in is known at the wire only.
  return verdict.rule === "reach.helper" ? allow("guard.act") : verdict;
}

function judgeAddress(rules: Rules, url: string, element: Element | null): Verdict {
  const verdict = reach(rules.reach, {
    ...PLAIN_FACTS,
    url,
    agentChose: element === null || isOpenedSite(rules.reach.private, element.site),
    wasSecure: wasSecure(rules, url),
  });
  return byRule(rules, verdict, {
    url,
    kind: "navigation",
    resourceType: "Document",
    method: "GET",
    mainDocument: null,
  });
}

/**
 * The operator's rule is asked last: it narrows all, and widens what no address, scheme or block refuses. What stays in
 * the browser is not its matter.
 */
function byRule(rules: Rules, verdict: Verdict, request: Parameters<typeof askRule>[1]): Verdict {
  if (rules.rule === null || verdict.rule === "reach.scheme" || (verdict.verdict === "refuse" && isHard(verdict.rule)))
    return verdict;
  const answer = askRule(rules.rule, request);
  if (answer.is === "refuse") return answer.refusal;
  return answer.is === "allow" && verdict.verdict === "refuse" ? allow("reach.rule") : verdict;
}

function wasSecure(rules: Rules, url: string): boolean {
  const place = canonicalUrl(url);
  return place.ok && rules.wasSecure(place.host);
}
