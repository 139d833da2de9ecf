// Where words can leave the process: every file of src/ that writes to a stream, to a file, to a client or to another
// program. A new one has to be named here, with why no secret of a page leaves by it
// (docs/decisions/0019-secrets-and-words.md); `borders.mjs` fails until it is.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const writes = new RegExp(
  [
    String.raw`\bprocess\.(?:stdout|stderr|emitWarning|report)\b`,
    String.raw`\bconsole\.(?:log|info|warn|error|debug|trace|dir|table)\b`,
    String.raw`\b(?:write|append)(?:File(?:Sync)?|v?Sync)\(`,
    String.raw`\b(?:cp|copyFile|createWriteStream|rename|symlink|link)(?:Sync)?\(`,
    String.raw`(?<!decoder)\.write\(|\bresponse\.end\(|\bstdin\.end\(`,
  ].join("|"),
);

/** Beneath the words of results: commands to the browser, and what it and its sites send one another. */
const BROWSER = "the protocol to the browser, or what the browser and a site say to each other";
const FIXED = "fixed words, names and numbers of ours; nothing of a page";
const MASKED = "what `openToolbox` (assembly/open.ts) hands out: masked at its edge";
const OPERATOR = "what the operator gave or asked for, outside of a session";
const QUESTION = "questions as the queue holds them: masked as they are put there (guard/asking.ts)";

export const waysOut = {
  "src/approval/command.ts": QUESTION,
  "src/approval/terminal.ts": QUESTION,
  "src/browser/handshake.ts": BROWSER,
  "src/browser/reaper.ts": FIXED,
  "src/browser/session-directory.ts": FIXED,
  "src/cli/allow.ts": OPERATOR,
  "src/cli/attended.ts": FIXED,
  "src/cli/console.ts": FIXED,
  "src/cli/demo.ts": MASKED,
  "src/cli/doctor-checks.ts": FIXED,
  "src/cli/doctor.ts": OPERATOR,
  "src/cli/explain.ts": OPERATOR,
  "src/cli/install.ts": FIXED,
  "src/cli/ledger.ts": "what stands in a record: masked as it was written (guard/entries.ts)",
  "src/cli/main.ts": OPERATOR,
  "src/cli/open.ts": MASKED,
  "src/cli/options.ts": OPERATOR,
  "src/config/edit.ts": OPERATOR,
  "src/console/registry.ts": FIXED,
  "src/console/reply.ts": QUESTION,
  "src/console/streams.ts": QUESTION,
  "src/ledger/key.ts": "keys of the record's own",
  "src/ledger/place.ts":
    "entries: redacted as they are made (guard/entries.ts), values masked by the redactor of the guard (assembly/open.ts)",
  "src/mcp/http/bridge.ts": MASKED,
  "src/mcp/http/process.ts": FIXED,
  "src/mcp/http/token-source.ts": "a token of ours, for the operator",
  "src/mcp/stdio.ts": MASKED,
  "src/proxy/exchange.ts": BROWSER,
  "src/proxy/proxy.ts": BROWSER,
  "src/session/self-test/pages.ts": "the self-test's own pages, to its own browser",
  "src/session/self-test/proven.ts": FIXED,
  "src/assembly/open.ts": FIXED,
  "src/wire/channel.ts": BROWSER,
};

const isProduction = (path) =>
  path.endsWith(".ts") &&
  !/\.(test|fixture)\.ts$/.test(path) &&
  !/^src\/(page\/(world|generated)|console\/(web|generated))\//.test(path);
/** Comments say what they like. */
const withoutComments = (code) => code.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** What of a tree writes without being named, and what is named and does not write any more. */
export function unnamedWays(tree) {
  const files = readdirSync(join(tree, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
    .filter(isProduction);
  const writing = new Set(files.filter((file) => writes.test(withoutComments(readFileSync(join(tree, file), "utf8")))));
  return [
    ...[...writing]
      .filter((file) => !(file in waysOut))
      .map((file) => `unnamed-way-out: ${file} (say in scripts/ways-out.mjs why no secret leaves by it)`),
    ...Object.keys(waysOut)
      .filter((file) => !writing.has(file))
      .map((file) => `no-way-out: ${file} (scripts/ways-out.mjs names it, but it writes nothing)`),
  ].toSorted();
}
