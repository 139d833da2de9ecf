import { canonicalUrl, isMixedScript, portOf, skeleton } from "../gate/index.ts";
import { toUnicodeHost } from "../gate/punycode.ts";
import { plainOr, quoted } from "./escape.ts";

const HOST = /^[a-z0-9.:_[\]-]+$/;
const MAX_HOST_CHARS = 260;

/** A canonical host or site: as it is when all its signs are plain, else in quotes. */
export function hostShown(host: string): string {
  return plainOr(host, HOST, MAX_HOST_CHARS);
}

export interface PlaceShown {
  readonly lines: readonly string[];
  /** False when it cannot be said where an address leads. */
  readonly isKnown: boolean;
}

/** Where an address leads, apart from how it is written: the registrable part, the host, what is odd about it. */
export function placeLines(url: string): PlaceShown {
  const place = canonicalUrl(url);
  if (!place.ok) return { lines: ["site: unknown, the address cannot be read"], isKnown: false };
  if (place.site === null) return { lines: ["site: none, an address of another kind"], isKnown: false };
  const { host, site } = place;
  const lines = [`site: ${hostShown(site)}`];
  if (site !== place.url.host && site !== `${host}:${portOf(place.url)}`)
    lines.push(`host: ${hostShown(place.url.host)}`);
  lines.push(...nameWarnings(host));
  if (place.url.protocol === "http:" || place.url.protocol === "ws:")
    lines.push("not encrypted: whoever is on the way can read and change it");
  return { lines, isKnown: true };
}

/** A name that is not ASCII in both its forms, and what it looks like. */
function nameWarnings(host: string): readonly string[] {
  const reads = toUnicodeHost(host);
  if (reads === host && !host.includes("xn--")) return [];
  const looks = skeleton(host);
  const mixed = isMixedScript(host) ? ", it mixes scripts" : "";
  const alike =
    looks !== reads && /^[a-z0-9.-]+$/.test(looks) && !looks.includes("xn--")
      ? `, it looks like ${quoted(looks, MAX_HOST_CHARS).line}`
      : "";
  return [
    `warning: the name has letters that are not ASCII: ${quoted(host, MAX_HOST_CHARS).line} reads ${quoted(reads, MAX_HOST_CHARS).line}${mixed}${alike}`,
  ];
}
