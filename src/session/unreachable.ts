import type { Refuse, RequestFacts, RuleId } from "../types.ts";
import type { Judge } from "../wire/interception.ts";
import type { Egress } from "./egress.ts";

/** The judge of a session: told when a request that it allowed is refused all the same. */
export interface OverruledJudge extends Judge {
  overruled?(facts: RequestFacts, refusal: Refuse): void;
}

interface Words {
  readonly rule: RuleId;
  readonly reason: string;
  readonly remedy: string;
}

/** By the proxy's rule. */
const WORDS: Readonly<Partial<Record<RuleId, Words>>> = {
  "proxy.name": { rule: "reach.name", reason: "The host name has no address.", remedy: "Check the address for a typing mistake." },
  "proxy.address": { rule: "reach.private", reason: "The host name leads to a private address.", remedy: "Go on without this place." },
  "proxy.upstream": {
    rule: "reach.upstream",
    reason: "The proxy that the operator set for all connections does not make this one.",
    remedy: "Tell the operator: nothing is opened without that proxy.",
  },
};

/** In words why the proxy makes no connection. */
export function unreachable(rule: RuleId): Refuse {
  const words = WORDS[rule] ?? { rule, reason: "This place cannot be connected to.", remedy: "Go on without this place." };
  return { verdict: "refuse", ...words, operator: null, site: null };
}

/** A name that leads nowhere, or where nothing may go, is refused before the request leaves its page: the proxy would only break the page. */
export function withAddresses(judge: OverruledJudge, egress: Pick<Egress, "whyNot">): Judge {
  return {
    async request(facts, onHold) {
      const verdict = await judge.request(facts, onHold);
      if (verdict.verdict !== "allow" || facts.kind === "socket" || !/^https?:/.test(facts.url)) return verdict;
      const why = await egress.whyNot(facts.url);
      if (why === null) return verdict;
      const refusal = unreachable(why);
      judge.released?.(facts, false);
      judge.overruled?.(facts, refusal);
      return refusal;
    },
    released: (facts, sent) => judge.released?.(facts, sent),
  };
}
