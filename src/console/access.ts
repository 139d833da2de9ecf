import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { MOST_VISITS, SECRET_BYTES } from "./limits.ts";

/** Both are needed: cookies go to every port of a host, so the cookie alone must be worth nothing. */
export interface Visit {
  readonly cookie: string;
  readonly token: string;
}

/** Who may see and answer: the key that opens once, and what it was exchanged for. */
export class Access {
  readonly #random: (bytes: number) => Uint8Array;
  readonly #visits: Visit[] = [];
  #key: string;

  constructor(random: (bytes: number) => Uint8Array) {
    this.#random = random;
    this.#key = this.#secret();
  }

  /** 256 random bits in base64url. */
  get key(): string {
    return this.#key;
  }

  /**
   * Null for a wrong key. A right one is dead afterwards. A known cookie is kept, so that other pages of that browser
   * go on.
   */
  exchange(key: string, cookies: readonly string[]): Visit | null {
    if (!same(key, this.#key)) return null;
    this.#key = this.#secret();
    const visit: Visit = {
      cookie: cookies.find((cookie) => this.knowsCookie([cookie])) ?? this.#secret(),
      token: this.#secret(),
    };
    this.#visits.push(visit);
    if (this.#visits.length > MOST_VISITS) this.#visits.shift();
    return visit;
  }

  knowsCookie(cookies: readonly string[]): boolean {
    return some(this.#visits, (visit) => some(cookies, (cookie) => same(cookie, visit.cookie)));
  }

  knows(cookies: readonly string[], token: string): boolean {
    return some(this.#visits, (visit) => {
      const tokenIsRight = same(token, visit.token);
      return some(cookies, (cookie) => same(cookie, visit.cookie)) && tokenIsRight;
    });
  }

  #secret(): string {
    return Buffer.from(this.#random(SECRET_BYTES)).toString("base64url");
  }
}

/** What only a server that has the key can say; says nothing about the key. */
export function proofOf(key: string): string {
  return createHmac("sha256", key).update("chaperone console").digest("hex");
}

/** Takes the same time wherever two texts begin to differ. */
export function same(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** Looks at all, whatever it finds. */
function some<T>(list: readonly T[], is: (entry: T) => boolean): boolean {
  return list.filter(is).length > 0;
}
