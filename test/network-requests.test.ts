import { once } from "node:events";
import { createServer as createProxyServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BrowserEvent, type Envelope, type OpenedSession, openSession } from "../src/index.ts";
import { selfSigned } from "../src/session/self-test/certificate.ts";
import { type RunningBrowser, runningBrowser } from "./running-browser.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

/** Without it Chromium asks for one of each site. */
const NO_ICON = '<link rel="icon" href="data:,">';

let site: RecordingServer;
/** Private and not opened: every request and socket to it is refused. */
let far: RecordingServer;

beforeAll(async () => {
  site = await recordingServer();
  far = await recordingServer();
  site.html("/idle", `${NO_ICON}<p>Asks for nothing</p>`);
  site.html(
    "/sockets",
    `${NO_ICON}<p>Two sockets</p><script>
       for (const url of ["ws://${far.host}/plain", "wss://${far.host}/secure"])
         new WebSocket(url).onerror = () => fetch("/tried" + new URL(url).pathname);
     </script>`,
  );
  site.html("/shared", `${NO_ICON}<p>A shared worker</p><script>new SharedWorker("/shared.js")</script>`);
  site.on("/shared.js", (_request, response) => {
    response.setHeader("content-type", "text/javascript");
    response.end(`new WebSocket("ws://${far.host}/shared").onerror = () => fetch("/tried/shared")`);
  });
});
afterAll(async () => {
  await site?.close();
  await far?.close();
});
beforeEach(() => {
  site.clear();
  far.clear();
});

interface Row {
  readonly url: string;
  readonly refused?: string;
}

async function listed(session: OpenedSession): Promise<readonly string[]> {
  const { envelope } = await session.call("network_requests", {});
  return (envelope.requests as readonly Row[]).map(({ url, refused }) =>
    refused === undefined ? url : `${url} ${refused}`,
  );
}

const rulesIn = (envelope: Envelope): readonly unknown[] =>
  (envelope.events ?? []).map(({ rule }) => rule).filter((rule) => rule !== undefined);

describe("what a page asked for is told once, and as its own", () => {
  let session: OpenedSession;
  beforeEach(async () => {
    session = await openSession({ private: [site.url] });
    return () => session.close();
  });

  test("a refused socket is no second one at the proxy, nor the next page's", async () => {
    await session.call("navigate", { url: `${site.url}/sockets` });
    // By then the proxy has refused both.
    await site.waitForHit("/tried/plain");
    await site.waitForHit("/tried/secure");
    const idle = await session.call("navigate", { url: `${site.url}/idle` });
    expect(rulesIn(idle.envelope)).not.toContain("proxy.way");
    expect([...(await listed(session))].sort()).toEqual(
      [
        `${site.url}/idle`,
        `${site.url}/sockets`,
        `${site.url}/tried/plain`,
        `${site.url}/tried/secure`,
        `ws://${far.host}/plain reach.private`,
        `wss://${far.host}/secure reach.private`,
      ].sort(),
    );
    expect(far.connections.total).toBe(0);
  });

  // The control: at the same place, what nobody told of before is told by the proxy's refusal.
  test("the socket of a shared worker, which the wire does not hear of, is told by the proxy", async () => {
    await session.call("navigate", { url: `${site.url}/shared` });
    await site.waitForHit("/tried/shared");
    expect(await listed(session)).toContain(`${far.host} proxy.way`);
    expect(far.connections.total).toBe(0);
  });
});

describe("what Chromium asks for by itself after a refused certificate", () => {
  const CHECK = /connectivitycheck|generate_204/;
  const WITHIN_MS = 20_000;
  const secure = createSecureServer(selfSigned("localhost"), (_request, response) => void response.end());
  const asked: string[] = [];
  const proxy = createProxyServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });
  let browser: RunningBrowser;
  let url: string;
  beforeAll(async () => {
    secure.on("tlsClientError", () => {});
    proxy.on("connect", (_request, client) => {
      const onward = connect((secure.address() as AddressInfo).port, "127.0.0.1", () =>
        client.write("HTTP/1.1 200 OK\r\n\r\n"),
      );
      for (const socket of [client, onward]) socket.on("error", () => socket.destroy());
      client.pipe(onward).pipe(client);
    });
    for (const server of [secure, proxy]) {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }
    url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}/`;
    browser = await runningBrowser();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    secure.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  test("control: it asks its maker, by the proxy of that context", async () => {
    const proxyServer = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { browserContextId } = await browser.send("Target.createBrowserContext", {
      proxyServer,
      proxyBypassList: "<-loopback>",
    });
    await browser.send("Target.createTarget", { url, browserContextId });
    await expect.poll(() => asked.filter((line) => CHECK.test(line)), { timeout: WITHIN_MS }).not.toEqual([]);
  });

  test("is in no event, no result and no list", async () => {
    const session = await openSession({
      private: [site.url, new URL(url).origin],
      browser: { cdpUrl: browser.endpoint },
    });
    const events: BrowserEvent[] = [];
    session.events.subscribe((event) => events.push(event));
    try {
      const refused = await session.call("navigate", { url });
      expect(refused.envelope.error?.code).toBe("navigation_failed");
      const idle = await session.call("navigate", { url: `${site.url}/idle` });
      expect(await listed(session)).toEqual([url, `${site.url}/idle`]);
      expect(rulesIn(refused.envelope).concat(rulesIn(idle.envelope))).toEqual([]);
      expect(JSON.stringify(events)).not.toMatch(/connectivitycheck|proxy\.way/);
    } finally {
      await session.close();
    }
  });
});
