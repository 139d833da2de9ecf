import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallableSession, openSession, type Question } from "../src/index.ts";
import { callsOf } from "./effects/guarded.ts";
import { reachOf } from "./effects/holes.ts";
import { PlainLane } from "./effects/plain.ts";
import type { Step } from "./effects/row.ts";
import { answeredRows, type Call } from "./effects/rows/holes-answers.ts";
import { type Hit, openSites, type Sites } from "./effects/sites.ts";

const ROW_MS = 120_000;
const reach = reachOf(answeredRows);

let plain: PlainLane;
let sites: Sites;

beforeAll(async () => {
  plain = await PlainLane.open(reach.hosts);
  sites = await openSites(reach.hosts);
});
afterAll(async () => {
  await plain?.close();
  await sites?.close();
});

describe.each(answeredRows.map((row, at) => [`${row.id}.${at} ${row.title}`, row] as const))("%s", (_name, row) => {
  test("happens in plain Chromium", { timeout: ROW_MS }, async () => {
    const steps = row.plainly ?? row.steps.filter((step): step is Step => !isCall(step));
    const patterns = [...row.arrives, ...row.never];
    const isEffect = (hit: Hit): boolean => patterns.some((pattern) => pattern.test(lineOf(hit)));
    const { id, title, pages } = row;
    expect(await plain.effects({ id, title, pages, steps, isEffect, without: patterns.length })).toBeGreaterThanOrEqual(patterns.length);
  });

  test("only what was answered with yes arrives", { timeout: ROW_MS }, async () => {
    sites.serve(row.pages);
    const asked: Question[] = [];
    const session = await openSession({
      mode: "act",
      allow: [...reach.private, ...reach.open],
      sites: reach.private.map((site) => ({ site, private: true })),
      hostMap: sites.hostMap,
      approve: (question) => {
        const wanted = row.answers[asked.push(question) - 1] ?? "no";
        return Promise.resolve({ answer: question.choices.includes(wanted) ? wanted : "no" });
      },
    });
    const results: string[] = [];
    try {
      for (const step of row.steps) await act(session, step, results);
      await sites.when((hits) => hits.every(({ complete }) => complete));
    } finally {
      await session.close();
    }
    const lines = counted(sites.hits.filter(({ method }) => method !== "OPTIONS").map(lineOf));
    const about = JSON.stringify({ lines, results, asked: asked.map((question) => question.lines) }, null, 1);
    for (const pattern of row.arrives) expect(lines.filter((line) => pattern.test(line)).length, about).toBe(1);
    for (const pattern of row.never)
      expect(
        lines.filter((line) => pattern.test(line)),
        about,
      ).toEqual([]);
    for (const [at, pattern] of (row.asked ?? []).entries()) expect(asked[at]?.lines.join("\n"), about).toMatch(pattern);
    if (row.questions === undefined) expect(asked.length, about).toBeGreaterThan(0);
    else expect(asked.length, about).toBe(row.questions);
  });
});

function isCall(step: Step | Call): step is Call {
  return "tool" in step || "page" in step;
}

async function act(session: Awaited<ReturnType<typeof openSession>>, step: Step | Call, results: string[]): Promise<void> {
  if ("page" in step) {
    results.push(await (await session.page()).title());
    return;
  }
  if ("until" in step) {
    await sites.when((hits) => hits.some(({ path }) => path === step.until));
    return;
  }
  if ("tab" in step) throw new Error("these rows have one tab");
  const named: CallableSession = session as unknown as CallableSession;
  for (const [tool, args] of "tool" in step ? [[step.tool, step.args] as const] : callsOf(step)) {
    const { envelope } = await named.call(tool, args);
    results.push(JSON.stringify({ tool, ok: envelope.ok, refused: envelope.refused, error: envelope.error, pending: envelope.pending }));
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
