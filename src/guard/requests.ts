import { allow, modes, siteOf as siteOfAddress } from "../gate/index.ts";
import type { Refuse, RequestFacts, Site, Verdict } from "../types.ts";
import type { Waiting } from "./asking.ts";
import { type Core, whyOf } from "./core.ts";
import { asksForUnsafe, type EffectVerdict } from "./effects.ts";
import { requestEntry } from "./entries.ts";
import type { RequestGuard } from "./monitor.ts";
import { afterNo, fault, socketWhileReading, unwritten } from "./refusals.ts";

/** A page can cause refusals without end: beyond this many, only counts are written. */
const MAX_PAGE_REQUEST_RECORDS = 5_000;
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export function requestGuard(core: Core): RequestGuard {
  const { charters, desk, effects, inputs } = core;
  let pageRecords = 0;

  /** Reach alone, with the site that a first use of the operator's own code puts into scope. */
  const reached = (facts: RequestFacts): Verdict => {
    const call = facts.cause.by === "call" ? facts.cause.call : null;
    const { verdict, grants: used } = desk.judgeFacts(facts, call === null ? null : (charters.get(call) ?? null));
    return used !== null && !desk.grant("firstUse", { kind: "reach", entry: used }) ? unwritten() : verdict;
  };

  /** Somebody may be asked about a main navigation that follows from what the agent did. */
  const askedAtWire = (facts: RequestFacts, refused: Refuse): Waiting | null => {
    const call = facts.input ?? (facts.cause.by === "call" ? facts.cause.call : null);
    if (call === null || facts.kind !== "navigation" || !SAFE_METHODS.has(facts.method)) return null;
    const input = inputs.of(call);
    const { hop, redirectedFrom, from } = facts;
    const way =
      hop > 0
        ? ({ by: "redirect", site: siteOf(redirectedFrom) } as const)
        : ({ by: "page", site: siteOf(from.documentUrl) } as const);
    return desk.ask(refused, facts.url, facts.kind, {
      call,
      approver: input?.approver,
      reason: input?.reason ?? null,
      way,
    });
  };

  const withEffects = (
    facts: RequestFacts,
    reach: Verdict,
    onHold: () => void,
  ): EffectVerdict | Promise<EffectVerdict> => {
    if (reach.verdict === "refuse")
      return { verdict: quietly(facts, reach), digest: null, grant: null, question: null };
    if (facts.kind === "socket" && !modes[core.options.mode].sockets)
      return { verdict: socketWhileReading(), digest: null, grant: null, question: null };
    return effects.decide(facts, reach.rule, onHold);
  };

  const judge = (facts: RequestFacts, onHold: () => void): EffectVerdict | Promise<EffectVerdict> => {
    const reach = reached(facts);
    const waiting = reach.verdict === "refuse" && !core.isWatchedOnly(reach) ? askedAtWire(facts, reach) : null;
    if (waiting === null || reach.verdict !== "refuse") return withEffects(facts, reach, onHold);
    onHold();
    return waiting.answered.then((choice) =>
      withEffects(facts, choice === "no" ? afterNo(reach) : reached(facts), onHold),
    );
  };

  /** Writes a verdict down where it belongs into the record; what could not be written does not happen. */
  const settle = (facts: RequestFacts, judged: EffectVerdict): Verdict => {
    const call = facts.cause.by === "call" ? facts.cause.call : (facts.input ?? null);
    const verdict = core.isWatchedOnly(judged.verdict) ? allow(judged.verdict.rule) : judged.verdict;
    const isEffect = judged.digest !== null || (call !== null && !SAFE_METHODS.has(facts.method));
    const isRecorded = isEffect || (judged.verdict.verdict === "refuse" && pageRecords < MAX_PAGE_REQUEST_RECORDS);
    if (isRecorded && !isEffect) pageRecords++;
    const isWritten = isRecorded
      ? core.record(requestEntry(facts, call, verdict, whyOf(judged.verdict), judged)) !== null
      : !core.isLogBroken;
    const final = isWritten || verdict.verdict === "refuse" ? asAnswered(facts, verdict) : unwritten();
    if (final.verdict === "allow") core.counts.allowed++;
    else core.counts.refused++;
    return final;
  };

  const broken = (facts: RequestFacts | null): Verdict => {
    core.fault(facts === null ? "call" : "request");
    core.counts.refused++;
    return fault();
  };

  return {
    request(facts, onHold = () => {}) {
      try {
        const judged = judge(facts, onHold);
        if (!(judged instanceof Promise)) return settle(facts, judged);
        return judged.then((late) => settle(facts, late)).catch(() => broken(facts));
      } catch {
        return broken(facts);
      }
    },

    released(facts, sent) {
      try {
        effects.released(facts, sent);
      } catch {
        core.fault("request");
      }
    },

    overruled(facts, refusal) {
      try {
        // No profile lets it go: there is no connection.
        core.counts.allowed = Math.max(0, core.counts.allowed - 1);
        core.counts.refused++;
        if (pageRecords++ >= MAX_PAGE_REQUEST_RECORDS) return;
        const call = facts.cause.by === "call" ? facts.cause.call : (facts.input ?? null);
        core.record(
          requestEntry(facts, call, refusal, whyOf(refusal), {
            verdict: refusal,
            digest: null,
            grant: null,
            question: null,
          }),
        );
      } catch {
        core.fault("request");
      }
    },
  };
}

/**
 * What the page can read must not look like a success: it fails. Only what nobody reads (beacons, reports, documents,
 * requests without an answer that scripts may see) is answered as if it had arrived.
 */
function asAnswered(facts: RequestFacts, verdict: Verdict): Verdict {
  if (verdict.verdict === "allow" || verdict.quiet !== true || !isReadable(facts)) return verdict;
  const { quiet: _, ...refusal } = verdict;
  return { ...refusal, aside: true };
}

/**
 * Scripts read answers of their own origin. Of another one they may only what it shares, and an answer that shares
 * nothing fails for whoever wants to read it.
 */
function isReadable({ resourceType, kind, headers, url }: RequestFacts): boolean {
  if (kind !== "data" || resourceType === "Ping" || resourceType === "CSPViolationReport") return false;
  const origin = Object.entries(headers).find(([name]) => name.toLowerCase() === "origin")?.[1];
  return origin === undefined || !URL.canParse(url) || new URL(url).origin === origin;
}

/** A page's own report to a place out of reach: nobody reads its answer. */
function quietly(facts: RequestFacts, refused: Refuse): Refuse {
  const isTelling = facts.kind === "data" && (!SAFE_METHODS.has(facts.method) || asksForUnsafe(facts));
  return isTelling ? { ...refused, quiet: true } : refused;
}

function siteOf(url: string | null): Site | null {
  return url === null ? null : siteOfAddress(url);
}
