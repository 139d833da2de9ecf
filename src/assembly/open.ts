import { randomBytes } from "node:crypto";
import type * as playwright from "playwright-core";
import {
  authorityKeys,
  type Config,
  ConfigError,
  credentialsOf,
  parseUpstream,
  type StorageState,
} from "../config/index.ts";
import {
  type ApproveSettings,
  type GuardSettings,
  isPublicAddress,
  type OpenedGuard,
  openGuard,
  profiles,
  type RuleHook,
  redactText,
  redactUrl,
  siteOf,
  siteOfDomain,
} from "../guard/index.ts";
import { Masking } from "../masking/masking.ts";
import type { EgressOptions } from "../session/egress.ts";
import { Session } from "../session/session.ts";
import { describeTools, type ToolArguments, type ToolFields, type ToolName, toolsOf } from "../tools/registry.ts";
import { toolbox } from "../tools/toolbox.ts";
import type { BrowserEvent, CallableSession, CallOptions, Envelope, Site, ToolResult } from "../types.ts";
import { instructionsFor } from "./instructions.ts";
import { ledgerOf } from "./ledger.ts";

/** What cannot stand in a configuration file. */
export interface Extras {
  readonly rule?: RuleHook | undefined;
  /** Checked by `parseStorageState`. */
  readonly storageState?: StorageState | undefined;
  /** For tests of names; no option or library call leads here. Default: the system's resolver. */
  readonly resolve?: EgressOptions["resolve"];
  /** The program's own way to ask; what the configuration names under `approve` comes after it. */
  readonly approve?: ApproveSettings["callback"];
  /** Channels that the face has made, for `approve` to name. */
  readonly channels?: ApproveSettings["channels"];
  /** Ports of ours on this machine, which the session's browser never reaches. */
  readonly ownPorts?: () => readonly number[];
  /** What of the face's own ends with the session. */
  readonly closing?: () => Promise<void>;
  /** Letters and digits; a fresh one by default. */
  readonly id?: string;
  /** How long a call waits for a person before it answers `pending`. */
  readonly patienceMs?: number | undefined;
  /** The person at the terminal was told already what the session is (`offerOf`). */
  readonly isAnnounced?: boolean;
  /** One line for the person at the terminal. Default: stderr. */
  readonly warn?: (line: string) => void;
}

