import { allow } from "../gate/index.ts";
import type { DecisionEntry } from "../ledger/log.ts";
import type { Intent, Permit, Receipt, Site, Verdict } from "../types.ts";
import { type Core, whyOf } from "./core.ts";
import { intentEntry } from "./entries.ts";
import { type Charter, charterOf, judgeShown } from "./judge.ts";
import type { CallGuard } from "./monitor.ts";
import { isPermit, issuePermit, spend } from "./permit.ts";
import { wayOfCall } from "./reach-desk.ts";
import { afterNo, fault, unansweredSocket, unwritten } from "./refusals.ts";

export function callGuard(core: Core): CallGuard {
  const { asking, charters, desk, effects, inputs, sites, typed } = core;
  const open = new WeakMap<Permit, Receipt>();

  /** A pointer that hovers and a page that scrolls are inputs where something of a person's is. */
  const isInput = (intent: Intent): boolean => {
    if (intent.verb === "look") return false;
    return intent.verb !== "point" || sitesOf(intent).some((site) => sites.isPrivate(site));
  };

  return {
    call(intent, terms = {}) {
      let verdict: Verdict;
      let entry: DecisionEntry;
      let charter: Charter;
      let used: ReturnType<typeof desk.judgeCall>["grants"];
      try {
        const judged = desk.judgeCall(intent);
        used = judged.grants;
        verdict = core.isWatchedOnly(judged.verdict) ? allow(judged.verdict.rule) : judged.verdict;
        if (verdict.verdict === "refuse" && intent.sink?.kind !== "dialog") {
          const address = intent.sink?.kind === "url" ? intent.sink.url : (intent.element?.href ?? null);
          const about = {
            call: intent.call,
            approver: terms.approver,
            reason: intent.reason ?? null,
            way: wayOfCall(intent),
          };
          const waiting =
            address === null || terms.isAnswered === true ? null : desk.ask(verdict, address, "navigation", about);
          if (waiting !== null) return { waiting };
          if (terms.isAnswered === true) verdict = afterNo(verdict);
        }
        if (verdict.verdict === "allow" && isInput(intent)) {
          const socket = effects.socketsBefore(intent, terms.approver);
          if (socket !== null && terms.isAnswered !== true && "question" in socket) return { waiting: socket };
          if (socket !== null) verdict = "question" in socket ? unansweredSocket(null, null) : socket;
        }
        entry = intentEntry(intent, verdict, whyOf(judged.verdict));
        charter = charterOf(desk.rules, intent);
      } catch {
        const receipt = core.fault("call");
        return { refused: fault(), receipt };
      }
      const receipt = core.record(entry);
      if (receipt === null) return { refused: unwritten(), receipt };
      if (verdict.verdict !== "allow") return { refused: verdict, receipt };
      if (used !== null && !desk.grant("firstUse", { kind: "reach", entry: used }))
        return { refused: unwritten(), receipt };
      charters.set(intent.call, charter);
      if (isInput(intent)) {
        inputs.begin(intent, terms.approver, terms.group ?? null);
        // An address is judged by what it is, when it is asked for.
        if (intent.verb !== "go") for (const site of sitesOf(intent)) sites.touch(site);
        else if (intent.element !== null) sites.touch(intent.element.site);
      } else inputs.heard(terms.approver);
      typed.note(intent);
      const permit = issuePermit(intent.call, receipt, actsOf(intent));
      open.set(permit, receipt);
      return { permit, isInput: isInput(intent) };
    },

    asks: (call) => effects.asks(call),
    holds: (call) => (inputs.of(call)?.held.length ?? 0) > 0,
    drop: (call) => effects.drop(call),
    open: () => asking.open().filter(({ question }) => question.about === "effect"),
    question: (id) => asking.find(id),

    outcome(permit, outcome) {
      const of = isPermit(permit) ? open.get(permit) : undefined;
      if (of === undefined) return null;
      open.delete(permit);
      spend(permit);
      const requests = core.counts;
      core.counts = { allowed: 0, refused: 0 };
      return core.record({
        kind: "outcome",
        call: permit.call,
        of,
        ok: outcome.ok,
        code: outcome.code ?? null,
        requests,
      });
    },

    show(url, place = "main") {
      try {
        const judged = judgeShown(desk.rules, url, place);
        const verdict = core.isWatchedOnly(judged) ? allow(judged.rule) : judged;
        if (verdict.verdict === "allow" && verdict.rule !== "reach.scheme") desk.shown(url);
        return verdict;
      } catch {
        return fault();
      }
    },
  };
}

/** Where an input goes: to the element's site, else to every document of the tab, else nobody knows. */
function sitesOf({ element, sites }: Intent): readonly (Site | null)[] {
  return element === null ? (sites ?? [null]) : [element.site];
}

/** A form is filled field by field, under one judgement. */
function actsOf({ sink }: Intent): number {
  return sink?.kind === "fields" ? sink.fields.length + (sink.submit ? 1 : 0) : 1;
}
