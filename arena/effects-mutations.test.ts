import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestDigest } from "../src/approval/digest.ts";
import { type CallableSession, type OpenedSession, openSession, type Question } from "../src/index.ts";
import { runs } from "../test/runs.ts";
import { ALONE, mutatingPage, TOGETHER } from "./effects/mutating.ts";
import { requestsOf, unsaidBy } from "./effects/shown.ts";
import { type Hit, openSites, type Sites } from "./effects/sites.ts";

/** `npm run fuzz` gives more of them, and another seed each time. */
const MUTATIONS = Number(process.env.EFFECT_MUTATIONS ?? runs(30, 1_500));
const SEED = Number(process.env.EFFECT_SEED ?? 20_260_701);
const MS_A_ROUND = 10_000;
const OPENED_MS = 60_000;
const PAGE = "http://shop.test/";
/** Of four clicks one sends one request, three many. */
const ROUNDS = Math.ceil(MUTATIONS / (TOGETHER * 3 + 1)) * 4;
/** One round in so many is answered with no. */
const NO_EVERY = 5;

let sites: Sites;
let session: OpenedSession;
let asked: { readonly question: Question; readonly answer: "once" | "no" }[] = [];
let round = 0;

beforeAll(async () => {
  sites = await openSites();
  session = await openSession({
    mode: "act",
    allow: ["shop.test"],
    sites: [{ site: "shop.test", private: true }],
    // Over it the page is told when to change what it sends.
    effects: { allow: [{ site: "shop.test", method: "GET", path: "/signal" }] },
    hostMap: sites.hostMap,
    async approve(question) {
      sites.tell("mutate");
      await sites.when((hits) =>
        hits.some(({ method, body }) => method === "SOCKET" && body.toString() === `mutated ${round}`),
      );
      const answer = round % NO_EVERY === NO_EVERY - 1 ? "no" : "once";
      asked.push({ question, answer });
      return { answer };
    },
  });
});
afterAll(async () => {
  await session?.close();
  await sites?.close();
});

/**
 * Documents that a request may be taken for: of a form for a window that is open already, it is the one that was there.
 */
const documents: string[] = [PAGE];

/** What is wrong with what arrived; nothing where every byte was shown and answered with yes. */
function wrongOf(hits: readonly Hit[], sessionId: string): readonly string[] {
  const yeses = asked
    .filter(({ answer }) => answer === "once")
    .flatMap(({ question }) => requestsOf(question).map((read) => ({ question, read })));
  return hits.flatMap((hit) => {
    const reasons = yeses.map(({ question, read }) =>
      isDigestOf(question, hit, sessionId) ? unsaidBy(read, question, hit) : "another digest",
    );
    const at = reasons.indexOf(null);
    if (at !== -1) yeses.splice(at, 1);
    return at === -1
      ? [
          `round ${round}: ${hit.method} ${hit.url} ${JSON.stringify(hit.headers)} ${JSON.stringify(hit.body.toString("latin1"))}: ${reasons.join("; ") || "no yes"}`,
        ]
      : [];
  });
}

/**
 * The bytes that arrived have one of the digests that were asked about; those of what cannot be inspected are not known
 * beforehand.
 */
function isDigestOf(question: Question, { method, url, headers, body }: Hit, sessionId: string): boolean {
  if (question.lines.some((line) => line.startsWith("file: ") || /^body: .*cannot be inspected$/.test(line)))
    return true;
  const bodyDigest = body.length === 0 ? null : createHash("sha256").update(body).digest("hex");
  const contentType = body.length === 0 ? null : (headers["content-type"] ?? "");
  // All that these pages write of headers.
  const written = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith("x-") && typeof value === "string" ? [[name, value] as const] : [],
  );
  return documents.some((documentUrl) =>
    question.requests.includes(
      requestDigest({ sessionId, method, url, bodyDigest, contentType, documentUrl, written }),
    ),
  );
}

test(`A-68: ${MUTATIONS} random mutations between question and release (seed ${SEED})`, {
  timeout: OPENED_MS + ROUNDS * MS_A_ROUND,
}, async () => {
  const untyped = session as unknown as CallableSession;
  const wrong: string[] = [];
  let questions = 0;
  let arrived = 0;
  let sent = 0;
  for (round = 0; round < ROUNDS; round += 1) {
    sites.serve({ "shop.test/": mutatingPage(SEED, round) });
    asked = [];
    await untyped.call("navigate", { url: PAGE });
    expect(await sites.when((hits) => hits.some(({ path }) => path === `/ready?${round}`))).toBe(true);
    const { envelope } = await untyped.call("click", { target: 'button "Go"' });
    // What was on its way is there before the next document is.
    await untyped.call("navigate", { url: `${PAGE}fence` });
    await sites.when((hits) => hits.every(({ complete }) => complete));
    const hits = sites.hits.filter(({ path }) => path.startsWith("/f/"));
    const sessionId = (
      JSON.parse(readFileSync(session.ledgerFile, "utf8").split("\n", 1)[0] ?? "") as { readonly session: string }
    ).session;
    wrong.push(...wrongOf(hits, sessionId));
    if (asked.length === 0) wrong.push(`round ${round}: nobody was asked, ${JSON.stringify(envelope)}`);
    documents.push(...hits.map(({ url }) => url));
    questions += asked.length;
    arrived += hits.length;
    sent += round % 4 === 3 ? 1 : TOGETHER;
  }
  console.log(`${sent} requests changed, ${questions} questions, ${arrived} arrived; ${ALONE.length} kinds of forms`);
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(MUTATIONS);
  expect(arrived).toBeGreaterThan(0);
});
