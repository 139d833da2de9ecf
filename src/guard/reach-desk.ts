import { LRUCache } from "lru-cache";
import { questionDigest, requestDigest } from "../approval/digest.ts";
import { reachQuestion, type Way } from "../approval/reach-question.ts";
import {
  allow,
  canonicalUrl,
  classifyHost,
  entryText,
  firstUseEntry,
  isFirstUse,
  PLAIN_FACTS,
  parsePrivate,
  portOf,
  type ReachPolicy,
  reach,
  realName,
  type SiteEntry,
  sensitive,
} from "../gate/index.ts";
import { offersOf } from "../rules/index.ts";
import type { Approver, CallId, Element, Intent, Refuse, RequestFacts, RequestKind, Verdict } from "../types.ts";
import type { Asking, Waiting } from "./asking.ts";
import type { Grant, GrantSource, Grants, Permits } from "./grants.ts";
import { type Charter, judgeIntent, judgeRequest, type Rules } from "./judge.ts";
import type { RuleHook } from "./rule.ts";

export interface ReachDeskOptions {
  readonly grants: Grants;
  readonly rule: RuleHook | null;
  readonly asking: Asking;
  readonly sessionId: string;
  /** Writes down what was granted. False when that failed. */
  readonly recordGrant: (grant: Grant, waiting: Waiting | null) => boolean;
}

/** A verdict, and the site that it puts into scope. */
export interface Judged {
  readonly verdict: Verdict;
  readonly grants: SiteEntry | null;
}

/** Hosts that came over https. Beyond that many the oldest is forgotten. */
const MAX_SECURE_HOSTS = 2_000;

/** Rule 2 with what a session adds to it: first use, what was granted and answered. */
export class ReachDesk {
  readonly #options: ReachDeskOptions;
  readonly #secureHosts = new LRUCache<string, true>({ max: MAX_SECURE_HOSTS });
  readonly #open = new Map<string, Waiting>();
  #rules: Rules;
  /** A page was shown, so that what follows may be its wish. */
  #hasRead = false;

  constructor(options: ReachDeskOptions) {
    this.#options = options;
    this.#rules = this.#rulesWith(options.grants.policy);
  }

  get rules(): Rules {
    return this.#rules;
  }

  get policy(): ReachPolicy {
    return this.#options.grants.policy;
  }

  /** Something was read, from an https host perhaps. */
  shown(url: string): void {
    this.#hasRead = true;
    const place = canonicalUrl(url);
    if (!place.ok || place.url.protocol !== "https:") return;
    this.#secureHosts.set(place.host, true);
  }

  /** Puts a place into scope. False when it could not be written down. */
  grant(source: GrantSource, permits: Permits, waiting: Waiting | null = null): boolean {
    const added = this.#options.grants.add({ source, permits });
    this.#rules = this.#rulesWith(this.#options.grants.policy);
    return this.#options.recordGrant(added, waiting);
  }

