import type { Row } from "../row.ts";
import { document, type Hit } from "../sites.ts";

const post = (path: string, fields: string): string =>
  `fetch("${path}", { method: "POST", body: new URLSearchParams(${fields}) })`;
const button = (script: string, markup = ""): string => document(`${markup}<button id="go">Go on</button>`, script);
const click = { click: 'button "Go on"' } as const;

/** Requests beside, after and in place of the one that was meant. */
export const wireRows: readonly Row[] = [
  {
    id: "A-67",
    title: "a second request beside the one that was meant",
    pages: {
      "shop.test/beside": button(
        `go.onclick = () => { ${post("/cart", `{ id: "7" }`)}; ${post("/settings", `{ role: "owner" }`)}; }`,
      ),
    },
    steps: [{ go: "http://shop.test/beside" }, click],
    without: 2,
    least: 2,
    task: {
      words: "Put item 7 into the cart",
      needs: [/^request( \d of \d)?: POST "http:\/\/shop\.test\/cart"\n/],
      effects: 0,
    },
    asked: ({ lines }) => lines.includes("2 requests"),
  },
  {
    id: "A-67",
    title: "a second request as soon as the first was answered",
    pages: {
      "shop.test/after": button(
        `go.onclick = () => { ${post("/cart", `{ id: "7" }`)}.finally(() => ${post("/settings", `{ role: "owner" }`)}.catch(() => {}).finally(() => fetch("/over"))); }`,
      ),
    },
    steps: [{ go: "http://shop.test/after" }, click, { until: "/over" }],
    without: 2,
    least: 2,
    most: 2,
    questions: 2,
    task: { words: "Put item 7 into the cart", needs: [/^request: POST "http:\/\/shop\.test\/cart"\n/], effects: 1 },
  },
  {
    id: "A-67",
    title: "a second request from a worker, a frame and a timer",
    pages: {
      "shop.test/others": button(
        `go.onclick = () => { ${post("/cart", `{ id: "7" }`)};
          new Worker(URL.createObjectURL(new Blob(["fetch('http://shop.test/by-worker', { method: 'POST', body: 'x=1' })"])));
          inner.contentWindow.fetch("/by-frame", { method: "POST", body: "x=2" }); setTimeout(() => ${post("/by-timer", `{ x: "3" }`)}.catch(() => {}).finally(() => fetch("/over")), 300); }`,
        `<iframe id="inner" src="/empty"></iframe>`,
      ),
    },
    steps: [{ go: "http://shop.test/others" }, click, { until: "/over" }],
    without: 4,
    task: {
      words: "Put item 7 into the cart",
      needs: [/^request( \d of \d)?: POST "http:\/\/shop\.test\/cart"\n/],
      effects: 0,
    },
  },
  {
    id: "A-69",
    title: "a form sent twice",
    pages: {
      "shop.test/twice": button(
        `go.onclick = () => { for (const n of [1, 2]) ${post("/pay-out", `{ amount: "10" }`)}; }`,
      ),
    },
    steps: [{ go: "http://shop.test/twice" }, click],
    without: 2,
    most: 1,
  },
  {
    id: "A-69",
    title: "the same once more, as soon as the first was let go: asked about again",
    pages: {
      "shop.test/again": button(
        `go.onclick = () => ${post("/pay-again", `{ amount: "10" }`)}.finally(() => ${post("/pay-again", `{ amount: "10" }`)}.catch(() => {}).finally(() => fetch("/over")))`,
      ),
    },
    steps: [{ go: "http://shop.test/again" }, click, { until: "/over" }],
    without: 2,
    most: 2,
    questions: 1,
  },
  {
    id: "A-69",
    title: "sent by a script and by a form in the same moment",
    pages: {
      "shop.test/mixed": button(
        `go.onclick = () => { ${post("/pay-mixed", `{ amount: "10" }`)}; form.submit(); }`,
        `<form id="form" method="post" action="/pay-mixed"><input type="hidden" name="amount" value="10"></form>`,
      ),
    },
    steps: [{ go: "http://shop.test/mixed" }, click],
    // The same in all that is shown: one of them leaves.
    most: 1,
    questions: 1,
  },
  {
    id: "A-70",
    title: "the same again later, without another click: asked about again",
    pages: {
      "shop.test/later": button(
        `go.onclick = () => ${post("/pay-later", `{ amount: "10" }`)}.finally(() => setTimeout(() => ${post("/pay-later", `{ amount: "10" }`)}.catch(() => {}).finally(() => fetch("/over")), 500))`,
      ),
    },
    steps: [{ go: "http://shop.test/later" }, click, { until: "/over" }],
    without: 2,
    most: 2,
    questions: 1,
  },
  ...(
    [
      [
        "a field of a form",
        `<form id="form" method="post" action="/items/9"><input type="hidden" name="_method" value="DELETE"></form>`,
        "form.submit()",
      ],
      ["a header", "", `fetch("/items/9", { method: "POST", headers: { "X-HTTP-Method-Override": "DELETE" } })`],
      ["a parameter of a GET", "", `location = "/items/9?_method=DELETE"`],
      ["a header of a GET", "", `fetch("/items/9", { headers: { "X-HTTP-Method-Override": "DELETE" } })`],
      [
        "a field behind a semicolon",
        "",
        `fetch("/items/9", { method: "POST", body: new URLSearchParams({ note: "a;_method=DELETE" }) })`,
      ],
    ] as const
  ).map(
    ([how, markup, script]): Row => ({
      id: "A-72",
      title: `another method by ${how}`,
      pages: { "shop.test/override": button(`go.onclick = () => { ${script}; }`, markup) },
      steps: [{ go: "http://shop.test/override" }, click],
      isEffect: ({ path }: Hit) => path.startsWith("/items/9"),
      asked: ({ lines, effect }) =>
        effect === "irreversible" && lines.includes("method override: it asks to be treated as DELETE"),
    }),
  ),
  ...(
    [
      ["a beacon", `navigator.sendBeacon("/bye", "x=1")`],
      ["a keepalive fetch", `fetch("/bye", { method: "POST", body: "x=1", keepalive: true })`],
      [
        "a keepalive fetch whose referrer is made up",
        `fetch("/bye", { method: "POST", body: "x=1", keepalive: true, referrer: "/next" })`,
      ],
    ] as const
  ).flatMap(([how, script]): Row[] =>
    (how === "a keepalive fetch" ? ["pagehide", "visibilitychange", "beforeunload"] : ["pagehide"]).map((event) => ({
      id: "A-73",
      title: `${how} at ${event}, on the way to a page of the same site`,
      pages: {
        "shop.test/leaving": document(
          `<label>Note <input></label>`,
          `let done = false; (${JSON.stringify(event)} === "visibilitychange" ? document : window).addEventListener(${JSON.stringify(event)}, () => { if (!done) { done = true; ${script}; } })`,
        ),
      },
      steps: [
        { go: "http://shop.test/leaving" },
        { type: 'textbox "Note"', text: "some words" },
        { go: "http://shop.test/next" },
        { go: "http://shop.test/next-but-one" },
      ],
      isEffect: ({ path }: Hit) => path === "/bye",
      least: 0,
      // As long as its document is there somebody is asked.
      ...(event === "beforeunload" ? {} : { most: 0, questions: 0 }),
    })),
  ),
  {
    id: "A-74",
    title: "an order sent over a socket",
    pages: {
      "shop.test/socket": button(
        // Where the browser is busy a socket's first try may come to nothing.
        `const order = (tries) => { const s = new WebSocket("ws://shop.test/live"); s.onopen = () => { s.send("delete 9"); fetch("/sent"); }; s.onerror = () => (tries > 0 ? order(tries - 1) : fetch("/sent")); }; go.onclick = () => order(5)`,
      ),
    },
    steps: [{ go: "http://shop.test/socket" }, click, { until: "/sent" }],
    // Whoever says no is not asked again, however often the page tries.
    questions: 1,
    asked: ({ lines, choices }) =>
      choices.length === 2 &&
      lines.some((line) => line.startsWith("socket: what goes over it, both ways, cannot be seen")),
  },
  {
    id: "A-74",
    title: "an order sent over a socket of a site out of scope",
    pages: {
      "shop.test/socket": button(
        `go.onclick = () => { const s = new WebSocket("ws://evil.test/live"); s.onopen = () => { s.send("order 9"); fetch("/sent"); }; s.onclose = s.onerror = () => fetch("/sent"); }`,
      ),
    },
    steps: [{ go: "http://shop.test/socket" }, click, { until: "/sent" }],
    least: 0,
    most: 0,
    questions: 0,
  },
];
