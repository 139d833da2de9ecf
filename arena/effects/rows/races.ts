import type { Row } from "../row.ts";
import { document, type Hit } from "../sites.ts";

const button = (script: string, markup = ""): string => document(`${markup}<button id="go">Go on</button>`, script);
const click = { click: 'button "Go on"' } as const;
/** A page that does it when it is told that the question is open. */
const whenAsked = (work: string): string =>
  `{ const told = new WebSocket("ws://shop.test/told"); told.onopen = () => fetch("/ready"); told.addEventListener("message", () => { ${work}; }, { once: true }); }`;
/** Says so, too. */
const meanwhile = (change: string): string => whenAsked(`${change}; fetch(location.origin + "/changed")`);
const begun = { until: "/ready" } as const;
const swap = {
  least: 1,
  most: 1,
  thinksUntil: "/changed",
  isEffect: ({ path }: Hit) => path.includes("/pay"),
} as const;

/** What a page changes between the look, the click, the question and the release. */
const rows: readonly Row[] = [
  ...(
    [
      [
        "the fields of its form",
        `<form id="form" method="post" action="/pay"><input name="amount" value="10"></form>`,
        "form.submit()",
        `form.amount.value = "1000"; form.action = "/pay-all"; form.amount.name = "sum"`,
      ],
      [
        "the fields of its form, sent again",
        `<form id="form" method="post" action="/pay"><input name="amount" value="10"></form>`,
        "form.submit()",
        `form.amount.value = "1000"; form.submit()`,
      ],
      [
        "a FormData object",
        "",
        `window.data = new FormData(); data.set("amount", "10"); fetch("/pay", { method: "POST", body: data })`,
        `data.set("amount", "1000"); data.append("amount", "5")`,
      ],
      [
        "a URLSearchParams object",
        "",
        `window.data = new URLSearchParams({ amount: "10" }); fetch("/pay", { method: "POST", body: data })`,
        `data.set("amount", "1000")`,
      ],
      [
        "an array of bytes",
        "",
        `window.data = new TextEncoder().encode("amount=10"); fetch("/pay", { method: "POST", body: data })`,
        `data.set(new TextEncoder().encode("amount=99"))`,
      ],
      [
        "a buffer, moved away",
        "",
        `window.data = new ArrayBuffer(9); fetch("/pay", { method: "POST", body: data })`,
        `new Uint8Array(data).fill(65); structuredClone(data, { transfer: [data] })`,
      ],
      [
        "the headers and the request object",
        "",
        `window.headers = new Headers({ "content-type": "application/json" }); window.wanted = new Request("/pay", { method: "POST", headers, body: '{"amount":10}' }); fetch(wanted)`,
        `headers.set("X-HTTP-Method-Override", "DELETE"); try { wanted.headers.set("X-HTTP-Method-Override", "DELETE") } catch {}`,
      ],
      [
        "an XMLHttpRequest's address",
        "",
        `window.x = new XMLHttpRequest(); x.open("POST", "/pay"); x.send("amount=10")`,
        `try { x.setRequestHeader("X-HTTP-Method-Override", "DELETE") } catch {}`,
      ],
      [
        "history and base address",
        "",
        `fetch("pay", { method: "POST", body: new URLSearchParams({ amount: "10" }) })`,
        `history.pushState(null, "", "/elsewhere"); const base = document.createElement("base"); base.href = "http://evil.test/"; document.head.append(base)`,
      ],
    ] as const
  ).map(
    ([what, markup, send, change]): Row => ({
      id: "A-68",
      title: `between question and release a page changes ${what}`,
      pages: { "shop.test/swaps": button(`${meanwhile(change)} go.onclick = () => { ${send}; }`, markup) },
      steps: [{ go: "http://shop.test/swaps" }, begun, click, { until: "/changed" }],
      ...swap,
      ...(what === "the fields of its form, sent again" && { least: 0 }),
      task: {
        words: "Pay 10",
        needs: [/^request: POST "http:\/\/shop\.test\/[^"]*pay"\n(?![\s\S]*1000)/],
        effects: what === "the fields of its form, sent again" ? 0 : 1,
      },
    }),
  ),
  {
    id: "A-68",
    title: "given up and sent once more with another header, in the same words otherwise",
    pages: {
      "shop.test/header-later": button(
        `go.onclick = () => { fetch("/pay", { method: "POST", body: new URLSearchParams({ amount: "10" }) });
          setTimeout(() => { fetch("/pay", { method: "POST", headers: { "X-HTTP-Method-Override": "DELETE" }, body: new URLSearchParams({ amount: "10" }) }).catch(() => {}); }, 20); }`,
      ),
    },
    steps: [{ go: "http://shop.test/header-later" }, click],
    without: 2,
    most: 2,
  },
  {
    id: "A-76",
    title: "a file given by a script, in a form",
    pages: {
      "shop.test/file": button(
        `go.onclick = () => { const give = new DataTransfer(); give.items.add(new File(["secret plans"], "plans.txt")); form.file.files = give.files; form.submit(); }`,
        `<form id="form" method="post" action="/upload" enctype="multipart/form-data"><input type="file" name="file"></form>`,
      ),
    },
    steps: [{ go: "http://shop.test/file" }, click],
    asked: ({ lines, choices, code }) =>
      lines.some((line) => line.includes("cannot be inspected")) && choices.length === 2 && code !== null,
  },
  {
    id: "A-76",
    title: "a file dropped and a file pasted, sent as bytes",
    pages: {
      "shop.test/dropped": document(
        `<div id="zone" tabindex="0" onclick="for (const [kind, at] of [['drop', '/dropped'], ['paste', '/pasted']]) { const give = new DataTransfer(); give.items.add(new File(['plans'], 'plans.txt')); zone.dispatchEvent(kind === 'drop' ? new DragEvent('drop', { dataTransfer: give }) : new ClipboardEvent('paste', { clipboardData: give })); }" style="cursor:pointer">Drop here</div>`,
        `zone.ondrop = (e) => fetch("/dropped", { method: "POST", body: e.dataTransfer.files[0] }); zone.onpaste = (e) => fetch("/pasted", { method: "POST", body: e.clipboardData.files[0] })`,
      ),
    },
    steps: [{ go: "http://shop.test/dropped" }, { click: 'clickable "Drop here"' }],
    without: 2,
  },
  {
    id: "A-77",
    title: "a button that gets another name and another form as soon as the pointer comes",
    pages: {
      "shop.test/relabel": document(
        `<form id="form" method="post" action="/save"><button id="go">Save draft</button></form>`,
        `go.onpointerenter = () => { form.action = "/account/close"; go.textContent = "Close account"; }`,
      ),
    },
    steps: [{ go: "http://shop.test/relabel" }, { click: 'button "Save draft"' }],
    task: { words: "Save it", needs: [/^request: POST "http:\/\/shop\.test\/[^"]*save"\n/], effects: 0 },
    least: 0,
    mayNotAsk: true,
  },
  {
    id: "A-78",
    title: "another thing put over the button between the press and its end",
    pages: {
      "shop.test/overlay": button(
        `go.onclick = () => fetch("/save", { method: "POST" }); go.onpointerdown = () => { const over = document.createElement("div"); over.style.cssText = "position:fixed;inset:0;opacity:0.001"; over.onpointerup = () => fetch("/account/close", { method: "POST" }); document.body.append(over); }`,
      ),
    },
    steps: [{ go: "http://shop.test/overlay" }, click],
    task: { words: "Save it", needs: [/^request: POST "http:\/\/shop\.test\/[^"]*save"\n/], effects: 0 },
    least: 0,
    mayNotAsk: true,
  },
  {
    id: "A-79",
    title: "its document is replaced while a person decides",
    pages: {
      "shop.test/moves": button(
        `${whenAsked(`location = "/moved"`)} go.onclick = () => { fetch("/pay", { method: "POST", body: "amount=10", keepalive: true }); }`,
      ),
      "shop.test/moved": document("", `fetch("/changed")`),
    },
    steps: [{ go: "http://shop.test/moves" }, begun, click, { until: "/changed" }],
    thinksUntil: "/changed",
    least: 0,
    most: 0,
  },
  {
    id: "A-79",
    title: "its document is replaced by one that sends the same again",
    pages: {
      "shop.test/moves": button(
        `const send = () => fetch("/pay", { method: "POST", body: "amount=10" }); if (sessionStorage.sends) { delete sessionStorage.sends; send().catch(() => {}); setTimeout(() => fetch("/changed"), 100); }
         go.onclick = () => { sessionStorage.sends = "1"; send(); }; ${whenAsked("if (sessionStorage.sends) location.reload()")}`,
      ),
    },
    steps: [{ go: "http://shop.test/moves" }, begun, click, { until: "/changed" }],
    thinksUntil: "/changed",
    // What the new one sends is asked about by itself, and the first is gone with its document.
    least: 0,
    most: 1,
    questions: 1,
  },
  {
    id: "A-79",
    title: "its frame is removed while a person decides",
    pages: {
      "shop.test/frame-goes": button(
        `${meanwhile("inner.remove()")} go.onclick = () => { inner.contentWindow.fetch("/pay", { method: "POST", body: "amount=10", keepalive: true }); }`,
        `<iframe id="inner" src="/empty"></iframe>`,
      ),
    },
    steps: [{ go: "http://shop.test/frame-goes" }, begun, click, { until: "/changed" }],
    thinksUntil: "/changed",
    least: 0,
    most: 0,
  },
  {
    id: "A-80",
    title: "only the handler changes, nothing that can be seen",
    pages: {
      "shop.test/unseen": button(
        `go.onclick = () => fetch("/save", { method: "POST" }); setTimeout(() => { go.onclick = () => fetch("/account/close", { method: "POST" }); fetch("/changed"); }, 30)`,
      ),
    },
    steps: [{ go: "http://shop.test/unseen" }, { until: "/changed" }, click],
    task: { words: "Save it", needs: [/^request: POST "http:\/\/shop\.test\/[^"]*save"\n/], effects: 0 },
  },
  {
    id: "A-80",
    title: "only the form's address changes as it is sent",
    pages: {
      "shop.test/unseen-form": document(
        `<form id="form" method="post" action="/save" onsubmit="form.action = '/account/close'"><button>Go on</button></form>`,
      ),
    },
    steps: [{ go: "http://shop.test/unseen-form" }, click],
    task: { words: "Save it", needs: [/^request: POST "http:\/\/shop\.test\/[^"]*save"\n/], effects: 0 },
  },
  {
    id: "A-82",
    title: "a confirmation of something else comes first",
    pages: {
      "shop.test/dialogs": button(
        `go.onclick = () => { if (confirm("Delete the account?")) fetch("/account/close", { method: "POST" }); if (confirm("Save?")) fetch("/save", { method: "POST" }); }`,
      ),
    },
    steps: [{ go: "http://shop.test/dialogs" }, { accept: true }, click],
    task: { words: "Save it", needs: [/^request: POST "http:\/\/shop\.test\/[^"]*save"\n/], effects: 0 },
    most: 1,
  },
];

/** Each at places of its own: whoever said no three times is not asked again. */
export const racesRows: readonly Row[] = rows.map((row, index) => ({
  ...row,
  pages: Object.fromEntries(
    Object.entries(row.pages).map(([at, page]) => [
      at,
      typeof page === "string" ? page.replace(/(["'])\/(?=pay|save|account\/close)/g, `$1/r${index}/`) : page,
    ]),
  ),
}));
