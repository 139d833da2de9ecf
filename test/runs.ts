/** All that `npm run test:full` does more than `npm test`. */
export const FULL = process.env.CHAPERONE_FULL === "1";

/** How one file or test of this run is run alone: on each change not every row is there. */
export const ALONE = `${FULL ? "CHAPERONE_FULL=1 " : ""}npx vitest run`;

const TIMES_IN_FULL = 10;

/**
 * How often a property is tried: so often on each change, and ten times as often, or as often as is said, in the full
 * run.
 */
export function runs(eachChange: number, full = eachChange * TIMES_IN_FULL): number {
  return FULL ? full : eachChange;
}

/**
 * All rows in the full run; on each change the first of each kind, as the others prove the same rule in another form or
 * at another door.
 */
export function ofEachKind<Row>(rows: readonly Row[], kindOf: (row: Row) => string): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => FULL || (!seen.has(kindOf(row)) && seen.add(kindOf(row)).size > 0));
}

/**
 * All rows in the full run; on each change the first and every so manieth after it, where each row is a kind of its
 * own.
 */
export function oneOf<Row>(every: number, rows: readonly Row[]): readonly Row[] {
  return rows.filter((_row, at) => FULL || at % every === 0);
}
