import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallableSession, type OpenedSession, openSession, type Question } from "../src/index.ts";
import { Controls } from "../test/controls.ts";
import { FULL, oneOf } from "../test/runs.ts";
import { callsOf } from "./effects/guarded.ts";
import { reachOf } from "./effects/holes.ts";
import { PlainLane } from "./effects/plain.ts";
import { contentOf, type Row, type Step } from "./effects/row.ts";
import { type AnsweredRow, answeredRows, type Call } from "./effects/rows/holes-answers.ts";
import { type Hit, openSites, type Sites } from "./effects/sites.ts";

const ROW_MS = 120_000;
const reach = reachOf(answeredRows);

const controls = new Controls("holes-answers");
/** Started when it is needed first. */
let plain: Promise<PlainLane> | null = null;
let sites: Sites;
/** On each change the rows share a session: each has hosts of its own, and what is answered is of a host. */
let session: OpenedSession | null = null;
let row: AnsweredRow | null = null;
let asked: Question[] = [];

beforeAll(async () => {
  sites = await openSites(reach.hosts);
});
afterAll(async () => {
  controls.close();
  await (await plain)?.close();
  await session?.close();
  await sites?.close();
});

async function sessionFor(next: AnsweredRow): Promise<OpenedSession> {
  const isAlone = FULL || next.steps.some((step) => "page" in step);
  if (isAlone) {
    await session?.close();
    session = null;
  }
  row = next;
  asked = [];
  session ??= await openSession({
    mode: "act",
    allow: [...reach.private, ...reach.open],
    sites: reach.private.map((site) => ({ site, private: true })),
    hostMap: sites.hostMap,
    approve: (question) => {
      const wanted = row?.answers[asked.push(question) - 1] ?? "no";
      return Promise.resolve({ answer: question.choices.includes(wanted) ? wanted : "no" });
    },
  });
  // Whoever was asked a lot is asked again: rows do not know of one another.
  session.addOperatorText("Next.");
  return session;
}

/** What a program did with a page stays its doing: the next row gets another session. */
async function isDone({ steps }: AnsweredRow): Promise<void> {
  if (!FULL && !steps.some((step) => "page" in step)) return;
  await session?.close();
  session = null;
}

/** As a row for plain Chromium. */
function plainly({ id, title, pages, steps, plainly: instead, arrives, never }: AnsweredRow): Row {
  const patterns = [...arrives, ...never];
  const isEffect = (hit: Hit): boolean => patterns.some((pattern) => pattern.test(lineOf(hit)));
  return {
    id,
    title,
    pages,
    steps: instead ?? steps.filter((step): step is Step => !isCall(step)),
    isEffect,
    without: patterns.length,
  };
}

describe.each(
  oneOf(
    3,
    answeredRows.map((one, at) => [`${one.id}.${at} ${one.title}`, one] as const),
  ),
)("%s", (name, one) => {
  test("happens in plain Chromium, and only what was answered with yes arrives", { timeout: ROW_MS }, async () => {
    const { arrives, never } = one;
    const row = plainly(one);
    const content = { row: contentOf(row), arrives: arrives.map(String), never: never.map(String) };
    const effects = await controls.outcome(name, content, async () => {
      plain ??= PlainLane.open(reach.hosts);
      return (await plain).effects(row);
    });
    expect(effects).toBeGreaterThanOrEqual(arrives.length + never.length);

    const at = await sessionFor(one);
    sites.serve(one.pages);
    const results: string[] = [];
    try {
      for (const step of one.steps) await act(at, step, results);
      await sites.when((hits) => hits.every(({ complete }) => complete));
    } finally {
      await isDone(one);
    }
    const lines = counted(sites.hits.filter(({ method }) => method !== "OPTIONS").map(lineOf));
    const about = JSON.stringify({ lines, results, asked: asked.map((question) => question.lines) }, null, 1);
    for (const pattern of arrives) expect(lines.filter((line) => pattern.test(line)).length, about).toBe(1);
    for (const pattern of never)
      expect(
        lines.filter((line) => pattern.test(line)),
        about,
      ).toEqual([]);
    for (const [index, pattern] of (one.asked ?? []).entries())
      expect(asked[index]?.lines.join("\n"), about).toMatch(pattern);
    if (one.questions === undefined) expect(asked.length, about).toBeGreaterThan(0);
    else expect(asked.length, about).toBe(one.questions);
  });
});

function isCall(step: Step | Call): step is Call {
  return "tool" in step || "page" in step;
}

async function act(at: OpenedSession, step: Step | Call, results: string[]): Promise<void> {
  if ("page" in step) {
    results.push(await (await at.page()).title());
    return;
  }
  if ("until" in step) {
    await sites.when((hits) => hits.some(({ path }) => path === step.until));
    return;
  }
  if ("tab" in step) throw new Error("these rows have one tab");
  const named: CallableSession = at as unknown as CallableSession;
  for (const [tool, args] of "tool" in step ? [[step.tool, step.args] as const] : callsOf(step)) {
    const { envelope } = await named.call(tool, args);
    results.push(
      JSON.stringify({
        tool,
        ok: envelope.ok,
        refused: envelope.refused,
        error: envelope.error,
        pending: envelope.pending,
      }),
    );
  }
}

/** `METHOD address body` */
function lineOf({ method, url, body }: Hit): string {
  return `${method} ${url}${body.length === 0 ? "" : ` ${body.toString()}`}`;
}

/** The second of the same kind says so. */
function counted(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => (lines.indexOf(line) === at ? line : `${line} (twice)`));
}
