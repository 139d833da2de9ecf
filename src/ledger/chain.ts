import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import canonicalize from "canonicalize";
import { plain } from "./plain.ts";
import { Tree } from "./tree.ts";

export const VERSION = 1;
const NO_HASH = "0".repeat(64);
const SIGNED_PREFIX = "chaperone-ledger-1:";
const RAW_KEY_BYTES = 32;

/** One line, finished but not yet part of the chain. */
export interface Sealed {
  /** With the line feed. */
  readonly line: string;
  readonly seq: number;
  readonly hash: string;
}

/** Numbers, links and signs the lines of one session. A line counts only once it was `taken`, that is, written. */
export class Chain {
  readonly publicKey: string;
  readonly #session: string;
  readonly #clock: () => number;
  readonly #key: KeyObject;
  readonly #valueSalt: Buffer;
  readonly #tree = new Tree();
  #seq = 0;
  #prev = NO_HASH;
  #timeMs = 0;

  /** `key`: Ed25519, PKCS #8 in PEM. `clock`: milliseconds since 1970; where it goes back, the last time stands. */
  constructor(session: string, key: string, clock: () => number) {
    this.#session = session;
    this.#clock = clock;
    this.#key = createPrivateKey(key);
    this.#valueSalt = createHmac("sha256", this.#key.export({ format: "der", type: "pkcs8" }))
      .update(`chaperone-ledger-values:${session}`, "utf8")
      .digest();
    this.publicKey = createPublicKey(this.#key)
      .export({ format: "der", type: "spki" })
      .subarray(-RAW_KEY_BYTES)
      .toString("hex");
  }

  get seq(): number {
    return this.#seq;
  }

  get last(): { readonly seq: number; readonly hash: string } {
    return { seq: this.#seq - 1, hash: this.#prev };
  }

  /** Size and root of all lines that were taken. */
  state(): { readonly size: number; readonly root: string } {
    return { size: this.#tree.size, root: this.#tree.root() };
  }

  /** The same for the same text within the session; short texts cannot be guessed from it without the key. */
  digestOfValue(text: string): string {
    return createHmac("sha256", this.#valueSalt).update(text, "utf8").digest("hex");
  }

  seal(fields: Readonly<Record<string, unknown>>): Sealed {
    this.#timeMs = Math.max(this.#timeMs, this.#clock());
    const body = {
      ...(plain(fields) as Readonly<Record<string, unknown>>),
      seq: this.#seq,
      time: new Date(this.#timeMs).toISOString(),
      session: this.#session,
      prev: this.#prev,
    };
    const hash = createHash("sha256").update(canonical(body), "utf8").digest("hex");
    const sig = sign(null, Buffer.from(SIGNED_PREFIX + hash, "utf8"), this.#key).toString("hex");
    return { line: `${canonical({ ...body, hash, sig })}\n`, seq: this.#seq, hash };
  }

  take({ hash }: Sealed): void {
    this.#tree.add(Buffer.from(hash, "hex"));
    this.#prev = hash;
    this.#seq++;
  }
}

/** SHA-256 in hex of a value's canonical JSON. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonical(value), "utf8").digest("hex");
}

function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("this has no JSON");
  return text;
}
