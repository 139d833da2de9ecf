import { expect, test } from "vitest";
import type { ProxyEvent } from "../proxy/options.ts";
import type { BrowserEvent, RequestFacts, Verdict } from "../types.ts";
import { EventStream } from "./events.ts";
import { RequestLog } from "./requests.ts";

const allowed: Verdict = { verdict: "allow", rule: "reach.scope" };
const refused: Verdict = {
  verdict: "refuse",
  rule: "reach.scope",
  reason: "No.",
  remedy: "",
  operator: null,
  site: null,
};

function factsOf(url: string): RequestFacts {
  return {
    id: "r1",
    kind: "data",
    resourceType: "Fetch",
    method: "GET",
    url,
    headers: {},
    body: { kind: "none" },
    from: {
      target: "t",
      targetType: "page",
      frame: "f",
      documentUrl: null,
      mainUrl: null,
      page: null,
      freshPopup: false,
    },
    hop: 0,
    redirectedFrom: null,
    cause: { by: "page" },
    input: null,
  };
}

const atProxy = (more: Partial<ProxyEvent> = {}): ProxyEvent => ({
  ...{ host: "vendor.test", port: 443, scheme: "connect", door: "requests", verdict: "refused", rule: "proxy.way" },
  ...more,
});

function log() {
  const events = new EventStream();
  const heard: BrowserEvent[] = [];
  events.subscribe((event) => heard.push(event));
  const requests = new RequestLog(events, (url) => url);
  return {
    requests,
    heard,
    asks: (url: string, verdict: Verdict) => requests.add({ facts: factsOf(url), networkId: null, verdict }, null),
  };
}

test("what the browser wants for itself is no request of a page", () => {
  const { requests, heard } = log();
  requests.proxied(atProxy());
  requests.proxied(atProxy({ host: "2001:db8::1", port: 8443 }));
  expect(heard).toEqual([
    {
      kind: "browser_connection",
      place: "vendor.test:443",
      refused: { rule: "proxy.way", reason: expect.any(String) },
    },
    expect.objectContaining({ kind: "browser_connection", place: "[2001:db8::1]:8443" }),
  ]);
});

test.each<[string, Partial<ProxyEvent>]>([
  ["a socket", { door: "sockets" }],
  ["what was let go and leads to a forbidden address", { rule: "proxy.address" }],
  ["a tunnel of another kind than was let go", { rule: "proxy.tunnel_kind" }],
])("%s is a page's", (_, more) => {
  const { requests, heard } = log();
  requests.proxied(atProxy(more));
  expect(heard).toEqual([
    expect.objectContaining({ kind: "request", method: "CONNECT", url: "vendor.test:443", resourceType: "Connection" }),
  ]);
});

test.each([
  ["let go", allowed],
  ["refused", refused],
])("a connection to where a page's request was %s is the page's, at that port alone", (_, verdict) => {
  const { requests, heard, asks } = log();
  asks("https://vendor.test/x", verdict);
  requests.proxied(atProxy());
  requests.proxied(atProxy({ port: 8443 }));
  expect(heard.slice(1).map(({ kind }) => kind)).toEqual(["request", "browser_connection"]);
});
