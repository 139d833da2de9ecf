import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BrowserEvent, type OpenedSession, openSession } from "../../src/index.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import { expectUsable, timed } from "./support.ts";

let server: RecordingServer;
let session: OpenedSession;
const events: BrowserEvent[] = [];
beforeAll(async () => {
  server = await recordingServer();
  session = await openSession({ ...yes, private: [server.url] });
  server.html("/", "<title>Start</title><h1>Here</h1>");
  await expectUsable(session, `${server.url}/`, "Here");
  session.events.subscribe((event) => events.push(event));
});
afterAll(async () => {
  await session.close();
  await server.close();
});
beforeEach(() => {
  events.length = 0;
});

const schemes = [
  ...[
    "file:///etc/passwd",
    "file:/etc/passwd",
    "file:",
    "chrome://settings",
    "chrome://crash",
    "chrome:crash",
    "chrome://version",
    "devtools://devtools/bundled/inspector.html",
  ],
  ...[
    "javascript:alert(1)",
    "javascript://x/%0aalert(1)",
    "data:text/html,<h1>Data</h1>",
    "data:,x",
    "view-source:http://127.0.0.1/",
    "view-source:file:///etc/passwd",
  ],
  ...[
    "blob:http://127.0.0.1/0000",
    "blob:null/0000",
    "about:config",
    "about:srcdoc",
    "about:settings",
    "ftp://127.0.0.1/",
    "mailto:a@example.test",
  ],
  ...[
    "intent://scan/#Intent;scheme=zxing;end",
    "chrome-extension://abcdefghijklmnop/x.html",
    "filesystem:http://127.0.0.1/temporary/x",
    "ws://127.0.0.1/",
  ],
  ...[
    "wss://127.0.0.1/",
    "tel:123",
    "about:",
    "unknown:x",
    "isolated-app://x",
    "chrome-untrusted://x",
    "chrome-error://chromewebdata/",
    "content://x",
    "ssh://x",
  ],
];
const spellings = [
  ...[
    "FILE:///etc/passwd",
    "JavaScript:alert(1)",
    "dAtA:text/html,x",
    "Chrome://Crash",
    "VIEW-SOURCE:http://127.0.0.1/",
    "ABOUT:config",
  ],
  ...[
    "  file:///etc/passwd",
    "\tjavascript:alert(1)",
    "\njava\nscript:alert(1)",
    "java\tscript:alert(1)",
    "file:///etc/passwd  ",
    "\u0000javascript:alert(1)",
    "\u001fdata:,x",
  ],
];
const broken = [
  "http://",
  "http:///",
  "https://[::1",
  "http://a b/",
  "http://%zz/",
  "http://user:word@127.0.0.1/",
  "https://:443/",
  "http://256.256.256.256/",
  "//",
];

describe.each([...schemes, ...spellings, ...broken])("navigate to %j", (url) => {
  test("is refused before the browser sees it, and the page stays", async () => {
    server.clear();
    const result = await timed(session, "navigate", { url });
    expect(result).toMatchObject({
      ok: false,
      refused: { rule: expect.stringMatching(/^reach\./), reason: expect.any(String), remedy: expect.any(String) },
    });
    expect(result).toMatchObject({ receipt: expect.any(String) });
    expect(result.error).toBeUndefined();
    expect(events.filter((event) => event.kind !== "console")).toEqual([]);
    expect(server.hits).toEqual([]);
    const page = await timed(session, "snapshot", { detail: "full" });
    expect(page.snapshot).toContain('heading "Here"');
  });
});

test("the empty document is no secret place", async () => {
  expect(await timed(session, "navigate", { url: "about:blank" })).toMatchObject({
    ok: true,
    page: { url: "about:blank" },
  });
  // Nothing to be relative to.
  expect(await timed(session, "navigate", { url: "/path" })).toMatchObject({
    ok: false,
    refused: { rule: "reach.address" },
  });
  await expectUsable(session, `${server.url}/`, "Here");
});

describe.each([
  ["file:///etc/passwd", true],
  ["view-source:http://127.0.0.1/", true],
  ["chrome://crash", true],
  ["mailto:a@example.test", true],
  ["data:text/html,<h1>Data</h1>", true],
  ["javascript:void(document.title='ran')", false],
])("a link to %s", (href, refusedOnClick) => {
  test("is not opened by navigate, and a click goes nowhere", async () => {
    server.html("/link", `<title>Link</title><h1>Links</h1><a href="${href.replaceAll('"', "&quot;")}">Go</a>`);
    await timed(session, "navigate", { url: `${server.url}/link` });
    const found = (await timed(session, "find", { role: "link", name: "Go" })) as {
      readonly matches?: readonly { readonly ref: string }[];
    };
    const ref = found.matches?.[0]?.ref;
    expect(await timed(session, "navigate", { ref })).toMatchObject({ ok: false, refused: { rule: "reach.scheme" } });
    const clicked = await timed(session, "click", { target: ref });
    if (refusedOnClick) expect(clicked).toMatchObject({ ok: false, refused: { rule: "reach.scheme" } });
    // A script of the page's own: it may run, it cannot leave.
    else expect(clicked).toMatchObject({ ok: true });
    expect((await timed(session, "snapshot", { detail: "full" })).snapshot).toContain('heading "Links"');
  });
});
