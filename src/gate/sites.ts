import { getDomain } from "tldts";
import type { Origin, Site } from "../types.ts";
import { isAddressLiteral, isLocalhostName } from "./addresses.ts";

/** Chromium's own limit for an address. */
const MAX_URL_CHARS = 2_097_152;
/** Longest name that DNS can carry. */
const MAX_HOST_CHARS = 253;

export interface CanonicalUrl {
  readonly ok: true;
  /** A fresh object; host lower case, punycode, without a trailing dot. */
  readonly url: URL;
  /** As in `url.hostname` (IPv6 in brackets); empty for addresses without a host. */
  readonly host: string;
  /** Null for anything but http, https, ws, wss. */
  readonly origin: Origin | null;
  /** Null for anything but http, https, ws, wss. */
  readonly site: Site | null;
}

export type CanonicalResult =
  | CanonicalUrl
  | { readonly ok: false; readonly why: "not_an_address" | "too_long" | "bad_host" };

/** Parses once, by the WHATWG rules that Chromium follows, and never throws. `base` resolves relative addresses. */
export function canonicalUrl(text: string, base?: string): CanonicalResult {
  if (typeof text !== "string") return { ok: false, why: "not_an_address" };
  if (text.length > MAX_URL_CHARS) return { ok: false, why: "too_long" };
  let url: URL;
  try {
    url = base === undefined ? new URL(text) : new URL(text, base);
  } catch {
    return { ok: false, why: "not_an_address" };
  }
  if (!hasHostScheme(url.protocol)) return { ok: true, url, host: "", origin: null, site: null };
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  const host = url.hostname;
  if (host.length > MAX_HOST_CHARS || host.split(".").includes("")) return { ok: false, why: "bad_host" };
  return { ok: true, url, host, origin: url.origin as Origin, site: siteOfHost(host, portOf(url)) };
}

/**
 * The site of an address: registrable domain by the public suffix list (private section on), `host:port` for address
 * literals and localhost (the port always written). Null for what has no site of its own: data:, blob:, about:,
 * filesystem:, file:, and what does not parse. (OS-2)
 */
export function siteOf(url: string): Site | null {
  const parsed = canonicalUrl(url);
  return parsed.ok ? parsed.site : null;
}

/**
 * `host:port` or registrable domain; a host that is a public suffix itself, or an intranet's single word, is its own
 * site.
 */
export function siteOfHost(host: string, port: number): Site {
  if (isAddressLiteral(host) || isLocalhostName(host)) return `${host}:${port}` as Site;
  const domain = getDomain(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
  });
  return (domain ?? host) as Site;
}

/** Two places without a site are never the same. */
export function sameSite(one: Site | null, other: Site | null): boolean {
  return one !== null && one === other;
}

/** Whether a canonical host is `entry` or lies under it. An address matches only itself. */
export function hostMatches(entry: string, host: string): boolean {
  if (entry === "" || host === "") return false;
  if (host === entry) return true;
  return !isAddressLiteral(entry) && !isAddressLiteral(host) && host.endsWith(`.${entry}`);
}

/** The port that a connection would go to. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" || url.protocol === "wss:" ? 443 : 80;
}

function hasHostScheme(protocol: string): boolean {
  return protocol === "http:" || protocol === "https:" || protocol === "ws:" || protocol === "wss:";
}
