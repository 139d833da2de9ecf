import { once } from "node:events";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createRawServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BrowserEvent, type Envelope, type OpenedSession, openSession } from "../../src/index.ts";
import { selfSigned } from "../../src/session/self-test/certificate.ts";
import { type RecordingServer, recordingServer } from "../servers.ts";
import { yes } from "../yes.ts";
import { expectUsable, timed } from "./support.ts";

const DEADLINE_MS = 800;
/** Of two in a row one overtook the way out of it more often than not. */
const UNTRUSTED_ROUNDS = 4;

let server: RecordingServer;
let session: OpenedSession;
const html = { "content-type": "text/html" };
beforeAll(async () => {
  server = await recordingServer();
  server.html(
    "/",
    `<title>Start</title><h1>Here</h1><a href="/silent">Silent</a> <a href="/empty">Empty</a> <a href="/download">Download</a> <a href="/nothing">Nothing</a>`,
  );
  server.on("/silent", () => {});
  server.on("/trickle", (_request, response) => {
    response.writeHead(200, html).write("<title>Part</title><h1>First part</h1>");
  });
  server.on("/headers", (_request, response) => {
    response.writeHead(200, html).flushHeaders();
  });
  server.on("/cut", (_request, response) => {
    response.writeHead(200, { ...html, "content-length": "90000" });
    response.write("<title>Part</title><h1>First part</h1>", () => response.destroy());
  });
  server.on("/chunks", (_request, response) => {
    response.writeHead(200, html);
    response.write("<title>Part</title><h1>First part</h1>", () => response.destroy());
  });
  server.on("/empty", (_request, response) => void response.destroy());
  server.on(
    "/missing",
    (_request, response) => void response.writeHead(404, html).end("<h1>Not here</h1><a href='/'>Back</a>"),
  );
  server.on("/broken", (_request, response) => void response.writeHead(500, html).end("<h1>Our fault</h1>"));
  server.on("/bare", (_request, response) => void response.writeHead(500).end());
  server.on("/nothing", (_request, response) => void response.writeHead(204).end());
  server.on("/download", (_request, response) => {
    response
      .writeHead(200, { "content-type": "text/csv", "content-disposition": 'attachment; filename="orders.csv"' })
      .end("a,b\n1,2\n");
  });
  server.on(
    "/binary",
    (_request, response) =>
      void response.writeHead(200, { "content-type": "application/octet-stream" }).end(Buffer.alloc(1000, 7)),
  );
  server.on("/round", (_request, response) => void response.writeHead(302, { location: "/round" }).end());
  server.on("/to-file", (_request, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end());
  server.on("/to-nowhere", (_request, response) => void response.writeHead(302, { location: "http://[" }).end());
  server.on(
    "/refresh",
    (_request, response) => void response.writeHead(200, { ...html, refresh: "0;url=/" }).end("<h1>Moving</h1>"),
  );
  session = await openSession({ ...yes, private: ["localhost"] });
  await expectUsable(session, `${server.url}/`, "Here");
});
afterAll(async () => {
  await session.close();
  await server.close();
});
beforeEach(() => expectUsable(session, `${server.url}/`, "Here"));

const open = (url: string, timeoutMs = 5_000): Promise<Envelope> =>
  timed(session, "navigate", { url: url.startsWith("/") ? `${server.url}${url}` : url }, timeoutMs);

async function expectStillHere(): Promise<void> {
  expect((await timed(session, "snapshot", { detail: "full" })).snapshot).toContain('heading "Here"');
}

describe("a server that never answers", () => {
  test("costs navigate its deadline, which is named, and the page stays", async () => {
    const { ok, error } = await open("/silent", DEADLINE_MS);
    expect({ ok, error }).toEqual({
      ok: false,
      error: { code: "timeout", message: expect.stringContaining(`${DEADLINE_MS} ms`) },
    });
    await expectStillHere();
  });

  test("behind a link: still loading, then other tools say so too, and navigate goes elsewhere", async () => {
    const stillLoading = { ok: false, error: { code: "still_loading", message: expect.stringContaining("127.0.0.1") } };
    expect(await timed(session, "click", { target: 'link "Silent"' }, DEADLINE_MS)).toMatchObject(stillLoading);
    expect(await timed(session, "snapshot", {}, DEADLINE_MS)).toMatchObject(stillLoading);
    expect(await timed(session, "click", { target: 'link "Empty"' }, DEADLINE_MS)).toMatchObject(stillLoading);
    expect(await timed(session, "tabs", {}, DEADLINE_MS)).toMatchObject({ ok: true });
    expect(await timed(session, "wait_for", { text: "Here" }, DEADLINE_MS)).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/timeout|still_loading/) },
    });
  });
});

