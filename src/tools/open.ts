import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type * as playwright from "playwright-core";
import { type Config, stateDirectory } from "../config/index.ts";
import { openGuard, type RuleHook, redactUrl, siteOf } from "../guard/index.ts";
import { Session } from "../session/session.ts";
import type { BrowserEvent, CallableSession } from "../types.ts";
import { instructionsFor } from "./instructions.ts";
import { toolbox } from "./toolbox.ts";

/** What cannot stand in a configuration file. */
export interface Extras {
  readonly rule?: RuleHook | undefined;
  /** One line for the person at the terminal. Default: stderr. */
  readonly warn?: (line: string) => void;
}

/** A session as programs use it. */
export interface OpenedSession extends CallableSession {
  /** A Playwright page under the same guard; its requests have cause `code`. Rejects with `Failure`. */
  page(): Promise<playwright.Page>;
  /** Calls `listener` with everything that happens in the browser; returns the way to stop it. */
  onEvent(listener: (event: BrowserEvent) => void): () => void;
  /** Where the decisions are written. */
  readonly ledgerFile: string;
  [Symbol.asyncDispose](): Promise<void>;
}

const SESSION_ID_BYTES = 8;
const MS_PER_MINUTE = 60_000;

/** Opens a session. Chromium starts at the first call that needs a page. Throws what is wrong with the configuration. */
export function openToolbox(config: Config, extras: Extras = {}): OpenedSession {
  const id = randomBytes(SESSION_ID_BYTES).toString("hex");
  const ledgerFile = config.ledger.file ?? join(stateDirectory({ platform: process.platform, homedir: homedir(), env: process.env }), "ledgers", `${id}.jsonl`);
  const { guard, close } = openGuard({ private: config.private, rule: extras.rule, ledgerFile, clock: Date.now, newId: () => id });
  const session = new Session({
    guard,
    siteOf,
    redact: redactUrl,
    browser: config.browser,
    actionTimeoutMs: config.actionTimeoutMs,
    navigationTimeoutMs: config.navigationTimeoutMs,
    maxContentTokens: config.maxContentTokens,
    idleMs: config.idleMinutes === undefined ? null : config.idleMinutes * MS_PER_MINUTE,
    now: () => performance.now(),
    warn: extras.warn ?? ((line) => process.stderr.write(`chaperone: ${line}\n`)),
  });
  const end = async (): Promise<void> => {
    await session.close();
    close();
  };
  return {
    ...toolbox(session, instructionsFor(config)),
    page: () => session.page(),
    onEvent: (listener) => session.events.subscribe(listener),
    ledgerFile,
    close: end,
    [Symbol.asyncDispose]: end,
  };
}
