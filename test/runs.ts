/** All that `npm run test:full` does more than `npm test`. */
export const FULL = process.env.CHAPERONE_FULL === "1";

const TIMES_IN_FULL = 10;

/** How often a property is tried: so often on each change, and ten times as often, or as often as is said, in the full run. */
export function runs(eachChange: number, full = eachChange * TIMES_IN_FULL): number {
  return FULL ? full : eachChange;
}
