/** What a client, a name or a server may cost. Times in milliseconds. */
export interface ProxyLimits {
  /** From a connection, or the end of an exchange's head, until the next head is there. */
  readonly headMs: number;
  /** Request line and headers together. */
  readonly headBytes: number;
  /**
   * Connections of the browser at once. Chromium itself keeps at most 32 to a proxy, 99 by preference, and as many for
   * sockets.
   */
  readonly connections: number;
  /** Without a byte in either direction. Long enough for polling and quiet sockets. */
  readonly idleMs: number;
  /**
   * A kept connection without an exchange. Longer than Chromium keeps one, so that Chromium ends it, never we while it
   * sends.
   */
  readonly keepAliveMs: number;
  /** Without a byte after one side has ended. */
  readonly halfOpenMs: number;
  /** All answers of a name. */
  readonly lookupMs: number;
  /** From the first attempt to connect until one of all addresses has answered. */
  readonly connectMs: number;
  /** Until the next address is tried beside one that does not answer. */
  readonly nextAddressMs: number;
  /** From our 200 until the first bytes of a tunnel say what it is. */
  readonly sniffMs: number;
}

export const PROXY_LIMITS: ProxyLimits = {
  headMs: 10_000,
  headBytes: 16_384,
  connections: 512,
  idleMs: 600_000,
  keepAliveMs: 310_000,
  halfOpenMs: 30_000,
  lookupMs: 2_000,
  connectMs: 15_000,
  nextAddressMs: 300,
  sniffMs: 5_000,
};
