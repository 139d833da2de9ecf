import { parse } from "tldts";
import { classifyHost, isAddressLiteral } from "./addresses.ts";
import { isWebPort, type SiteEntry } from "./entry.ts";
import { canonicalUrl, portOf } from "./sites.ts";

/** More sites than a person names in a task. */
const MAX_SITES = 50;
/** Names for tests and documentation (RFC 2606, RFC 6761): no registry has them. */
const RESERVED_SUFFIXES: ReadonlySet<string> = new Set(["test", "example"]);
/**
 * Endings of files that are also countries or businesses: `README.md` names no site. Such a site is named by its whole
 * address.
 */
const FILE_ENDINGS: ReadonlySet<string> = new Set([
  "md",
  "sh",
  "py",
  "rs",
  "zip",
  "mov",
  "pl",
  "ps",
  "so",
  "cc",
  "app",
]);
const URL_SHAPE = /https?:\/\/[^\s<>"'`«»“”„]+/giu;
const HOST_SHAPE =
  /(?<![\p{L}\p{N}_@./:-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}(?::\d{1,5})?(?![\p{L}\p{N}_@-])/giu;
/**
 * A particle or suffix of another script, written without a blank behind an ASCII name: no registry has a name that
 * changes scripts there.
 */
const ATTACHED = /^((?:https?:\/\/)?[^/?#]*\.[a-z]{2,63})\P{ASCII}+$/iu;
const TRAILING = /[.,;:!?)\]}>…。、]+$/u;

export interface TaskSites {
  /** Hosts without their `www.`, with the port of an address where it is not 80 or 443. */
  readonly sites: readonly SiteEntry[];
  /** The whole addresses that stand in the text, canonical. */
  readonly urls: readonly string[];
}

/**
 * The sites that an operator's text names, as host or as whole address. E-mail addresses, file names and private
 * addresses name none. (OS-1)
 */
export function sitesOfText(text: string, subdomains = true): TaskSites {
  const sites = new Map<string, SiteEntry>();
  const urls = new Set<string>();
  const add = (address: string, isWhole: boolean): void => {
    const parsed = canonicalUrl(address);
    if (!parsed.ok || parsed.origin === null || parsed.url.username !== "" || parsed.url.password !== "") return;
    if (!isPublicPlace(parsed.host, isWhole)) return;
    const host = parsed.host.replace(/^www\.(?=[^.]+\.)/, "");
    const port = isWebPort(portOf(parsed.url)) ? null : portOf(parsed.url);
    if (sites.size < MAX_SITES) sites.set(`${host}:${port}`, { host, scheme: null, port, subdomains });
    if (isWhole) urls.add(parsed.url.href);
  };
  for (const [found] of text.matchAll(URL_SHAPE)) add(found.replace(TRAILING, "").replace(ATTACHED, "$1"), true);
  for (const [found] of text.replaceAll(URL_SHAPE, " ").matchAll(HOST_SHAPE))
    add(`http://${found.replace(ATTACHED, "$1")}`, false);
  return { sites: [...sites.values()], urls: [...urls] };
}

function isPublicPlace(host: string, isWhole: boolean): boolean {
  const found = classifyHost(host);
  if (isAddressLiteral(host)) return found.is === "public" && isWhole;
  if (found.is !== "name") return false;
  const { publicSuffix, isIcann, isPrivate } = parse(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  });
  if (publicSuffix === null || publicSuffix === host) return false;
  if (isWhole) return true;
  const last = host.slice(host.lastIndexOf(".") + 1);
  if (FILE_ENDINGS.has(last) && host.split(".").length === 2) return false;
  return isIcann === true || isPrivate === true || RESERVED_SUFFIXES.has(last);
}
