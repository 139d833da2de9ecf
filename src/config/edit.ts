import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { applyEdits, modify, type ParseError, parse as parseJson } from "jsonc-parser";
import { isSeq, parseDocument } from "yaml";
import { containsEntry, entryText, parseSite } from "../gate/index.ts";
import { ConfigError } from "./error.ts";
import { readConfigFile } from "./file.ts";
import { layerFromFile } from "./layers.ts";
import { FILE_ENDINGS, userFileIn } from "./load.ts";
import { formatOf, parseConfig } from "./parse.ts";
import { userConfigDirectory } from "./places.ts";
import { CONFIG_VARIABLE } from "./table.ts";

const NEW_FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } } as const;
const BYTE_ORDER_MARK = "\uFEFF";

export interface Edited {
  readonly file: string;
  /** `there`: an entry of the list covers it already. */
  readonly did: "created" | "added" | "there";
  /** The site as it stands in the list. */
  readonly site: string;
  /** The list as it is now. */
  readonly allow: readonly string[];
}

export interface EditOptions {
  /** Argument of `--config`. */
  readonly configFile: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly homedir?: string;
  readonly cwd?: string;
}

/**
 * Adds a site to `allow` of the user's configuration file, or of the one that is named, and leaves the rest of it as it
 * is, comments included. A new file belongs to the user alone. Throws ConfigError, and then nothing has changed.
 */
export function allowInFile(text: string, options: EditOptions): Edited {
  const site = siteText(text);
  const machine = {
    platform: options.platform ?? process.platform,
    homedir: options.homedir ?? homedir(),
    env: options.env,
  };
  const given = options.configFile ?? (options.env[CONFIG_VARIABLE] || null);
  const file =
    given === null
      ? (userFileIn(machine) ?? newUserFile(userConfigDirectory(machine)))
      : resolve(options.cwd ?? process.cwd(), given);
  const isNew = given === null && userFileIn(machine) === null;
  const before = isNew ? "{}\n" : readConfigFile(file).text;
  const parsed = parseConfig(file, before);
  const base = { directory: dirname(file), homedir: machine.homedir };
  const layer = layerFromFile(file, parsed, base);
  const known = (layer.get("allow")?.value ?? []) as readonly string[];
  if (known.some((entry) => containsEntry(parseSite(entry, "allow"), parseSite(site, "allow"))))
    return { file, did: "there", site, allow: known };
  const after =
    formatOf(file, before) === "json" ? addedToJson(before, site, layer.has("allow")) : addedToYaml(before, site);
  // What was written must read as what was meant.
  const allow = layerFromFile(file, parseConfig(file, after), base).get("allow")?.value as readonly string[];
  write(file, after, isNew);
  return { file, did: isNew ? "created" : "added", site, allow };
}

function siteText(text: string): string {
  try {
    return entryText(parseSite(text, "allow"));
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : "not a site", { cause: error });
  }
}

function newUserFile(directory: string): string {
  if (!isAbsolute(directory))
    throw new ConfigError("there is no home directory to keep a configuration in: name a file with --config");
  return join(directory, `config.${FILE_ENDINGS[0]}`);
}

function addedToJson(text: string, site: string, hasList: boolean): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const bare = text.slice(mark.length);
  const errors: ParseError[] = [];
  const whole =
    parseJson(bare, errors, { allowTrailingComma: true, allowEmptyContent: true }) === undefined ? "{}\n" : bare;
  const edits = hasList
    ? modify(whole, ["allow", -1], site, { ...FORMAT, isArrayInsertion: true })
    : modify(whole, ["allow"], [site], FORMAT);
  return mark + applyEdits(whole, edits);
}

function addedToYaml(text: string, site: string): string {
  const document = parseDocument(text);
  const list = document.get("allow", true);
  if (isSeq(list)) list.add(document.createNode(site));
  else document.set("allow", document.createNode([site]));
  return document.toString();
}

/** Whole or not at all; through a link to the file that it names. */
function write(path: string, text: string, isNew: boolean): void {
  if (isNew) mkdirSync(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
  const file = isNew ? path : realpathSync(path);
  const mode = isNew ? NEW_FILE_MODE : statSync(file).mode & 0o777;
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    const descriptor = openSync(beside, "wx", NEW_FILE_MODE);
    try {
      const bytes = Buffer.from(text, "utf8");
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(beside, mode);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new ConfigError(`${file}: cannot be written`, { cause: error });
  }
}
