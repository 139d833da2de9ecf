import { classifyHost, isAddressLiteral } from "./addresses.ts";
import { containsEntry, entryText, parseSite, type SiteEntry, shownEntry } from "./entry.ts";
import { type PrivateEntry, parsePrivate } from "./private.ts";
import { canonicalUrl } from "./sites.ts";
import { sitesOfText } from "./task.ts";

/** The kinds of requests that `reach` can bind to the scope. */
export const REACH_KINDS = ["navigation", "data", "subresource", "subframe"] as const;
export type ReachKind = (typeof REACH_KINDS)[number];
export const READINGS = ["listed", "asked", "open"] as const;
export type Reading = (typeof READINGS)[number];
export const ASSETS = ["closed", "seen", "open"] as const;
export type Assets = (typeof ASSETS)[number];

/** What the operator decided about where requests may go, checked. Grants of a session are added to `scope`. */
export interface ReachPolicy {
  /** Private origins, closed to public pages. */
  readonly private: readonly PrivateEntry[];
  /** Sites in scope: listed, named in the task, or granted. */
  readonly scope: readonly SiteEntry[];
  /** False: nobody named a site, so the first navigation's site comes into scope. */
  readonly scopeGiven: boolean;
  readonly block: readonly SiteEntry[];
  readonly reading: Reading;
  /** Kinds that go to sites in scope only. */
  readonly kinds: ReadonlySet<ReachKind>;
  /** Whether an entry covers its subdomains, and a page its own site's other hosts. */
  readonly subdomains: boolean;
  readonly assets: Assets;
  readonly helpers: readonly SiteEntry[];
  readonly sensitive: { readonly add: readonly SiteEntry[]; readonly remove: readonly SiteEntry[] };
  /** Names that the operator serves from elsewhere: public sites, on any port. */
  readonly mapped: ReadonlySet<string>;
}

/**
 * As it stands in a configuration. All optional; absent `allow` means that no scope is given, an empty one that nothing
 * is allowed.
 */
export interface ReachSettings {
  readonly private?: readonly string[] | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly block?: readonly string[] | undefined;
  readonly task?: string | undefined;
  readonly reading?: Reading | undefined;
  readonly reach?: readonly ReachKind[] | undefined;
  readonly includeSubdomains?: boolean | undefined;
  readonly assets?: Assets | undefined;
  readonly helpers?: readonly string[] | undefined;
  readonly sensitive?:
    | { readonly add?: readonly string[] | undefined; readonly remove?: readonly string[] | undefined }
    | undefined;
  /** Names and where they are served from, `host:port`. */
  readonly hostMap?: Readonly<Record<string, string>> | undefined;
}

/**
 * Checks the settings once. Throws an `Error` that names the entry: malformed, unknown, or contradicting another one.
 */
export function reachPolicy(settings: ReachSettings = {}): ReachPolicy {
  const subdomains = settings.includeSubdomains ?? true;
  const allow = settings.allow?.map((text) => parseSite(text, "allow", subdomains)) ?? null;
  const named = sitesOfText(settings.task ?? "", subdomains).sites;
  // Taking away never narrows: a blocked host's subdomains are blocked.
  const block = (settings.block ?? []).map((text) => parseSite(text, "block"));
  const helpers = (settings.helpers ?? []).map((text) => parseSite(text, "helpers", subdomains));
  const add = (settings.sensitive?.add ?? []).map((text) => parseSite(text, "sensitive.add"));
  const remove = (settings.sensitive?.remove ?? []).map((text) => parseSite(text, "sensitive.remove"));
  const reading = oneOf("reading", settings.reading ?? "asked", READINGS);
  const assets = oneOf("assets", settings.assets ?? "seen", ASSETS);
  const kinds = new Set((settings.reach ?? ["navigation", "data"]).map((kind) => oneOf("reach", kind, REACH_KINDS)));
  const mapped = new Set(Object.keys(settings.hostMap ?? {}).map(parseMappedName));
  for (const entry of [...(allow ?? []), ...helpers]) {
    const over = block.find(
      (blocked) =>
        containsEntry(blocked, entry) ||
        (blocked.port === null && containsEntry({ ...blocked, port: entry.port }, entry)),
    );
    if (over !== undefined)
      throw new Error(
        `allow, helpers: ${shownEntry(entryText(entry))} is in block too (${shownEntry(entryText(over))}): keep one`,
      );
  }
  for (const entry of add) {
    if (remove.some((other) => other.host === entry.host))
      throw new Error(`sensitive: ${shownEntry(entry.host)} is in add and in remove: keep one`);
  }
  if (assets === "open" && kinds.has("subresource"))
    throw new Error("assets: open contradicts reach, which binds subresource to the scope: keep one");
  return {
    private: (settings.private ?? []).map(parsePrivate),
    scope: [...(allow ?? []), ...named],
    scopeGiven: allow !== null || named.length > 0,
    block,
    reading: allow !== null && allow.length === 0 ? "listed" : reading,
    kinds,
    subdomains,
    assets,
    helpers,
    sensitive: { add, remove },
    mapped,
  };
}

/**
 * A name of the host map, canonical. Throws an `Error` that names it: an address, localhost and metadata services
 * cannot be served from elsewhere.
 */
export function parseMappedName(name: string): string {
  const wrong = (why: string): Error =>
    new Error(`hostMap: ${shownEntry(name)} ${why}; give a host name such as shop.test`);
  const parsed = /[\s*/?#\\@:[\]]/.test(name) ? null : canonicalUrl(`http://${name}/`);
  if (parsed === null || !parsed.ok) throw wrong("is not a host name");
  if (isAddressLiteral(parsed.host) || classifyHost(parsed.host).is !== "name")
    throw wrong("is an address or a name of this machine");
  return parsed.host;
}

function oneOf<const Choices extends readonly string[]>(key: string, value: string, choices: Choices): Choices[number] {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Error(`${key}: ${shownEntry(String(value))} is not one of ${choices.join(", ")}`);
  return found;
}
