/** What a tunnel begins with. */
export type Hello =
  /** TLS that offers HTTP/2: ordinary requests of a browser that may speak it. */
  | "http2"
  /** TLS that offers HTTP/1.1 only: `wss:`, and ordinary requests where HTTP/2 is off. */
  | "http1"
  /** A plain GET: `ws:`. */
  | "plain"
  /** TURN and all else. */
  | "other";

const RECORD_HEADER_BYTES = 5;
const HANDSHAKE_HEADER_BYTES = 4;
const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const MAX_RECORD_BYTES = 16_384;
/** Hellos with post-quantum keys take 2 KiB. */
const MAX_HELLO_BYTES = 16_384;
const EXTENSION_ALPN = 16;
/** Application settings, old and new number: only where HTTP/2 is offered. */
const EXTENSIONS_ALPS: ReadonlySet<number> = new Set([17_513, 17_613]);
const PLAIN_START = Buffer.from("GET ");

/** Null: more bytes are needed. Never throws; what is not understood is `other`. */
export function helloOf(bytes: Uint8Array): Hello | null {
  if (bytes.length === 0) return null;
  if (bytes[0] !== HANDSHAKE_RECORD) return plainHello(bytes);
  const hello = handshakeBytes(bytes);
  if (hello === "incomplete") return null;
  return hello === null ? "other" : tlsHello(hello);
}

function plainHello(bytes: Uint8Array): Hello | null {
  const compared = Math.min(bytes.length, PLAIN_START.length);
  if (!PLAIN_START.subarray(0, compared).equals(bytes.subarray(0, compared))) return "other";
  return compared < PLAIN_START.length ? null : "plain";
}

/** The body of the ClientHello, put together from its records; null when it is none. */
function handshakeBytes(bytes: Uint8Array): Uint8Array | "incomplete" | null {
  const parts: Uint8Array[] = [];
  let gathered = 0;
  for (let at = 0; ; ) {
    const header = bytes.subarray(at, at + RECORD_HEADER_BYTES);
    if (header.length > 0 && header[0] !== HANDSHAKE_RECORD) return null;
    if (header.length > 1 && header[1] !== 3) return null;
    if (header.length < RECORD_HEADER_BYTES) return "incomplete";
    const length = number(header, 3, 2);
    if (length === 0 || length > MAX_RECORD_BYTES) return null;
    const part = bytes.subarray(at + RECORD_HEADER_BYTES, at + RECORD_HEADER_BYTES + length);
    parts.push(part);
    gathered += part.length;
    const message = Buffer.concat(parts);
    if (gathered > 0 && message[0] !== CLIENT_HELLO) return null;
    if (gathered >= HANDSHAKE_HEADER_BYTES) {
      const wanted = HANDSHAKE_HEADER_BYTES + number(message, 1, 3);
      if (wanted > MAX_HELLO_BYTES) return null;
      if (gathered >= wanted) return message.subarray(HANDSHAKE_HEADER_BYTES, wanted);
    }
    if (part.length < length) return "incomplete";
    at += RECORD_HEADER_BYTES + length;
  }
}

function tlsHello(hello: Uint8Array): Hello {
  try {
    const protocols = protocolsOf(hello);
    if (protocols === null) return "other";
    if (protocols.names.includes("h2")) return "http2";
    return protocols.names.join() === "http/1.1" && !protocols.settings ? "http1" : "other";
  } catch {
    return "other";
  }
}

function protocolsOf(hello: Uint8Array): { readonly names: readonly string[]; readonly settings: boolean } | null {
  const reader = new Reader(hello);
  reader.skip(2 + 32); // version, random
  reader.skip(reader.number(1)); // session id
  reader.skip(reader.number(2)); // cipher suites
  reader.skip(reader.number(1)); // compression
  const extensions = new Reader(reader.take(reader.number(2)));
  let names: string[] | null = null;
  let settings = false;
  while (extensions.left > 0) {
    const type = extensions.number(2);
    const body = new Reader(extensions.take(extensions.number(2)));
    if (EXTENSIONS_ALPS.has(type)) settings = true;
    if (type !== EXTENSION_ALPN) continue;
    const list = new Reader(body.take(body.number(2)));
    names = [];
    while (list.left > 0) names.push(Buffer.from(list.take(list.number(1))).toString("latin1"));
  }
  return names === null ? null : { names, settings };
}

/** Throws RangeError at the end of the bytes. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(count: number): Uint8Array {
    if (count > this.left) throw new RangeError("the hello is cut");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  skip(count: number): void {
    this.take(count);
  }

  number(count: number): number {
    return number(this.take(count), 0, count);
  }
}

function number(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let index = from; index < from + count; index += 1) value = value * 256 + (bytes[index] ?? 0);
  return value;
}
