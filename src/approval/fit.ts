import { several } from "./escape.ts";

const MAX_LINES = 60;
const MAX_CHARS = 8_000;
/** Kept for the line that says what is cut and left out. */
const MISSING_CHARS = 200;

/** One line of a question and what it would take away when it is left out. */
export interface Fact {
  readonly line: string;
  readonly kind: "request" | "fact" | "operation" | "header" | "field" | "file" | "body";
  /** How many of that kind it holds. */
  readonly holds: number;
  /** It says where the request goes: such lines come before all others when there is too little room. */
  readonly isPlace: boolean;
}

export interface Fitted {
  readonly lines: readonly string[];
  /** What had to be left out, counted in words; null when nothing had to. */
  readonly leftOut: string | null;
}

/**
 * As many facts as fit beside `others` and one line of ours about what is missing, in their order: first all places,
 * then the rest.
 */
export function fitted(facts: readonly Fact[], others: readonly string[]): Fitted {
  let lines = MAX_LINES - others.length - 1;
  let chars = MAX_CHARS - MISSING_CHARS - others.reduce((sum, line) => sum + charsOf(line), 0);
  const kept = new Set<Fact>();
  const keep = (some: readonly Fact[]): boolean =>
    some.every((fact) => {
      if (lines < 1 || chars < charsOf(fact.line)) return false;
      lines -= 1;
      chars -= charsOf(fact.line);
      kept.add(fact);
      return true;
    });
  if (keep(facts.filter((fact) => fact.isPlace))) keep(facts.filter((fact) => !fact.isPlace));
  const missing = facts.filter((fact) => !kept.has(fact));
  return {
    lines: facts.filter((fact) => kept.has(fact)).map((fact) => fact.line),
    leftOut: missing.length === 0 ? null : countsOf(missing),
  };
}

/** With its line break. */
function charsOf(line: string): number {
  return line.length + 1;
}

function countsOf(facts: readonly Fact[]): string {
  const counts = new Map<Fact["kind"], number>();
  for (const { kind, holds } of facts) counts.set(kind, (counts.get(kind) ?? 0) + holds);
  return [...counts]
    .map(([kind, number]) => (kind === "body" ? several(number, "text") : several(number, kind)))
    .join(", ");
}
