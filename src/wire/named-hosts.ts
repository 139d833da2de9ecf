import { StringDecoder } from "node:string_decoder";
import { type CommandName, type CommandParams, type CommandResult, narrow, type WireEvent } from "./connection.ts";

type Send = <M extends CommandName>(
  method: M,
  params: CommandParams<M>,
  options: { readonly sessionId: string; readonly timeoutMs: number },
) => Promise<CommandResult<M>>;

/**
 * How long an answer may wait for HTML that is still coming. What is named is mostly named above the place that loads
 * it.
 */
const MAX_WAIT_MS = 1_000;
const READ_TIMEOUT_MS = 2_000;
/** What a document beyond this names is not looked for. */
const MAX_HTML_CHARS = 8_000_000;
const MAX_HOSTS = 2_000;
/** A tag or style sheet that a chunk cuts is read with the next; longer ones are not read. */
const MAX_CUT_CHARS = 65_536;

/** Tags that load something by themselves. Links and forms name places to go to, and anybody's words may hold those. */
const LOADING_TAGS: ReadonlySet<string> = new Set(
  "img script link source video audio track embed object input image use feimage iframe frame body table td th style".split(
    " ",
  ),
);
const STYLE_ATTRIBUTE = /\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi;
/** The authority after two slashes, in whatever way it is written in HTML. */
const HOST_SHAPE = /(?:\/|&#x2f;|&#47;|&sol;){2}([^\s"'<>/?#\\&,()]{1,255})/gi;

interface Reading {
  readonly hosts: Set<string>;
  cut: string;
  chars: number;
  isWhole: boolean;
  readonly decoder: StringDecoder;
  readonly waiting: Set<() => void>;
}

interface Document {
  readonly requestId: string;
  readonly sessionId: string;
  hasEnded: boolean;
  reading: Reading | null;
}

/**
 * Knows which hosts a page's own HTML, as it came from its server, loads something from. Scripts cannot add to it.
 * Nothing is read before somebody asks. An initiator would not do: Chromium calls most of what scripts insert a
 * parser's request.
 */
export class NamedHosts {
  readonly #send: Send;
  readonly #documents = new Map<string, Document>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** `page` is the page that the event's session belongs to. */
  event(event: WireEvent, page: string): void {
    const response = narrow(event, "Network.responseReceived");
    if (response !== null) {
      if (response.type !== "Document" || response.frameId !== page || event.sessionId === undefined) return;
      this.#end(this.#documents.get(page));
      this.#documents.set(page, {
        requestId: response.requestId,
        sessionId: event.sessionId,
        hasEnded: false,
        reading: null,
      });
      return;
    }
    const document = this.#documents.get(page);
    if (document === undefined) return;
    const data = narrow(event, "Network.dataReceived");
    if (data !== null) {
      if (data.requestId === document.requestId && data.data !== undefined && document.reading !== null)
        feed(document.reading, data.data);
      return;
    }
    const ended = narrow(event, "Network.loadingFinished") ?? narrow(event, "Network.loadingFailed");
    if (ended?.requestId === document.requestId) {
      document.hasEnded = true;
      // The last bytes may still be on their way to us by another answer.
      if (document.reading?.isWhole === false && document.reading.chars > 0) this.#end(document);
    }
  }

  forget(page: string): void {
    this.#end(this.#documents.get(page));
    this.#documents.delete(page);
  }

  /**
   * Whether the page's document names the host (as in `URL.hostname`); null when its HTML cannot be had. Waits a moment
   * while it is still coming.
   */
  async names(page: string, host: string): Promise<boolean | null> {
    const document = this.#documents.get(page);
    if (document === undefined) return null;
    const reading = document.reading ?? this.#read(document);
    const end = Date.now() + MAX_WAIT_MS;
    while (!reading.hosts.has(host) && !reading.isWhole) {
      const left = end - Date.now();
      if (left <= 0) break;
      await changed(reading, left);
    }
    return reading.hosts.has(host);
  }

  #read(document: Document): Reading {
    const reading = fresh();
    document.reading = reading;
    void this.#fetch(document, reading).catch(() => finish(reading));
    return reading;
  }

  /** While it comes by a stream, afterwards whole. */
  async #fetch(document: Document, reading: Reading): Promise<void> {
    const { requestId, sessionId } = document;
    const options = { sessionId, timeoutMs: READ_TIMEOUT_MS };
    if (!document.hasEnded) {
      try {
        const { bufferedData } = await this.#send("Network.streamResourceContent", { requestId }, options);
        feed(reading, bufferedData);
        if (!document.hasEnded) return;
      } catch {
        // It has just ended.
      }
    }
    const { body, base64Encoded } = await this.#send("Network.getResponseBody", { requestId }, options);
    take(reading, base64Encoded ? Buffer.from(body, "base64").toString("utf8") : body);
    finish(reading);
  }

  #end(document: Document | undefined): void {
    if (document?.reading != null) finish(document.reading);
  }
}

