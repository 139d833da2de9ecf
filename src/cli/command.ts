import type { Config, Face, Loaded, StorageState } from "../config/index.ts";
import type { RequestKind } from "../types.ts";

/** What a command talks to. */
export interface Io {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  readonly stderr: { write(text: string): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where each key of the configuration was set. */
export type ConfigSources = Loaded["sources"];

/**
 * What `src/cli/<command>.ts` exports as `run`. Resolves with an exit code; what it throws becomes one line on stderr
 * and the code of `exitCodeOf`.
 */
export type Run<Args> = (config: Config, args: Args, io: Io) => Promise<number>;

/** What every command that opens a session takes. */
export interface SessionArgs {
  /** From the file of `--storage-state`; never from the configuration. */
  readonly storageState: StorageState | undefined;
}

export interface McpArgs extends SessionArgs {
  /** Over HTTP, there; null: on stdio. */
  readonly http: { readonly host: string; readonly port: number } | null;
  /** Where its bearer tokens are, a line each. */
  readonly httpTokenFile: string | null;
}

export interface OpenArgs extends SessionArgs {
  /** As it was written; not checked. */
  readonly url: string;
  readonly json: boolean;
  /** Where to write a PNG, relative to the working directory. */
  readonly screenshot: string | null;
  /** Print the delta after so many seconds. */
  readonly afterSeconds: number | null;
}

export interface ExplainArgs {
  readonly requests: readonly { readonly method: string; readonly kind: RequestKind; readonly url: string }[];
  /** Address of the page that asks; null: the agent opens each by its address. */
  readonly from: string | null;
  readonly json: boolean;
}

export interface DoctorArgs {
  readonly json: boolean;
}

export interface AllowArgs {
  /** As it was written; not checked. */
  readonly site: string;
  /** Argument of `--config`. */
  readonly configFile: string | null;
}

export interface ConsoleArgs {
  /** Print addresses, even where nobody may look on. */
  readonly print: boolean;
  /** Only this session. */
  readonly session: string | null;
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
  /** Argument of `--config`. */
  readonly configFile: string | null;
}

export interface Command {
  readonly name: string;
  readonly does: string;
  /** Whose defaults and keys count. */
  readonly face: Exclude<Face, "library">;
  /** Required words, in their order; the last may end with `...`: one or more. */
  readonly words: readonly string[];
  readonly options: readonly OwnOption[];
  /**
   * Checks the own arguments (ConfigError), before the configuration is read; what it returns loads the command's code
   * and runs it.
   */
  prepare(given: Given): (config: Config, io: Io, sources: ConfigSources) => Promise<number>;
}
