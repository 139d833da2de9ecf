import { type Described, isId, refuse, refuseBy } from "../gate/index.ts";
import { filled, ruleOf, said, UNASKED } from "../rules/index.ts";
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
export function quiet(rule: "effects.report" | "effects.again" | "effects.left" | "effects.ahead", site: Site | null): Refuse {
  return { ...refuseBy(rule, "plain", site), quiet: true, aside: true };
}

/** A page of a private site would tell another site what was typed. */
export function carried(described: Described): Refuse {
  return { ...withLine("effects.carried", described), quiet: true, aside: true };
}

/** The page's own data for a place that is only let in. */
export function elsewhere(described: Described): Refuse {
  return { ...withLine("effects.elsewhere", described), quiet: true, aside: true };
}

/** Beyond five questions of one input. */
export function tooMany(described: Described): Refuse {
  return withLine("effects.many", described);
}

/** A socket that nobody said yes to; `place`: as http, where that is known. */
export function unansweredSocket(site: Site | null, place: string | null): Refuse {
  const words = said("effects.socket", "nobody", { operation: `GET ${place ?? ""}` });
  return refuse("effects.socket", { ...words, operator: place === null ? null : words.operator, site });
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

export function onlyReading(rule: RuleId, { site }: Described): Refuse {
  return refuse(rule, { ...UNASKED.reading, site });
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
  const operation = operationLine(described);
  const filledIn = filled({ reason: words.reason, remedy: words.remedy, operator: UNASKED[of].operator }, { operation: operation ?? "" });
  return refuse(rule, { ...filledIn, operator: operation === null ? null : filledIn.operator, site: described.site });
}

function withLine(rule: "effects.many" | "effects.elsewhere" | "effects.carried", described: Described): Refuse {
  const operation = operationLine(described);
  const words = said(rule, "plain", { operation: operation ?? "" });
  return refuse(rule, { ...words, operator: operation === null ? null : words.operator, site: described.site });
}

const MAX_OPERATION_CHARS = 300;

/** The entry of the configuration that would permit it, whatever the characters of its path: what is not plain is encoded, ids are general. */
function operationLine({ method, origin, path }: Described): string | null {
  if (origin === null || !/^[A-Z]{1,20}$/.test(method)) return null;
  const segments = path
    .split("/")
    .map((segment) => (segment !== "" && isId(segment) ? "*" : segment.replace(/[^\w.~%-]/g, (sign) => encodeURIComponent(sign))));
  const line = `${method} ${origin}${segments.join("/")}`;
  return line.length <= MAX_OPERATION_CHARS ? line : `${method} ${origin}/**`;
}
