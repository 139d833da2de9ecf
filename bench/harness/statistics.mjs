/** Medians, ratios and how sure they are. Everything random comes from one seed, so that a run can be repeated. */

const RESAMPLES = 2_000;

/**
 * Mulberry32: small, seeded, good enough to shuffle and resample.
 * @param {number} seed
 * @returns {() => number} numbers from 0 to 1
 */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * @param {readonly number[]} values
 * @param {number} share 0 to 1
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5);

/**
 * Ratio of the medians with the one-sided 95 % bounds on both sides, by resampling whole rounds.
 * @param {readonly number[]} numerators one a round
 * @param {readonly number[]} denominators of the same rounds
 * @param {() => number} random
 * @returns {{ ratio: number, lower: number, upper: number }}
 */
export function ratioOfMedians(numerators, denominators, random) {
  const ratios = Array.from({ length: RESAMPLES }, () => {
    const rounds = numerators.map(() => Math.floor(random() * numerators.length));
    return (
      median(rounds.map((round) => numerators[round] ?? 0)) / median(rounds.map((round) => denominators[round] ?? 0))
    );
  });
  return {
    ratio: median(numerators) / median(denominators),
    lower: quantile(ratios, 0.05),
    upper: quantile(ratios, 0.95),
  };
}

/**
 * Runs every contestant once a round, in an order that changes from round to round, so that a busy moment of the
 * machine meets all of them.
 * @template {string} Name
 * @param {Record<Name, (round: number) => Promise<number>>} contestants each returns what it measured
 * @param {{ rounds: number, warmUp?: number, random: () => number }} options rounds of the warm-up are run and not
 * counted; their numbers are negative
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function interleave(contestants, { rounds, warmUp = 1, random }) {
  const names = /** @type {Name[]} */ (Object.keys(contestants));
  const measured = /** @type {Record<Name, number[]>} */ (Object.fromEntries(names.map((name) => [name, []])));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of shuffled(names, random)) {
      const value = await contestants[name](round);
      if (round >= 0) measured[name].push(value);
    }
  }
  return measured;
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {() => number} random
 * @returns {Item[]}
 */
function shuffled(items, random) {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/**
 * Milliseconds that a piece of work takes.
 * @param {() => Promise<unknown>} work
 */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
