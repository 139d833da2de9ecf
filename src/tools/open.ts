import { randomBytes } from "node:crypto";
import type * as playwright from "playwright-core";
import { authorityKeys, type Config, ConfigError, parseUpstream, type StorageState } from "../config/index.ts";
import { isPublicAddress, openGuard, type RuleHook, redactText, redactUrl, siteOf } from "../guard/index.ts";
import type { EgressOptions } from "../session/egress.ts";
import { Session } from "../session/session.ts";
import type { BrowserEvent, CallableSession, Envelope, ToolResult } from "../types.ts";
import { instructionsFor } from "./instructions.ts";
import { ledgerOf } from "./ledger.ts";
import { developerTools, tools as standardTools, type ToolArguments, type ToolFields, type ToolName } from "./registry.ts";
import { toolbox } from "./toolbox.ts";

/** What cannot stand in a configuration file. */
export interface Extras {
  readonly rule?: RuleHook | undefined;
  /** Checked by `parseStorageState`. */
  readonly storageState?: StorageState | undefined;
  /** For tests of names; no option or library call leads here. Default: the system's resolver. */
  readonly resolve?: EgressOptions["resolve"];
  /** One line for the person at the terminal. Default: stderr. */
  readonly warn?: (line: string) => void;
}

/** A session as programs use it. */
export interface OpenedSession extends Omit<CallableSession, "call"> {
  /** Calls a tool by its name. Never rejects: a refusal or a failure is a result. */
  call<Name extends ToolName>(tool: Name, args: ToolArguments<Name>, options?: { readonly signal?: AbortSignal }): Promise<TypedResult<Name>>;
  /** A Playwright page under the same guard; its requests have cause `code`. Rejects with `Failure`. */
  page(): Promise<playwright.Page>;
  /** Everything that happens in the browser, as it happens. `subscribe` returns the way to stop. */
  readonly events: { subscribe(listener: (event: BrowserEvent) => void): () => void };
  /** Where the decisions are written. */
  readonly ledgerFile: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A result with the fields of its tool. */
export type TypedResult<Name extends ToolName> = ToolResult & { readonly envelope: Envelope & Partial<ToolFields<Name>> };

const SESSION_ID_BYTES = 8;
const MS_PER_MINUTE = 60_000;
const ATTACHED_LINE = "this session attaches to a running browser and is unproven: docs/decisions/0007-attached-browsers.md says what is not promised there";

/** The map as the proxy takes it: hosts without brackets. */
function servedFrom(hostMap: Config["hostMap"]): ReadonlyMap<string, { readonly host: string; readonly port: number }> {
  return new Map(
    Object.entries(hostMap).map(([name, place]) => {
      const colon = place.lastIndexOf(":");
      return [name, { host: place.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(place.slice(colon + 1)) }];
    }),
  );
}

function trustedKeysOf({ ca, cdpUrl }: Config["browser"]): readonly string[] | undefined {
  if (ca === undefined) return undefined;
  if (cdpUrl !== undefined)
    throw new ConfigError("browser.ca: a browser that is attached to (browser.cdpUrl) trusts what its owner chose: leave one of the two out");
  return authorityKeys(ca);
}

/** Only what lies in the public internet is asked of it: the rest it could not reach as we do, or should not learn of. */
function upstreamOf({ proxy }: Config["browser"]): EgressOptions["upstream"] {
  const upstream = proxy === undefined ? null : parseUpstream(proxy);
  return upstream === null ? undefined : { ...upstream, takes: isPublicAddress };
}

/** Opens a session. Chromium starts at the first call that needs a page. Throws what is wrong with the configuration. */
export function openToolbox(config: Config, extras: Extras = {}): OpenedSession {
  const trustedKeys = trustedKeysOf(config.browser);
  const id = randomBytes(SESSION_ID_BYTES).toString("hex");
  const ledger = ledgerOf(config, id);
  const { guard, allowAddress, close } = openGuard({ reach: config, profile: config.profile, rule: extras.rule, ledger, clock: Date.now, newId: () => id });
  const warn = extras.warn ?? ((line: string) => process.stderr.write(`chaperone: ${line}\n`));
  if (config.browser.cdpUrl !== undefined) warn(ATTACHED_LINE);
  const session = new Session({
    guard,
    egress: { allowAddress, hostMap: servedFrom(config.hostMap), resolve: extras.resolve, upstream: upstreamOf(config.browser) },
    siteOf,
    redact: redactUrl,
    redactText,
    browser: { ...config.browser, trustedKeys },
    actionTimeoutMs: config.actionTimeoutMs,
    navigationTimeoutMs: config.navigationTimeoutMs,
    maxContentTokens: config.maxContentTokens,
    idleMs: config.idleMinutes === undefined ? null : config.idleMinutes * MS_PER_MINUTE,
    now: () => performance.now(),
    storageState: extras.storageState,
    warn,
  });
  session.events.subscribe((event) => guard.saw(event));
  const end = async (): Promise<void> => {
    await session.close();
    close();
  };
  const { call, ...tools } = toolbox(session, instructionsFor(config, guard.describe()), config.tools === "developer" ? developerTools : standardTools);
  return {
    ...tools,
    // Each tool's own plan gives the fields that its type names.
    call: call as OpenedSession["call"],
    page: () => session.page(),
    events: { subscribe: (listener) => session.events.subscribe(listener) },
    ledgerFile: ledger.file,
    close: end,
    [Symbol.asyncDispose]: end,
  };
}
