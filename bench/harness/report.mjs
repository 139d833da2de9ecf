/**
 * What a measure hands back, and how it reads.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {string} ours
 * @property {string} [peer]
 * @property {string} [ratio]
 * @property {string} [target]
 * @property {boolean} [met] left out where there is no target
 *
 * @typedef {{ title: string, how: string, peer: string, rows: readonly Row[] }} Section
 */

import { median, quantile } from "./statistics.mjs";

/** @param {number} value */
const short = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/**
 * Median and the middle half.
 * @param {readonly number[]} values milliseconds
 */
export const milliseconds = (values) =>
  `${short(median(values))} ms (${short(quantile(values, 0.25))} to ${short(quantile(values, 0.75))})`;

/** @param {{ ratio: number, lower: number, upper: number }} ratio */
export const ratioWords = ({ ratio, lower, upper }) => `${ratio.toFixed(2)} [${lower.toFixed(2)}, ${upper.toFixed(2)}]`;

/** @param {number} tokens */
export const tokenWords = (tokens) => tokens.toLocaleString("en-US");

/**
 * @param {Section} section
 * @returns {string}
 */
export function sectionText({ title, how, peer, rows }) {
  const head = ["", "ours", peer, "ratio", "target", "met"];
  const lines = rows.map((row) => [
    row.what,
    row.ours,
    row.peer ?? "",
    row.ratio ?? "",
    row.target ?? "",
    row.met === undefined ? "" : row.met ? "yes" : "**no**",
  ]);
  const table = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `## ${title}\n\n${how}\n\n${table}\n`;
}

/**
 * @param {readonly Section[]} sections
 * @param {{ versions: readonly string[], machine: string, seed: number, seconds: number }} facts
 */
export function reportText(sections, { versions, machine, seed, seconds }) {
  const missed = sections.flatMap((section) =>
    section.rows.filter((row) => row.met === false).map((row) => `${section.title}: ${row.what}`),
  );
  const verdict =
    missed.length === 0 ? "Every target is met." : `Targets missed:\n${missed.map((line) => `- ${line}`).join("\n")}`;
  return `# Results

Written by \`npm run bench\`; what is measured and how to read it stands in [README.md](README.md).

${versions.map((version) => `- ${version}`).join("\n")}
- ${machine}
- seed ${seed}, ${Math.round(seconds)} s in all

${verdict}

${sections.map(sectionText).join("\n")}`;
}
