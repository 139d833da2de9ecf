/** Drives one application through its job and keeps, for each step, what was wanted, done, asked, refused and sent. */

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openModel } from "./model.mjs";
import { freePort, holds, until } from "./processes.mjs";
import { startRecorder } from "./recorder.mjs";

/** A change that waits for a question, or for an application that saves by and by. */
const CHANGE_LIMIT_MS = 20_000;
/** Nothing arrived for so long: what the step caused has been sent. */
const QUIET_MS = 1_200;
const QUIET_LIMIT_MS = 8_000;
const LONGEST_REASON = 100;
/** Nothing was done: the page is not so far, or the machine is busy. */
const LATER = new Set(["no_match", "covered", "still_loading", "timeout", "stale"]);

/**
 * @typedef {object} Wanted
 * @property {string} change in the words of who wants it
 * @property {RegExp} asks a question whose lines match is about this change; the first is needed, the others are not
 * @property {boolean} [isPart] it belongs to another change: a question is all right, none is too
 * @property {() => unknown} done whether the application has it, by its files, its API or its database
 *
 * @typedef {object} Allowed a question that is right without a change being wanted, once in a session
 * @property {RegExp} asks
 * @property {string} why
 *
 * @typedef {object} Running
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} Job what a model would do
 * @property {string} origin
 * @property {(name: string, wanted: readonly Wanted[], act: () => Promise<unknown>) => Promise<void>} step
 * @property {(tool: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>} call a target may be
 * an expression for its line in a snapshot; throws when it was not done
 * @property {(line: RegExp) => Promise<string>} ref of the first element whose line in a snapshot matches, as soon as
 * there is one
 *
 * @typedef {object} App
 * @property {string} name
 * @property {() => Promise<string>} version
 * @property {readonly string[]} debian packages, beside what npm brings
 * @property {readonly Allowed[]} alsoAsked
 * @property {readonly { effect: string, why: string }[]} granted what an operator who knows the application permits, as
 * refusals print it: "METHOD /path"
 * @property {readonly { match: RegExp, is: string }[]} traffic what its requests are, for who reads the recording:
 * "METHOD path" is matched
 * @property {(given: { folder: string, port: number, origin: string }) => Promise<Running>} start
 * @property {(job: Job) => Promise<void>} job
 *
 * @typedef {{ lines: readonly string[], why: string }} Question `why`: the change or the reason it is needed for, ""
 * when it is needless
 * @typedef {{ change: string, isDone: boolean, isAsked: boolean, isPart: boolean }} Change
 * @typedef {{ rule: string, what: string, why: string }} Refusal
 * @typedef {{ name: string, changes: Change[], questions: Question[], refusals: Refusal[], trouble: string | null,
 * told: string[], requests: object[] }} Step
 */

/**
 * @param {App} app
 * @param {{ folder: string, options: readonly string[], say: (line: string) => void }} given
 */
