import { BlockList, isIP } from "node:net";
import type { RuleId } from "../types.ts";
import type { Place } from "./place.ts";
import type { Resolver } from "./resolver.ts";

/** Where a connection goes: literals in the order to try them, every one of them checked. */
export interface Route {
  readonly addresses: readonly string[];
  readonly port: number;
}

/**
 * A proxy of the operator, by HTTP. What it costs: it resolves names itself, so which address a name leads to is its own decision, and the
 * address check only sees literals. It must refuse private networks by itself.
 */
export interface Upstream extends Place {
  /** The whole value of Proxy-Authorization. */
  readonly authorization?: string;
}

/** Why there is no connection. The client is never told which. */
export class NoRoute extends Error {
  readonly verdict: "refused" | "failed";
  readonly rule: RuleId;

  constructor(verdict: "refused" | "failed", rule: RuleId) {
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
  readonly ownPort: () => number;
}

const thisMachine = new BlockList();
thisMachine.addSubnet("127.0.0.0", 8, "ipv4");
thisMachine.addSubnet("0.0.0.0", 8, "ipv4");
thisMachine.addAddress("::1", "ipv6");
thisMachine.addAddress("::", "ipv6");

/** Finds and checks all addresses of a place; one that does not pass refuses all of them. Rejects with `NoRoute`. */
export async function findRoute(place: Place, options: RouteOptions): Promise<Route> {
  const { host, port } = place;
  const exempt = options.hostMap.get(host);
  if (exempt !== undefined) return routeTo(await addressesOf(exempt.host, options), exempt.port, options);
  const through = upstreamFor(place, options);
  const checked = through !== null && isIP(host) === 0 ? [] : await addressesOf(host, options);
  for (const address of checked) {
    // Only `true` passes: what the check throws or forgets to say is a refusal.
    if (!attempt(() => options.allowAddress(address, host, port) === true)) throw new NoRoute("refused", "proxy.address");
  }
  if (through === null) return routeTo(checked, port, options);
  return routeTo(await addressesOf(through.host, options), through.port, options);
}

/** The upstream proxy that this place is asked from; mapped names never leave this machine. */
export function upstreamFor(place: Place, options: Pick<RouteOptions, "hostMap" | "upstream">): Upstream | null {
  return options.hostMap.has(place.host) ? null : options.upstream;
}

function routeTo(addresses: readonly string[], port: number, options: RouteOptions): Route {
  if (port === options.ownPort() && addresses.some(isThisMachine)) throw new NoRoute("refused", "proxy.own_port");
  return { addresses, port };
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
