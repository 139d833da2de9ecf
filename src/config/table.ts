import { ASSETS, MODES, PROFILES, REACH_KINDS, READINGS, type ReachKind } from "../gate/index.ts";
import {
  approver,
  type KnownSite,
  knownSite,
  type PermittedEffect,
  permittedEffect,
  type ReadLike,
  readLike,
} from "./effect-kinds.ts";
import { choice, endpoint, flag, type Kind, list, originOrLocalhost, path, positive, whole } from "./kinds.ts";
import {
  added,
  addedValues,
  atMost,
  atStrictest,
  type Narrowing,
  onlyEmpty,
  onlyFalse,
  onlyTrue,
  originsWithin,
  sameEntries,
  samePairs,
  sameValues,
  sitesWithin,
} from "./narrow.ts";
import { hostMap, operatorText, site } from "./reach-kinds.ts";
import { upstream } from "./upstream.ts";

export const FACES = ["mcp", "run", "read", "library"] as const;
/** Who asks for a configuration; defaults differ. */
export type Face = (typeof FACES)[number];

/**
 * An option of the command line: with an argument, or a switch that sets a fixed value. The environment variable
 * follows from its name.
 */
export type Flag =
  | { readonly name: `--${string}`; readonly argument: string }
  | { readonly name: `--${string}`; readonly sets: boolean; readonly does: string };

/** One key of the configuration: all that file, environment, flags, defaults, schema, docs and errors need to know. */
export interface Entry<T = unknown, D extends T | undefined = T | undefined> {
  readonly kind: Kind<T>;
  readonly flag: Flag;
  readonly defaults: Readonly<Record<Face, D>>;
  /**
   * The faces it means something to. The others ignore it in files and variables, and refuse it as option or library
   * key.
   */
  readonly faces: readonly Face[];
  /** One line, a sentence without its full stop. */
  readonly does: string;
  /** Said where `undefined` is the default. */
  readonly unset?: string;
  /** As it stands in a file. */
  readonly example: unknown;
  /** How a managed policy file may bound it; "no" where nothing could be taken away. */
  readonly managed: Narrowing<T> | "no";
}

const LONGEST_DEADLINE_MS = 3_600_000;
const LONGEST_IDLE_MINUTES = 10_080;
const FEWEST_CONTENT_TOKENS = 500;
const MOST_CONTENT_TOKENS = 200_000;

const ACTION_TIMEOUT_MS = 5_000;
const NAVIGATION_TIMEOUT_MS = 60_000;
const CONTENT_TOKENS = 4_000;
const MCP_IDLE_MINUTES = 30;

const QUESTION_SECONDS = 120;
const SHORTEST_QUESTION_SECONDS = 5;
const LONGEST_QUESTION_SECONDS = 3_600;
const TOOL_SETS = ["standard", "developer"] as const;

