import { Failure } from "../../errors.ts";
import type { Permit } from "../../types.ts";
import { toFailure } from "../view/failures.ts";
import type { Time, View } from "../view/view.ts";

/**
 * What a navigation came to. "none": answered without a document (refused at the wire, 204, a download). "held": it
 * waits for a person.
 */
export type Went = "document" | "none" | "held";

/** Chromium's network errors, in words that hold nothing from the page. */
const NETWORK_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION_FAILED/, "The host name has no address."],
  // How the egress proxy says it; also an answer of the server's own that has an error status and no page.
  [
    /ERR_HTTP_RESPONSE_CODE_FAILURE|ERR_TUNNEL_CONNECTION_FAILED/,
    "There is no connection to the server, or it answered with an error and no page.",
  ],
  [/ERR_CONNECTION_REFUSED/, "The server refuses connections."],
  [
    /ERR_CONNECTION_(RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED/,
    "The server closed the connection.",
  ],
  [/ERR_CERT_|ERR_SSL_/, "The server's certificate or encryption is not trusted."],
  [/ERR_TOO_MANY_REDIRECTS/, "Too many redirects."],
  [/ERR_(TIMED_OUT|CONNECTION_TIMED_OUT)/, "The server did not answer."],
  [
    /ERR_(INVALID_RESPONSE|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|RESPONSE_HEADERS|INVALID_HTTP_RESPONSE|UNEXPECTED)/,
    "The server's answer is broken.",
  ],
  [/ERR_(INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NETWORK_)/, "The network is not reachable."],
  [
    /ERR_UNSAFE_PORT|ERR_DISALLOWED_URL_SCHEME|ERR_UNKNOWN_URL_SCHEME|ERR_INVALID_URL|Cannot navigate to invalid URL/,
    "The browser does not open that address.",
  ],
];

/**
 * A page that goes elsewhere all the time overtakes the way out of it; the empty page is there quicker than its next
 * one.
 */
const TRIES = 10;
const EMPTY_TIMEOUT_MS = 1_000;

/** Loads an address in the tab. Resolves when the document is committed, or when there will be none. */
export async function go(view: View, url: string, permit: Permit, time: Time): Promise<Went> {
  permit.take();
  const load = (to: string, timeoutMs: number): Promise<Went | "overtaken"> =>
    navigating(view, time, async () => {
      await view.page.goto(to, { waitUntil: "commit", timeout: timeoutMs, signal: time.signal });
      return "document";
    });
  for (let tries = 1; tries <= TRIES; tries++) {
    const went = await load(url, left(time));
    if (went !== "overtaken") return went;
    for (let empties = 1; empties <= TRIES; empties++) {
      // What overtook it may be a navigation from before that was late; then ours is still on its way, and would
      // overtake the next.
      await stopLoading(view);
      if ((await load("about:blank", Math.min(EMPTY_TIMEOUT_MS, left(time)))) !== "overtaken") break;
    }
  }
  throw new Failure(
    "navigation_failed",
    "The page that is there goes elsewhere by itself all the time. Open the address in a new tab.",
  );
}

/** One step in the tab's history. "none": there is no page there. */
export async function goBackOrForward(
  view: View,
  direction: "back" | "forward",
  permit: Permit,
  time: Time,
): Promise<Went> {
  permit.take();
  const went = await navigating(view, time, async (timeout) => {
    const before = view.url;
    const document = view.document;
    const response =
      direction === "back"
        ? await view.page.goBack({ waitUntil: "commit", timeout, signal: time.signal })
        : await view.page.goForward({ waitUntil: "commit", timeout, signal: time.signal });
    return response !== null || view.url !== before || view.document !== document ? "document" : "none";
  });
  return went === "overtaken" ? "document" : went;
}

const HISTORY_TIMEOUT_MS = 2_000;

/** Address of the page before or after in the tab's history; null when there is none. */
export async function historyEntry(view: View, direction: "back" | "forward", time: Time): Promise<string | null> {
  const sessionId = view.wire.target(view.target)?.sessionId;
  if (sessionId == null) return null;
  const { currentIndex, entries } = await view.wire.send(
    "Page.getNavigationHistory",
    {},
    { sessionId, timeoutMs: Math.min(HISTORY_TIMEOUT_MS, time.remainingMs()) },
  );
  return entries[currentIndex + (direction === "back" ? -1 : 1)]?.url ?? null;
}

/** Milliseconds; Playwright takes 0 for no limit. */
const left = (time: Time): number => Math.max(1, time.remainingMs());

/** "overtaken": the page went elsewhere by itself first. */
async function navigating(
  view: View,
  time: Time,
  work: (timeoutMs: number) => Promise<Went>,
): Promise<Went | "overtaken"> {
  const before = view.document;
  const over = new AbortController();
  try {
    const working = work(left(time));
    working.catch(() => {});
    const held = view.wire.activity
      .until(view.target, () => view.wire.activity.isNavigationHeld(view.target), left(time), over.signal)
      .then((isHeld) => (isHeld ? "held" : working));
    return await Promise.race([working, held]);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/interrupted by another navigation/.test(message)) return "overtaken";
    if (/ERR_ABORTED/.test(message) && view.document !== before) return "overtaken";
    if (/ERR_ABORTED|Download is starting/.test(message)) return "none";
    const known = NETWORK_ERRORS.find(([pattern]) => pattern.test(message));
    if (known !== undefined)
      throw new Failure("navigation_failed", `${known[1]} The page was not opened.`, { cause: error });
    const chromium = /net::(ERR_[A-Z_]+)/.exec(message);
    if (chromium !== null)
      throw new Failure("navigation_failed", `The page was not opened (${chromium[1]}).`, { cause: error });
    // After a navigation's deadline the tab stays suspended until loading is stopped (facts.md, "The wire").
    await stopLoading(view);
    throw toFailure(error, { deadlineMs: time.totalMs });
  } finally {
    over.abort();
  }
}

const STOP_TIMEOUT_MS = 1_000;

/** False when the page does not even answer that. */
export async function stopLoading(view: View): Promise<boolean> {
  return command(view, "Page.stopLoading");
}

/** A page that works answers in 1 to 20 ms. */
const ALIVE_WITHIN_MS = 500;
const CALM_MS = 40;
const CALM_WITHIN_MS = 200;

/**
 * Whether the tab can be navigated. A script that loops for ever would keep the next document of its process out: it is
 * ended; false when the page starts another.
 */
export async function canLeave(view: View): Promise<boolean> {
  if (view.wire.activity.of(view.target).navigation !== null && !(await stopLoading(view))) return false;
  if (await responds(view, "version", [])) return true;
  await command(view, "Runtime.terminateExecution");
  return responds(view, "quiet", [CALM_MS, CALM_WITHIN_MS]);
}

async function responds(view: View, method: string, args: readonly unknown[]): Promise<boolean> {
  const [main] = view.frames();
  // Between two documents there is nobody to ask.
  if (main === undefined) return true;
  try {
    await view.ask(main, method, args, ALIVE_WITHIN_MS);
    return true;
  } catch (error) {
    return !Failure.is(error) || error.code !== "timeout";
  }
}

async function command(view: View, method: "Page.stopLoading" | "Runtime.terminateExecution"): Promise<boolean> {
  const sessionId = view.wire.target(view.target)?.sessionId;
  if (sessionId == null) return false;
  try {
    await view.wire.send(method, {}, { sessionId, timeoutMs: STOP_TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}
