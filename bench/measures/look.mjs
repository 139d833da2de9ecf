/** A look at a page: the library against Playwright's AI snapshot, on the same pages in the same state. */

import { lookAt } from "../../dist/page/look.js";
import { openOurs, openPlain } from "../harness/contestants.mjs";
import { milliseconds, ratioWords } from "../harness/report.mjs";
import { interleave, ratioOfMedians, timed } from "../harness/statistics.mjs";

const BIG_ROWS = 3_000;
const TABLE_TIMES_FASTER = 10;
/** Equal within what the machine's noise lets one tell. */
const NO_SLOWER = 1;
const DEFAULT_TOKENS = 4_000;
const NO_LIMIT_TOKENS = 100_000_000;
/** A look without limits on a big page takes longer than the product lets one frame take. */
const PATIENT_MS = 30_000;
const TIME = { totalMs: 60_000, remainingMs: () => 60_000, signal: new AbortController().signal };

/** @param {import("../run.mjs").Bench} bench */
export async function measureLook(bench) {
  const { browser, site, sites, quick, random } = bench;
  const ours = await openOurs({
    browser,
    origins: [site.url, sites.shop.url, sites.backOffice.url],
    ledger: bench.file("look.jsonl"),
  });
  const plain = await openPlain(browser);
  const { ask } = ours.view;
  ours.view.ask = (/** @type {unknown} */ frame, /** @type {string} */ method, /** @type {unknown} */ args) =>
    ask.call(ours.view, frame, method, args, PATIENT_MS);
  /** @param {number} maxTokens */
  const look = async (maxTokens) => {
    // How far one look went is how far the next one goes: each is a first one.
    ours.view.memory = null;
    const { text } = await lookAt(ours.view, { since: "nothing", maxTokens, root: null, time: TIME });
    if (text.text.length < 100) throw new Error("The look saw nothing.");
    if (maxTokens === NO_LIMIT_TOKENS) ours.view.memory = null;
  };
  const whole = async () => {
    const { envelope } = await ours.session.call("snapshot", {});
    if (!envelope.ok) throw new Error("The snapshot failed.");
  };
  const peer = async () => {
    const text = await plain.page.ariaSnapshot({ mode: "ai" });
    if (text.length < 100) throw new Error("Playwright's snapshot saw nothing.");
  };
  const pages = [
    {
      name: "table of 3,000 rows",
      ready: open(`${site.url}/table?rows=${BIG_ROWS}`),
      rounds: quick ? 2 : 8,
      big: true,
    },
    { name: "back office, 24 orders", ready: signIn(sites.backOffice.url), rounds: quick ? 5 : 25, big: false },
    { name: "shop", ready: openShop(sites.shop.url), rounds: quick ? 5 : 25, big: false },
    { name: "long article", ready: open(`${site.url}/article`), rounds: quick ? 5 : 25, big: false },
  ];
  /** @type {import("../harness/report.mjs").Row[]} */
  const rows = [];
  try {
    for (const { name, ready, rounds, big } of pages) {
      await ready(ours.page);
      await ready(plain.page);
      const measured = await interleave(
        {
          look: () => timed(() => look(DEFAULT_TOKENS)),
          full: () => timed(() => look(NO_LIMIT_TOKENS)),
          whole: () => timed(whole),
          peer: () => timed(peer),
        },
        { rounds, random, warmUp: big ? 1 : 3 },
      );
      const times = (/** @type {"look" | "full" | "whole"} */ which) =>
        ratioOfMedians(measured.peer, measured[which], random);
      const wanted = big ? TABLE_TIMES_FASTER : NO_SLOWER;
      for (const [which, what] of /** @type {const} */ ([
        ["look", "the look"],
        ["full", "the look, nothing left out"],
        ["whole", "the whole `snapshot` call, with settling"],
      ])) {
        const ratio = times(which);
        rows.push({
          what: `${name}: ${what}`,
          ours: milliseconds(measured[which]),
          peer: milliseconds(measured.peer),
          ratio: ratioWords(ratio),
          // What is shown of a page without limits has no target: nobody gets to see it.
          ...(which !== "full" && { target: `at least ${wanted}`, met: ratio.ratio >= wanted }),
        });
      }
    }
  } finally {
    await ours.close();
    await plain.close();
  }
  return {
    title: "Looking at a page",
    how: 'Our snapshot through the library against `page.ariaSnapshot({ mode: "ai" })` of playwright-core in a Chromium that Playwright launched. The ratio says how many times faster ours is. "The look" has the default budget of tokens; a whole `snapshot` call also waits until the page keeps still, which Playwright\'s does not.',
    peer: "playwright-core",
    rows,
  };
}

/** @typedef {import("../harness/contestants.mjs").Page} Page */

/** @param {string} url */
const open = (url) => async (/** @type {Page} */ page) => {
  await page.goto(url);
};

/** @param {string} url */
const openShop = (url) => async (/** @type {Page} */ page) => {
  await page.goto(url);
  await page
    .getByRole("link", { name: /kettle/i })
    .first()
    .waitFor();
};

/** @param {string} url */
const signIn = (url) => async (/** @type {Page} */ page) => {
  await page.goto(`${url}/login`);
  await page.getByLabel("User").fill("ada");
  await page.getByLabel("Password").fill("correct-horse");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("table").waitFor();
};
