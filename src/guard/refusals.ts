import { type Described, refuse, refuseBy } from "../gate/index.ts";
import { filled, UNASKED } from "../rules/index.ts";
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

export function quiet(rule: "effects.report" | "effects.again" | "effects.left" | "effects.elsewhere", site: Site | null): Refuse {
  return { ...refuseBy(rule, "plain", site), quiet: true };
}

export function denied(site: Site | null): Refuse {
  return refuseBy("effects.denied", "plain", site);
}

export function once(site: Site | null): Refuse {
  return refuseBy("effects.once", "plain", site);
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
  return unsent(rule, UNASKED.nobody, described);
}

export function noLongerAsked(rule: RuleId, described: Described): Refuse {
  return unsent(rule, UNASKED.noLonger, described);
}

function unsent(rule: RuleId, words: (typeof UNASKED)["nobody" | "noLonger"], { place, site }: Described): Refuse {
  const said = filled(words, { operation: place });
  return refuse(rule, { ...said, operator: isPlain(place) ? said.operator : null, site });
}

/** Whether it may stand as an entry of the configuration; a page's own path could hold anything. */
function isPlain(place: string): boolean {
  const [method, address = ""] = place.split(" ");
  return /^[A-Z]{1,20}$/.test(method ?? "") && /^https?:\/\/[\w.:-]+(\/[\w./-]{0,100})?$/.test(address);
}
