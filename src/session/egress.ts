import type { BrowserPeers } from "../proxy/peers.ts";
import type { Place } from "../proxy/place.ts";
import { type ProxyEvent, startProxy } from "../proxy/proxy.ts";
import type { Resolve } from "../proxy/resolver.ts";
import type { Upstream } from "../proxy/route.ts";
import { Ways } from "../proxy/ways.ts";
import type { IdOf } from "../rules/index.ts";
import type { RequestSeen } from "../wire/interception.ts";

export interface EgressOptions {
  /** EG-4, by the guard: whether this literal may be connected to for that host and port. */
  readonly allowAddress: (address: string, host: string, port: number) => boolean;
  /** These names, on any port, are served from there. */
  readonly hostMap: ReadonlyMap<string, Place>;
  /** Default: the system's resolver. Only tests of names give another one. */
  readonly resolve?: Resolve | undefined;
  /** The operator's proxy, for everything whose addresses are public. */
  readonly upstream?: Upstream | undefined;
  readonly onDecision: (event: ProxyEvent) => void;
  readonly now: () => number;
}

/** The browser's only way out, open for nothing but what the wire let go. */
export interface Egress {
  readonly address: { readonly host: string; readonly port: number; readonly socketPort: number };
  /** From now on the browser that these are may use it; before that nobody may. */
  belongsTo(peers: BrowserPeers): void;
  /** Every request that was judged: opens its way, or closes that of a refused socket. */
  seen(seen: RequestSeen): void;
  /** Why a request that the rules allow would still find no connection; null when it would. */
  whyNot(url: string): Promise<IdOf<"proxy"> | null>;
  close(): Promise<void>;
}

/** Starts before the browser. Rejects when no loopback port can be had. */
export async function startEgress(options: EgressOptions): Promise<Egress> {
  const ways = new Ways(options.now);
  let owner: BrowserPeers | null = null;
  const proxy = await startProxy({
    isOpen: (host, port, path) => ways.isOpen(host, port, path),
    whenOpen: (host, port) => ways.whenOpen(host, port),
    allowTunnel: (host, port, kind) => ways.allowsTunnelInTime(host, port, kind),
    allowAddress: options.allowAddress,
    peers: { check: (peer, port) => owner?.check(peer, port) ?? Promise.resolve("stranger") },
    hostMap: options.hostMap,
    ...(options.resolve && { resolve: options.resolve }),
    ...(options.upstream && { upstream: options.upstream }),
    onDecision: options.onDecision,
    now: options.now,
  });
  return {
    address: { host: proxy.host, port: proxy.port, socketPort: proxy.socketPort },
    belongsTo(peers) {
      owner = peers;
    },
    seen({ facts, verdict }) {
      if (verdict.verdict === "allow") ways.open(facts.url);
      else if (facts.kind === "socket") {
        ways.shut(facts.url);
        proxy.cutTo(facts.url);
      }
    },
    whyNot: (url) => proxy.whyNot(url),
    close: () => proxy.close(),
  };
}
