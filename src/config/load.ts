import { homedir } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import { reachPolicy } from "../gate/index.ts";
import { ConfigError } from "./error.ts";
import { checkDirectoryOwner, findOne, readConfigFile } from "./file.ts";
import {
  type FlagValues,
  type Layer,
  layerFromEnvironment,
  layerFromFile,
  layerFromFlags,
  layerFromInput,
} from "./layers.ts";
import { parseConfig } from "./parse.ts";
import { type Machine, managedDirectory, userConfigDirectory } from "./places.ts";
import { type Config, type ConfigInput, entries, entryOf, type KeyPath, nest } from "./shape.ts";
import { CONFIG_VARIABLE, type Face } from "./table.ts";
import { shown } from "./words.ts";

/** Of configuration files, the preferred one first. */
export const FILE_ENDINGS = ["jsonc", "json", "yaml", "yml"];
const ROOT_UID = 0;

/** A configuration and where it came from. */
export interface Loaded {
  readonly config: Config;
  /**
   * Where each key was set: `--private`, `CHAPERONE_PRIVATE`, `/home/ada/.config/chaperone/config.jsonc:3`, `options`,
   * or `default`.
   */
  readonly sources: ReadonlyMap<KeyPath, string>;
  /** For stderr: what the managed policy took away, one line each. */
  readonly notes: readonly string[];
}

/** Where the managed policy is looked for. */
export interface Managed {
  readonly directory: string;
  /** Who must own it; null where that cannot be checked. */
  readonly ownerUid: number | null;
}

export interface LoadOptions {
  readonly face: Face;
  readonly flags?: FlagValues;
  /** Argument of `--config`: used in place of the user's file, relative to `cwd`. */
  readonly configFile?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly homedir?: string;
  readonly cwd?: string;
  readonly managed?: Managed;
}

/** For the command line: managed policy over flags over environment over file over defaults. Throws ConfigError. */
export function loadConfig(options: LoadOptions): Loaded {
  const machine = machineOf(options);
  const cwd = options.cwd ?? process.cwd();
  const here = { directory: cwd, homedir: machine.homedir };
  const managed = managedLayer(options.managed ?? managedOf(machine), machine);
  const flags = layerFromFlags(options.flags ?? new Map(), here);
  const environment = layerFromEnvironment(machine.env, here);
  const file = fileLayer(options.configFile ?? (machine.env[CONFIG_VARIABLE] || null), cwd, machine);
  return assemble(options.face, [flags, environment, file], managed);
}

/**
 * For the library: the managed policy over the object over defaults; neither environment nor the user's file. Throws
 * ConfigError.
 */
export function configFromObject(
  face: Face,
  input: ConfigInput,
  options: Omit<LoadOptions, "face" | "flags" | "configFile"> = {},
): Loaded {
  const machine = machineOf(options);
  const layer = layerFromInput(input, { directory: options.cwd ?? process.cwd(), homedir: machine.homedir });
  for (const path of layer.keys()) {
    if (!entryOf(path).faces.includes(face))
      throw new ConfigError(`options: ${path} means nothing here: it belongs to ${entryOf(path).faces.join(", ")}`);
  }
  return assemble(face, [layer], managedLayer(options.managed ?? managedOf(machine), machine));
}

function machineOf(options: Pick<LoadOptions, "env" | "platform" | "homedir">): Machine {
  return {
    platform: options.platform ?? process.platform,
    homedir: options.homedir ?? homedir(),
    env: options.env ?? process.env,
  };
}

function managedOf(machine: Machine): Managed {
  return { directory: managedDirectory(machine.platform), ownerUid: machine.platform === "win32" ? null : ROOT_UID };
}

function fileLayer(given: string | null, cwd: string, machine: Machine): Layer {
  const path = given === null ? userFileIn(machine) : resolve(cwd, given);
  return path === null ? new Map() : readLayer(path, null, machine);
}

/** The user's configuration file; null when there is none. */
export function userFileIn(machine: Machine): string | null {
  const directory = userConfigDirectory(machine);
  // Without a home there is no such place, and the working directory must not become it.
  return isAbsolute(directory) ? findOne(directory, "config", FILE_ENDINGS) : null;
}

function managedLayer(managed: Managed, machine: Machine): Layer {
  const path = findOne(managed.directory, "policy", FILE_ENDINGS);
  if (path === null) return new Map();
  if (managed.ownerUid !== null) checkDirectoryOwner(managed.directory, managed.ownerUid);
  const layer = readLayer(path, managed.ownerUid, machine);
  for (const [key, { value, source }] of layer) {
    const { managed: narrowing, kind } = entryOf(key);
    if (narrowing === "no")
      throw new ConfigError(`${source}: ${key} has no place in a managed policy: it could not narrow anything`);
    if (!narrowing.takesAway(value))
      throw new ConfigError(
        `${source}: ${key}${kind.secret ? "" : ` ${shown(value)}`} would widen: a managed policy may only narrow`,
      );
  }
  return layer;
}

function readLayer(path: string, ownerUid: number | null, machine: Machine): Layer {
  const { text } = readConfigFile(path, { ownerUid });
  return layerFromFile(path, parseConfig(path, text), { directory: dirname(path), homedir: machine.homedir });
}

function assemble(face: Face, layers: readonly Layer[], managed: Layer): Loaded {
  const values = new Map<KeyPath, unknown>();
  const sources = new Map<KeyPath, string>();
  const notes: string[] = [];
  for (const [path, entry] of entries) {
    const set = layers.map((layer) => layer.get(path)).find((found) => found !== undefined);
    const value = set === undefined ? entry.defaults[face] : set.value;
    const bound = managed.get(path);
    if (bound === undefined || entry.managed === "no") {
      values.set(path, value);
      sources.set(path, set?.source ?? "default");
      continue;
    }
    const left = entry.managed.narrow(value, bound.value);
    const narrowed = JSON.stringify(left) !== JSON.stringify(value);
    values.set(path, left);
    sources.set(path, narrowed ? bound.source : (set?.source ?? "default"));
    if (narrowed && set !== undefined)
      notes.push(
        `${bound.source} narrows ${path} from ${set.source}${entry.kind.secret ? "" : ` to ${JSON.stringify(left)}`}`,
      );
  }
  const config = nest(values);
  checkReach(config);
  return { config, sources, notes };
}

/** What is right by itself may contradict something else. */
function checkReach(config: Config): void {
  try {
    reachPolicy(config);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : "the settings of reach contradict each other", {
      cause: error,
    });
  }
}
