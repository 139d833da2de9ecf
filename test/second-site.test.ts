import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import { channels, serveChannel } from "./channels.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

/** Our flags take these interfaces away, so they do not arrive without the rule either. */
const CLOSED_BY_FLAGS: ReadonlySet<string> = new Set([
  "fetchLater",
  "background fetch",
  "payment manifest",
  "federated sign-in",
  "speculation rules prefetch",
  "speculation rules prerender",
]);
const atTheWire = channels.filter((channel) => channel.uninterceptable !== true && channel.arrives === undefined && !CLOSED_BY_FLAGS.has(channel.name));

let first: RecordingServer;
/** One for each session, so that what the open one still sends is never counted against the other. */
let second: { readonly open: RecordingServer; readonly guarded: RecordingServer };
let open: OpenedSession;
let guarded: OpenedSession;
/** What the guard refused: proves that a channel fired although nothing arrived. */
const refused: string[] = [];

beforeAll(async () => {
  const answer = () =>
    recordingServer((_request, response) => void response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" }).end("second"));
  first = await recordingServer();
  second = { open: await answer(), guarded: await answer() };
  open = await openSession({ private: [first.url, second.open.url] });
  guarded = await openSession({
    private: [first.url, second.guarded.url],
    rule: ({ url }) => {
      if (!url.startsWith(second.guarded.url)) return null;
      refused.push(url);
      return "the second site is out of bounds";
    },
  });
});
afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  await Promise.all([first.close(), second.open.close(), second.guarded.close()]);
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

describe.each(atTheWire.map((channel) => [channel.name, channel] as const))("%s to a second site", (name, channel) => {
  test("arrives without the rule, and never with it", async () => {
    const path = `/${name.replaceAll(/[^a-z0-9]+/gi, "-")}`;
    await fire(open, channel, `${second.open.url}${path}`);
    await second.open.waitForHit(path);

    refused.length = 0;
    await fire(guarded, channel, `${second.guarded.url}${path}`);
    await expect.poll(() => refused.length, { timeout: 10_000 }).toBeGreaterThan(0);
    // The page is left, so that what it sends on its way out is counted too.
    await guarded.call("navigate", { url: "about:blank" });
    expect(second.guarded.hits).toEqual([]);
  });
});

describe.each(channels.filter((channel) => CLOSED_BY_FLAGS.has(channel.name)).map((channel) => [channel.name, channel] as const))(
  "%s to a second site",
  (name, channel) => {
    test("never arrives: the browser does not have it", async () => {
      const path = `/closed-${name.replaceAll(/[^a-z0-9]+/gi, "-")}`;
      await fire(open, channel, `${second.open.url}${path}`);
      // What it would have sent had started before this page's own image.
      first.html("/fence", `<img src="${second.open.url}${path}-fence">`);
      await open.call("navigate", { url: `${first.url}/fence` });
      await second.open.waitForHit(`${path}-fence`);
      expect(second.open.hitsTo(path)).toEqual([]);
    });
  },
);