/** The hosts that a piece of HTML loads something from. Canonical. For tests. */
export function hostsNamedBy(html: string): ReadonlySet<string> {
  const reading = fresh();
  take(reading, html);
  return reading.hosts;
}

function fresh(): Reading {
  return {
    hosts: new Set(),
    cut: "",
    chars: 0,
    isWhole: false,
    decoder: new StringDecoder("utf8"),
    waiting: new Set(),
  };
}

function feed(reading: Reading, base64: string): void {
  take(reading, reading.decoder.write(Buffer.from(base64, "base64")));
}

function take(reading: Reading, html: string): void {
  if (reading.chars > MAX_HTML_CHARS) return;
  reading.chars += html.length;
  const text = reading.cut + html;
  const from = scan(text, (markup) => {
    for (const [, authority = ""] of markup.matchAll(HOST_SHAPE)) {
      const host = hostOf(authority);
      if (host !== null && reading.hosts.size < MAX_HOSTS) reading.hosts.add(host);
    }
  });
  reading.cut = text.length - from > MAX_CUT_CHARS ? "" : text.slice(from);
  wake(reading);
}

/**
 * Hands out what may name an asset: loading tags, style sheets, style attributes; never comments and scripts. Returns
 * where it was cut. One pass.
 */
function scan(text: string, found: (markup: string) => void): number {
  for (let at = text.indexOf("<"); at !== -1; ) {
    if (text.startsWith("<!--", at)) {
      const end = text.indexOf("-->", at + 4);
      if (end === -1) return at;
      at = text.indexOf("<", end + 3);
      continue;
    }
    const end = tagEnd(text, at);
    if (end === -1) return at;
    const tag = text.slice(at, end);
    const name = /^<([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? "";
    let next = end;
    if (name === "script" || name === "style") {
      const close = indexOfClose(text, name, end);
      if (close === -1) return at;
      if (name === "style") found(text.slice(end, close));
      next = close;
    }
    if (LOADING_TAGS.has(name)) found(tag);
    else for (const [style] of tag.matchAll(STYLE_ATTRIBUTE)) found(style);
    at = text.indexOf("<", next + (next === end ? 0 : 1));
  }
  return text.length;
}

/** Behind the tag's `>`, quotes taken into account; -1 when it is not there yet. What is no tag ends at once. */
function tagEnd(text: string, start: number): number {
  if (start + 1 >= text.length) return -1;
  if (!/[a-z/!?]/i.test(text[start + 1] ?? "")) return start + 1;
  let quote = "";
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === ">") return at + 1;
    else if ((char === '"' || char === "'") && text[at - 1] === "=") quote = char;
  }
  return -1;
}

function indexOfClose(text: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, "gi");
  close.lastIndex = from;
  return close.exec(text)?.index ?? -1;
}

function finish(reading: Reading): void {
  reading.isWhole = true;
  wake(reading);
}

function wake(reading: Reading): void {
  for (const done of [...reading.waiting]) done();
}

function changed(reading: Reading, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      reading.waiting.delete(done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    timer.unref();
    reading.waiting.add(done);
  });
}

function hostOf(authority: string): string | null {
  try {
    return new URL(`http://${authority}/`).hostname.replace(/\.$/, "");
  } catch {
    return null;
  }
}
