import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { LRUCache } from "lru-cache";

/** All addresses of a name, as literals. Rejects when there is no answer. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * The system's resolver tells no time to live. Short, since the address check is made again at every connection; long
 * enough for one page.
 */
const CACHE_MS = 5_000;
const MAX_CACHED_NAMES = 512;
/** A look-up that was given up still runs in the system: so many of them, and further names are refused. */
const MAX_RUNNING_LOOKUPS = 64;
const MAX_ADDRESSES = 64;
/** By definition (RFC 6761), whatever a resolver says. */
const LOCALHOST: readonly string[] = ["127.0.0.1", "::1"];

/** Hosts file and DNS, as every other program of this machine. */
export const systemResolve: Resolve = async (host) => {
  if (host === "localhost" || host.endsWith(".localhost")) return LOCALHOST;
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map((answer) => answer.address);
};

/**
 * Resolves with literals only, at least one; rejects in all other cases, and after `lookupMs`. Failures are not kept.
 */
export class Resolver {
  readonly #resolve: Resolve;
  readonly #lookupMs: number;
  readonly #now: () => number;
  readonly #cache = new LRUCache<string, { readonly addresses: readonly string[]; readonly until: number }>({
    max: MAX_CACHED_NAMES,
  });
  readonly #asked = new Map<string, Promise<readonly string[]>>();
  #running = 0;

  constructor(options: { readonly resolve: Resolve; readonly lookupMs: number; readonly now: () => number }) {
    this.#resolve = options.resolve;
    this.#lookupMs = options.lookupMs;
    this.#now = options.now;
  }

  addressesOf(host: string): Promise<readonly string[]> {
    const cached = this.#cache.get(host);
    if (cached !== undefined && cached.until > this.#now()) return Promise.resolve(cached.addresses);
    const asked = this.#asked.get(host) ?? this.#ask(host).finally(() => this.#asked.delete(host));
    this.#asked.set(host, asked);
    return asked;
  }

  async #ask(host: string): Promise<readonly string[]> {
    if (this.#running >= MAX_RUNNING_LOOKUPS) throw new Error("too many names are being looked up");
    const stop = new AbortController();
    let late: NodeJS.Timeout | undefined;
    this.#running += 1;
    const answer = Promise.resolve()
      .then(() => this.#resolve(host, stop.signal))
      .finally(() => {
        this.#running -= 1;
      });
    try {
      const deadline = new Promise<never>((_, reject) => {
        late = setTimeout(() => reject(new Error("the name was not resolved in time")), this.#lookupMs);
      });
      const addresses = await Promise.race([answer, deadline]);
      if (addresses.length === 0 || addresses.length > MAX_ADDRESSES || !addresses.every(isPlainLiteral))
        throw new Error("the answer is not usable");
      this.#cache.set(host, { addresses, until: this.#now() + CACHE_MS });
      return addresses;
    } finally {
      clearTimeout(late);
      stop.abort();
    }
  }
}

/** A zone names an interface of this machine. */
function isPlainLiteral(address: string): boolean {
  return isIP(address) !== 0 && !address.includes("%");
}