/** A session as programs use it. */
export interface OpenedSession extends Omit<CallableSession, "call"> {
  /** Calls a tool by its name. Never rejects: a refusal or a failure is a result. */
  call<Name extends ToolName>(tool: Name, args: ToolArguments<Name>, options?: CallOptions): Promise<TypedResult<Name>>;
  /** A Playwright page under the same guard; its requests have cause `code`. Rejects with `Failure`. */
  page(): Promise<playwright.Page>;
  /** Everything that happens in the browser, as it happens. `subscribe` returns the way to stop. */
  readonly events: { subscribe(listener: (event: BrowserEvent) => void): () => void };
  /**
   * What the operator says further: its sites come into scope, its words count as the operator's. Never a tool
   * argument.
   */
  addOperatorText(text: string): void;
  /** Sites in scope now, as the operator would write them. */
  readonly sites: readonly string[];
  readonly mode: "read" | "act";
  /** What was decided last, a line each, oldest first. */
  recent(): readonly string[];
  /** Where the decisions are written. */
  readonly ledgerFile: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A result with the fields of its tool. */
export type TypedResult<Name extends ToolName> = ToolResult & {
  readonly envelope: Envelope & Partial<ToolFields<Name>>;
};

const SESSION_ID_BYTES = 8;
const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;
const READ_LINE =
  "something private is in reach and nobody can be asked, so this session only reads: set --mode act (mode) to let it do what is granted, or --approve to be asked";
const ATTACHED_LINE =
  "this session attaches to a running browser and is unproven: docs/decisions/0007-attached-browsers.md says what is not promised there";

/** The map as the proxy takes it: hosts without brackets. */
function servedFrom(hostMap: Config["hostMap"]): ReadonlyMap<string, { readonly host: string; readonly port: number }> {
  return new Map(
    Object.entries(hostMap).map(([name, place]) => {
      const colon = place.lastIndexOf(":");
      return [name, { host: place.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(place.slice(colon + 1)) }];
    }),
  );
}

/** What is stored of a person, or listed as theirs. */
function privateSitesOf({ sites }: Config, state: StorageState | undefined): readonly Site[] {
  const listed = sites.flatMap(({ site, private: isPrivate }) => (isPrivate ? [site.replace(/^https?:\/\//, "")] : []));
  const stored = [
    ...(state?.cookies ?? []).map(({ domain }) => domain),
    ...(state?.origins ?? []).map(({ origin }) => origin.replace(/^https?:\/\//, "")),
  ];
  return [...listed, ...stored].flatMap((domain) => siteOfDomain(domain) ?? []);
}

function trustedKeysOf({ ca, cdpUrl }: Config["browser"]): readonly string[] | undefined {
  if (ca === undefined) return undefined;
  if (cdpUrl !== undefined)
    throw new ConfigError(
      "browser.ca: a browser that is attached to (browser.cdpUrl) trusts what its owner chose: leave one of the two out",
    );
  return authorityKeys(ca);
}

/**
 * Only what lies in the public internet is asked of it: the rest it could not reach as we do, or should not learn of.
 */
function upstreamOf({ proxy }: Config["browser"]): EgressOptions["upstream"] {
  const upstream = proxy === undefined ? null : parseUpstream(proxy);
  return upstream === null ? undefined : { ...upstream, takes: isPublicAddress };
}

/**
 * What a session will be, said before it is opened: nothing is started or written for that. Throws what is wrong with
 * the configuration.
 */
export function offerOf(config: Config, extras: Extras = {}): Pick<CallableSession, "tools" | "instructions"> {
  trustedKeysOf(config.browser);
  const { guard, mode, close } = guardOf(config, extras, "offer", null);
  close();
  announce(config, mode, extras);
  return {
    tools: describeTools(toolsOf(config.tools, mode)),
    instructions: instructionsFor(config, mode, guard.describe()),
  };
}

function guardOf(
  config: Config,
  extras: Extras,
  id: string,
  ledger: GuardSettings["ledger"],
  mask?: GuardSettings["mask"],
): OpenedGuard {
  if (config.browser.cdpUrl !== undefined && !profiles[config.profile].attaches)
    throw new ConfigError("browser.cdpUrl: the profile strict attaches to no browser: leave one of the two out");
  return openGuard({
    reach: config,
    effects: config.effects,
    mode: config.mode,
    profile: config.profile,
    privateSites: privateSitesOf(config, extras.storageState),
    rule: extras.rule,
    approve: { order: config.approve, callback: extras.approve, channels: extras.channels },
    questionMs: config.questionSeconds * MS_PER_SECOND,
    ledger,
    clock: Date.now,
    newId: () => id,
    mask,
  });
}

/** What the person at the terminal should know of the session. */
function announce(config: Config, mode: "read" | "act", extras: Extras): void {
  const warn = warnOf(extras);
  if (config.browser.cdpUrl !== undefined) warn(ATTACHED_LINE);
  if (mode === "read" && config.mode === undefined) warn(READ_LINE);
}

function warnOf({ warn }: Extras): (line: string) => void {
  return warn ?? ((line) => process.stderr.write(`chaperone: ${line}\n`));
}

/**
 * Opens a session. Chromium starts at the first call that needs a page. Throws what is wrong with the configuration.
 */
export function openToolbox(config: Config, extras: Extras = {}): OpenedSession {
  const trustedKeys = trustedKeysOf(config.browser);
  const id = extras.id ?? randomBytes(SESSION_ID_BYTES).toString("hex");
  const ledger = ledgerOf(config, id);
  const secrets = new Masking();
  for (const value of extras.storageState === undefined ? [] : credentialsOf(extras.storageState))
    secrets.note(value, true);
  const mask: Masking["maskAll"] = (texts) => secrets.maskAll(texts);
  const { guard, mode, allowAddress, close } = guardOf(config, extras, id, ledger, mask);
  if (extras.isAnnounced !== true) announce(config, mode, extras);
  const session = new Session({
    guard,
    egress: {
      allowAddress: (address, host, port) =>
        extras.ownPorts?.().includes(port) !== true && allowAddress(address, host, port),
      hostMap: servedFrom(config.hostMap),
      resolve: extras.resolve,
      upstream: upstreamOf(config.browser),
    },
    siteOf,
    redact: (url) => secrets.mask(redactUrl(url)),
    redactText: (text) => secrets.mask(redactText(text)),
    secrets,
    browser: { ...config.browser, trustedKeys },
    actionTimeoutMs: config.actionTimeoutMs,
    navigationTimeoutMs: config.navigationTimeoutMs,
    maxContentTokens: config.maxContentTokens,
    idleMs: config.idleMinutes === undefined ? null : config.idleMinutes * MS_PER_MINUTE,
    now: () => performance.now(),
    clock: Date.now,
    storageState: extras.storageState,
    patienceMs: extras.patienceMs,
    warn: warnOf(extras),
  });
  session.events.subscribe((event) => guard.saw(event));
  const end = async (): Promise<void> => {
    await session.close();
    close();
    await extras.closing?.();
  };
  const { call, ...tools } = toolbox(session, {
    instructions: instructionsFor(config, mode, guard.describe()),
    tools: toolsOf(config.tools, mode),
    developer: config.tools === "developer",
    mask,
  });
  return {
    ...tools,
    // Each tool's own plan gives the fields that its type names.
    call: call as OpenedSession["call"],
    page: () => session.page(),
    events: { subscribe: (listener) => session.events.subscribe(listener) },
    addOperatorText: (text) => guard.addOperatorText(text),
    get sites() {
      return guard.scope();
    },
    mode,
    recent: () => guard.recent(),
    ledgerFile: ledger.file,
    close: end,
    [Symbol.asyncDispose]: end,
  };
}
