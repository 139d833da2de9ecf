import type { IdOf } from "../rules/index.ts";
import type { ProxyLimits } from "./limits.ts";
import type { BrowserPeers } from "./peers.ts";
import type { Place, RequestScheme } from "./place.ts";
import type { Resolve } from "./resolver.ts";
import type { Upstream } from "./route.ts";

/**
 * The two ports of a proxy: Chromium is told to go to the second one for nothing but sockets, so that no socket can
 * share a connection with requests.
 */
export type Door = "requests" | "sockets";

/** What goes through a tunnel. */
export type TunnelKind = "https" | "wss" | "ws";

/**
 * What the proxy decided about one request or tunnel, before it acted; and `closed`, with what went through, for each
 * `open` one.
 */
export interface ProxyEvent {
  /** As in `Place`; empty when the request could not be read. */
  readonly host: string;
  readonly port: number;
  readonly scheme: RequestScheme;
  readonly door: Door;
  readonly verdict: "open" | "refused" | "failed" | "closed";
  readonly rule: IdOf<"proxy">;
  /** Of a tunnel, when it was looked at. */
  readonly kind?: TunnelKind;
  readonly bytesUp?: number;
  readonly bytesDown?: number;
}

export interface ProxyOptions {
  /**
   * Whether the wire opened this way (`Ways.isOpen`). Asked for every request and tunnel. `path`: with the query, of a
   * plain request; null of a tunnel, which does not show it.
   */
  readonly isOpen: (host: string, port: number, path: string | null) => boolean;
  /**
   * Whether this literal may be connected to for that host and port (EG-4). Asked for every answer of a name; all must
   * pass.
   */
  readonly allowAddress: (address: string, host: string, port: number) => boolean;
  /** Whether the way of a socket opens within a moment (`Ways.whenOpen`); without it only those that are open count. */
  readonly whenOpen?: (host: string, port: number) => Promise<boolean>;
  /**
   * When given, a tunnel's first bytes are read before anything is connected to, and this is asked
   * (`Ways.allowsTunnel`). May take as long as a person needs: the tunnel is held. A rejection is a refusal.
   */
  readonly allowTunnel?: (host: string, port: number, kind: TunnelKind) => boolean | Promise<boolean>;
  readonly peers: BrowserPeers;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** These names, on any port, are served from there, exempt from the address check. */
  readonly hostMap?: ReadonlyMap<string, Place>;
  readonly upstream?: Upstream;
  /** When it throws for `open`, there is no connection. */
  readonly onDecision: (event: ProxyEvent) => void;
  readonly limits?: Partial<ProxyLimits>;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

export interface RunningProxy {
  readonly host: "127.0.0.1";
  /** For requests. */
  readonly port: number;
  /** For sockets, and whatever else is no request. */
  readonly socketPort: number;
  /** Connections of the browser right now. */
  connections(): number;
  /** Breaks all sockets to a place. */
  cut(host: string, port: number): void;
  /** `cut` for an http, https, ws or wss address. */
  cutTo(url: string): void;
  /**
   * Why a connection for that address would be refused, whatever ways are open; null when it would be made. The same
   * look-up and the same address check as at the connection, so that a request can be refused before it leaves its
   * page. Never rejects.
   */
  whyNot(url: string): Promise<IdOf<"proxy"> | null>;
  /** Resolves when no connection and no port is left. Safe to call again. */
  close(): Promise<void>;
}
