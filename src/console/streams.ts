import type { ServerResponse } from "node:http";
import { MOST_STREAMS } from "./limits.ts";
import { beginLines } from "./reply.ts";

interface Stream {
  readonly response: ServerResponse;
  /** The line it was sent last; times that run down are no news. */
  sent: string;
  isFull: boolean;
}

/** The pages that watch. Each line is the whole state, so a slow page misses only what is past. */
export class Streams {
  readonly #streams = new Set<Stream>();
  readonly #line: () => { readonly line: string; readonly news: string };
  #isScheduled = false;

  /** `news`: what of the line makes it worth sending. */
  constructor(line: () => { readonly line: string; readonly news: string }) {
    this.#line = line;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** False when there are too many. */
  add(response: ServerResponse): boolean {
    if (this.#streams.size >= MOST_STREAMS) return false;
    const stream: Stream = { response, sent: "", isFull: false };
    this.#streams.add(stream);
    response.on("close", () => this.#streams.delete(stream));
    response.on("drain", () => {
      stream.isFull = false;
      this.changed();
    });
    beginLines(response);
    this.#send();
    return true;
  }

  /** Many changes in one turn are one line. */
  changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  end(): void {
    for (const { response } of this.#streams) response.end(`${JSON.stringify({ ended: true })}\n`);
    this.#streams.clear();
  }

  #send(): void {
    if (this.#streams.size === 0) return;
    const { line, news } = this.#line();
    for (const stream of this.#streams) {
      if (stream.isFull || stream.sent === news) continue;
      stream.sent = news;
      stream.isFull = !stream.response.write(`${line}\n`);
    }
  }
}
