/**
 * `npm run apps`: installs real applications, starts them on loopback, drives each through its job with `chaperone mcp`
 * and prints what was asked for it. `-- tiddlywiki node-red` runs only these. `--record FOLDER` keeps all that each
 * application sent, step by step. Other options go to `chaperone mcp` (`--profile observe`: nothing is asked, all is
 * done). Exit 1 when a change was not done, or done without a question, or something needless was asked.
 */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drive } from "./harness/drive.mjs";
import { installDebian, installNpm } from "./harness/packages.mjs";
import { problems, stepsText, tableText } from "./harness/report.mjs";
import { dokuwiki } from "./jobs/dokuwiki.mjs";
import { jupyter } from "./jobs/jupyter.mjs";
import { nodeRed } from "./jobs/node-red.mjs";
import { tiddlywiki } from "./jobs/tiddlywiki.mjs";

const apps = [tiddlywiki, nodeRed, dokuwiki, jupyter];

const { names, options, record } = parse(process.argv.slice(2));
const chosen = names.length === 0 ? apps : apps.filter(({ name }) => names.includes(name));
const unknown = names.filter((name) => !apps.some((app) => app.name === name));
if (unknown.length > 0) {
  console.error(`no such application: ${unknown.join(", ")}; there are ${apps.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}

const isAsking = !options.includes("observe");
const folder = await mkdtemp(join(tmpdir(), "chaperone-apps-"));
/** @type {import("./harness/report.mjs").Result[]} */
const results = [];
try {
  await installNpm(say);
  for (const app of chosen) {
    const missing = await installDebian(app.debian, say);
    if (missing !== null) {
      say(`${app.name} ${missing}`);
      process.exitCode = 1;
      continue;
    }
    const version = await app.version();
    say(`${app.name} ${version}`);
    const steps = await drive(app, { folder, options, say });
    const result = { name: app.name, version, steps };
    results.push(result);
    say(stepsText(result, isAsking));
    if (record !== null) {
      await mkdir(record, { recursive: true });
      await writeFile(join(record, `${app.name}.json`), `${JSON.stringify(result, null, 1)}\n`);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
say(tableText(results, isAsking));
if (results.some((result) => problems(result, isAsking).length > 0)) process.exitCode = 1;

/** @param {string} line */
function say(line) {
  console.log(line);
}

/** @param {readonly string[]} args */
function parse(args) {
  const first = args.findIndex((arg) => arg.startsWith("--"));
  const names = first < 0 ? args : args.slice(0, first);
  const rest = first < 0 ? [] : args.slice(first);
  const at = rest.indexOf("--record");
  const record = at < 0 ? null : (rest[at + 1] ?? null);
  return { names, options: at < 0 ? rest : rest.toSpliced(at, 2), record };
}
