import { BlockList, isIP } from "node:net";
import type { IdOf } from "../rules/index.ts";
import type { Place } from "./place.ts";
import type { Resolver } from "./resolver.ts";

/** Where a connection goes: literals in the order to try them, every one of them checked. */
export interface Route {
  readonly addresses: readonly string[];
  readonly port: number;
  /** The operator's proxy, when it is what the addresses belong to; null: the place itself. */
  readonly through: Upstream | null;
}

/**
 * A proxy of the operator, by HTTP. A name is resolved and checked here first, and resolved once more by the upstream,
 * which decides alone where it then connects to: it must refuse private networks by itself.
 */
export interface Upstream extends Place {
  /** The whole value of Proxy-Authorization. */
  readonly authorization?: string | undefined;
  /**
   * Whether a checked address is asked for there. A place with one that is not is connected to without the upstream.
   */
  readonly takes: (address: string) => boolean;
}

/** Why there is no connection. The client is never told which. */
export class NoRoute extends Error {
  readonly verdict: "refused" | "failed";
  readonly rule: IdOf<"proxy">;

  constructor(verdict: "refused" | "failed", rule: IdOf<"proxy">) {
    super(rule);
    this.verdict = verdict;
    this.rule = rule;
  }
}

export interface RouteOptions {
  readonly allowAddress: (address: string, host: string, port: number) => boolean;
  readonly resolver: Resolver;
  readonly hostMap: ReadonlyMap<string, Place>;
  readonly upstream: Upstream | null;
  /** Whether one of our own listeners has that port. */
  readonly isOwnPort: (port: number) => boolean;
}

const thisMachine = new BlockList();
thisMachine.addSubnet("127.0.0.0", 8, "ipv4");
thisMachine.addSubnet("0.0.0.0", 8, "ipv4");
thisMachine.addAddress("::1", "ipv6");
thisMachine.addAddress("::", "ipv6");

/**
 * Finds and checks all addresses of a place, also where an upstream will resolve its name again; one that does not pass
 * refuses all of them. Rejects with `NoRoute`; nothing leads around an upstream that cannot be used.
 */
export async function findRoute(place: Place, options: RouteOptions): Promise<Route> {
  const { host, port } = place;
  const { upstream } = options;
  const mapped = options.hostMap.get(host);
  if (mapped !== undefined) return routeTo(await addressesOf(mapped.host, options), mapped.port, null, options);
  const checked = await addressesOf(host, options);
  for (const address of checked) {
    // Only `true` passes: what the check throws or forgets to say is a refusal.
    if (!attempt(() => options.allowAddress(address, host, port) === true))
      throw new NoRoute("refused", "proxy.address");
  }
  if (upstream === null || !checked.every((address) => upstream.takes(address)))
    return routeTo(checked, port, null, options);
  const addresses = await addressesOf(upstream.host, options).catch(() => {
    throw new NoRoute("failed", "proxy.upstream");
  });
  return routeTo(addresses, upstream.port, upstream, options);
}

function routeTo(addresses: readonly string[], port: number, through: Upstream | null, options: RouteOptions): Route {
  if (options.isOwnPort(port) && addresses.some(isThisMachine)) throw new NoRoute("refused", "proxy.own_port");
  return { addresses, port, through };
}

async function addressesOf(host: string, options: RouteOptions): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return await options.resolver.addressesOf(host);
  } catch {
    throw new NoRoute("failed", "proxy.name");
  }
}

function isThisMachine(address: string): boolean {
  return thisMachine.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

function attempt(decide: () => boolean): boolean {
  try {
    return decide();
  } catch {
    return false;
  }
}
