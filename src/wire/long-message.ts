const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const PADDING_BYTES = 2;
/**
 * What stands in place of a string that was too long: its length in bytes as JSON writes it, without base64's padding.
 * Base64 has no blank.
 */
const NOTE = /^cut (\d+)$/;

/**
 * One JSON text that comes in pieces. Strings beyond `longest` bytes are not kept, only how long they were: a page may
 * send a body of any size, and the browser writes it into its message twice.
 */
export class LongMessage {
  readonly #longest: number;
  readonly #kept: Buffer[] = [];
  #string: Buffer[] | null = null;
  #stringBytes = 0;
  /** Backslashes at the end of what came of the string. */
  #slashes = 0;
  /** Its last bytes: of base64 they may be padding. */
  #end: Buffer = Buffer.alloc(0);
  #keptBytes = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Of what is kept. */
  get bytes(): number {
    return this.#keptBytes;
  }

  get text(): string {
    return Buffer.concat(this.#kept).toString();
  }

  take(piece: Buffer): void {
    let at = 0;
    while (at < piece.length)
      at = this.#string === null ? this.#outside(piece, at) : this.#inside(piece, at, this.#string);
  }

  #outside(piece: Buffer, from: number): number {
    const quote = piece.indexOf(QUOTE, from);
    const to = quote === -1 ? piece.length : quote + 1;
    this.#keep(piece.subarray(from, to));
    if (quote !== -1) {
      this.#string = [];
      this.#stringBytes = 0;
      this.#slashes = 0;
      this.#end = Buffer.alloc(0);
    }
    return to;
  }

  #inside(piece: Buffer, from: number, string: Buffer[]): number {
    const quote = piece.indexOf(QUOTE, from);
    const to = quote === -1 ? piece.length : quote;
    let slashes = 0;
    while (to - slashes > from && piece[to - slashes - 1] === BACKSLASH) slashes += 1;
    this.#slashes = slashes === to - from ? this.#slashes + slashes : slashes;
    const isEscaped = this.#slashes % 2 === 1;
    const end = quote !== -1 && isEscaped ? to + 1 : to;
    if (end > to) this.#slashes = 0;
    this.#stringBytes += end - from;
    this.#end = Buffer.concat([this.#end, piece.subarray(Math.max(from, end - PADDING_BYTES), end)]).subarray(
      -PADDING_BYTES,
    );
    if (this.#stringBytes > this.#longest) string.length = 0;
    else string.push(piece.subarray(from, end));
    if (quote === -1 || isEscaped) return end;
    if (this.#stringBytes > this.#longest)
      this.#keep(Buffer.from(`cut ${this.#stringBytes - (/=*$/.exec(this.#end.toString("latin1"))?.[0].length ?? 0)}`));
    else for (const part of string) this.#keep(part);
    this.#string = null;
    this.#keep(piece.subarray(quote, quote + 1));
    return quote + 1;
  }

  #keep(part: Buffer): void {
    this.#kept.push(part);
    this.#keptBytes += part.length;
  }
}

/** The size of what was in base64 and was cut; null for a string that is whole. */
export function cutBytes(base64: string): number | null {
  const length = NOTE.exec(base64)?.[1];
  return length === undefined ? null : Math.floor((Number(length) * 3) / 4);
}
