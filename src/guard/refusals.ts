import { type Described, refuse } from "../gate/index.ts";
import type { Refuse, RuleId, Site } from "../types.ts";

export function socketWhileReading(): Refuse {
  return refuse("effects.socket", {
    reason: "The session only reads, and what a page sends over a socket cannot be judged.",
    remedy: "Go on with what the page shows without it.",
    operator: "--mode act",
    site: null,
  });
}

export function fault(): Refuse {
  return brokenDown("guard.error", "The guard could not judge this, so it is refused.");
}

export function unwritten(): Refuse {
  return brokenDown("guard.log", "The decision could not be written down, so nothing is done any more.");
}

export function quiet(rule: RuleId, site: Site | null): Refuse {
  return { ...refuse(rule, { reason: "A page's own report, or a repeat, is not sent.", remedy: "Nothing to do.", operator: null, site }), quiet: true };
}

export function denied(site: Site | null): Refuse {
  return refuse("effects.denied", {
    reason: "Somebody was asked whether this may be sent, and there was no yes.",
    remedy: "Do not try it again. Go on without it, and say so at the end.",
    operator: null,
    site,
  });
}

export function once(site: Site | null): Refuse {
  return refuse("effects.once", {
    reason: "One input may ask for one yes, and this request came on top of it.",
    remedy: "Look at the page. If the step is still needed, do it as an action of its own.",
    operator: "answer 'form' or 'task' to permit the following steps, too",
    site,
  });
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

/** Where it stands as an entry of the configuration; a page's own path could hold anything, so it is cut out of what is not plain. */
function operatorLine(described: Described): string | null {
  const [method, address = ""] = described.place.split(" ");
  return /^[A-Z]{1,20}$/.test(method ?? "") && /^https?:\/\/[\w.:-]+(\/[\w./-]{0,100})?$/.test(address) ? `--allow-effect "${described.place}"` : null;
}

function brokenDown(rule: RuleId, reason: string): Refuse {
  return refuse(rule, { reason, remedy: "Tell the operator; trying again will not help.", operator: null, site: null });
}
