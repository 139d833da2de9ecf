import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";
import { channels, serveChannel } from "./channels.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

/** Sockets and bare connections never pass the interception: they are the proxy's. */
const atTheWire = channels.filter((channel) => channel.arrives === undefined && !/socket/i.test(channel.name));

let first: RecordingServer;
let second: RecordingServer;
let open: OpenedSession;
let guarded: OpenedSession;
/** What the guard was asked about: proves that a channel fired although nothing arrived. */
const refused: string[] = [];

beforeAll(async () => {
  first = await recordingServer();
  second = await recordingServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" }).end("second");
  });
  const both = [first.url, second.url];
  open = await openSession({ private: both });
  guarded = await openSession({
    private: both,
    rule: ({ url }) => {
      if (!url.startsWith(second.url)) return null;
      refused.push(url);
      return "the second site is out of bounds";
    },
  });
});
afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  await Promise.all([first.close(), second.close()]);
});

async function fire(session: OpenedSession, channel: (typeof channels)[number], target: string): Promise<void> {
  const address = serveChannel(first, channel, target);
  const opened = await session.call("navigate", { url: `${address}?${Math.random()}` });
  if (channel.needs === "click") await session.call("click", { target: `${channel.role ?? "button"} "Go"` });
  else expect(opened.envelope.error ?? null).toBeNull();
}

describe.each(atTheWire.map((channel) => [channel.name, channel] as const))("%s to a second site", (name, channel) => {
  test("arrives without the rule, and never with it", async () => {
    const marker = `/${name.replaceAll(/[^a-z0-9]+/gi, "-")}`;
    await fire(open, channel, `${second.url}${marker}`);
    await second.waitForHit(marker);
    second.clear();

    refused.length = 0;
    await fire(guarded, channel, `${second.url}${marker}`);
    await expect.poll(() => refused.length, { timeout: 10_000 }).toBeGreaterThan(0);
    // The page is left, so that what it sends on its way out is counted too.
    await guarded.call("navigate", { url: "about:blank" });
    expect(second.hits).toEqual([]);
  });
});
