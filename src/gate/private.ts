import type { Origin, Site } from "../types.ts";
import { classifyHost } from "./addresses.ts";
import { type CanonicalUrl, canonicalUrl, siteOf } from "./sites.ts";

/** One place that the operator opened although it is private: an origin, or loopback on any port. */
export type PrivateEntry = { readonly opens: "origin"; readonly origin: Origin } | { readonly opens: "localhost" };

const FORM = "give an origin such as http://127.0.0.1:3000, or the word localhost";

/**
 * Reads one `--private` entry. Throws an `Error` that names the entry when it is malformed or could never open
 * anything.
 */
export function parsePrivate(text: string): PrivateEntry {
  if (text === "localhost") return { opens: "localhost" };
  const wrong = (why: string): Error => new Error(`private: ${JSON.stringify(text)} ${why}; ${FORM}`);
  if (text === "") throw wrong("is empty");
  if (/\s/.test(text)) throw wrong("has blanks");
  if (text.includes("*")) throw wrong("has a wildcard");
  if (!/^https?:\/\//i.test(text)) throw wrong("is not an http or https origin");
  const parsed = canonicalUrl(text);
  if (!parsed.ok || parsed.origin === null) throw wrong("is not an address");
  if (parsed.url.username !== "" || parsed.url.password !== "" || text.includes("@"))
    throw wrong("has a user name or password");
  if (parsed.url.pathname !== "/" || parsed.url.search !== "" || parsed.url.hash !== "" || /[?#\\]/.test(text))
    throw wrong("has more than scheme, host and port");
  if (classifyHost(parsed.host).is === "metadata") throw wrong("is a metadata service, which is never opened");
  return { opens: "origin", origin: parsed.origin };
}

/** Whether the operator opened the place. `localhost` opens plain loopback only, not what embeds a loopback address. */
export function isOpened(entries: readonly PrivateEntry[], place: CanonicalUrl): boolean {
  const found = classifyHost(place.host);
  if (found.is === "metadata" || found.is === "unparsable") return false;
  const isLoopback = found.is === "private" && found.kind === "loopback" && !found.embedded;
  const origin = place.origin?.replace(/^ws/, "http");
  return entries.some((entry) => (entry.opens === "localhost" ? isLoopback : entry.origin === origin));
}

/** The same, for an address as text. A blob: document belongs to the origin that made it. */
export function isOpenedAddress(entries: readonly PrivateEntry[], address: string): boolean {
  const parsed = canonicalUrl(address);
  if (!parsed.ok) return false;
  if (parsed.url.protocol === "blob:")
    return parsed.url.origin !== "null" && isOpenedAddress(entries, parsed.url.origin);
  return parsed.origin !== null && isOpened(entries, parsed);
}

/** The same, for a site: an element of a page knows no more than that. */
export function isOpenedSite(entries: readonly PrivateEntry[], site: Site | null): boolean {
  if (site === null) return false;
  return entries.some((entry) =>
    entry.opens === "localhost" ? isOpenedAddress([entry], `http://${site}`) : siteOf(entry.origin) === site,
  );
}
