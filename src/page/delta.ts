import type { Line, Rendered } from "./render.ts";
import { tokensAbout } from "./tokens.ts";

/** More removed lines than these in a row are counted, not listed. */
const REMOVED_SHOWN = 3;
const WAS_MAX_CHARACTERS = 60;
/** A delta that costs more than this part of the whole view is no help. */
const WORTH_SHARE = 0.6;
/** The whole delta of a page that shows what it showed. */
export const UNCHANGED = "(nothing changed on the page)";

type Change = { readonly kind: "same" | "added" | "removed" | "changed" | "moved"; readonly line: Line; readonly was: Line | null };

/**
 * What changed between two looks: added (+), removed (-), changed (~) and moved (^) lines, each group under the section that holds it.
 * One short line when nothing did; null when the whole view says it better.
 */
export function delta(before: Rendered, after: Rendered): string | null {
  const changes = compare(before.lines, after.lines);
  if (changes.every((change) => change.kind === "same")) return UNCHANGED;
  const [header = ""] = after.text.split("\n", 1);
  const text = [header, ...write(changes, before.lines, after.lines)].join("\n");
  return tokensAbout(text) > tokensAbout(after.text) * WORTH_SHARE && tokensAbout(text) > SMALL_TOKENS ? null : text;
}

/** Below this the delta is shown whatever its share. */
const SMALL_TOKENS = 150;

const isText = (line: Line): boolean => line.text.startsWith('"');

/** Lines in the order of the later look, removed ones where they were. */
function compare(before: readonly Line[], after: readonly Line[]): Change[] {
  const old = new Map(before.map((line) => [line.key, line]));
  const now = new Set(after.map((line) => line.key));
  const still = stayed(
    before.filter((line) => now.has(line.key)).map((line) => line.key),
    after.filter((line) => old.has(line.key)).map((line) => line.key),
  );
  const out: Change[] = [];
  let at = 0;
  const passRemoved = (): Line[] => {
    const removed: Line[] = [];
    for (let line = before[at]; line !== undefined && !now.has(line.key); line = before[at]) {
      removed.push(line);
      at += 1;
    }
    return removed;
  };
  let pending = passRemoved();
  const flush = (): void => {
    for (const line of pending) out.push({ kind: "removed", line, was: line });
    pending = [];
  };
  for (const line of after) {
    const was = old.get(line.key);
    if (was === undefined) {
      // Words in the place of words are the same words, changed.
      const replaced = isText(line) ? pending.findIndex((gone) => isText(gone) && gone.section === line.section) : -1;
      const [gone] = replaced === -1 ? [] : pending.splice(replaced, 1);
      out.push(gone === undefined ? { kind: "added", line, was: null } : { kind: "changed", line, was: gone });
      continue;
    }
    if (still.has(line.key)) {
      flush();
      for (let passed = before[at]; passed !== undefined; passed = before[at]) {
        at += 1;
        if (passed.key === line.key) break;
        if (!now.has(passed.key)) pending.push(passed);
      }
      flush();
      out.push({ kind: was.text === line.text && was.section === line.section ? "same" : "changed", line, was });
      pending = passRemoved();
    } else out.push({ kind: was.text === line.text ? "moved" : "changed", line, was });
  }
  flush();
  for (const line of before.slice(at)) if (!now.has(line.key)) out.push({ kind: "removed", line, was: line });
  return out;
}

/** Keys that kept their order: the longest common rising run of places. */
function stayed(before: readonly string[], after: readonly string[]): Set<string> {
  const place = new Map(before.map((key, index) => [key, index]));
  const tails: { readonly at: number; readonly key: string; readonly previous: number }[] = [];
  const links: { readonly key: string; readonly previous: number }[] = [];
  const tops: number[] = [];
  for (const key of after) {
    const at = place.get(key) ?? 0;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle]?.at ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    const previous = low === 0 ? -1 : (tops[low - 1] ?? -1);
    links.push({ key, previous });
    tails[low] = { at, key, previous };
    tops[low] = links.length - 1;
  }
  const kept = new Set<string>();
  for (let index = tops[tails.length - 1] ?? -1; index >= 0; ) {
    const link = links[index];
    if (link === undefined) break;
    kept.add(link.key);
    index = link.previous;
  }
  return kept;
}

const SIGNS = { added: "+", changed: "~", moved: "^", removed: "-" } as const;

function write(changes: readonly Change[], before: readonly Line[], after: readonly Line[]): string[] {
  const sections = new Map<string, Line>();
  for (const line of before) sections.set(line.key, line);
  for (const line of after) sections.set(line.key, line);
  const present = new Set(after.map((line) => line.key));
  const told = new Set(changes.filter((change) => change.kind !== "same").map((change) => change.line.key));
  const lines: string[] = [];
  let section: string | null = null;
  let removedRun = 0;
  const endRun = (): void => {
    if (removedRun > REMOVED_SHOWN) lines.push(`- (${removedRun - REMOVED_SHOWN} more removed)`);
    removedRun = 0;
  };
  for (const change of changes) {
    if (change.kind === "same") {
      endRun();
      continue;
    }
    const { line } = change;
    // Lines in a removed section go with it.
    if (change.kind === "removed" && line.section !== null && told.has(line.section) && !present.has(line.section)) continue;
    if (line.section !== section) {
      endRun();
      section = line.section;
      const holder = section === null ? undefined : sections.get(section);
      if (holder !== undefined && !told.has(holder.key)) lines.push(`in ${holder.text}`);
      else if (section === null && lines.length > 0) lines.push("at the top");
    }
    if (change.kind === "removed") {
      removedRun += 1;
      if (removedRun <= REMOVED_SHOWN) lines.push(`- ${shorten(line.text)}`);
      continue;
    }
    endRun();
    const was =
      change.kind === "changed" && change.was !== null && isText(line) && isText(change.was) && change.was.text.length <= WAS_MAX_CHARACTERS
        ? ` (was ${change.was.text})`
        : "";
    lines.push(`${SIGNS[change.kind]} ${line.text}${was}`);
  }
  endRun();
  return lines;
}

/** A removed line needs only enough to be known again; whole when it is short, else its start up to a closed quote. */
function shorten(text: string): string {
  if (text.length <= WAS_MAX_CHARACTERS) return text;
  const end = closedQuote(text, WAS_MAX_CHARACTERS);
  return end === 0 ? "(a long text)" : `${text.slice(0, end)} …`;
}

/** Last place up to a limit where a quote just closed and no bracket is open. */
function closedQuote(text: string, limit: number): number {
  let open = false;
  let depth = 0;
  let last = 0;
  for (let at = 0; at < limit; at += 1) {
    const sign = text[at];
    if (sign === "\\") at += 1;
    else if (sign === '"') {
      open = !open;
      if (!open && depth === 0) last = at + 1;
    } else if (!open && sign === "(") depth += 1;
    else if (!open && sign === ")") depth -= 1;
  }
  return last;
}
