import type { RecordingServer } from "../servers.ts";

/** A page that does its worst. `path` is where it begins. */
export interface HostilePage {
  readonly what: string;
  readonly path: string;
  /** Chromium itself gets through it, so it can be read. */
  readonly readable: boolean;
  serve(server: RecordingServer): void;
}

const CHUNK_BYTES = 1_048_576;
const html = { "content-type": "text/html; charset=utf-8" };

const page = (what: string, path: string, readable: boolean, body: () => string): HostilePage => ({
  what,
  path,
  readable,
  serve: (server) =>
    server.on(
      path,
      (_request, response) =>
        void response.writeHead(200, html).end(`<!doctype html><title>Hostile</title><h1>Top</h1>${body()}`),
    ),
});

/** The same bytes again and again: neither side of the test holds them all. */
function streamed(what: string, path: string, before: string, chunk: string, chunks: number): HostilePage {
  return {
    what,
    path,
    readable: false,
    serve: (server) =>
      server.on(path, (_request, response) => {
        response.writeHead(200, html).write(`<!doctype html><title>Hostile</title><h1>Top</h1>${before}`);
        let left = chunks;
        const more = (): void => {
          while (left > 0) {
            left -= 1;
            if (!response.write(chunk)) return void response.once("drain", more);
          }
          response.end();
        };
        more();
      }),
  };
}

const words = "All work and no play makes a dull page. ";
const megabyte = words.repeat(Math.ceil(CHUNK_BYTES / words.length));

/** `count` redirects, each to the next. */
function redirects(
  what: string,
  path: string,
  count: number,
  to: (next: string) => { readonly status: number; readonly headers: object; readonly body: string },
): HostilePage {
  return {
    what,
    path,
    readable: false,
    serve: (server) =>
      server.on(path, (request, response) => {
        const at = Number(new URL(request.url ?? "", server.url).searchParams.get("at") ?? 0);
        const { status, headers, body } =
          at < count ? to(`${path}?at=${at + 1}`) : { status: 200, headers: {}, body: "<h1>Top</h1><p>Arrived" };
        response.writeHead(status, { ...html, ...headers }).end(body);
      }),
  };
}

const levels = (count: number, style: string): string =>
  `<div id=deep></div><script>let at = deep; for (let n = 0; n < ${count}; n++) { const next = document.createElement("div"); next.style.cssText = "${style}"; at.append(next); at = next; }
   at.innerHTML = "<button>Bottom</button>";</script>`;

/** Of each kind the one that found most: they are visited on each change, all of them in the soak. */
const WORST = new Set(["/hang-later", "/popups", "/frames-src", "/grows", "/moves", "/text", "/console"]);
/** What a visit of them might leave behind is the most. */
const AGAIN = new Set(["/frames-src", "/text"]);

export const hostilePages: readonly HostilePage[] = [
  page("a script that never ends", "/hang", false, () => "<script>for (;;);</script>"),
  page(
    "a script that never ends, once the page is there",
    "/hang-later",
    false,
    () => "<button>Go</button><script>onload = () => setTimeout(() => { for (;;); })</script>",
  ),
  page(
    "a thousand popups",
    "/popups",
    true,
    () => `<script>for (let n = 0; n < 1000; n++) window.open("/start")</script>`,
  ),
  page("alerts for ever", "/alerts", false, () => `<script>setInterval(() => { for (;;) alert("again"); })</script>`),
  page(
    "100,000 console lines of 500 characters",
    "/console",
    false,
    () => `<script>for (let n = 0; n < 100_000; n++) console.log("line " + n + " ".padEnd(500, "x"))</script>`,
  ),
  page(
    "20,000 requests",
    "/requests",
    false,
    () => `<script>for (let n = 0; n < 20_000; n++) fetch("/start?" + n).catch(() => {})</script>`,
  ),
  page(
    "400 workers",
    "/workers",
    false,
    () =>
      `<script>for (let n = 0; n < 400; n++) new Worker(URL.createObjectURL(new Blob(["setInterval(() => console.log('here'), 100)"], { type: "text/javascript" })))</script>`,
  ),
  page("100,000 nodes", "/nodes", true, () => "<p>x</p>".repeat(50_000)),
  page("50,000 buttons", "/buttons", true, () => "<button>b</button>".repeat(50_000)),
  page("a table of 50,000 cells", "/cells", true, () => `<table>${"<tr><td>a<td>b<td>c<td>d".repeat(12_500)}</table>`),
  page("1,000 frames", "/frames", false, () => `<iframe srcdoc="<p>framed"></iframe>`.repeat(1_000)),
  page("1,000 frames with addresses", "/frames-src", false, () => `<iframe src="/start"></iframe>`.repeat(1_000)),
  page(
    "frames in frames in frames",
    "/frames-deep",
    true,
    () => "<iframe src=/frames-deep></iframe><iframe src=/frames-deep?2></iframe>",
  ),
  page("1,500 levels", "/levels", true, () => levels(1_500, "")),
  page("10,000 levels without boxes", "/levels-contents", true, () => levels(10_000, "display:contents")),
  page(
    "growing without end",
    "/grows",
    true,
    () =>
      `<ul id=u></ul><p id=p></p><script>setInterval(() => { for (let n = 0; n < 50; n++) { const li = document.createElement("li"); li.textContent = "item " + Math.random(); u.append(li); } p.append(" more words".repeat(50)); }, 5)</script>`,
  ),
  page(
    "changing all of itself without end",
    "/churns",
    true,
    () =>
      `<div id=d></div><script>setInterval(() => { d.innerHTML = Array.from({ length: 300 }, () => "<button>" + Math.random() + "</button>").join("") }, 5)</script>`,
  ),
  redirects("50 redirects", "/redirects", 50, (location) => ({ status: 302, headers: { location }, body: "" })),
  redirects("50 redirects by script", "/script-redirects", 50, (next) => ({
    status: 200,
    headers: {},
    body: `<h1>Top</h1><script>location.replace("${next}")</script>`,
  })),
  redirects("navigating while it is read", "/moves", Number.POSITIVE_INFINITY, (next) => ({
    status: 200,
    headers: {},
    body: `<h1>Top</h1>${"<p>x</p>".repeat(2_000)}<script>setTimeout(() => { location.href = "${next}" }, 30)</script>`,
  })),
  streamed("50 MB of text in one paragraph", "/text", "<p>", megabyte, 50),
  streamed("50 MB of text in lines", "/lines", "", `<p>${words}</p>\n`.repeat(Math.ceil(CHUNK_BYTES / 50)), 50),
  streamed("a line of 1 MB of combining marks", "/marks", "<p>a", "\u0301".repeat(CHUNK_BYTES / 2), 1),
  page("an attribute of 1 MB on each of 20 buttons", "/attributes", true, () =>
    `<button aria-label="${megabyte}">x</button>`.repeat(20),
  ),
  page(
    "infinite scroll",
    "/scroll",
    true,
    () => `<p>The last row is <b id=last></b></p><div id=d></div><script>const more = () => { for (let n = 0; n < 200; n++) { const p = document.createElement("p"); p.textContent = "Row " + d.children.length; d.append(p); } last.textContent = d.children.length; };
    more(); addEventListener("scroll", () => { if (innerHeight + scrollY > document.body.scrollHeight - 500) more(); });</script>`,
  ),
];

export const worstPages: readonly HostilePage[] = hostilePages.filter(({ path }) => WORST.has(path));
export const heavyPages: readonly HostilePage[] = hostilePages.filter(({ path }) => AGAIN.has(path));
