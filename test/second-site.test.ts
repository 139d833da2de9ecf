import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import { channels, serveChannel } from "./channels.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";
import { yes } from "./yes.ts";

/** Flags of the browser, the egress proxy or a rule without exceptions close these for everybody: they do not arrive without this rule either. `channels.test.ts` is their control. */
const CLOSED: ReadonlySet<string> = new Set([
  "fetchLater",
  "link prefetch",
  "background fetch",
  "payment manifest",
  "federated sign-in",
  "service worker's fetch",
  "service worker's importScripts",
  "speculation rules prefetch",
  "speculation rules prerender",
  "link preconnect",
  "WebRTC by TURN over TCP",
]);
const judged = channels.filter((channel) => !CLOSED.has(channel.name));
const closed = channels.filter((channel) => CLOSED.has(channel.name));

let first: RecordingServer;
/** One for each session, so that what the open one still sends is never counted against the other. */
let second: { readonly open: RecordingServer; readonly guarded: RecordingServer; readonly closed: RecordingServer };
let open: OpenedSession;
let guarded: OpenedSession;
/** What the guard refused: proves that a channel fired although nothing arrived. */
const refused: string[] = [];

beforeAll(async () => {
  const answer = () =>
    recordingServer((_request, response) => void response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" }).end("second"));
  first = await recordingServer();
  second = { open: await answer(), guarded: await answer(), closed: await answer() };
  // It lets go what would be asked, too: the same answers in the same time as a browser without us.
  open = await openSession({ mode: "act", profile: "observe", private: [first.url, second.open.url, second.closed.url] });
  guarded = await openSession({
    ...yes,
    private: [first.url, second.guarded.url],
    rule: ({ url }) => {
      if (new URL(url).host !== second.guarded.host) return null;
      refused.push(url);
      return "the second site is out of bounds";
    },
  });
  // A beacon that would be sent on does not even leave for the first site.
  guarded.events.subscribe((event) => {
    if (event.kind === "request" && event.refused?.rule === "effects.report") refused.push(event.url);
  });
});
afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  await Promise.all([first.close(), second.open.close(), second.guarded.close(), second.closed.close()]);
});

async function fire(session: OpenedSession, channel: (typeof channels)[number], target: string): Promise<void> {
  // What earlier channels opened must not use up the tabs.
  const open = await session.call("tabs", {});
  for (const { id, active } of (open.envelope.tabs ?? []) as { id: string; active: boolean }[])
    if (!active) await session.call("tabs", { action: "close", tab: id });
  const address = serveChannel(first, channel, target);
  await session.call("navigate", { url: `${address}?${Math.random()}` });
  if (channel.needs === "click") await session.call("click", { target: `${channel.role ?? "button"} "Go"` });
}

const named = (list: typeof channels) => list.map((channel) => [channel.name, channel] as const);
const pathOf = (name: string): string => `/${name.replaceAll(/[^a-z0-9]+/gi, "-")}`;

describe.each(named(judged))("%s to a second site", (name, channel) => {
  test("arrives without the rule, and never with it", async () => {
    const path = pathOf(name);
    await fire(open, channel, `${second.open.url}${path}`);
    await second.open.waitForHit(path);

    refused.length = 0;
    await fire(guarded, channel, `${second.guarded.url}${path}`);
    await expect.poll(() => refused.length, { timeout: 10_000 }).toBeGreaterThan(0);
    // The page is left, so that what it sends on its way out is counted too.
    await guarded.call("navigate", { url: "about:blank" });
    expect(second.guarded.hits).toEqual([]);
    expect(second.guarded.connections.total).toBe(0);
  });
});

describe.each(named(closed))("%s to a second site", (name, channel) => {
  test("never arrives", async () => {
    await fire(open, channel, `${second.closed.url}${pathOf(name)}`);
    // What it would have sent had started before this page's own image.
    first.html("/fence", `<img src="${second.open.url}/fence${pathOf(name)}">`);
    await open.call("navigate", { url: `${first.url}/fence` });
    await second.open.waitForHit(`/fence${pathOf(name)}`);
    expect(second.closed.hits).toEqual([]);
    expect(second.closed.connections.total).toBe(0);
  });
});
