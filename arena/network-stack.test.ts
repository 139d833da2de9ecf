import { once } from "node:events";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { launchBrowser, type Rig } from "../src/browser/launch.ts";
import { browserPeers } from "../src/proxy/peers.ts";
import { testedProxy } from "../src/proxy/proxy.fixture.ts";
import { Ways } from "../src/proxy/ways.ts";
import { selfSigned, signedByUnknown } from "../src/session/self-test/certificate.ts";
import { pipeChannel } from "../src/wire/channel.ts";
import { Wire } from "../src/wire/wire.ts";
import { until } from "./control.ts";
import { keyOf } from "./plain.ts";

/*
 * What the browser's network stack asks for by itself, at sites that are open: nobody but the wire could hold it. The
 * verdict is what the sites received and the wire did not see. The control is the same browser without the flags that
 * close it.
 */

const LIMIT_MS = 60_000;
/** Reports leave after a minute; with it after a moment. */
const SOON = "--short-reporting-delay";
/** How long the page of a row waits before it says that it is done. */
const DONE_MS = 2_500;

/** Hints are for the time until the answer comes: right before it they may be passed over. */
const AFTER_HINTS_MS = 1_500;

const OPEN = "https://docs.test";
const SECRET = "typed-words";
/** Links of a 103 before the page. */
const EARLY = [
  "</logout?a=1>; rel=preload; as=fetch",
  `<${OPEN}/a.js>; rel=preload; as=script; crossorigin`,
  `<${OPEN}/m.js>; rel=modulepreload`,
];
const HEADERS = {
  "reporting-endpoints": `default="https://shop.test/default", own="https://shop.test/own", other="${OPEN}/other"`,
  "content-security-policy": "img-src 'none'; report-to other",
  "content-security-policy-report-only": "script-src 'none'; report-to own",
  "permissions-policy": "geolocation=()",
};
const PAGE = `<!doctype html><title>stack</title><link rel="icon" href="data:,"><img alt="" src="/pixel?${SECRET}"><script>
  navigator.geolocation.getCurrentPosition(() => {}, () => {});
  setTimeout(() => fetch("/done"), ${DONE_MS});
</script>`;

/** What comes by itself in a browser that nobody guards. */
const CHANNELS = [
  ["early hints: a fetch at the own site", "GET shop.test/logout?a=1"],
  ["early hints: a script of another open site", "GET docs.test/a.js"],
  ["early hints: a module of another open site", "GET docs.test/m.js"],
  ["a report to the own site", "POST shop.test/own"],
  ["a report to another open site", "OPTIONS docs.test/other"],
  ["a report of what a policy forbids", "POST shop.test/default"],
  ["the certificate of an issuer, at an address that a site's own names", "GET plain.test/transfer?amount=9"],
] as const;

const certificate = selfSigned("shop.test", "docs.test");
const odd = signedByUnknown("http://plain.test/transfer?amount=9", "odd.test");

/** All sites, by HTTP/2 and HTTP/1.1. */
async function sites() {
  const arrived: string[] = [];
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    const host = (request.headers[":authority"] ?? request.headers.host ?? "").replace(/:\d+$/, "");
    arrived.push(`${request.method} ${host}${request.url}`);
    request.resume();
    if (request.url !== "/page") {
      response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" });
      response.end("<p>plain");
      return;
    }
    response.writeEarlyHints({ link: EARLY });
    setTimeout(() => {
      response.writeHead(200, { "content-type": "text/html", "set-cookie": "sid=1; Secure", ...HEADERS });
      response.end(PAGE);
    }, AFTER_HINTS_MS);
  });
  server.on("sessionError", () => {});
  const others = [createServer(), createTlsServer(odd)];
  for (const other of others)
    other.on("request", ({ method, headers, url }, response) => {
      arrived.push(`${method} ${headers.host}${url}`);
      response.setHeader("content-type", "text/html");
      response.end("<p>plain");
    });
  const [port, plainPort, oddPort] = await Promise.all(
    [server, ...others].map(async (one) => {
      one.listen(0, "127.0.0.1");
      await once(one, "listening");
      return (one.address() as AddressInfo).port;
    }),
  );
  const at = (place: number | undefined) => ({ host: "127.0.0.1", port: place ?? 0 });
  return {
    arrived,
    hostMap: new Map([
      ["shop.test", at(port)],
      ["docs.test", at(port)],
      ["plain.test", at(plainPort)],
      ["odd.test", at(oddPort)],
    ]),
    [Symbol.asyncDispose]: async () => {
      for (const one of [server, ...others]) one.close();
    },
  };
}

/** What the sites received and the wire did not see. `isHeld`: plain requests, to the addresses that it saw. */
async function unseen(rig: Rig, isHeld: boolean): Promise<readonly string[]> {
  const ways = new Ways(() => performance.now());
  let group: number | null = null;
  await using world = await sites();
  await using proxy = await testedProxy({
    isOpen: (host, port, path) => ways.isOpen(host, port, path) || (path !== null && !isHeld),
    allowTunnel: (host, port, kind) => ways.allowsTunnelInTime(host, port, kind),
    hostMap: world.hostMap,
    peers: browserPeers(() => group),
  });
  const launched = await launchBrowser({ proxy, rig });
  group = launched.pid;
  const seen = new Set<string>();
  try {
    const wire = new Wire({
      channel: pipeChannel(launched.toBrowser, launched.fromBrowser),
      judge: {
        request: (facts) => {
          seen.add(`${facts.method} ${facts.url.replace(/^https?:\/\//, "")}`);
          ways.open(facts.url);
          return { verdict: "allow", rule: "reach.scope" };
        },
      },
      worldSource: "0",
      causeOf: () => ({ cause: { by: "page" }, input: null }),
      now: () => performance.now(),
    });
    await wire.start(LIMIT_MS);
    const browser = await chromium.connectOverCDP(wire.transport());
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${OPEN}/`);
    await page.goto("http://plain.test/");
    // The issuer is looked for, and not found: no page.
    await expect((await context.newPage()).goto("https://odd.test/")).rejects.toThrow("AUTHORITY_INVALID");
    await page.goto("https://shop.test/page");
    await until(() => world.arrived.some((line) => line.includes("/done")), LIMIT_MS);
    // Without its end the page has not tried.
    return [
      ...(world.arrived.includes("GET shop.test/done") ? [] : ["nothing of the page"]),
      ...world.arrived.filter((line) => !seen.has(line)),
    ];
  } finally {
    await launched.close();
  }
}

const common = [SOON, `--ignore-certificate-errors-spki-list=${keyOf(certificate.cert)}`];
const guarded: Rig = { flags: (flags) => [...flags, ...common] };
const unguarded: Rig = {
  flags: (flags) => [
    ...flags
      .filter((flag) => flag !== "--disable-http2")
      .map((flag) => (flag.startsWith("--disable-features=") ? flag.replace("Reporting,", "") : flag)),
    ...common,
  ],
};

let without: readonly string[];
let within: readonly string[];
beforeAll(async () => {
  [without, within] = await Promise.all([unseen(unguarded, false), unseen(guarded, true)]);
}, LIMIT_MS);

test.each(CHANNELS)("%s comes by itself without our flags and ways", (_title, line) => {
  expect(without).toContain(line);
});

test("with them nothing leaves that the wire does not see", () => {
  expect(within).toEqual([]);
});
