import { type OpenedSession, openToolbox } from "./assembly/open.ts";
import {
  ConfigError,
  type ConfigInput,
  configFromObject,
  parseStorageState,
  type StorageState,
} from "./config/index.ts";
import { processTerminal, type RuleHook } from "./guard/index.ts";
import type { Answer, Question } from "./types.ts";

export type { OpenedSession, TypedResult } from "./assembly/open.ts";
export { ConfigError, type StorageState } from "./config/index.ts";
export { Failure } from "./errors.ts";
export type { RuleHook, RuleRequest } from "./guard/index.ts";
export type { ToolArguments, ToolFields, ToolName } from "./tools/registry.ts";
export type {
  Answer,
  BrowserEvent,
  CallableSession,
  Choice,
  Envelope,
  ErrorCode,
  Question,
  Receipt,
  Ref,
  RuleId,
  Site,
  TabId,
  ToolDescription,
  ToolResult,
} from "./types.ts";

/** The keys of the configuration file (docs/configuration.md), and what only a program can give. */
export type SessionOptions = Omit<ConfigInput, "approve"> & {
  /**
   * Asked about every request, after the built-in rules allowed it: a string refuses with that reason, null leaves it.
   */
  readonly rule?: RuleHook;
  /**
   * Asked before anything is sent that changes something, and about places out of scope. Only what `question.choices`
   * offers counts; a rejection is no answer. Or who else is asked, in order: the program's own terminal, a command.
   * Without it nobody is.
   */
  readonly approve?:
    | ((question: Question, signal: AbortSignal) => Promise<Pick<Answer, "answer">>)
    | readonly ("terminal" | `command:${string}` | "none")[];
  /**
   * Cookies and localStorage to begin with, as Playwright's `context.storageState()` gives them. Every browser of the
   * session gets it; no result, log or record shows it.
   */
  readonly storageState?: StorageState;
};

/** Opens a guarded browser session. Chromium starts at the first call. Throws `ConfigError` for a wrong option. */
export async function openSession(options: SessionOptions = {}): Promise<OpenedSession> {
  const { rule, approve, storageState, ...rest } = options;
  const isCallback = typeof approve === "function";
  const { config } = configFromObject("library", isCallback || approve === undefined ? rest : { ...rest, approve });
  for (const name of config.approve) {
    if (name === "console" || name === "elicitation")
      throw new ConfigError(
        `options: approve: ${name} belongs to chaperone mcp; give a function, terminal or command:…`,
      );
  }
  return openToolbox(config, {
    rule,
    approve: isCallback ? approve : undefined,
    channels: config.approve.includes("terminal") ? { terminal: processTerminal() } : undefined,
    storageState: storageState === undefined ? undefined : parseStorageState(storageState),
  });
}
