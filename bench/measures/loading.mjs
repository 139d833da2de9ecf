/**
 * What the guard costs a page's own requests: the same loads in our session and in a Chromium that Playwright launched.
 */

import { openOurs, openPlain } from "../harness/contestants.mjs";
import { milliseconds, ratioWords } from "../harness/report.mjs";
import { interleave, ratioOfMedians, timed } from "../harness/statistics.mjs";

const COUNT = 200;
const WITHIN = 1.1;

/** @param {import("../run.mjs").Bench} bench */
export async function measureLoading(bench) {
  const { browser, site, quick, random } = bench;
  const ours = await openOurs({ browser, origins: [site.url], ledger: bench.file("loading.jsonl") });
  const plain = await openPlain(browser);
  const many = quick ? 5 : 20;
  const few = quick ? 3 : 6;
  const images = `${site.url}/images?count=${COUNT}`;
  const pairs = async (/** @type {(round: number) => string} */ urlOf, /** @type {number} */ rounds) => {
    const load =
      (/** @type {import("../harness/contestants.mjs").Page} */ page) => async (/** @type {number} */ round) => {
        await page.goto(`${site.url}/empty`);
        const ms = await timed(() => page.goto(urlOf(round), { waitUntil: "load" }));
        const failed = await page.evaluate(
          () => [...document.images].filter((image) => image.naturalWidth === 0).length,
        );
        if (failed > 0) throw new Error(`${failed} images did not load.`);
        return ms;
      };
    const measured = await interleave(
      { ours: load(ours.page), plain: load(plain.page) },
      { rounds, random, warmUp: 2 },
    );
    return { measured, ratio: ratioOfMedians(measured.ours, measured.plain, random) };
  };
  try {
    const cached = await pairs(() => images, many);
    const cold = await pairs((round) => `${site.url}/resources?count=${COUNT}&kind=fresh&run=${round + 2}`, many);
    const distant = await pairs((round) => `${site.url}/resources?count=${COUNT}&kind=distant&run=${round + 2}`, few);
    const warm = await pairs(() => `${site.url}/resources?count=${COUNT}&kind=cached&run=same`, many);
    const row = (/** @type {string} */ what, /** @type {typeof cached} */ { measured, ratio }) => ({
      what,
      ours: milliseconds(measured.ours),
      peer: milliseconds(measured.plain),
      ratio: ratioWords(ratio),
    });
    return {
      title: "Loading pages",
      how: `\`page.goto\` until \`load\`, ${many} interleaved pairs (${few} of the distant server), another page in between. The ratio is ours to plain: 1.00 costs nothing. In brackets the one-sided 95 % bounds.`,
      peer: "plain Chromium",
      rows: [
        {
          ...row(`${COUNT} cached images, loaded again`, cached),
          target: `ratio at most ${WITHIN.toFixed(2)}`,
          met: cached.ratio.ratio <= WITHIN,
        },
        {
          ...row(`${COUNT} resources, cold`, cold),
          target: `lower bound at most ${WITHIN.toFixed(2)}`,
          met: cold.ratio.lower <= WITHIN,
        },
        row(`${COUNT} resources, cold, each 20 ms away`, distant),
        {
          ...row(`${COUNT} resources, warm`, warm),
          target: `lower bound at most ${WITHIN.toFixed(2)}`,
          met: warm.ratio.lower <= WITHIN,
        },
      ],
    };
  } finally {
    await ours.close();
    await plain.close();
  }
}
