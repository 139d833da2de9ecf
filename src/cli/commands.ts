import { type Config, ConfigError, type Face } from "../config/index.ts";

const LONGEST_WAIT_SECONDS = 3_600;

/** What a command talks to. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What `src/cli/<command>.ts` exports as `run`. Resolves with an exit code; what it throws becomes one line on stderr and the code of `exitCodeOf`. */
export type Run<Args> = (config: Config, args: Args, io: Io) => Promise<number>;

export type NoArgs = Readonly<Record<never, never>>;

export interface OpenArgs {
  /** As it was written; not checked. */
  readonly url: string;
  readonly json: boolean;
  /** Where to write a PNG, relative to the working directory. */
  readonly screenshot: string | null;
  /** Print the delta after so many seconds. */
  readonly afterSeconds: number | null;
}

/** An option that belongs to one command only and is no configuration. Without `argument` it is a switch. */
export interface OwnOption {
  readonly name: `--${string}`;
  readonly argument?: string;
  readonly does: string;
}

/** The own options and words that were given, by name. */
export interface Given {
  readonly words: readonly string[];
  readonly options: ReadonlyMap<string, true | string>;
}

export interface Command {
  readonly name: string;
  readonly does: string;
  /** Whose defaults and keys count. */
  readonly face: Exclude<Face, "library">;
  /** Required words, in their order. */
  readonly words: readonly string[];
  readonly options: readonly OwnOption[];
  /** Checks the own arguments (ConfigError), before the configuration is read; what it returns loads the command's code and runs it. */
  prepare(given: Given): (config: Config, io: Io) => Promise<number>;
}

/** Every command there is. One is added together with its file. */
export const commands: readonly Command[] = [
  {
    name: "mcp",
    does: "MCP server on stdio",
    face: "mcp",
    words: [],
    options: [],
    prepare: () => async (config, io) => (await import("./mcp.ts")).run(config, {}, io),
  },
  {
    name: "open",
    does: "prints what a model would see of a page",
    face: "read",
    words: ["URL"],
    options: [
      { name: "--json", does: "prints the result as JSON" },
      { name: "--screenshot", argument: "FILE", does: "writes a PNG of the page" },
      { name: "--after", argument: "SECONDS", does: "then waits and prints what changed" },
    ],
    prepare: ({ words, options }) => {
      const [url = ""] = words;
      const args: OpenArgs = { url, json: options.has("--json"), screenshot: textOf(options, "--screenshot"), afterSeconds: secondsOf(options, "--after") };
      return async (config, io) => (await import("./open.ts")).run(config, args, io);
    },
  },
  {
    name: "demo",
    does: "a scripted agent does a task on a site of ours, to watch",
    face: "run",
    words: [],
    options: [],
    prepare: () => async (config, io) => (await import("./demo.ts")).run(config, {}, io),
  },
];

function textOf(options: Given["options"], name: string): string | null {
  const given = options.get(name);
  if (given === "") throw new ConfigError(`${name} must not be empty`);
  return typeof given === "string" ? given : null;
}

function secondsOf(options: Given["options"], name: string): number | null {
  const text = textOf(options, name);
  if (text === null) return null;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds > 0 && seconds <= LONGEST_WAIT_SECONDS) return seconds;
  throw new ConfigError(`${name} must be a number of seconds above 0, at most ${LONGEST_WAIT_SECONDS}`);
}
