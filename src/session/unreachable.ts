import { type IdOf, said } from "../rules/index.ts";
import type { Refuse, RequestFacts } from "../types.ts";
import type { Judge } from "../wire/interception.ts";
import type { Egress } from "./egress.ts";

/** The judge of a session: told when a request that it allowed is refused all the same. */
export interface OverruledJudge extends Judge {
  overruled?(facts: RequestFacts, refusal: Refuse): void;
}

/** What the model is told in its place: rules of the proxy that an address alone decides are reach's. */
function told(rule: IdOf<"proxy">): Pick<Refuse, "rule" | "reason" | "remedy" | "operator"> {
  switch (rule) {
    case "proxy.name":
      return { rule: "reach.name", ...said("reach.name", "plain") };
    case "proxy.address":
      return { rule: "reach.private", ...said("reach.private", "resolved") };
    case "proxy.upstream":
      return { rule: "reach.upstream", ...said("reach.upstream", "plain") };
    default:
      return { rule, ...said(rule, "plain") };
  }
}

/** In words why the proxy makes no connection. */
export function unreachable(rule: IdOf<"proxy">): Refuse {
  return { verdict: "refuse", ...told(rule), site: null };
}

/**
 * A name that leads nowhere, or where nothing may go, is refused before the request leaves its page: the proxy would
 * only break the page.
 */
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
