import { back, click, go, html, json, ordinary, type Row, read, seeOther, type, wait } from "./row.ts";

const SEND_JSON = `const send = (path, value, more) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(value), ...more });`;
const TELL = `const tell = (text) => { document.querySelector("output").textContent = text };`;
const ANSWERED = `<output>nothing</output>`;
const QUERY = "query Feed($after: Int) { feed(after: $after) { title } }";

/** Pages as they are everywhere: over-asking would show here first. */
export const everydayRows: readonly Row[] = [
  {
    id: "C-01",
    title: "an application that posts to load its data before the first click",
    options: ordinary,
    fresh: "nothing was done on its site before",
    sites: {
      "shop.test/": html(
        "App",
        `<div id="root"></div><script>${SEND_JSON}
        const root = document.getElementById("root"); const draw = (text) => { root.innerHTML = "<h1>" + text + "</h1><button>Orders</button>"; root.querySelector("button").onclick = () => { history.pushState({}, "", "/orders"); draw("Orders: " + data.orders) } };
        let data; send("/api/session", { app: "web" }).then(() => send("/api/bootstrap", { want: ["user", "orders"] })).then((answer) => answer.json()).then((got) => { data = got; draw("Hello " + got.user) })</script>`,
      ),
      "POST shop.test/api/session": json({ ok: true }),
      "POST shop.test/api/bootstrap": json({ user: "Ada", orders: 2 }),
    },
    steps: [go("https://shop.test/"), wait("Hello Ada"), click('button "Orders"', "Orders: 2"), back("Orders: 2")],
    changes: ['POST shop.test/api/session {"app":"web"}', 'POST shop.test/api/bootstrap {"want":["user","orders"]}'],
  },
  {
    id: "C-02",
    title: "GraphQL reads after clicks, on the api's host, with typed words",
    options: ordinary,
    sites: {
      "shop.test/": html(
        "App",
        `<label>Search <input></label><button>Go</button>${ANSWERED}<script>${SEND_JSON}${TELL}
        document.querySelector("button").onclick = async () => tell((await (await send("https://api.shop.test/graphql", { operationName: "Find", query: "query Find($q: String!) { find(q: $q) { ...F } } fragment F on Item { id name }", variables: { q: document.querySelector("input").value } })).json()).found)</script>`,
      ),
      "POST api.shop.test/graphql": ({ body }) =>
        json({ found: `found ${(JSON.parse(body) as { variables: { q: string } }).variables.q}` }),
    },
    steps: [go("https://shop.test/"), type('textbox "Search"', "kettle"), click('button "Go"', "found kettle")],
    clockwork: ["POST api.shop.test/graphql"],
  },
  {
    id: "C-03",
    title: "a page that asks by POST every moment, before and after clicks",
    options: ordinary,
    sites: {
      "shop.test/": html(
        "Poll",
        `<button>More</button>${ANSWERED}<p id="more"></p><script>${SEND_JSON}${TELL}let at = 0; setInterval(async () => tell((await (await send("/poll", { at: ++at, session: "s1" })).json()).count + " so far"), 150);
        document.querySelector("button").onclick = () => { more.textContent = "More words"; setTimeout(() => { more.textContent = at > 12 ? "Polled on" : "Polled on after all" }, 1000) }</script>`,
      ),
      "POST shop.test/poll": ({ changes }) => json({ count: changes }),
    },
    steps: [
      go("https://shop.test/"),
      wait("2 so far"),
      click('button "More"'),
      wait("Polled on"),
      click('button "More"'),
      wait("Polled on"),
    ],
    clockwork: ["POST shop.test/poll"],
  },
  {
    id: "C-04",
    title: "a search that answers as one types",
    options: ordinary,
    sites: {
      "shop.test/": html(
        "Search",
        `<label>Search <input></label>${ANSWERED}<script>${TELL}document.querySelector("input").oninput = async ({ target }) => tell(await (await fetch("/suggest?q=" + encodeURIComponent(target.value))).text())</script>`,
      ),
      "shop.test/suggest": ({ url }) => ({ body: `suggestions for ${url.searchParams.get("q") ?? ""}.` }),
    },
    steps: [
      go("https://shop.test/"),
      { tool: "type_text", args: { target: 'textbox "Search"', text: "kettle", sequential: true } },
      wait("suggestions for kettle."),
    ],
    arrives: ["GET shop.test/suggest?q=kettle"],
  },
  {
    id: "C-05",
    title: "a page that tells others of each click",
    options: ordinary,
    sites: {
      "shop.test/": html(
        "Counted",
        `<script>const count = (what) => { navigator.sendBeacon("https://stats.test/b", what); fetch("https://stats.test/f", { method: "POST", mode: "no-cors", body: what, keepalive: true }); new Image().src = "https://stats.test/p.gif?e=" + what };
        count("load"); addEventListener("click", () => count("click"), true); addEventListener("pagehide", () => count("leave"))</script><button onclick="this.insertAdjacentHTML('afterend', '<p>opened</p>')">Open</button><a href="/two">Two</a>`,
      ),
      "shop.test/two": html("Two", "<h1>Second page</h1>"),
    },
    steps: [go("https://shop.test/"), click('button "Open"', "opened"), click('link "Two"', "Second page")],
    silent: ["stats.test"],
    mayRefuse: ["reach.site", "reach.asset"],
  },
  {
    id: "C-06",
    title: "a page that logs to its own site when it is left",
    options: ordinary,
    sites: {
      "shop.test/*": ({ url }) =>
        html(
          "Logged",
          `<h1>Page ${url.pathname}</h1><script>const log = (seconds) => fetch("/log", { method: "POST", keepalive: true, body: JSON.stringify({ page: location.pathname, seconds }) });
          log(0); addEventListener("pagehide", () => { log(Math.round(performance.now() / 1000)); navigator.sendBeacon("/beacon", "left") })</script><a href="/b">To b</a><a href="/c">To c</a>`,
        ),
      "POST shop.test/log": { status: 204 },
      "POST shop.test/beacon": { status: 204 },
    },
    steps: [
      go("https://shop.test/a", "Page /a"),
      click('link "To b"', "Page /b"),
      click('link "To c"', "Page /c"),
      go("https://shop.test/d", "Page /d"),
      back("Page /c"),
    ],
    clockwork: ["POST shop.test/log"],
    mayRefuse: ["effects.report"],
  },
  {
    id: "C-07",
    title: "a search by a form of several fields",
    options: { task: "Find a train from Lyon to Nice on 2026-12-01 at rail.test" },
    sites: {
      "rail.test/": html(
        "Trains",
        `<form action="/find"><label>From <input name="from"></label><label>To <input name="to"></label><label><input type="checkbox" name="direct" value="1"> Direct</label><button>Search</button></form>`,
      ),
      "rail.test/find": ({ url }) =>
        html(
          "Found",
          `<p>From ${url.searchParams.get("from") ?? ""} to ${url.searchParams.get("to") ?? ""}, direct ${url.searchParams.get("direct") ?? "no"}</p>`,
        ),
    },
    steps: [
      go("https://rail.test/"),
      {
        tool: "fill_form",
        args: {
          fields: [
            { target: 'textbox "From"', text: "Lyon" },
            { target: 'textbox "To"', text: "Nice" },
            { target: 'checkbox "Direct"', checked: true },
          ],
        },
      },
      click('button "Search"', "From Lyon to Nice, direct 1"),
    ],
    arrives: ["GET rail.test/find?from=Lyon&to=Nice&direct=1"],
  },
  {
    id: "C-08",
    title: "pages that are turned by POST, listed as reading",
    options: { ...ordinary, effects: { readLike: [{ site: "shop.test", path: "/search" }] } },
    sites: {
      "shop.test/search": ({ body }) =>
        html(
          "Search",
          `<h1>Page ${new URLSearchParams(body).get("page") ?? "1"}</h1><form method="post"><input type="hidden" name="page" value="${Number(new URLSearchParams(body).get("page") ?? "1") + 1}"><button>Next</button></form>`,
        ),
    },
    steps: [
      go("https://shop.test/search", "Page 1"),
      click('button "Next"', "Page 2"),
      click('button "Next"', "Page 3"),
    ],
    changes: ["POST shop.test/search page=2", "POST shop.test/search page=3"],
  },
  {
    id: "C-09",
    title: "back in history after a form was sent",
    options: ordinary,
    sites: {
      "shop.test/form": html(
        "Form",
        `<h1>The form</h1><form method="post" action="/send"><input type="hidden" name="a" value="1"><button>Send</button></form>`,
      ),
      "POST shop.test/send": seeOther("/sent"),
      "shop.test/sent": html("Sent", `<h1>Was sent</h1><a href="/other">Other</a>`),
      "shop.test/other": html("Other", "<h1>Other page</h1>"),
    },
    steps: [
      go("https://shop.test/form"),
      click('button "Send"', "Was sent"),
      click('link "Other"', "Other page"),
      back("Was sent"),
      back("The form"),
    ],
    asks: 1,
    changes: ["POST shop.test/send a=1"],
  },
  {
    id: "C-10",
    title: "a page that saves by itself while there is nothing to save",
    options: ordinary,
    sites: {
      "shop.test/": html(
        "Saver",
        `<label>Text <textarea></textarea></label><button>Preview</button>${ANSWERED}<script>${SEND_JSON}${TELL}setInterval(async () => { await send("/autosave", { changes: [] }); if (document.querySelector("output").textContent === "nothing") tell("nothing to save") }, 200); document.querySelector("button").onclick = () => { tell("working"); setTimeout(() => tell("Preview of nothing"), 700) }</script>`,
      ),
      "POST shop.test/autosave": json({ ok: true }),
    },
    steps: [
      go("https://shop.test/"),
      wait("nothing to save"),
      click('button "Preview"'),
      wait("Preview of nothing"),
      read("Preview of nothing"),
    ],
    clockwork: ["POST shop.test/autosave"],
  },
  {
    id: "C-11",
    title: "an endless list that loads by GraphQL",
    options: ordinary,
    sites: {
      "shop.test/": html(
        "Feed",
        `<ul></ul><div id="end">the end</div><script>${SEND_JSON}let at = 0; new IntersectionObserver(async ([entry]) => { if (!entry.isIntersecting || at >= 30) return;
        const { titles } = await (await send("/graphql", { query: ${JSON.stringify(QUERY)}, variables: { after: at } })).json(); at += 10; for (const title of titles) document.querySelector("ul").insertAdjacentHTML("beforeend", '<li style="height:120px">' + title + "</li>") }).observe(end)</script>`,
      ),
      "POST shop.test/graphql": ({ body }) => {
        const { after } = (JSON.parse(body) as { variables: { after: number } }).variables;
        return json({ titles: Array.from({ length: 10 }, (_, at) => `Title ${after + at + 1}`) });
      },
    },
    steps: [
      go("https://shop.test/"),
      wait("Title 10"),
      { tool: "scroll", args: { direction: "bottom" } },
      wait("Title 20"),
      { tool: "scroll", args: { direction: "bottom" } },
      wait("Title 30"),
    ],
    clockwork: ["POST shop.test/graphql"],
  },
  {
    id: "C-12",
    title: "a form that is filled while the page reports that it is there",
    options: ordinary,
    sites: {
      "shop.test/": html(
        "Alive",
        `<form method="post" action="/ask"><label>Name <input name="name"></label><label>Question <textarea name="words"></textarea></label><button>Ask</button></form>${ANSWERED}<script>${SEND_JSON}${TELL}
        let beat = 0, typedAt = Infinity; document.forms[0].oninput = () => { typedAt = beat };
        setInterval(async () => { await send("/alive", { beat: ++beat }); tell("beat " + beat + (beat > typedAt + 4 ? ", well after" : "")) }, 150);</script>`,
      ),
      "POST shop.test/alive": json({ ok: true }),
      "POST shop.test/ask": seeOther("/thanks"),
      "shop.test/thanks": html("Thanks", "<h1>We will answer</h1>"),
    },
    steps: [
      go("https://shop.test/"),
      wait("beat 1"),
      {
        tool: "fill_form",
        args: {
          fields: [
            { target: 'textbox "Name"', text: "Ada" },
            { target: 'textbox "Question"', text: "Is it blue?" },
          ],
        },
      },
      { tool: "press_key", args: { key: "Tab" } },
      { tool: "press_key", args: { key: "Escape" } },
      wait("well after"),
      click('button "Ask"', "We will answer"),
    ],
    asks: 1,
    changes: ["POST shop.test/ask name=Ada&words=Is+it+blue%3F"],
    clockwork: ["POST shop.test/alive"],
  },
];
