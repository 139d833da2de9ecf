import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { has, type JudgedTask, judgeTask, type TracedApp } from "./judge.ts";

const apps: readonly TracedApp[] = JSON.parse(readFileSync(new URL("traces.json", import.meta.url), "utf8"));
const judged: readonly JudgedTask[] = await Promise.all(
  apps.flatMap((app) => app.tasks.map((task) => judgeTask(app, task))),
);

/** Needless questions a task on private sites, without a profile of the application. */
const MAX_NEEDLESS = 0.8;

test("no change goes unasked", () => {
  const unasked = judged.flatMap(({ app, judged: all }) =>
    all
      .filter(
        ({ request, verdict, question }) =>
          has(request, "change") && !has(request, "sameChange") && verdict.verdict === "allow" && question === null,
      )
      .map((one) => `${app}: ${one.request.method} ${one.request.url} ${one.verdict.rule}`),
  );
  expect(unasked).toEqual([]);
});

test("no request that is needed is refused", () => {
  const refused = judged.flatMap(({ app, judged: all }) =>
    all
      .filter(
        ({ request, verdict }) =>
          verdict.verdict === "refuse" &&
          (request.is ?? []).some((mark) => ["reads", "change", "breaksIfRefused"].includes(mark)),
      )
      .map((one) => `${app}: ${one.request.method} ${one.request.url} ${one.verdict.rule}`),
  );
  expect(refused).toEqual([]);
});

test("nothing needless is asked on public sites", () => {
  expect(
    judged
      .filter(({ isPrivate }) => !isPrivate)
      .flatMap(({ app, task, needless }) => needless.map((one) => `${app}, ${task}: ${one}`)),
  ).toEqual([]);
});

test("little that is needless is asked on private sites", () => {
  const tasks = judged.filter(({ isPrivate }) => isPrivate);
  const needless = tasks.flatMap(({ app, task, needless: all }) => all.map((one) => `${app}, ${task}: ${one}`));
  console.log(`${needless.length} needless in ${tasks.length} tasks\n${needless.join("\n")}`);
  expect(needless.length / tasks.length).toBeLessThanOrEqual(MAX_NEEDLESS);
});
