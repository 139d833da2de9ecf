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
  const asks = (url: string, verdict: Verdict, kind: RequestFacts["kind"] = "data"): void =>
    requests.add({ facts: { ...factsOf(url), kind }, networkId: null, verdict }, null);
  return { requests, heard, asks };
}

test("what the browser wants for itself is told of nowhere, also where a page has asked for something", () => {
  const { requests, heard, asks } = log();
  asks("https://vendor.test/x", allowed);
  asks("https://vendor.test/y", refused);
  requests.proxied(atProxy());
  requests.proxied(atProxy({ host: "2001:db8::1", port: 8443 }));
  expect(heard.map((event) => event.kind === "request" && event.url)).toEqual([
    "https://vendor.test/x",
    "https://vendor.test/y",
  ]);
});

test.each(["proxy.peer", "proxy.malformed"] as const)("a stranger at the proxy is no page's (%s)", (rule) => {
  const { requests, heard } = log();
  requests.proxied(atProxy({ host: "", port: 0, scheme: "http", rule }));
  expect(heard).toEqual([]);
});

test.each<[string, Partial<ProxyEvent>]>([
  ["a socket that the wire did not hear of", { door: "sockets" }],
  ["what was let go and leads to a forbidden address", { rule: "proxy.address" }],
  ["a tunnel of another kind than was let go", { rule: "proxy.tunnel_kind" }],
])("%s is a page's", (_, more) => {
  const { requests, heard } = log();
  requests.proxied(atProxy(more));
  expect(heard).toEqual([
    expect.objectContaining({ kind: "request", method: "CONNECT", url: "vendor.test:443", resourceType: "Connection" }),
  ]);
});

test("a socket is told once, by the wire; at another port it is another one", () => {
  const { requests, heard, asks } = log();
  asks("wss://vendor.test/x", refused, "socket");
  requests.proxied(atProxy({ door: "sockets" }));
  requests.proxied(atProxy({ door: "sockets", port: 8443 }));
  expect(heard.map((event) => event.kind === "request" && event.url)).toEqual([
    "wss://vendor.test/x",
    "vendor.test:8443",
  ]);
});
