import type { LedgerRecord } from "../ledger/index.ts";
import type { LedgerFilters } from "./ledger-args.ts";

/** One record for people. Texts are as they are in the ledger: whoever shows them escapes them. */
export interface TimelineLine {
  readonly seq: number;
  readonly time: string;
  readonly call: string;
  readonly kind: string;
  readonly what: string;
  /** Empty where nothing was decided. */
  readonly verdict: string;
  readonly rule: string;
  readonly note: string;
  readonly receipt: string;
}

/** Values of a ledger may be anything: what is no text, number or truth is left out. */
function words(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

function labelled(label: string, value: unknown): string {
  const text = words(value);
  return text === "" ? "" : `${label} ${text}`;
}

export function lineOf(record: LedgerRecord): TimelineLine {
  return {
    seq: record.seq,
    time: record.time,
    call: words(record.call),
    kind: record.kind,
    what: whatOf(record),
    verdict: words(record.verdict),
    rule: words(record.rule),
    note: noteOf(record),
    receipt: words(record.receipt),
  };
}

function whatOf(record: LedgerRecord): string {
  switch (record.kind) {
    case "header":
      return joined(
        "session",
        record.session,
        "by",
        words(record.program),
        Number(record.part) > 1 ? labelled("part", record.part) : "",
      );
    case "intent": {
      const { target, sink } = record;
      const values = list(record.values).map(
        (value) => `${words(field(value, "channel"))} text of ${words(field(value, "characters"))} characters`,
      );
      return joined(
        words(record.tool),
        labelled("", field(target, "role")).trim(),
        words(field(target, "ref")),
        labelled("on", field(target, "site")),
        labelled("to", field(sink, "url")),
        values.length > 0 ? `with ${values.join(", ")}` : "",
      );
    }
    case "outcome":
      return joined(record.ok === true ? "done" : `not done: ${words(record.code)}`, labelled("of", record.of));
    case "request":
      return joined(
        words(record.method),
        words(record.url),
        `(${words(record.requestKind)})`,
        Number(record.hop) > 0 ? labelled("redirect", record.hop) : "",
      );
    case "question":
      return joined("asked", words(record.question), labelled("about", record.about), `(${words(record.effect)})`);
    case "answer":
      return joined(
        "answered",
        words(record.question),
        `“${words(record.answer)}”`,
        words(record.by) === "" ? "by nobody" : labelled("by", record.by),
      );
    case "grant":
      return joined(
        "granted",
        words(record.grant),
        labelled("for", record.site),
        typeof record.left === "number" ? `${record.left} times` : "",
      );
    case "dialog":
      return joined(words(record.type), `“${words(record.words)}”`, words(record.answered));
    case "browser":
      return joined("browser", words(record.version));
    case "fault":
      return joined("could not be judged:", words(record.of));
    case "checkpoint":
    case "close":
      return joined(
        record.kind === "close" ? "closed:" : "checkpoint:",
        words(record.size),
        "lines, root",
        words(record.root),
      );
    default:
      return "";
  }
}

function noteOf(record: LedgerRecord): string {
  const by = words(record.decidedBy);
  const counts = record.kind === "outcome" ? field(record, "requests") : undefined;
  const [allowed, refused] = [Number(field(counts, "allowed") ?? 0), Number(field(counts, "refused") ?? 0)];
  return [
    by === "" || by === "gate" ? "" : `decided by ${by}`,
    labelled("by grant", record.kind === "request" ? record.grant : undefined),
    labelled("by answer", record.kind === "request" ? record.question : undefined),
    words(record.why),
    allowed + refused > 0 ? `requests: ${allowed} let go, ${refused} refused` : "",
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/** Whether a record is asked for. */
export function isWanted(record: LedgerRecord, filters: LedgerFilters): boolean {
  const { call, kind, refused, site } = filters;
  return (
    (call === null || record.call === call) &&
    (kind === null || record.kind === kind) &&
    (!refused || record.verdict === "refuse" || record.answer === "no") &&
    (site === null || list(record.sites).includes(site) || record.site === site)
  );
}

/**
 * Every character that does something else than stand there is made visible: control characters, directions, invisible
 * ones, line breaks.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]|\p{Variation_Selector}|\u115f|\u1160|\u3164/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
