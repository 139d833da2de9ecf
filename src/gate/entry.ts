import { parse } from "tldts";
import { classifyHost, isAddressLiteral } from "./addresses.ts";
import { type CanonicalUrl, canonicalUrl, hostMatches, portOf } from "./sites.ts";

/** A place as an operator names it: a host, perhaps narrowed to a scheme or a port. */
export interface SiteEntry {
  /** Canonical, as in `CanonicalUrl.host`. */
  readonly host: string;
  /** Null: both. */
  readonly scheme: "http" | "https" | null;
  /** Null: 80 and 443, or the scheme's own. */
  readonly port: number | null;
  readonly subdomains: boolean;
}

/** The list that an entry stands in; what may stand there differs. */
export type EntryList =
  | "allow"
  | "block"
  | "helpers"
  | "sensitive.add"
  | "sensitive.remove"
  | "sites"
  | "effects.allow"
  | "effects.readLike";

const MAX_SHOWN_CHARS = 60;
const FORM = "give a host such as shop.test, or https://shop.test:8443";

/** The words of a refused entry on one line, cut. */
export function shownEntry(text: string): string {
  return JSON.stringify(text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}…`);
}

/**
 * Reads one entry: `host`, `host:port`, `http(s)://host[:port]`. Throws an `Error` that names the entry when it is
 * malformed, or could never match what it seems to say: wildcards, paths, user names, private addresses, whole public
 * suffixes such as com. (OS-2)
 */
export function parseSite(text: string, list: EntryList, subdomains = true): SiteEntry {
  const wrong = (why: string): Error => new Error(`${list}: ${shownEntry(text)} ${why}; ${FORM}`);
  if (typeof text !== "string") throw new Error(`${list}: an entry is not text; ${FORM}`);
  if (text === "") throw wrong("is empty");
  if (/[\s\p{Cc}]/u.test(text)) throw wrong("has blanks");
  if (text.includes("*")) throw wrong("has a wildcard, which would match nothing: a host covers its subdomains");
  const [, scheme = null, rest = text] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(text) ?? [];
  const wanted = scheme?.toLowerCase() ?? null;
  if (wanted !== null && wanted !== "http" && wanted !== "https") throw wrong("has a scheme other than http and https");
  if (rest.includes("@")) throw wrong("has a user name or password");
  if (/[/?#\\]/.test(wanted === null ? rest : rest.replace(/\/$/, "")))
    throw wrong("has more than scheme, host and port");
  const written = /^[^:[\]]*(?::(\d{1,5}))?$|^\[[^\]]*\](?::(\d{1,5}))?$/.exec(rest.replace(/\/$/, ""));
  if (written === null) throw wrong("is not a host");
  const parsed = canonicalUrl(`${wanted ?? "http"}://${rest}`);
  if (!parsed.ok || parsed.host === "") throw wrong("is not a host");
  const digits = written[1] ?? written[2];
  const port = digits === undefined ? null : Number(digits);
  if (port === 0) throw wrong("has no such port");
  const fault = faultOf(parsed.host, list);
  if (fault !== null) throw wrong(fault);
  return { host: parsed.host, scheme: wanted, port, subdomains };
}

function faultOf(host: string, list: EntryList): string | null {
  const found = classifyHost(host);
  if (found.is === "unparsable") return "is not a host";
  if (list === "block") return null;
  if (found.is === "metadata") return "is a metadata service, which is never opened";
  // To permit an effect opens no place, so a private one may be named there.
  const isForEffects = list === "effects.allow" || list === "effects.readLike";
  if (found.is === "private" && !isForEffects) return "is a private address, which only the option private opens";
  if (list === "sensitive.add" || list === "sensitive.remove") return null;
  const { publicSuffix, isIcann, isPrivate } = parse(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  });
  return publicSuffix === host && (isIcann === true || isPrivate === true)
    ? "is a public suffix, under which everybody has a site"
    : null;
}

/** Whether the entry's host covers that host, whatever scheme and port. */
export function coversHost(entry: SiteEntry, host: string): boolean {
  return entry.subdomains ? hostMatches(entry.host, host) : entry.host === host;
}

/** Whether the entry covers the place. ws counts as http, wss as https. */
export function covers(entry: SiteEntry, place: CanonicalUrl): boolean {
  if (!coversHost(entry, place.host)) return false;
  if (entry.scheme !== null && entry.scheme !== schemeOf(place)) return false;
  const port = portOf(place.url);
  if (entry.port !== null) return entry.port === port;
  return entry.scheme === null ? isWebPort(port) : port === (entry.scheme === "https" ? 443 : 80);
}

/** For a list that takes away: without a port it means every port. */
export function blocks(entry: SiteEntry, place: CanonicalUrl): boolean {
  if (!coversHost(entry, place.host) || (entry.scheme !== null && entry.scheme !== schemeOf(place))) return false;
  return entry.port === null || entry.port === portOf(place.url);
}

export function isWebPort(port: number): boolean {
  return port === 80 || port === 443;
}

export function schemeOf(place: CanonicalUrl): "http" | "https" {
  return place.url.protocol === "https:" || place.url.protocol === "wss:" ? "https" : "http";
}

/** As an operator would write it. */
export function entryText(entry: SiteEntry): string {
  return `${entry.scheme === null ? "" : `${entry.scheme}://`}${entry.host}${entry.port === null ? "" : `:${entry.port}`}`;
}

/** Whether all that `narrow` covers is covered by `wide`; addresses have no subdomains. */
export function containsEntry(wide: SiteEntry, narrow: SiteEntry): boolean {
  if (!coversHost(wide, narrow.host) || (narrow.subdomains && !wide.subdomains && !isAddressLiteral(narrow.host)))
    return false;
  if (wide.scheme !== null && wide.scheme !== narrow.scheme) return false;
  return wide.port === narrow.port;
}
