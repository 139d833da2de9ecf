/** What a run came to, for people. */

/** @typedef {{ name: string, version: string, steps: readonly import("./drive.mjs").Step[] }} Result */

const LONGEST_LINE = 150;

/** @param {Result} result */
function counts({ steps }) {
  const changes = steps.flatMap((step) => step.changes);
  const questions = steps.flatMap((step) => step.questions.map((question) => ({ ...question, step: step.name })));
  return {
    wanted: changes.length,
    done: changes.filter(({ isDone }) => isDone).length,
    unasked: changes.filter(isUnasked).length,
    questions,
    needless: questions.filter(({ why }) => why === ""),
  };
}

/** @param {import("./drive.mjs").Change} change */
function isUnasked({ isDone, isAsked, isPart }) {
  return isDone && !isAsked && !isPart;
}

/**
 * What must not be: one line each.
 * @param {Result} result
 * @param {boolean} isAsking
 */
export function problems(result, isAsking) {
  const { needless } = counts(result);
  return [
    ...result.steps.flatMap(({ name, changes }) =>
      changes.filter(({ isDone }) => !isDone).map(({ change }) => `${name}: not done: ${change}`),
    ),
    ...result.steps.flatMap(({ name, changes }) =>
      changes.filter((one) => isAsking && isUnasked(one)).map(({ change }) => `${name}: unasked: ${change}`),
    ),
    ...needless.map(({ step, lines }) => `${step}: needless: ${headOf(lines)}`),
    ...result.steps.flatMap(({ name, trouble }) => (trouble === null ? [] : [`${name}: the job stopped: ${trouble}`])),
  ];
}

/**
 * @param {Result} result
 * @param {boolean} isAsking
 */
export function stepsText(result, isAsking) {
  const lines = result.steps.flatMap(({ name, questions, refusals }) => [
    ...questions.map(
      ({ lines: [first = "", ...others], why }) =>
        `  ${name}: asked (${why || "needless"}): ${[first, ...others].map((line) => cut(line)).join("\n      ")}`,
    ),
    ...refusals.map(({ rule, what, why }) => `  ${name}: refused by ${rule}: ${cut(what)} (${why})`),
  ]);
  return [...lines, ...problems(result, isAsking).map((line) => `  PROBLEM ${line}`)].join("\n");
}

/**
 * @param {readonly Result[]} results
 * @param {boolean} isAsking
 */
export function tableText(results, isAsking) {
  const head = [
    "application",
    "version",
    "changes wanted",
    "done",
    "unasked",
    "questions",
    "a change",
    "needless",
    "refused",
  ];
  const rows = results.map((result) => {
    const { wanted, done, unasked, questions, needless } = counts(result);
    const refused = result.steps.reduce(
      (sum, { refusals }) => sum + refusals.filter(({ rule }) => rule.startsWith("effects.")).length,
      0,
    );
    const ratio = done === 0 ? "-" : (questions.length / done).toFixed(2);
    return [
      result.name,
      result.version,
      wanted,
      done,
      isAsking ? unasked : "-",
      questions.length,
      ratio,
      needless.length,
      refused,
    ].map(String);
  });
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const needless = results.flatMap((result) =>
    counts(result).needless.map(({ step, lines }) => `needless, ${result.name}, ${step}: ${headOf(lines)}`),
  );
  return ["", line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line), ...needless].join("\n");
}

/**
 * What was done, and the request.
 * @param {readonly string[]} lines
 */
function headOf(lines) {
  const request = lines.find((line) => /\b(GET|POST|PUT|PATCH|DELETE)\b/.test(line)) ?? "";
  return cut([lines[0] ?? "", request].filter((line, index, all) => all.indexOf(line) === index).join(" / "));
}

/** @param {string} line */
function cut(line) {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
