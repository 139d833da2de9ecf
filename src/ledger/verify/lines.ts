const LINE_FEED = 0x0a;
/** No writer of ours makes longer ones. */
export const MAX_LINE_BYTES = 1024 * 1024;

export interface Line {
  readonly bytes: Buffer;
  /** What comes after the last line feed is not whole. */
  readonly isWhole: boolean;
  readonly isTooLong: boolean;
}

/** The lines of a stream, in as many batches as it has chunks; never holds more than a chunk and a line. */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const bytes of source) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const part = chunk.subarray(start, end);
      lines.push(line(rest.length === 0 ? part : Buffer.concat([rest, part]), true));
      rest = Buffer.alloc(0);
      start = end + 1;
    }
    if (start < chunk.length) rest = Buffer.concat([rest, chunk.subarray(start)]);
    if (rest.length > MAX_LINE_BYTES) {
      yield [...lines, line(rest, false)];
      return;
    }
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [line(rest, false)];
}

function line(bytes: Buffer, isWhole: boolean): Line {
  return { bytes, isWhole, isTooLong: bytes.length > MAX_LINE_BYTES };
}
