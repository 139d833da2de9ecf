import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestsOf } from "../../arena/effects/shown.ts";
import { openSites, type Sites } from "../../arena/effects/sites.ts";
import { type Plain, startPlain } from "../../arena/plain.ts";
import { type CallableSession, type OpenedSession, openSession, type Question } from "../../src/index.ts";
import { Controls, type Json } from "../controls.ts";
import { failure } from "../failure.ts";
import { runs } from "../runs.ts";
import { type Chain, type Input, sentOf } from "./chain.ts";
import { chainOf } from "./make.ts";
import { hostOf, labelOf, OTHER, overPath, pagesOf } from "./pages.ts";
import { rightOf } from "./right.ts";

/** They are those of the tests without a browser. */
const CHAINS = Number(process.env.EFFECT_BROWSER_CHAINS ?? runs(4, 40));
const SEED = Number(process.env.EFFECT_SEED ?? 20_261_201);
const CHAIN_MS = 120_000;
const STEP_MS = 15_000;

const chains = Array.from({ length: CHAINS }, (_, at) => chainOf(SEED + at));
const hosts = [...chains.flatMap((chain) => [hostOf(chain), hostOf(chain, "corner")]), OTHER];

/** Somebody who opens pages and does what is said. */
interface Driver {
  opens(url: string): Promise<void>;
  follows(): Promise<void>;
  does(input: Input, at: number): Promise<void>;
}

const controls = new Controls("chains");
let sites: Sites;
let session: OpenedSession;
/** Started when it is needed first. */
let plain: Promise<{ readonly sites: Sites; readonly browser: Plain }> | null = null;
let asked: Question[] = [];
let answer: Chain["answer"] = "no";

beforeAll(async () => {
  sites = await openSites(hosts);
  session = await openSession({
    mode: "act",
    allow: [...chains.map((chain) => hostOf(chain)), OTHER],
    sites: chains.filter(({ isPrivate }) => isPrivate).map((chain) => ({ site: hostOf(chain), private: true })),
    hostMap: sites.hostMap,
    approve: (question) => {
      asked.push(question);
      return Promise.resolve({ answer });
    },
  });
});
afterAll(async () => {
  controls.close();
  const started = await plain;
  await started?.browser.close();
  await session?.close();
  await started?.sites.close();
  await sites?.close();
});

async function startPlainly(): Promise<{ readonly sites: Sites; readonly browser: Plain }> {
  const open = await openSites(hosts);
  return { sites: open, browser: await startPlain({ hostMap: open.hostMap }) };
}

/** What arrives where nothing is in its way. */
function withoutGuard(chain: Chain): Promise<Json> {
  const content: Json = JSON.parse(
    JSON.stringify({
      chain,
      pages: Object.keys(pagesOf(chain)),
      page: pagesOf(chain)[`${hostOf(chain)}${chain.visits[0]?.path.split(/[?#]/)[0]}`],
    }),
  );
  return controls.outcome(`chain ${chain.seed}`, content, async () => {
    plain ??= startPlainly();
    const { sites: at, browser } = await plain;
    const page = await browser.context.newPage();
    try {
      return [...(await arrivedOf(chain, at, plainly(page), "once"))];
    } finally {
      await page.close();
    }
  });
}

describe.each(chains.map((chain) => [`chain ${chain.seed}`, chain] as const))("%s", (_name, chain) => {
  test("arrives whole in plain Chromium", { timeout: CHAIN_MS }, async () => {
    expect(await withoutGuard(chain)).toEqual(rightOf(chain, "once").arrives);
  });

  test("arrives as it should, with the questions that it should have", { timeout: CHAIN_MS }, async ({ task }) => {
    asked = [];
    answer = chain.answer;
    session.addOperatorText("Next.");
    const arrived = await arrivedOf(chain, sites, guarded(session as unknown as CallableSession), answer);
    const right = rightOf(chain);
    const questions = asked
      .flatMap((question) => requestsOf(question).map(({ method, url }) => `${method} ${url.text}`))
      .sort();
    const about = failure(task, {
      scenario: `chain ${chain.seed}`,
      expected: right.arrives.join(", "),
      received: arrived,
    });
    expect({ arrived, questions }, `${about}${JSON.stringify(clausesOf(chain), null, 1)}`).toEqual({
      arrived: right.arrives,
      questions: right.asked,
    });
  });
});

/** Drives it through; what arrived of its requests, in order of their names. */
async function arrivedOf(
  chain: Chain,
  at: Sites,
  driver: Driver,
  answered: Chain["answer"],
): Promise<readonly string[]> {
  at.serve(pagesOf(chain));
  for (const [n, visit] of chain.visits.entries()) {
    if (visit.by === "link" && n > 0) await driver.follows();
    else await driver.opens(`http://${hostOf(chain)}${visit.path}`);
    await isOver(at, n, 0);
    for (const [m, input] of visit.inputs.entries()) {
      await driver.does(input, m + 1);
      const navigation = input.sends.find(({ from }) => from === "navigation");
      if (navigation?.asks !== true || answered === "once") await isOver(at, n, m + 1);
    }
  }
  const own = new Set(
    sentOf(chain).flatMap(({ path, redirect }) => [path, ...(redirect === null ? [] : [redirect.path])]),
  );
  return at.hits
    .filter(({ method, path }) => method !== "OPTIONS" && own.has(path))
    .map(({ method, url }) => `${method} ${url}`)
    .sort();
}

async function isOver(at: Sites, visit: number, input: number): Promise<void> {
  const path = overPath(visit, input);
  expect(await at.when((hits) => hits.some((hit) => hit.path === path), STEP_MS), path).toBe(true);
}

function clausesOf(chain: Chain): unknown {
  return {
    isPrivate: chain.isPrivate,
    answer: chain.answer,
    sent: sentOf(chain).map(({ method, path, clause, asks, from, delayMs, body }) => [
      asks ? "asks" : "passes",
      clause,
      method,
      path,
      from,
      delayMs,
      body,
    ]),
  };
}

function plainly(page: Page): Driver {
  page.setDefaultTimeout(STEP_MS);
  return {
    opens: async (url) => void (await page.goto(url, { waitUntil: "commit" })),
    follows: () => page.getByRole("link", { name: "Next", exact: true }).click({ noWaitAfter: true }),
    does: (input, at) =>
      input.is === "press"
        ? page.getByRole("button", { name: labelOf(input, at), exact: true }).click({ noWaitAfter: true })
        : page.getByLabel(labelOf(input, at), { exact: true }).fill(input.text),
  };
}

function guarded(calls: CallableSession): Driver {
  return {
    opens: async (url) => void (await calls.call("navigate", { url })),
    follows: async () => void (await calls.call("click", { target: 'link "Next"' })),
    async does(input, at) {
      if (input.is === "press") await calls.call("click", { target: `button "${labelOf(input, at)}"` });
      else
        await calls.call("type_text", {
          target: `${ROLES[input.field.type]} "${labelOf(input, at)}"`,
          text: input.text,
        });
    },
  };
}

const ROLES = { text: "textbox", search: "searchbox", number: "spinbutton" } as const;