  judgeCall(intent: Intent): Judged {
    const { sink } = intent;
    const isAddress = intent.verb === "go" && sink?.kind === "url" && intent.element === null;
    return (
      (isAddress ? this.#firstUse(sink.url, (under) => judgeIntent(under, intent)) : null) ?? {
        verdict: judgeIntent(this.#rules, intent),
        grants: null,
      }
    );
  }

  judgeFacts(facts: RequestFacts, charter: Charter | null): Judged {
    // The operator's own code has no call that named its address.
    if (facts.cause.by === "code" && facts.kind === "navigation" && facts.hop === 0) {
      const used = this.#firstUse(facts.url, (under) => judgeRequest(under, facts, charter));
      if (used !== null) {
        this.#hasRead = true;
        return used;
      }
    }
    return { verdict: judgeRequest(this.#rules, facts, charter), grants: null };
  }

  /** Asks whether that address may be opened. Null where nobody can be asked, or no yes would open it. */
  ask(
    refused: Refuse,
    address: string,
    kind: RequestKind,
    about: { call: CallId | null; approver: Approver | undefined; reason: string | null; way: Way },
  ): Waiting | null {
    const offers = offersOf(refused.rule);
    if (offers.once === undefined || (this.policy.reading === "listed" && refused.rule !== "reach.downgrade"))
      return null;
    const permits = this.#permitsFor(refused, address);
    const { asking, sessionId } = this.#options;
    if (permits === null) return null;
    const thing = `reach ${permits.kind === "reach" ? entryText(permits.entry) : address}`;
    const known = this.#open.get(thing);
    if (known !== undefined) return known;
    if (!asking.canAsk(about.approver, thing)) return null;
    const digest = questionDigest([
      requestDigest({ sessionId, method: "GET", url: address, bodyDigest: null, contentType: null, documentUrl: null }),
    ]);
    const waiting = asking.ask([thing], about.approver, ({ id, expires }) =>
      reachQuestion({
        ...about,
        id,
        expires,
        code: null,
        choices: offers.task === undefined ? ["once", "no"] : ["once", "task", "no"],
        means: { ...offers, no: "no" },
        digest,
        requestDigests: [],
        url: address,
        kind,
        rule: refused.rule,
        why: refused.reason,
        imitates: refused.rule === "reach.lookalike" ? realName(this.policy, hostOf(address)) : null,
      }),
    );
    const answered = waiting.answered.then((choice) => {
      this.#open.delete(thing);
      if (choice === "no") return choice;
      const isWritten = this.grant("answer", choice === "task" ? { kind: "anySite" } : permits, waiting);
      return isWritten ? choice : "no";
    });
    const asked = { question: waiting.question, answered };
    this.#open.set(thing, asked);
    return asked;
  }

  /** OS-1: the site of the first navigation, before anything was read, may come into scope; null where this is none. */
  #firstUse(url: string, judge: (rules: Rules) => Verdict): Judged | null {
    const { grants } = this.#options;
    if (this.#hasRead || !isFirstUse(grants.policy, reach(grants.policy, { ...PLAIN_FACTS, url }))) return null;
    const entry = firstUseEntry(grants.policy, url);
    if (entry === null) return null;
    const verdict = judge(this.#rulesWith(grants.with(entry)));
    return verdict.verdict === "allow"
      ? { verdict: allow("reach.firstUse"), grants: entry }
      : { verdict, grants: null };
  }

  /** What a yes to that refusal grants. */
  #permitsFor({ rule }: Refuse, address: string): Permits | null {
    const place = canonicalUrl(address);
    if (!place.ok || place.origin === null) return null;
    if (rule === "reach.private") {
      const found = classifyHost(place.host);
      // Loopback alone, as it is plainly written: other private networks need the operator's configuration.
      const isLoopback = found.is === "private" && found.kind === "loopback" && !found.embedded;
      return isLoopback ? { kind: "private", entry: parsePrivate(place.origin) } : null;
    }
    const port = portOf(place.url);
    const { policy } = this;
    const named =
      rule === "reach.sensitive"
        ? (sensitive(place.host, policy.sensitive.add, policy.sensitive.remove)?.host ?? place.host)
        : place.host;
    const host = rule === "reach.site" ? (firstUseEntry(policy, address)?.host ?? place.host) : named;
    return {
      kind: "reach",
      entry: {
        host,
        scheme: rule === "reach.downgrade" ? "http" : null,
        port: port === 80 || port === 443 ? null : port,
        subdomains: policy.subdomains,
      },
    };
  }

  #rulesWith(policy: ReachPolicy): Rules {
    return { reach: policy, rule: this.#options.rule, wasSecure: (host) => this.#secureHosts.has(host) };
  }
}

function hostOf(address: string): string {
  const place = canonicalUrl(address);
  return place.ok ? place.host : "";
}

/** How a call came to an address. */
export function wayOfCall({ element }: { readonly element: Element | null }): Way {
  return element === null ? { by: "agent" } : { by: "link", site: element.site };
}
