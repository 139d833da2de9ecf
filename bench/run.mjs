/**
 * `npm run bench`: all measures, results into RESULTS.md. `-- --quick` runs fewer rounds, `-- click tokens` only these
 * measures; both only print.
 *
 * @typedef {object} Bench
 * @property {string} browser the Chromium that every contestant runs
 * @property {{ url: string }} site
 * @property {import("../sites/server.mjs").Sites} sites
 * @property {boolean} quick
 * @property {() => number} random
 * @property {string} folder for what servers write; gone afterwards
 * @property {(name: string) => string} file a path in it
 */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "../dist/browser/find.js";
import { startSites } from "../sites/server.mjs";
import { openPlain } from "./harness/contestants.mjs";
import { reportText, sectionText } from "./harness/report.mjs";
import { startBenchSite } from "./harness/site.mjs";
import { randomFrom } from "./harness/statistics.mjs";
import { measureClick } from "./measures/click.mjs";
import { measureDecision } from "./measures/decision.mjs";
import { measureLedger } from "./measures/ledger.mjs";
import { measureLoading } from "./measures/loading.mjs";
import { measureLook } from "./measures/look.mjs";
import { measureProcess } from "./measures/process.mjs";
import { measureTokens } from "./measures/tokens.mjs";

const SEED = 20_260_701;
const RESULTS = new URL("RESULTS.md", import.meta.url);
const measures = {
  look: measureLook,
  click: measureClick,
  loading: measureLoading,
  decision: measureDecision,
  process: measureProcess,
  tokens: measureTokens,
  ledger: measureLedger,
};

const words = process.argv.slice(2);
const quick = words.includes("--quick");
const chosen = words.filter((word) => word !== "--quick");
const unknown = chosen.filter((word) => !(word in measures));
if (unknown.length > 0) {
  console.error(
    `bench: unknown measure ${unknown.join(", ")}; there are ${Object.keys(measures).join(", ")}, and --quick`,
  );
  process.exit(2);
}

const began = performance.now();
const load = loadavg()[0] ?? 0;
const { path: browser } = await findBrowser();
const folder = await mkdtemp(join(tmpdir(), "chaperone-bench-"));
const site = await startBenchSite();
const sites = await startSites();
try {
  const sections = [];
  for (const [name, measure] of Object.entries(measures)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    // Each measure has its own numbers from the seed, whatever ran before it.
    const section = await measure({
      browser,
      site,
      sites,
      quick,
      random: randomFrom(SEED),
      folder,
      file: (file) => join(folder, file),
    });
    console.log(sectionText(section));
    sections.push(section);
  }
  const seconds = (performance.now() - began) / 1_000;
  const facts = {
    versions: await versions(),
    machine: `${process.platform} ${process.arch}, ${availableParallelism()} cores, load ${load.toFixed(1)} at the start, ${(loadavg()[0] ?? 0).toFixed(1)} at the end`,
    seed: SEED,
    seconds,
  };
  if (!quick && chosen.length === 0) await writeFile(RESULTS, reportText(sections, facts));
  console.log(`${Math.round(seconds)} s`);
} finally {
  await sites.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
}

async function versions() {
  const require = createRequire(import.meta.url);
  const versionOf = async (/** @type {string} */ path) => JSON.parse(await readFile(path, "utf8")).version;
  const plain = await openPlain(browser);
  await plain.close();
  return [
    `chaperone ${await versionOf(new URL("../package.json", import.meta.url).pathname)}, Node ${process.versions.node}`,
    `Chromium ${plain.version}, headless, the same program for all`,
    `playwright-core ${await versionOf(require.resolve("playwright-core/package.json"))}, @playwright/mcp ${await versionOf(require.resolve("@playwright/mcp/package.json"))}`,
  ];
}