/** Every key there is, by its path. A key is added here together with the code that honours it, never before. */
export const table = {
  allow: key({
    kind: list(site("allow")),
    flag: { name: "--allow", argument: "SITE" },
    defaults: everywhere(undefined),
    faces: FACES,
    does: "Sites in scope: a host with its subdomains, narrowed by a scheme or port in front of or behind it; an empty list allows nothing",
    unset: "the site of the first navigation",
    example: ["https://shop.test", "desk.test"],
    managed: sitesWithin,
  }),
  block: key({
    kind: list(site("block")),
    flag: { name: "--block", argument: "SITE" },
    defaults: everywhere([]),
    faces: FACES,
    does: "Hosts, always with their subdomains, to which no request of any kind goes; wins over everything",
    example: ["ads.test"],
    managed: added(),
  }),
  task: key({
    kind: operatorText,
    flag: { name: "--task", argument: "TEXT" },
    defaults: everywhere(undefined),
    faces: FACES,
    does: "The task in the operator's words; the sites that it names, as hosts or whole addresses, are in scope (e-mail addresses and file names name none)",
    unset: "no text",
    example: "Order the blue kettle at shop.test",
    managed: onlyEmpty,
  }),
  reading: key({
    kind: choice(READINGS),
    flag: { name: "--reading", argument: "listed|asked|open" },
    defaults: { mcp: "asked", run: "open", read: "open", library: "asked" },
    faces: FACES,
    does: "Public sites out of scope: never (listed), by a question (asked: refused as long as nothing can be asked), or freely (open)",
    example: "listed",
    managed: atStrictest(READINGS),
  }),
  reach: key({
    kind: list(choice(REACH_KINDS)),
    flag: { name: "--reach", argument: "navigation|data|subresource|subframe" },
    defaults: everywhere(["navigation", "data"]),
    faces: FACES,
    does: "Kinds of requests that go to sites in scope only; data is fetch, workers and prefetching, too. Sockets and unknown kinds always are. All four close the rest",
    example: ["navigation", "data", "subresource", "subframe"],
    managed: added<ReachKind>(),
  }),
  includeSubdomains: key({
    kind: flag,
    flag: {
      name: "--no-subdomains",
      sets: false,
      does: "Takes the sites of allow, helpers and task without their subdomains",
    },
    defaults: everywhere(true),
    faces: FACES,
    does: "Whether a site of allow, helpers or task covers its subdomains",
    example: false,
    managed: onlyFalse,
  }),
  assets: key({
    kind: choice(ASSETS),
    flag: { name: "--assets", argument: "closed|seen|open" },
    defaults: everywhere("seen"),
    faces: FACES,
    does: "Pictures, styles, scripts and fonts from other hosts: none (closed), from hosts that the page's HTML names as it comes from the server (seen), or all (open)",
    example: "closed",
    managed: atStrictest(ASSETS),
  }),
  helpers: key({
    kind: list(site("helpers")),
    flag: { name: "--helper", argument: "SITE" },
    defaults: everywhere([]),
    faces: FACES,
    does: "Sites that pages in scope may lead to and use for signing in and paying; the agent cannot open them by an address, and their frames are not shown",
    example: ["idp.test"],
    managed: sitesWithin,
  }),
  "sensitive.add": key({
    kind: list(site("sensitive.add")),
    flag: { name: "--sensitive", argument: "SITE" },
    defaults: everywhere([]),
    faces: FACES,
    does: "Further sites that only an entry of allow, or the task, naming that very host puts into scope, beside the built-in list of banks, mail, sign-in, health, payment, cloud consoles and password managers",
    example: ["hr.test"],
    managed: added(),
  }),
  "sensitive.remove": key({
    kind: list(site("sensitive.remove")),
    flag: { name: "--not-sensitive", argument: "SITE" },
    defaults: everywhere([]),
    faces: FACES,
    does: "Sites that the built-in list, or a word in their name, wrongly takes for such",
    example: ["foodbank.test"],
    managed: sameEntries,
  }),
  mode: key({
    kind: choice(MODES),
    flag: { name: "--mode", argument: "read|act" },
    defaults: { mcp: undefined, run: undefined, read: "read", library: undefined },
    faces: FACES,
    does: "read: tools that act are not there, and nothing that changes something leaves but what effects.readLike names (docs/policy.md)",
    unset: "act; read where a private site is in reach and nobody can be asked",
    example: "read",
    managed: atStrictest(MODES),
  }),
  profile: key({
    kind: choice(PROFILES),
    flag: { name: "--profile", argument: "strict|guarded|observe" },
    defaults: everywhere("guarded"),
    faces: FACES,
    does: "strict: every site counts as private, assets and foreign frames are closed, attached browsers refused; observe: what scope, reading, lists of sites and effects would refuse or ask is recorded and let go, while addresses, schemes and the block list are enforced all the same (docs/policy.md)",
    example: "observe",
    managed: atStrictest(PROFILES),
  }),
  approve: key({
    kind: list(approver),
    flag: { name: "--approve", argument: "console|elicitation|terminal|command:…|none" },
    defaults: { mcp: ["elicitation", "console"], run: ["console", "terminal"], read: [], library: [] },
    faces: FACES,
    does: "Who is asked, in this order: a local page (console), the MCP client (elicitation), the terminal, a program of the operator's (command:, then its command line), nobody (none). The library's approve comes first",
    example: ["console", "command:/usr/local/bin/ask-me"],
    managed: sameEntries,
  }),
  questionSeconds: key({
    kind: whole(SHORTEST_QUESTION_SECONDS, LONGEST_QUESTION_SECONDS, "seconds"),
    flag: { name: "--question-seconds", argument: "N" },
    defaults: everywhere(QUESTION_SECONDS),
    faces: FACES,
    does: "How long a question waits for its answer; afterwards it is no",
    example: 300,
    managed: atMost,
  }),
  "effects.allow": key({
    kind: list(permittedEffect),
    flag: { name: "--allow-effect", argument: "REQUEST" },
    defaults: everywhere([]),
    faces: FACES,
    does: "Requests that need no question: method, site and path, where * stands for a part of a segment and ** for any. What cannot be taken back is matched by whole paths only. Narrower: after ? the only parameters of the address, then the names of what may be done (POST https://shop.test/rpc cart.add); as an object with operations and query, and also with the only fields that may be there, and how often",
    example: ["POST https://shop.test/cart/*"],
    managed: sameValues<PermittedEffect>(),
  }),
  "effects.readLike": key({
    kind: list(readLike),
    flag: { name: "--read-like", argument: "PLACE" },
    defaults: everywhere([]),
    faces: FACES,
    does: "Places where a POST only reads, in read mode, too; then the names of the operations that do: query for GraphQL, methods of JSON-RPC, names in fields and headers; as an object with operations",
    example: ["https://shop.test/search"],
    managed: sameValues<ReadLike>(),
  }),
  sites: key({
    kind: list(knownSite),
    flag: { name: "--private-site", argument: "SITE" },
    defaults: everywhere([]),
    faces: FACES,
    does: "What is known of sites. private: it holds something of a person, so nothing is sent there without a question or a grant; stored state and private places count without being named",
    example: ["crm.test"],
    managed: addedValues<KnownSite>(),
  }),
  hostMap: key({
    kind: hostMap,
    flag: { name: "--host-map", argument: "NAME=HOST:PORT" },
    defaults: everywhere({}),
    faces: FACES,
    does: "Serves a name, on any port, from there; exempt from the rule on private addresses, a public site otherwise. For tests and demonstrations",
    example: { "shop.test": "127.0.0.1:8080" },
    managed: samePairs,
  }),
  private: key({
    kind: list(originOrLocalhost),
    flag: { name: "--private", argument: "ORIGIN|localhost" },
    defaults: everywhere([]),
    faces: FACES,
    does: "Opens a private origin to the agent and to that origin's own documents, never to public pages; localhost stands for loopback on any port",
    example: ["http://127.0.0.1:3000"],
    managed: originsWithin,
  }),
  tools: key({
    kind: choice(TOOL_SETS),
    flag: { name: "--tools", argument: "standard|developer" },
    defaults: everywhere("standard"),
    faces: FACES,
    does: "developer adds targets by selector (css=…) and by place (x,y), and execute_js, which marks its session unguarded: for the developer's own pages",
    example: "developer",
    managed: atStrictest(TOOL_SETS),
  }),
  maxContentTokens: key({
    kind: whole(FEWEST_CONTENT_TOKENS, MOST_CONTENT_TOKENS, "tokens"),
    flag: { name: "--max-content-tokens", argument: "N" },
    defaults: everywhere(CONTENT_TOKENS),
    faces: FACES,
    does: "Most tokens of page content in one result",
    example: 8_000,
    managed: atMost,
  }),
  actionTimeoutMs: key({
    kind: whole(1, LONGEST_DEADLINE_MS, "milliseconds"),
    flag: { name: "--action-timeout", argument: "MS" },
    defaults: everywhere(ACTION_TIMEOUT_MS),
    faces: FACES,
    does: "Deadline of a call that acts on a page or looks at it",
    example: 10_000,
    managed: atMost,
  }),
  navigationTimeoutMs: key({
    kind: whole(1, LONGEST_DEADLINE_MS, "milliseconds"),
    flag: { name: "--navigation-timeout", argument: "MS" },
    defaults: everywhere(NAVIGATION_TIMEOUT_MS),
    faces: FACES,
    does: "Deadline of a navigation and of the browser's start",
    example: 30_000,
    managed: atMost,
  }),
  idleMinutes: key({
    kind: positive(LONGEST_IDLE_MINUTES, "minutes"),
    flag: { name: "--idle-minutes", argument: "N" },
    defaults: { mcp: MCP_IDLE_MINUTES, run: undefined, read: undefined, library: undefined },
    faces: FACES,
    does: "Ends the browser after this time without a call; the next call starts a new one",
    unset: "never",
    example: 10,
    managed: atMost,
  }),
  results: key({
    kind: choice(["both", "text", "structured"]),
    flag: { name: "--results", argument: "both|text|structured" },
    defaults: everywhere("both"),
    faces: ["mcp"],
    does: "Which forms an MCP result has; each alone is complete",
    example: "text",
    managed: "no",
  }),
  "browser.path": key({
    kind: path,
    flag: { name: "--browser", argument: "PATH" },
    defaults: everywhere(undefined),
    faces: FACES,
    does: "The Chromium, Chrome or Edge to start",
    unset: "the first one found",
    example: "/usr/bin/chromium",
    managed: "no",
  }),
  "browser.headless": key({
    kind: flag,
    flag: { name: "--headed", sets: false, does: "Shows the browser's window" },
    defaults: everywhere(true),
    faces: FACES,
    does: "Whether the browser runs without a window",
    example: false,
    managed: "no",
  }),
  "browser.sandbox": key({
    kind: flag,
    flag: {
      name: "--no-sandbox",
      sets: false,
      does: "Starts Chromium without its own sandbox: a page that breaks the renderer then has the rights of our user",
    },
    defaults: everywhere(true),
    faces: FACES,
    does: "Whether Chromium has its own sandbox; without it a page that breaks the renderer has the rights of our user",
    example: false,
    managed: onlyTrue,
  }),
  "browser.cdpUrl": key({
    kind: endpoint,
    flag: { name: "--cdp-url", argument: "URL" },
    defaults: everywhere(undefined),
    faces: FACES,
    does: "Attaches to this running browser, in a context of its own, in place of starting one; less holds there (docs/decisions/0007-attached-browsers.md). With a token in the address use the variable or a file: other programs can read options",
    unset: "a browser is started",
    example: "http://127.0.0.1:9222",
    managed: "no",
  }),
  "browser.proxy": key({
    kind: upstream,
    flag: { name: "--proxy", argument: "URL" },
    defaults: everywhere(undefined),
    faces: FACES,
    does: "Goes out through this HTTP proxy. Loopback, names of hostMap and private addresses that were opened are connected to without it. A name must lead to public addresses here as ever, but the proxy resolves it once more and connects where it finds it, so it must refuse private networks itself. Without an answer of the proxy nothing is opened (docs/decisions/0013-upstream-proxy.md). With a password use the variable or a file: other programs can read options",
    unset: "connects by itself",
    example: "http://proxy.test:3128",
    managed: "no",
  }),
  "browser.ca": key({
    kind: path,
    flag: { name: "--ca", argument: "FILE" },
    defaults: everywhere(undefined),
    faces: FACES,
    does: "Takes https servers that show a certificate of this file, alone or with their own, for the ones they say they are, with no further check; all other certificates are checked as ever. For tests: whoever can show that certificate can pretend to be any site, so each must have its private key in the same file, which nobody has of a real authority. The key is not used",
    unset: "only what the browser trusts by itself",
    example: "test-authority.pem",
    managed: "no",
  }),
  "ledger.file": key({
    kind: path,
    flag: { name: "--ledger", argument: "FILE" },
    defaults: everywhere(undefined),
    faces: FACES,
    does: "Where the record of decisions is written",
    unset: "a new file in the state directory",
    example: "chaperone-ledger.jsonl",
    managed: "no",
  }),
  "ledger.values": key({
    kind: flag,
    flag: {
      name: "--ledger-values",
      sets: true,
      does: "Keeps the values that go into pages in the record; never those of secret fields",
    },
    defaults: everywhere(false),
    faces: FACES,
    does: "Keeps the values that go into pages in the record, without credentials and cut at 200 characters, in place of digests of them; never those of secret fields",
    example: true,
    managed: onlyFalse,
  }),
};

/** Variables of ours that are no keys: the others that begin with `CHAPERONE_` are errors. */
export const CONFIG_VARIABLE = "CHAPERONE_CONFIG";
/** Bearer tokens of `chaperone mcp --http`, separated by commas. */
export const HTTP_TOKEN_VARIABLE = "CHAPERONE_HTTP_TOKEN";
export const OTHER_VARIABLES: readonly string[] = [CONFIG_VARIABLE, HTTP_TOKEN_VARIABLE];

/** `--max-content-tokens` is `CHAPERONE_MAX_CONTENT_TOKENS`. */
export function variableOf(entry: Entry): string {
  return `CHAPERONE_${entry.flag.name.slice(2).replaceAll("-", "_").toUpperCase()}`;
}

function key<T, D extends T | undefined>(entry: Entry<T, D>): Entry<T, D> {
  return entry;
}

function everywhere<const D>(value: D): Readonly<Record<Face, D>> {
  return { mcp: value, run: value, read: value, library: value };
}
