import { hash } from "node:crypto";

const HASH_BYTES = 32;

interface Subtree {
  readonly hash: Buffer;
  readonly leaves: number;
  /** It holds the leaf that a proof is made for. */
  readonly isOnPath: boolean;
}

/**
 * RFC 6962, 2.1: the root over a growing list, and the audit path of one leaf, in memory that grows with the logarithm
 * of the list.
 */
export class MerkleTree {
  readonly #proofFor: number | null;
  readonly #path: Buffer[] = [];
  #subtrees: Subtree[] = [];
  #size = 0;

  /** `proofFor`: index of the leaf whose path is wanted. */
  constructor(proofFor: number | null = null) {
    this.#proofFor = proofFor;
  }

  get size(): number {
    return this.#size;
  }

  /** `leaf`: 32 bytes in hex. */
  add(leaf: string): void {
    let last: Subtree = { hash: leafHash(leaf), leaves: 1, isOnPath: this.#size === this.#proofFor };
    for (let left = this.#subtrees.at(-1); left?.leaves === last.leaves; left = this.#subtrees.at(-1)) {
      this.#subtrees.pop();
      last = join(left, last, this.#path);
    }
    this.#subtrees.push(last);
    this.#size += 1;
  }

  /** In hex. */
  root(): string {
    return this.#whole([]).hash.toString("hex");
  }

  /** The audit path, from the leaf upward, in hex. */
  proof(): readonly string[] {
    const path = [...this.#path];
    this.#whole(path);
    return path.map((each) => each.toString("hex"));
  }

  #whole(path: Buffer[]): Subtree {
    const [last, ...others] = this.#subtrees.toReversed();
    if (last === undefined) return { hash: hash("sha256", "", "buffer"), leaves: 0, isOnPath: false };
    return others.reduce((right, left) => join(left, right, path), last);
  }
}

/** RFC 9162, 2.1.3.2: whether the path leads from that leaf to that root. All hashes are 32 bytes in hex. */
export function isIncluded(leaf: string, index: number, size: number, path: readonly string[], root: string): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let position = index;
  let lastPosition = size - 1;
  let node = leafHash(leaf);
  for (const each of path) {
    const other = Buffer.from(each, "hex");
    if (other.length !== HASH_BYTES || lastPosition === 0) return false;
    if (position % 2 === 1 || position === lastPosition) {
      node = nodeHash(other, node);
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        lastPosition = Math.floor(lastPosition / 2);
      }
    } else {
      node = nodeHash(node, other);
    }
    position = Math.floor(position / 2);
    lastPosition = Math.floor(lastPosition / 2);
  }
  return lastPosition === 0 && node.toString("hex") === root;
}

function join(left: Subtree, right: Subtree, path: Buffer[]): Subtree {
  if (left.isOnPath) path.push(right.hash);
  if (right.isOnPath) path.push(left.hash);
  return {
    hash: nodeHash(left.hash, right.hash),
    leaves: left.leaves + right.leaves,
    isOnPath: left.isOnPath || right.isOnPath,
  };
}

function leafHash(leaf: string): Buffer {
  return hash("sha256", Buffer.from(`00${leaf}`, "hex"), "buffer");
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  const node = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  node[0] = 1;
  left.copy(node, 1);
  right.copy(node, 1 + HASH_BYTES);
  return hash("sha256", node, "buffer");
}