describe("a page that never ends", () => {
  test("is shown as far as it came", async () => {
    const page = await open("/trickle", DEADLINE_MS);
    expect(page).toMatchObject({
      ok: false,
      error: { code: "still_loading" },
      changed: "document",
      snapshot: expect.stringContaining("First part"),
    });
    expect(await timed(session, "find", { text: "first part" })).toMatchObject({ ok: true, found: 1 });
  });

  test("is still loading when nothing but its head came", async () => {
    const { ok, error } = await open("/headers", DEADLINE_MS);
    expect(ok).toBe(false);
    expect(["still_loading", "timeout"]).toContain(error?.code);
  });
});

test.each(["/cut", "/chunks"])("a page that is cut midway (%s) is shown and said to be cut", async (path) => {
  expect(await open(path)).toMatchObject({
    ok: false,
    error: { code: "navigation_failed", message: expect.stringContaining("broke") },
    snapshot: expect.stringContaining("First part"),
  });
  expect(await timed(session, "snapshot", { detail: "full" })).toMatchObject({
    ok: true,
    snapshot: expect.stringContaining("First part"),
  });
});

describe("an answer with an error status", () => {
  test("is a page like another", async () => {
    expect(await open("/missing")).toMatchObject({
      ok: true,
      changed: "document",
      snapshot: expect.stringContaining("Not here"),
    });
    expect(await timed(session, "network_requests", { url_contains: "/missing" })).toMatchObject({
      ok: true,
      requests: [{ method: "GET", status: 404 }],
    });
    expect(await open("/broken")).toMatchObject({
      ok: true,
      changed: "document",
      snapshot: expect.stringContaining("Our fault"),
    });
  });

  test("without a body is a failure", async () => {
    expect(await open("/bare")).toMatchObject({ ok: false, error: { code: "navigation_failed" } });
  });
});

test.each(["/nothing", "/download", "/binary"])(
  "an answer that brings no document (%s) leaves the page as it is",
  async (path) => {
    const result = await open(path);
    expect(result).toMatchObject({ ok: true, changed: "nothing", note: expect.stringContaining("as before") });
    await expectStillHere();
  },
);

test("a download is told with its name, cancelled, wherever it came from", async () => {
  const download = { kind: "download", url: `${server.url}/download`, name: "orders.csv", outcome: "cancelled" };
  expect((await open("/download")).events).toContainEqual(download);
  const clicked = await timed(session, "click", { target: 'link "Download"' });
  expect(clicked).toMatchObject({ ok: true, changed: "nothing" });
  // Chromium tells of it when it pleases: with the click, or with the call after it.
  const told = [...(clicked.events ?? []), ...((await timed(session, "snapshot", {})).events ?? [])];
  expect(told).toContainEqual(download);
  await expectStillHere();
});

test("a link that brings no document leaves the page as it is", async () => {
  expect(await timed(session, "click", { target: 'link "Nothing"' })).toMatchObject({ ok: true, changed: "nothing" });
  await expectStillHere();
});