export async function drive(app, { folder, options, say }) {
  const own = join(folder, app.name);
  await mkdir(own, { recursive: true });
  const [publicPort, port] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${publicPort}`;
  const ledger = join(own, "ledger.jsonl");
  const running = await app.start({ folder: own, port, origin });
  const recorder = await startRecorder(publicPort, port);
  let step = "";
  /** @type {Step[]} */
  const steps = [];
  /** @type {{ step: Step, wanted: readonly Wanted[], fromMs: number }[]} */
  const taken = [];
  const grants = app.granted.flatMap(({ effect }) => ["--allow-effect", effect.replace(" ", ` ${origin}`)]);
  const model = await openModel({ origin, folder, ledger, options: [...grants, ...options], step: () => step });
  /** @type {Job} */
  const job = {
    origin,
    async step(name, wanted, act) {
      step = name;
      recorder.begin(name);
      /** @type {Step} */
      const one = { name, changes: [], questions: [], refusals: [], trouble: null, told: [], requests: [] };
      steps.push(one);
      taken.push({ step: one, wanted, fromMs: Date.now() });
      say(`  ${name}`);
      // What holds already is not done by the step.
      const before = await Promise.all(wanted.map(({ done }) => holds(done)));
      try {
        await act();
      } catch (error) {
        one.trouble = error instanceof Error ? error.message : String(error);
        say(`    ${one.trouble}`);
      }
      for (const [index, { change, done, isPart = false }] of wanted.entries()) {
        const isDone = before[index] !== true && (await until(done, one.trouble === null ? CHANGE_LIMIT_MS : QUIET_MS));
        one.changes.push({ change, isDone, isAsked: false, isPart });
        if (!isDone) say(`    not done: ${change}`);
      }
      await until(() => recorder.quietMs() >= QUIET_MS, QUIET_LIMIT_MS);
    },
    async call(tool, args = {}) {
      const giveUp = performance.now() + CHANGE_LIMIT_MS;
      for (;;) {
        const target = args.target instanceof RegExp ? await job.ref(args.target) : args.target;
        const { ok, answer } = await model.call(tool, target === undefined ? args : { ...args, target });
        if (ok) return answer;
        // Not there yet: a model looks and tries again.
        if (LATER.has(codeOf(answer)) && performance.now() < giveUp) continue;
        const told = `${tool} ${JSON.stringify(args, (_, value) => (value instanceof RegExp ? String(value) : value))}: ${JSON.stringify(answer.refused ?? answer.error ?? answer)}`;
        taken.at(-1)?.step.told.push(told);
        throw new Error(told);
      }
    },
    async ref(line) {
      let found = "";
      const look = async () => {
        const { snapshot } = await job.call("snapshot", { detail: "full" });
        // Several may stand in one line: the ref before the name is meant.
        found = new RegExp(`\\b(e\\d+) (?:${line.source})`, line.flags).exec(String(snapshot))?.[1] ?? "";
        return found !== "";
      };
      if (!(await until(look, CHANGE_LIMIT_MS))) throw new Error(`the page never showed ${line}`);
      return found;
    },
  };
  try {
    await app.job(job);
  } finally {
    await model.close();
    await recorder.close();
    await running.stop();
  }
  const records = await decisions(ledger);
  settle(app, taken, model.asked, records);
  for (const one of steps) {
    one.requests = recorder.seen
      .filter((seen) => seen.step === one.name)
      .map((seen) => ({ is: meaning(app, seen), ...seen, step: undefined }));
  }
  return steps;
}

/**
 * What each question was for, what was refused, and when.
 * @param {App} app
 * @param {readonly { step: Step, wanted: readonly Wanted[], fromMs: number }[]} taken
 * @param {readonly import("./model.mjs").Asked[]} asked
 * @param {readonly Record<string, unknown>[]} records
 */
function settle(app, taken, asked, records) {
  const used = new Set();
  for (const [index, { step, wanted, fromMs }] of taken.entries()) {
    for (const { lines } of asked.filter((one) => one.step === step.name)) {
      const text = lines.join("\n");
      const reasons = [];
      for (const [at, { change, asks }] of wanted.entries()) {
        const entry = step.changes[at];
        if (entry === undefined || entry.isAsked || !asks.test(text)) continue;
        entry.isAsked = true;
        reasons.push(change);
      }
      for (const allowed of app.alsoAsked) {
        if (reasons.length > 0 || used.has(allowed) || !allowed.asks.test(text)) continue;
        used.add(allowed);
        reasons.push(allowed.why);
      }
      step.questions.push({ lines, why: reasons.join("; ") });
    }
    const toMs = taken[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    for (const record of records) {
      const at = Date.parse(String(record.time));
      if (record.kind !== "request" || record.verdict !== "refuse" || at < fromMs || at >= toMs) continue;
      step.refusals.push({
        rule: String(record.rule),
        what: `${record.method} ${record.url}`,
        why: String(record.why ?? "").slice(0, LONGEST_REASON),
      });
    }
  }
}

/** @param {Record<string, unknown>} answer */
function codeOf({ error }) {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

/** @param {string} file */
async function decisions(file) {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

/**
 * @param {App} app
 * @param {{ method: string, path: string }} seen
 */
function meaning(app, { method, path }) {
  const known = app.traffic.find(({ match }) => match.test(`${method} ${path}`));
  return known?.is ?? (method === "GET" || method === "HEAD" ? "reads" : "unknown");
}
