import type { Row } from "../row.ts";
import { document, type Hit } from "../sites.ts";

const button = (script: string, markup = ""): string => document(`${markup}<button id="go">Go on</button>`, script);
const click = { click: 'button "Go on"' } as const;

/** What comes of an input by a way round: another load, another tab, another time. */
export const laterRows: readonly Row[] = [
  {
    id: "A-67",
    title: "an app that keeps a refused request and sends it at its next load",
    pages: {
      "desk.test/queue": button(
        `const drain = () => { const kept = JSON.parse(localStorage.kept ?? "[]"); return Promise.all(kept.map((body) => fetch("/api/entries", { method: "POST", body: new URLSearchParams(body) }).then(() => { localStorage.kept = "[]"; }, () => {}))); };
         go.onclick = async () => { localStorage.kept = JSON.stringify([{ close: "ticket-4" }]); await drain(); };
         drain().finally(() => fetch("/drained"))`,
      ),
    },
    steps: [{ go: "http://desk.test/queue" }, click, { go: "http://desk.test/queue" }, { until: "/drained" }],
  },
  {
    id: "A-67",
    title: "a request kept without being tried, and sent at the next load",
    pages: {
      "desk.test/kept": button(
        `go.onclick = () => { localStorage.carried = JSON.stringify({ op: "delete", ticket: 5 }); fetch("/noted"); }; if (localStorage.carried) { const body = localStorage.carried; delete localStorage.carried; fetch("/api/sync", { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => {}).finally(() => fetch("/drained")); }`,
      ),
    },
    steps: [
      { go: "http://desk.test/kept" },
      click,
      { until: "/noted" },
      { go: "http://desk.test/kept" },
      { until: "/drained" },
    ],
  },
  {
    id: "A-67",
    title: "typed words kept in the site's storage, and sent at the next load",
    pages: {
      "desk.test/draft": document(
        `<label>Note <input id="note"></label>`,
        `if (localStorage.draft) { const body = JSON.stringify({ note: btoa(localStorage.draft) }); delete localStorage.draft; fetch("/api/notes", { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => {}).finally(() => fetch("/drained")); }
         note.oninput = () => { localStorage.draft = note.value; }`,
      ),
    },
    steps: [
      { go: "http://desk.test/draft" },
      { type: 'textbox "Note"', text: "plan of the vault" },
      { go: "http://desk.test/draft" },
      { until: "/drained" },
    ],
  },
  {
    id: "A-70",
    title: "another tab of the site, told over a channel by what was clicked",
    pages: {
      "desk.test/hears": document(
        "",
        `new BroadcastChannel("work").onmessage = () => fetch("/api/close", { method: "POST", body: "id=4" }).catch(() => {}).finally(() => fetch("/heard")); fetch("/listening")`,
      ),
      "desk.test/tells": button(`go.onclick = () => new BroadcastChannel("work").postMessage("close")`),
    },
    steps: [
      { go: "http://desk.test/hears" },
      { until: "/listening" },
      { open: "http://desk.test/tells" },
      click,
      { until: "/heard" },
    ],
  },
  {
    id: "A-70",
    title: "the opener of a popup of another site, told by what was clicked in it",
    pages: {
      "desk.test/opens": document(
        `<button id="help">Help</button>`,
        `help.onclick = () => open("http://mail.test/helps", "helper"); onmessage = () => fetch("/api/grant", { method: "POST", body: "level=9" }).catch(() => {}).finally(() => fetch("/heard"))`,
      ),
      "mail.test/helps": button(`go.onclick = () => { opener.postMessage("go", "*"); }; fetch("/helper-there")`),
    },
    steps: [
      { go: "http://desk.test/opens" },
      { click: 'button "Help"' },
      { until: "/helper-there" },
      { tab: 1 },
      { go: "http://desk.test/opens" },
      { tab: 2 },
      click,
      { until: "/heard" },
    ],
  },
  {
    id: "A-70",
    title: "the opener of a popup of another site, told by what was clicked in it as it closes",
    pages: {
      "desk.test/opens-too": document(
        `<button id="help">Help</button>`,
        `help.onclick = () => open("http://mail.test/helps-too", "helper-too"); onmessage = () => fetch("/api/grant-too", { method: "POST", body: "level=10" }).catch(() => {}).finally(() => fetch("/heard"))`,
      ),
      "mail.test/helps-too": button(
        `go.onclick = () => { opener.postMessage("go", "*"); close(); }; fetch("/helper-there")`,
      ),
    },
    steps: [
      { go: "http://desk.test/opens-too" },
      { click: 'button "Help"' },
      { until: "/helper-there" },
      { tab: 1 },
      { go: "http://desk.test/opens-too" },
      { tab: 2 },
      click,
      { until: "/heard" },
    ],
  },
  {
    id: "A-67",
    title: "sent when the page is idle, online and seen again, without any worker",
    pages: {
      "desk.test/idle": button(
        `const send = (at) => fetch("/api/late/" + at, { method: "POST", body: "x=1" }).catch(() => {});
         go.onclick = () => { requestIdleCallback(() => send("idle"), { timeout: 2000 }); setTimeout(() => { dispatchEvent(new Event("online")); }, 200); }; addEventListener("online", () => send("online").finally(() => fetch("/late")))`,
      ),
    },
    steps: [{ go: "http://desk.test/idle" }, click, { until: "/late" }],
    without: 2,
    most: 2,
  },
  {
    id: "A-61",
    title: "a form that sends itself off in the page that a link leads to",
    pages: {
      "git.test/start": document(`<a href="/auto">Read more</a>`),
      "git.test/auto": document(
        `<form id="form" method="post" action="/project/visibility"><input name="public" value="1"></form>`,
        `addEventListener("load", () => setTimeout(() => form.submit()))`,
      ),
    },
    steps: [{ go: "http://git.test/start" }, { click: 'link "Read more"' }],
  },
  {
    id: "A-61",
    title: "a form that sends itself off in a page that was opened by its address",
    pages: {
      "git.test/auto": document(
        `<form id="form" method="post" action="/project/visibility"><input name="public" value="1"></form>`,
        `addEventListener("load", () => setTimeout(() => form.submit()))`,
      ),
    },
    steps: [{ go: "http://git.test/auto" }],
  },
  {
    id: "A-61",
    title: "a form of another site that sends itself off into a hidden frame",
    pages: {
      "docs.test/hidden": document(
        `<iframe name="inner" style="display:none"></iframe><form id="form" method="post" target="inner" action="http://git.test/project/visibility"><input name="public" value="1"></form>`,
        `form.submit(); fetch("/sent-off")`,
      ),
    },
    steps: [{ go: "https://docs.test/hidden" }, { until: "/sent-off" }],
    questions: 0,
    least: 0,
    notCounted: "a page by https sends no form into a frame by http",
  },
  {
    id: "A-61",
    title: "the same from a site by http",
    pages: {
      "mail.test/hidden": document(
        `<iframe name="inner" style="display:none"></iframe><form id="form" method="post" target="inner" action="http://git.test/project/visibility/for-all"><input name="public" value="1"></form>`,
        `form.submit(); fetch("/sent-off")`,
      ),
    },
    steps: [{ go: "http://mail.test/hidden" }, { until: "/sent-off" }],
    // The page is left before a person has answered: then nothing goes, yes or no.
    least: 0,
  },
  {
    id: "A-67",
    title: "a page that repeats what it sent by itself",
    pages: {
      "docs.test/beats-2": button(
        `const beat = (at) => fetch("/api/beat2", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ at }) });
         beat("start").then(() => fetch("/begun")); go.onclick = () => beat("again").catch(() => {}).finally(() => fetch("/beaten"))`,
      ),
    },
    steps: [{ go: "https://docs.test/beats-2" }, { until: "/begun" }, click, { until: "/beaten" }],
    isEffect: ({ method, body }: Hit) => method === "POST" && !body.toString().includes("start"),
    passes: 1,
    own: 2,
    questions: 0,
    why: "it has no stake at a site that holds nothing of a person (0017)",
  },
  {
    id: "A-67",
    title: "the same with typed words in it",
    pages: {
      "docs.test/beats": button(
        `const beat = (at) => fetch("/api/beat", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ at }) });
         beat("start").then(() => fetch("/begun")); go.onclick = () => beat(btoa("x" + note.value)).catch(() => {}).finally(() => fetch("/beaten"))`,
        `<label>Note <input id="note"></label>`,
      ),
    },
    steps: [
      { go: "https://docs.test/beats" },
      { until: "/begun" },
      { type: 'textbox "Note"', text: "the blue kettle plan" },
      click,
      { until: "/beaten" },
    ],
    isEffect: ({ method, body }: Hit) => method === "POST" && !body.toString().includes("start"),
    own: 1,
  },
];
