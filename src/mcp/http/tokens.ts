import { createHash, timingSafeEqual } from "node:crypto";

/** Bearer tokens. How long a comparison takes tells nothing of them. */
export class Tokens {
  readonly #digests: readonly Buffer[];

  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map(digestOf);
  }

  get count(): number {
    return this.#digests.length;
  }

  /** Its place in the list; null when it is not there. */
  placeOf(token: string | null): number | null {
    const digest = digestOf(token ?? "");
    let place: number | null = null;
    // All of them, whichever it is.
    for (const [index, known] of this.#digests.entries()) if (timingSafeEqual(known, digest)) place = index;
    return token === null ? null : place;
  }
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
