import { LRUCache } from "lru-cache";
import { canonicalUrl, isOpenedSite, Learned, type ReachPolicy, type RequestOperation, siteOf } from "../gate/index.ts";
import type { Site } from "../types.ts";

/** Sites and places remembered. */
const MAX_REMEMBERED = 2_000;

/** How it became known that a site holds something of a person. */
export type WhyPrivate = "listed" | "secret" | "signIn" | "authorization" | "signOut" | "code";

export interface SiteFactsOptions {
  /** The policy of reach with all that was granted. */
  readonly policy: () => ReachPolicy;
  /** Sites that the operator lists, or whose state was stored. */
  readonly privateSites: ReadonlySet<Site>;
  readonly everySiteIsPrivate: boolean;
}

/**
 * What the session knows of sites: which hold something of a person, which the agent has touched, what their pages sent
 * by themselves.
 */
export class SiteFacts {
  readonly #options: SiteFactsOptions;
  readonly #private = new LRUCache<Site, WhyPrivate>({ max: MAX_REMEMBERED });
  readonly #touched = new LRUCache<Site, true>({ max: MAX_REMEMBERED });
  readonly #learned = new LRUCache<Site, Learned>({ max: MAX_REMEMBERED });
  readonly #graphqlPlaces = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  /** Hosts of private sites where somebody signed in. */
  readonly #hosts = new LRUCache<Site, Set<string>>({ max: MAX_REMEMBERED });
  /** The host of each site that the agent opened first. */
  readonly #first = new LRUCache<Site, string>({ max: MAX_REMEMBERED });
  /** An input went where nobody knows. */
  #isAllTouched = false;

  constructor(options: SiteFactsOptions) {
    this.#options = options;
  }

  isPrivate(site: Site | null): boolean {
    const { everySiteIsPrivate, privateSites, policy } = this.#options;
    return (
      everySiteIsPrivate ||
      (site !== null && (privateSites.has(site) || this.#private.has(site) || isOpenedSite(policy().private, site)))
    );
  }

  /**
   * It holds something of a person from now on. What was learned of it before may have been somebody else's, and is
   * forgotten.
   */
  makePrivate(site: Site | null, why: WhyPrivate): void {
    if (site === null || this.isPrivate(site)) return;
    this.#private.set(site, why);
    this.#learned.delete(site);
  }

  /** The agent's input goes to a document of that site; null: nobody knows where. */
  touch(site: Site | null): void {
    if (site === null) this.#isAllTouched = true;
    else this.#touched.set(site, true);
  }

  isTouched(site: Site | null): boolean {
    return this.#isAllTouched || site === null || this.#touched.has(site);
  }

  learned(site: Site | null): Learned | null {
    return site === null ? null : (this.#learned.get(site) ?? null);
  }

  /** A page of an untouched site has sent it by itself. */
  learn(site: Site | null, operation: RequestOperation, graphqlPlace: string | null): void {
    if (site === null) return;
    const known = this.#learned.get(site) ?? new Learned();
    known.learn(operation);
    this.#learned.set(site, known);
    if (graphqlPlace === null) return;
    this.#graphqlPlaces.set(graphqlPlace, true);
  }

  isGraphqlPlace(place: string): boolean {
    return this.#graphqlPlaces.has(place);
  }

  /** Somebody signed in there, or it is the first of its site that the agent opened. */
  addHost(url: string, isFirstOnly: boolean): void {
    const place = canonicalUrl(url);
    if (!place.ok || place.site === null) return;
    if (isFirstOnly) {
      if (!this.#hosts.has(place.site) && !this.#first.has(place.site)) this.#first.set(place.site, place.host);
      return;
    }
    const known = this.#hosts.get(place.site) ?? new Set();
    known.add(place.host);
    this.#hosts.set(place.site, known);
  }

  /**
   * Whether a document at that address is of a host that the operator named, or where somebody signed in. The one that
   * was opened first counts as named for all but requests to a host that really is: anybody may have a corner of a
   * site.
   */
  isNamedHost(documentUrl: string | null, url: string): boolean {
    const place = documentUrl === null ? null : canonicalUrl(documentUrl);
    if (place === null || !place.ok) return false;
    const { scope, helpers } = this.#options.policy();
    const isSame = (host: string): boolean => withoutWww(host) === withoutWww(place.host);
    const known = place.site === null ? undefined : this.#hosts.get(place.site);
    const named = [...scope, ...helpers].filter(({ host }) => siteOf(`https://${host}/`) === place.site);
    // Nobody named a host of this site: then there is none that it could be told from.
    const first = place.site === null ? undefined : this.#first.get(place.site);
    if (named.length === 0 && known === undefined && first === undefined) return true;
    if (named.some(({ host }) => isSame(host)) || [...(known ?? [])].some(isSame)) return true;
    const asked = canonicalUrl(url);
    if (first === undefined || !isSame(first) || !asked.ok) return false;
    return ![...named.map(({ host }) => host), ...(known ?? [])].some(
      (host) => withoutWww(host) === withoutWww(asked.host),
    );
  }
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, "");
}
