import { type CanonicalUrl, canonicalUrl } from "../sites.ts";

/** An address taken apart and decoded, for rules that read names in it. */
export interface Address {
  readonly place: CanonicalUrl;
  /** Decoded, empty ones left out. */
  readonly segments: readonly string[];
  /** Decoded, in order. */
  readonly query: readonly { readonly name: string; readonly value: string }[];
}

/** Null for what does not parse. */
export function addressOf(url: string): Address | null {
  const place = canonicalUrl(url);
  if (!place.ok) return null;
  return {
    place,
    segments: place.url.pathname
      .split("/")
      .filter((segment) => segment !== "")
      .map(percentDecoded),
    query: [...place.url.searchParams].map(([name, value]) => ({ name, value })),
  };
}

/** Decoded where it can be, else as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
