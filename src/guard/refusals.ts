import { type Described, isId, refuse } from "../gate/index.ts";
import type { Refuse, RuleId, Site } from "../types.ts";

export function socketWhileReading(): Refuse {
  return refuse("effects.socket", {
    reason: "The session only reads, and what a page sends over a socket cannot be judged.",
    remedy: "Go on with what the page shows without it.",
    operator: "--mode act",
    site: null,
  });
}

/** The page has a socket open that nobody said yes to. */
export function unansweredSocket(site: Site | null, place: string | null): Refuse {
  return refuse("effects.socket", {
    reason: "This page talks over a socket, whose messages nobody can see, and there is no yes to that.",
    remedy: "Go on without acting on this page, and tell the operator.",
    operator: place === null ? null : `--allow-effect "GET ${place}"`,
    site,
  });
}

export function fault(): Refuse {
  return brokenDown("guard.error", "The guard could not judge this, so it is refused.");
}

export function unwritten(): Refuse {
  return brokenDown("guard.log", "The decision could not be written down, so nothing is done any more.");
}

/** Of the page's own doing: told as an event. */
export function quiet(rule: RuleId, site: Site | null): Refuse {
  return {
    ...refuse(rule, { reason: "A page's own report, or a repeat, is not sent.", remedy: "Nothing to do.", operator: null, site }),
    quiet: true,
    aside: true,
  };
}

export function denied(site: Site | null): Refuse {
  return refuse("effects.denied", {
    reason: "Somebody was asked whether this may be sent, and there was no yes.",
    remedy: "Do not try it again. Go on without it, and say so at the end.",
    operator: null,
    site,
  });
}

/** Beyond five questions of one input. */
export function tooMany(described: Described): Refuse {
  return refuse("effects.many", {
    reason: "One input has asked for five yeses already, and this request came on top of them.",
    remedy: "Look at the page. If the step is still needed, do it as an action of its own.",
    operator: operatorLine(described),
    site: described.site,
  });
}

/** The page's own request to a place that it may only read. */
export function elsewhere(described: Described, isUnread: boolean): Refuse {
  const refusal = refuse("effects.elsewhere", {
    reason: "A page's own data for another site is not sent.",
    remedy: "Nothing to do.",
    operator: operatorLine(described),
    site: described.site,
  });
  return isUnread ? { ...refusal, quiet: true, aside: true } : { ...refusal, aside: true };
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
  return unsent(rule, "This would change something, and the session only reads.", "--mode act", described);
}

export function nobodyToAsk(rule: RuleId, described: Described): Refuse {
  return unsent(rule, "This would change something, and there is nobody to ask for a yes.", operatorLine(described), described);
}

export function noLongerAsked(rule: RuleId, described: Described): Refuse {
  return unsent(rule, "This would change something, and nobody is asked about it any more.", operatorLine(described), described);
}

function unsent(rule: RuleId, reason: string, operator: string | null, { site }: Described): Refuse {
  return refuse(rule, { reason, remedy: "Go on without it, and tell the operator what you wanted to do.", operator, site });
}

const MAX_LINE_CHARS = 300;

/** The entry of the configuration that would permit it, whatever the characters of its path: what is not plain is encoded, ids are general. */
function operatorLine({ method, origin, path }: Described): string | null {
  if (origin === null || !/^[A-Z]{1,20}$/.test(method)) return null;
  const segments = path
    .split("/")
    .map((segment) => (segment !== "" && isId(segment) ? "*" : segment.replace(/[^\w.~%-]/g, (sign) => encodeURIComponent(sign))));
  const line = `--allow-effect "${method} ${origin}${segments.join("/")}"`;
  return line.length <= MAX_LINE_CHARS ? line : `--allow-effect "${method} ${origin}/**"`;
}

function brokenDown(rule: RuleId, reason: string): Refuse {
  return refuse(rule, { reason, remedy: "Tell the operator; trying again will not help.", operator: null, site: null });
}