describe("a page that cannot be had", () => {
  /** A server with a certificate that nobody trusts. */
  async function untrusted(): Promise<{ readonly url: string; close(): void }> {
    const secure = createSecureServer(
      selfSigned("localhost"),
      (_request, response) => void response.end("secret page"),
    );
    secure.on("tlsClientError", () => {});
    secure.listen(0, "127.0.0.1");
    await once(secure, "listening");
    const { port } = secure.address() as AddressInfo;
    return { url: `https://127.0.0.1:${port}/`, close: () => void secure.close() };
  }

  const failed = (words: RegExp) => ({
    ok: false,
    error: { code: "navigation_failed", message: expect.stringMatching(words) },
  });
  /** Chromium's own error page is never shown, and the tab can be used. */
  async function expectFailure(result: Envelope, words: RegExp): Promise<void> {
    expect(result).toMatchObject(failed(words));
    expect(result.refused).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain("chrome-error");
    expect(await timed(session, "snapshot", {})).toMatchObject({ ok: true });
    expect(JSON.stringify(await timed(session, "tabs", {}))).not.toContain("chrome-error");
  }

  test("an empty answer", async () => expectFailure(await open("/empty"), /closed the connection/));
  test("a redirect that goes round", async () => expectFailure(await open("/round"), /redirects/));
  test("a redirect to nowhere", async () => expectFailure(await open("/to-nowhere"), /./));
  test("a name that has no address", async () => {
    // The first place a session goes to is in its scope.
    await using fresh = await openSession({ ...yes, private: ["localhost"] });
    const result = await timed(fresh, "navigate", { url: "http://no-such-name.invalid/" }, 20_000);
    expect(result.ok).toBe(false);
    expect(result.refused?.reason ?? result.error?.message).toContain("has no address");
    await expectUsable(fresh, `${server.url}/`, "Here");
  });
  test.each([1, 25, 6000])("an unsafe port (%i)", async (port) =>
    expectFailure(await open(`http://127.0.0.1:${port}/`), /does not open/),
  );

  test("a server that refuses connections", async () => {
    const gone = await recordingServer();
    await gone.close();
    await expectFailure(await open(gone.url), /refuses connections|no connection/);
  });

  test("a server that speaks another language", async () => {
    const raw = createRawServer((socket) => {
      socket.on("error", () => {});
      socket.end("220 mail.test ESMTP\r\n");
    });
    raw.listen(0, "127.0.0.1");
    await once(raw, "listening");
    try {
      const result = await open(`http://127.0.0.1:${(raw.address() as AddressInfo).port}/`);
      // Chromium takes it for the oldest HTTP, or for a broken answer.
      if (!result.ok) await expectFailure(result, /./);
    } finally {
      raw.close();
    }
  });

  test("a certificate that nobody trusts", async () => {
    const secure = await untrusted();
    try {
      const result = await open(secure.url);
      await expectFailure(result, /certificate/);
      expect(JSON.stringify(result)).not.toContain("secret page");
    } finally {
      secure.close();
    }
  });

  test("untrusted certificates, one after another: the tab stays, the next page is asked for once", async () => {
    const secure = await untrusted();
    const { url } = secure;
    server.html("/untrusted", `<a href="${url}">Untrusted</a>`);
    const closed: BrowserEvent[] = [];
    const stop = session.events.subscribe((event) => void (event.kind === "tab_closed" && closed.push(event)));
    try {
      for (let round = 1; round <= UNTRUSTED_ROUNDS; round++) {
        await expectUsable(session, `${server.url}/untrusted`, "Untrusted");
        const clicked = await timed(session, "click", { target: 'link "Untrusted"' }, 10_000);
        expect(clicked).toMatchObject({ ok: false, error: { code: "navigation_failed" } });
        expect(await open(url, 10_000)).toMatchObject({ ok: false, error: { code: "navigation_failed" } });
        server.clear();
        await expectUsable(session, `${server.url}/`, "Here");
        // What overtakes the way to a page makes it be asked for again.
        expect(server.hitsTo("/")).toHaveLength(1);
      }
      expect(closed).toEqual([]);
    } finally {
      stop();
      secure.close();
    }
  });

  test("behind a link", async () =>
    expectFailure(await timed(session, "click", { target: 'link "Empty"' }), /could not be loaded/));
});

test("a redirect out of reach is refused, and the page stays", async () => {
  const result = await open("/to-file");
  expect(result.ok).toBe(false);
  expect(JSON.stringify(result)).not.toContain("root:");
  await expectUsable(session, `${server.url}/`, "Here");
});

test("a page that sends itself elsewhere is followed", async () => {
  const first = await open("/refresh");
  expect(first.error).toBeUndefined();
  expect(await timed(session, "wait_for", { text: "Here" })).toMatchObject({ ok: true });
});
