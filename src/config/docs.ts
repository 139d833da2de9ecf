import { entries, type KeyPath } from "./shape.ts";
import { type Entry, FACES, type Face, variableOf } from "./table.ts";

/** The page `docs/configuration.md`. Everything about a key comes from the table. */
export function configurationPage(exitCodes: readonly { readonly code: number; readonly means: string }[]): string {
  return [
    "# Configuration",
    "",
    "Generated from `src/config/table.ts` by `npm run docs`; do not edit.",
    "",
    ...introduction,
    "## Keys",
    "",
    ...table(["key", "option", "variable", "default", "managed policy"], entries.map(overviewRow)),
    "",
    "An unknown key, option, variable or value is an error that names it and where it stands.",
    "",
    ...entries.flatMap(([path, entry]) => keySection(path, entry)),
    "## Exit codes",
    "",
    ...table(
      ["code", "means"],
      exitCodes.map(({ code, means }) => [String(code), means]),
    ),
    "",
  ].join("\n");
}

const introduction = [
  "All keys are optional. The same keys work in a file, as options of the command line, as environment variables, and as the object that the library's `openSession` takes.",
  "",
  "## Where values come from",
  "",
  "From the strongest to the weakest:",
  "",
  "1. The managed policy: `policy.jsonc`, `policy.json`, `policy.yaml` or `policy.yml` in `/etc/chaperone` (macOS: `/Library/Application Support/chaperone`, Windows: `C:\\ProgramData\\chaperone`; both untested). It can only narrow what the others say.",
  "2. Options of the command line. Those that take several values are repeated: `--private A --private B`.",
  "3. Environment variables. Lists are separated by commas; switches are `true` or `false`; an empty variable counts as not set.",
  "4. The file: the argument of `--config` (or of `CHAPERONE_CONFIG`), which must exist. Without it `config.jsonc`, `config.json`, `config.yaml` or `config.yml` in `$XDG_CONFIG_HOME/chaperone`, by default `~/.config/chaperone` (macOS: `~/Library/Application Support/chaperone`, Windows: `%APPDATA%\\chaperone`; both untested). Nothing is ever read from the working directory.",
  "5. The defaults. Some differ by who asks: `mcp`, `run` (also `demo`), `read` (also `open`) and `library`.",
  "",
  "The value of the strongest counts whole: a list replaces a weaker list, it does not add to it. The library reads the managed policy, its own object and the defaults, neither environment nor user's file.",
  "",
  "Files are JSON with comments and trailing commas, or YAML 1.2 without aliases and tags, at most 1 MiB. A key given twice is an error. `$schema` may point an editor to [`chaperone.schema.json`](chaperone.schema.json). Relative paths start at the file that they stand in, for options, variables and the library at the working directory; `~/` is the home directory.",
  "",
  "### The managed policy",
  "",
  "On Linux and macOS the policy and its directory must belong to root and be writable by nobody else, or nothing starts. Each key that it names is a bound: what the options, variables, file or defaults say beyond it is taken away, and what somebody had set is reported on stderr. It cannot give anything that was not asked for. An entry that could not take anything away is an error that names it, as is any file there that cannot be read.",
  "",
];

function overviewRow([path, entry]: readonly [KeyPath, Entry]): string[] {
  const managed = entry.managed === "no" ? "not there" : entry.managed.says;
  return [`[\`${path}\`](#${anchor(path)})`, code(flagText(entry)), code(variableOf(entry)), defaults(entry), managed];
}

function keySection(path: KeyPath, entry: Entry): string[] {
  const lines = [
    `### ${path}`,
    "",
    `${entry.does}.`,
    "",
    `- Value: ${entry.kind.expects}.`,
    `- Default: ${defaults(entry)}.`,
  ];
  if (entry.faces.length < FACES.length) lines.push(`- Only for: ${entry.faces.map(code).join(", ")}.`);
  lines.push(
    `- Option: ${code(flagText(entry))}${entry.kind.list ? ", repeatable" : ""}. Variable: ${code(`${variableOf(entry)}=${variableExample(entry)}`)}.`,
  );
  lines.push("", "```jsonc", nested(path, entry.example), "```", "");
  return lines;
}

function flagText({ flag }: Entry): string {
  return "sets" in flag ? flag.name : `${flag.name} ${flag.argument}`;
}

function variableExample(entry: Entry): string {
  if ("sets" in entry.flag) return String(entry.example === entry.flag.sets);
  return itemsOf(entry.example).join(",");
}

function nested(path: string, example: unknown): string {
  const value = path.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), example);
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ");
}

/** One value when all faces agree, else one a face. */
function defaults(entry: Entry): string {
  const texts = entry.faces.map((face: Face) => `${defaultText(entry, face)}`);
  const [first = ""] = texts;
  if (texts.every((text) => text === first)) return first;
  return entry.faces.map((face, index) => `${face} ${texts[index]}`).join(", ");
}

function defaultText(entry: Entry, face: Face): string {
  const value = entry.defaults[face];
  if (value === undefined) return entry.unset ?? "not set";
  const items = itemsOf(value);
  return items.length === 0 ? "none" : code(items.join(","));
}

/** As an option or variable says it; a map as its pairs. */
function itemsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "object" && value !== null
    ? Object.entries(value).map(([name, of]) => `${name}=${of}`)
    : [String(value)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function code(text: string): string {
  return `\`${text}\``;
}

function anchor(path: string): string {
  return path.toLowerCase().replaceAll(".", "");
}
