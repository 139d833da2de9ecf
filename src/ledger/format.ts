/**
 * The shape of a ledger's lines (docs/ledger.md). Types only: the writer and the verifier share no code but the
 * canonical JSON library.
 */

/** What every line has. `seq` counts over all lines of a session, the header is 0. */
export interface LineFields {
  readonly kind: string;
  readonly seq: number;
  /** ISO 8601 in UTC with milliseconds; never before the line above. */
  readonly time: string;
  readonly session: string;
  /** `hash` of the line above; 64 zeros for the first. */
  readonly prev: string;
  /** SHA-256 in hex of the line's canonical JSON without `hash` and `sig`. */
  readonly hash: string;
  /** Ed25519 in hex over `chaperone-ledger-1:` and `hash`. */
  readonly sig: string;
}

/** First line of a file. */
export interface HeaderFields extends LineFields {
  readonly kind: "header";
  readonly version: number;
  /** Ed25519, 32 bytes in hex. */
  readonly publicKey: string;
  /** 1 for the first file of a session. */
  readonly part: number;
  /** In the second and later files: the file before. */
  readonly continues?: { readonly part: number; readonly seq: number; readonly hash: string };
}

/** A checkpoint or the closing line: a signed statement about all lines before it. */
export interface CheckpointFields extends LineFields {
  readonly kind: "checkpoint" | "close";
  /** How many lines it covers: those with `seq` below this. */
  readonly size: number;
  /** Root of the Merkle tree (RFC 6962) over the 32 bytes of each line's `hash`. */
  readonly root: string;
  /** The session goes on in this part; then it is the file's last line. */
  readonly next?: number;
}
