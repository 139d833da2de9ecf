import { createHash } from "node:crypto";

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** The Merkle tree hash of RFC 6962 over what was added, in memory that grows with its logarithm. */
export class Tree {
  readonly #peaks: { readonly height: number; readonly hash: Buffer }[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(leaf: Uint8Array): void {
    let height = 0;
    let hash = sha256(LEAF, leaf);
    for (let last = this.#peaks.at(-1); last?.height === height; last = this.#peaks.at(-1)) {
      this.#peaks.pop();
      hash = sha256(NODE, last.hash, hash);
      height++;
    }
    this.#peaks.push({ height, hash });
    this.#size++;
  }

  /** In hex. */
  root(): string {
    const hashes = this.#peaks.map(({ hash }) => hash);
    const whole = hashes.reduceRight((right, left) => sha256(NODE, left, right), hashes.pop() ?? sha256());
    return whole.toString("hex");
  }
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part);
  return digest.digest();
}
