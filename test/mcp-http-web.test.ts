/// <reference lib="dom" />
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { naked, served, TOKENS, toolCall } from "../src/mcp/http/serve.fixture.ts";
import { chromiumProgram } from "./chromium-program.ts";
import { type RecordingServer, recordingServer } from "./servers.ts";

// web pages in a plain Chromium, which know the address, the token and the words of the protocol.

let browser: Browser;
let evil: RecordingServer;

beforeAll(async () => {
  evil = await recordingServer();
  evil.html("/", "<title>Evil</title>");
  browser = await chromium.launch({
    executablePath: chromiumProgram(),
    // Chromium's own protection of loopback, which not every browser has.
    args: [
      "--no-sandbox",
      "--disable-features=LocalNetworkAccessChecks",
      `--host-resolver-rules=MAP evil.test ${evil.host},MAP rebound.test 127.0.0.1`,
    ],
  });
});
afterAll(async () => {
  await browser.close();
  await evil.close();
});

interface Words {
  readonly url: string;
  readonly token: string;
  readonly body: string;
}

/** Opens the page and lets it try everything; what came back from that port, by status. */
async function attack(
  pageUrl: string,
  words: Words,
): Promise<{ readonly statuses: readonly number[]; readonly seen: readonly string[] }> {
  const page = await browser.newPage();
  const port = new URL(words.url).port;
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).port === port && response.url() !== pageUrl) statuses.push(response.status());
  });
  // Only the page itself: it came from its own server, before its name led to us.
  await page.route(pageUrl, (route) => route.fulfill({ contentType: "text/html", body: "<title>Evil</title>" }));
  await page.goto(pageUrl);
  const seen = await page.evaluate(tryEverything, words);
  await page.close();
  return { statuses, seen };
}

async function tryEverything({ url, token, body }: Words): Promise<string[]> {
  const json = { "Content-Type": "application/json" };
  const protocol = {
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "MCP-Method": "tools/call",
    "MCP-Name": "snapshot",
  };
  const bearer = { Authorization: `Bearer ${token}` };
  const read = async (name: string, init: RequestInit, target = url): Promise<string> => {
    try {
      const response = await fetch(target, init);
      return `${name} ${response.status} ${await response.text().catch(() => "")}`;
    } catch {
      return `${name} blocked`;
    }
  };
  const ended = (name: string, start: (done: () => void) => void): Promise<string> =>
    new Promise((resolve) => start(() => resolve(`${name} ended`)));
  return Promise.all([
    read("whole call", { method: "POST", headers: { ...json, ...protocol, ...bearer }, body }),
    read("call without a preflight", {
      method: "POST",
      mode: "no-cors",
      headers: { "Content-Type": "text/plain" },
      body,
    }),
    read("call with a type hidden in a Blob", {
      method: "POST",
      mode: "no-cors",
      body: new Blob([body], { type: "application/json" }),
    }),
    read("form", { method: "POST", mode: "no-cors", body: new URLSearchParams({ body }) }),
    read(
      "session in the URL",
      { method: "POST", mode: "no-cors", body },
      `${url}?access_token=${token}&session_id=${"0".repeat(32)}`,
    ),
    read("stream", { headers: { Accept: "text/event-stream" } }),
    read("stream with the token", { headers: { Accept: "text/event-stream", ...bearer } }),
    read("head", { method: "HEAD", mode: "no-cors" }),
    ended("event source", (done) => {
      const source = new EventSource(url);
      source.onerror = () => {
        source.close();
        done();
      };
    }),
    ended("socket", (done) => {
      const socket = new WebSocket(url.replace("http", "ws"));
      socket.onerror = done;
      socket.onopen = done;
    }),
    ended("picture", (done) => {
      const image = new Image();
      image.onerror = done;
      image.src = url;
    }),
    ended("script", (done) => {
      const script = document.createElement("script");
      script.onerror = done;
      script.src = url;
      document.head.append(script);
    }),
    ended("frame", (done) => {
      const frame = document.createElement("iframe");
      frame.onload = done;
      frame.src = url;
      document.documentElement.append(frame);
    }),
    ended("form in a frame", (done) => {
      const frame = document.createElement("iframe");
      frame.name = "target";
      document.documentElement.append(frame);
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: url, enctype: "text/plain", target: "target" });
      const field = document.createElement("input");
      field.name = body;
      form.append(field);
      document.documentElement.append(form);
      frame.onload = done;
      form.submit();
    }),
    ended("beacon", (done) => {
      navigator.sendBeacon(url, body);
      done();
    }),
  ]);
}

it.each([
  ["of another site", () => "http://evil.test/", (port: number) => `http://127.0.0.1:${port}/mcp`],
  ["of another site, to localhost", () => "http://evil.test/", (port: number) => `http://localhost:${port}/mcp`],
  ["of another port here", () => `${evil.url}/`, (port: number) => `http://127.0.0.1:${port}/mcp`],
  [
    "of our own origin",
    (port: number) => `http://127.0.0.1:${port}/`,
    (port: number) => `http://127.0.0.1:${port}/mcp`,
  ],
  [
    "whose name was bound to us",
    (port: number) => `http://rebound.test:${port}/`,
    (port: number) => `http://rebound.test:${port}/mcp`,
  ],
])("a page %s reaches no tool", async (_, page, target) => {
  const { face, calls } = await served();
  const { statuses, seen } = await attack(page(face.port), {
    url: target(face.port),
    token: TOKENS[0],
    body: toolCall(),
  });
  expect(seen).toHaveLength(15);
  expect(seen.filter((line) => line.includes("structuredContent") || line.includes(" 200 "))).toEqual([]);
  // They did arrive, and were refused for what they are, whatever they knew.
  expect(statuses.length).toBeGreaterThan(5);
  expect(new Set(statuses)).toEqual(new Set([403]));
  expect(calls()).toBe(0);
});

it("the control: without our checks a page whose name was bound to the server calls its tools", async () => {
  const { port, calls } = await naked();
  const { seen } = await attack(`http://rebound.test:${port}/`, {
    url: `http://rebound.test:${port}/mcp`,
    token: "",
    body: toolCall(),
  });
  expect(seen.filter((line) => line.includes("structuredContent"))).not.toEqual([]);
  expect(calls()).toBeGreaterThan(0);
});
