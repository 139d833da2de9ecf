const SHOWN_CHARACTERS = 60;
/** One typing slip for each so many letters, at least one. */
const LETTERS_PER_SLIP = 4;
/** Comparing is quadratic; nobody mistypes a name this long. */
const LONGEST_NAME_CHARACTERS = 64;

/** A value as an error shows it: one line, cut, without the user-info of addresses. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(cut(value.replaceAll(/\/\/[^/?#\s]*@/g, "//…@")));
  if (typeof value === "bigint") return cut(String(value));
  if (value === null || typeof value !== "object") return typeof value === "function" ? "a function" : String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : "an object";
}

/** A name that somebody wrote: bare when it is plain, else quoted and escaped. */
export function named(name: string): string {
  return /^[\w.$:/=-]+$/.test(name) && name.length <= SHOWN_CHARACTERS ? name : JSON.stringify(cut(name));
}

function cut(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

/**
 * The known name that was probably meant, else null. Case, dots, dashes and underscores do not count; for paths their
 * last part alone matches too.
 */
export function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > LONGEST_NAME_CHARACTERS) return null;
  const wanted = folded(name);
  const allowed = Math.max(1, Math.floor(folded(lastPart(name)).length / LETTERS_PER_SLIP));
  let best: { readonly name: string; readonly slips: number } | null = null;
  for (const candidate of known) {
    const slips = Math.min(slipsBetween(wanted, folded(candidate)), slipsBetween(wanted, folded(lastPart(candidate))));
    if (slips <= allowed && slips < wanted.length && (best === null || slips < best.slips))
      best = { name: candidate, slips };
  }
  return best?.name ?? null;
}

/** ` (did you mean x?)`, or nothing. */
export function hint(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === null ? "" : ` (did you mean ${meant}?)`;
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

// What all names of a kind begin with says nothing about which was meant.
function lastPart(name: string): string {
  return name.replace(/^CHAPERONE_|^.*\./, "");
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? at(beforeLast, j - 2) + 1
          : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, at(row, j - 1) + 1, at(last, j) + 1, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
