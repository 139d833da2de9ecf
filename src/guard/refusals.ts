import { allowLine, type Described, hostLine, readLikeLine, refuse, refuseBy, socketLine } from "../gate/index.ts";
import { filled, READ_LIKE, ruleOf, said, UNASKED } from "../rules/index.ts";
import type { Refuse, RuleId, Site } from "../types.ts";

export function socketWhileReading(): Refuse {
  return refuseBy("effects.socket", "reading", null);
}

export function fault(): Refuse {
  return refuseBy("guard.error", "plain", null);
}

export function unwritten(): Refuse {
  return refuseBy("guard.log", "plain", null);
}

/** Of the page's own doing: nothing leaves, and it is told as an event. */
export function quiet(
  rule: "effects.report" | "effects.again" | "effects.left" | "effects.ahead",
  site: Site | null,
): Refuse {
  return { ...refuseBy(rule, "plain", site), quiet: true, aside: true };
}

/** A page of a private site would tell another site what was typed. */
export function carried(described: Described): Refuse {
  return { ...withLine("effects.carried", described, hostLine(described)), quiet: true, aside: true };
}

/** The page's own data for a place that is only let in. */
export function elsewhere(described: Described): Refuse {
  return { ...withLine("effects.elsewhere", described, allowLine(described)), quiet: true, aside: true };
}

/** Beyond five questions of one input. */
export function tooMany(described: Described): Refuse {
  return withLine("effects.many", described, allowLine(described));
}

/** A socket that nobody said yes to. */
export function unansweredSocket(site: Site | null, url: string | null): Refuse {
  const operation = url === null ? null : socketLine(url);
  const words = said("effects.socket", "nobody", { operation: operation ?? "" });
  return refuse("effects.socket", { ...words, operator: operation === null ? null : words.operator, site });
}

export function denied(site: Site | null): Refuse {
  return refuseBy("effects.denied", "plain", site);
}

/** The same refusal after somebody was asked. */
export function afterNo(refused: Refuse): Refuse {
  return refuse(refused.rule, {
    reason: `${refused.reason} Somebody was asked, and there was no yes.`,
    remedy: "Do not ask for it again; go on without this place.",
    operator: refused.operator,
    site: refused.site,
  });
}

export function onlyReading(rule: RuleId, described: Described): Refuse {
  return refuse(rule, {
    ...UNASKED.reading,
    operator: readLike(described) ?? UNASKED.reading.operator,
    site: described.site,
  });
}

export function nobodyToAsk(rule: RuleId, described: Described): Refuse {
  return unsent(rule, "nobody", described);
}

export function noLongerAsked(rule: RuleId, described: Described): Refuse {
  return unsent(rule, "noLonger", described);
}

/** Asked about, but nobody said anything in time. */
export function unanswered(rule: RuleId, described: Described): Refuse {
  return unsent(rule, "unanswered", described);
}

function unsent(rule: RuleId, of: "nobody" | "noLonger" | "unanswered", described: Described): Refuse {
  const words = ruleOf(rule)?.words[of] ?? UNASKED[of];
  const operation = allowLine(described);
  const filledIn = filled(
    { reason: words.reason, remedy: words.remedy, operator: UNASKED[of].operator },
    { operation: operation ?? "" },
  );
  return refuse(rule, {
    ...filledIn,
    operator: readLike(described) ?? (operation === null ? null : filledIn.operator),
    site: described.site,
  });
}

/** Where it may only read, the operator can say that it does. */
function readLike(described: Described): string | null {
  const place = readLikeLine(described);
  return place === null ? null : filled(READ_LIKE, { place }).operator;
}

function withLine(
  rule: "effects.many" | "effects.elsewhere" | "effects.carried",
  described: Described,
  operation: string | null,
): Refuse {
  const words = said(rule, "plain", { operation: operation ?? "" });
  return refuse(rule, { ...words, operator: operation === null ? null : words.operator, site: described.site });
}
