import { type ConfigInput, configFromObject, parseStorageState, type StorageState } from "./config/index.ts";
import type { RuleHook } from "./guard/index.ts";
import { type OpenedSession, openToolbox } from "./tools/open.ts";

export { ConfigError, type StorageState } from "./config/index.ts";
export { Failure } from "./errors.ts";
export type { RuleHook, RuleRequest } from "./guard/index.ts";
export type { OpenedSession, TypedResult } from "./tools/open.ts";
export type { ToolArguments, ToolFields, ToolName } from "./tools/registry.ts";
export type { BrowserEvent, CallableSession, Envelope, ErrorCode, Receipt, Ref, RuleId, Site, TabId, ToolDescription, ToolResult } from "./types.ts";

/** The keys of the configuration file (docs/configuration.md), and what only a program can give. */
export type SessionOptions = ConfigInput & {
  /** Asked about every request, after the built-in rules allowed it: a string refuses with that reason, null leaves it. */
  readonly rule?: RuleHook;
  /** Cookies and localStorage to begin with, as Playwright's `context.storageState()` gives them. Every browser of the session gets it; no result, log or record shows it. */
  readonly storageState?: StorageState;
};

/** Opens a guarded browser session. Chromium starts at the first call. Throws `ConfigError` for a wrong option. */
export async function openSession(options: SessionOptions = {}): Promise<OpenedSession> {
  const { rule, storageState, ...input } = options;
  const { config } = configFromObject("library", input);
  return openToolbox(config, { rule, storageState: storageState === undefined ? undefined : parseStorageState(storageState) });
}
