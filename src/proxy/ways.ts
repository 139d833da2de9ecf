import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { TunnelKind } from "./options.ts";
import { pathOf, placeOf } from "./place.ts";

/**
 * A released request whose end nobody reports: it may wait in Chromium's queue for a free connection, and be tried
 * again.
 */
export const WAY_OPEN_MS = 120_000;
/** The oldest give way. A way that is lost refuses; it never opens. */
const MAX_WAYS = 8_192;

/** The word comes 1 to 26 ms before the CONNECT on a quiet machine, and may come later on a busy one. */
const LATE_WORD_MS = 250;
const MAX_WAITING = 100;

/**
 * Where the wire has let a request go. A way is one scheme of one host and port: an `http:` request opens no tunnel, and
 * an `https:` request opens none for sockets (told apart by `allowsTunnel`). A plain request shows its address, so its
 * way is that address alone: what Chromium's verifier asks for where a certificate sends it was judged by nobody.
 */
export class Ways {
  readonly #now: () => number;
  /** Until when each is open. */
  readonly #ways = new LRUCache<string, number>({ max: MAX_WAYS });
  /** Sockets that are there before their word. */
  readonly #waiting = new Set<() => void>();

  /** `now`: milliseconds, monotonic. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Opens the way for one released request, by its address; other schemes than http, https, ws and wss open nothing. */
  open(address: string): void {
    const key = keyOf(address);
    if (key === null) return;
    this.#ways.set(key, this.#now() + WAY_OPEN_MS);
    for (const look of [...this.#waiting]) look();
  }

  /** For the proxy's `isOpen`. A tunnel is open when any of its kinds is. */
  isOpen(host: string, port: number, path: string | null): boolean {
    return path === null
      ? ["https", "wss", "ws"].some((kind) => this.#has(kind, host, port))
      : this.#has("http", host, port, path);
  }

  /** The same for the proxy, which may hear of a socket before the wire's word about it has come. */
  async allowsTunnelInTime(host: string, port: number, kind: Parameters<Ways["allowsTunnel"]>[2]): Promise<boolean> {
    if (this.allowsTunnel(host, port, kind)) return true;
    return kind !== "https" && (await this.whenOpen(host, port)) && this.allowsTunnel(host, port, kind);
  }

  /** For the proxy's `whenOpen`: a socket's CONNECT may come before the wire's word about it. */
  whenOpen(host: string, port: number): Promise<boolean> {
    const isOpen = (): boolean => this.#has("ws", host, port) || this.#has("wss", host, port);
    if (isOpen()) return Promise.resolve(true);
    if (this.#waiting.size >= MAX_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(isOpen());
      };
      const look = (): void => {
        if (isOpen()) end();
      };
      const timer = setTimeout(end, LATE_WORD_MS);
      this.#waiting.add(look);
    });
  }

  /** For the proxy's `allowTunnel`. */
  allowsTunnel(host: string, port: number, kind: TunnelKind): boolean {
    return this.#has(kind, host, port);
  }

  /** Closes one scheme of an address's place at once, for instance when its socket was refused. */
  shut(address: string): void {
    const key = keyOf(address);
    if (key !== null) this.#ways.delete(key);
  }

  #has(scheme: string, host: string, port: number, path?: string): boolean {
    const until = this.#ways.get(wayOf(scheme, host, port, path));
    return until !== undefined && until > this.#now();
  }
}

function keyOf(address: string): string | null {
  const place = placeOf(address);
  return place && wayOf(place.scheme, place.host, place.port, place.scheme === "http" ? pathOf(address) : undefined);
}

function wayOf(scheme: string, host: string, port: number, path?: string): string {
  const way = `${scheme} ${port} ${host}`;
  // Addresses may be megabytes long.
  return path === undefined ? way : `${way} ${createHash("sha256").update(path).digest("base64")}`;
}
