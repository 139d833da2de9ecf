import type { IncomingHttpHeaders } from "node:http";

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** UTF-8 text, empty when it was too large to be read. */
  readonly body: string;
}

export interface Site<Effect extends string = string> {
  /** Origin without a slash at the end. */
  readonly url: string;
  /** What arrived, oldest first, the newest 10,000; `/__effects` is not in it. */
  readonly requests: readonly RecordedRequest[];
  /** What visitors changed; the object stays the same after `reset`. */
  readonly effects: Readonly<Record<Effect, number>>;
  /** Back to the first state: data, sign-ins, counters, recorded requests. */
  reset(): void;
}

export interface Sites {
  readonly backOffice: Site<"signIns" | "statusChanges">;
  readonly shop: Site<"cartAdds" | "cartChanges" | "orders" | "subscriptions">;
  readonly partner: Site<"pings" | "directions">;
  close(): Promise<void>;
}

export interface SitesOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Default: free ones. */
  readonly ports?: { readonly backOffice?: number; readonly shop?: number; readonly partner?: number };
}

export const MAX_RECORDED_REQUESTS: number;

/** Serves all demo sites, each on a port of its own. Rejects with the system's error when a port is taken. */
export function startSites(options?: SitesOptions): Promise<Sites>;
