import { entryText, redactText, redactUrl } from "../gate/index.ts";
import type { DecisionEntry, ValueEntry } from "../ledger/log.ts";
import type { CallId, Intent, RequestFacts, Value, Verdict } from "../types.ts";
import type { Waiting } from "./asking.ts";
import type { EffectVerdict } from "./effects.ts";
import type { Grant } from "./grants.ts";

const MAX_METHOD_CHARS = 40;

export function intentEntry(intent: Intent, verdict: Verdict, why: string | null): DecisionEntry {
  const { element, sink } = intent;
  return {
    kind: "intent",
    call: intent.call,
    tool: intent.tool,
    verb: intent.verb,
    target: element === null ? null : { ref: element.ref, role: element.role, site: element.site },
    sink:
      sink === null ? null : sink.kind === "url" ? { kind: sink.kind, url: redactUrl(sink.url) } : { kind: sink.kind },
    values: intent.values.map((value) => valueEntry(value, sink)),
    verdict: verdict.verdict,
    rule: verdict.rule,
    why,
  };
}

/** An address stands in the sink already, without its credentials. */
function valueEntry({ channel, text, masked }: Value, sink: Intent["sink"]): ValueEntry {
  const isHeldBack = channel.kind === "SECRET" || masked || sink?.kind === "url" || hasSecretField(sink);
  return { channel: channel.kind, characters: text.length, ...(!isHeldBack && { text: redactText(text) }) };
}

function hasSecretField(sink: Intent["sink"]): boolean {
  if (sink?.kind === "field") return sink.element.field?.secret !== false;
  return sink?.kind === "fields" && sink.fields.some(({ element }) => element.field?.secret !== false);
}

export function requestEntry(
  facts: RequestFacts,
  call: CallId | null,
  verdict: Verdict,
  why: string | null,
  judged: EffectVerdict,
): DecisionEntry {
  return {
    kind: "request",
    call,
    by: facts.cause.by,
    // Scripts choose methods freely.
    method: facts.method.slice(0, MAX_METHOD_CHARS),
    url: redactUrl(facts.url),
    requestKind: facts.kind,
    resourceType: facts.resourceType,
    hop: facts.hop,
    verdict: verdict.verdict,
    rule: verdict.rule,
    why,
    ...(judged.digest !== null && { digest: judged.digest }),
    ...(judged.grant !== null && { grant: judged.grant }),
    ...(judged.question !== null && { question: judged.question }),
  };
}

export function grantEntry({ id, source, permits, left }: Grant, waiting: Waiting | null): DecisionEntry {
  return {
    kind: "grant",
    grant: id,
    source,
    permits: permits.kind,
    site: siteOfPermits(permits),
    left,
    ...(waiting !== null && { question: waiting.question.id, digest: waiting.question.digest }),
  };
}

function siteOfPermits(permits: Grant["permits"]): string {
  switch (permits.kind) {
    case "reach":
      return entryText(permits.entry);
    case "private":
      return permits.entry.opens === "localhost" ? "localhost" : permits.entry.origin;
    case "form":
      return permits.place;
    case "edits":
      return permits.document;
    case "effect":
      return entryText(permits.entry.site);
    default:
      return "";
  }
}

/** In our own words: nothing of a page but addresses without their credentials. */
export function lineOf(entry: DecisionEntry): string {
  switch (entry.kind) {
    case "intent":
      return `${entry.tool}: ${entry.verdict} (${entry.rule})`;
    case "request":
      return `${entry.method} ${entry.url}: ${entry.verdict} (${entry.rule})`;
    case "question":
      return `asked: ${entry.question}`;
    case "answer":
      return `answered: ${entry.question}, ${entry.answer}${entry.by === null ? ", by nobody" : ` by ${entry.by}`}`;
    case "grant":
      return `granted: ${entry.permits ?? "reach"} ${entry.site} (${entry.source})`;
    default:
      return entry.kind;
  }
}
