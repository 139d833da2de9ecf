/**
 * The ways in which a page can make Chromium send something to another site, as pages to try against a guard.
 *
 * For each: serve the channel on one server, let `target` be an address on another one, open the page, press "Go" where `needs` says so.
 * In plain Chromium every one of them arrives (`channels.test.ts` proves it).
 *
 * Left out because plain Chromium 156 sends nothing: see the end of this file.
 */

import type { RecordingServer } from "./servers.ts";

export interface ChannelFile {
  readonly type: string;
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Channel {
  readonly name: string;
  /** The page at `/`. It sets its title to "fired" when it has tried (a page that leaves for its own `/next.html` is "fired" there). */
  page(target: string): string;
  /** Headers of the page. */
  readonly headers?: (target: string) => Record<string, string>;
  /** Other paths of the page's own origin. */
  readonly files?: (target: string) => Record<string, ChannelFile>;
  /** Fires when the one button or link named "Go" (`#go`) is clicked. */
  readonly needs?: "click";
  /** Role of "Go"; default button. */
  readonly role?: "link";
  /** Arrives as a bare connection, not as a request. */
  readonly arrives?: "connection";
}

/** Serves the channel's page and files. Returns the page's address. */
export function serveChannel(server: RecordingServer, channel: Channel, target: string): string {
  server.html("/", channel.page(target), channel.headers?.(target));
  for (const [path, file] of Object.entries(channel.files?.(target) ?? {})) {
    server.on(path, (_request, response) => {
      response.writeHead(file.status ?? 200, { "content-type": file.type, ...file.headers });
      response.end(file.body);
    });
  }
  return `${server.url}/`;
}

const FIRED = `document.title = "fired";`;

function page(markup: string, script = FIRED): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>ready</title><link rel="icon" href="data:,"></head><body><h1>Channel</h1>${markup}<script>${script}</script></body></html>`;
}

/** A page that runs the script once loaded, then says so. */
function loaded(script: string, markup = ""): string {
  return page(markup, `addEventListener("load", async () => { ${script}; ${FIRED} });`);
}

/** A page that runs the script when "Go" is pressed. */
function pressed(script: string, markup = ""): string {
  return page(`<button id="go">Go</button>${markup}`, `document.querySelector("#go").addEventListener("click", async () => { ${script}; ${FIRED} });`);
}

/** A page whose "Go" is a link or a form's button: the markup does the work, the script only says that it was tried. */
function clicked(markup: string): string {
  return page(markup, `document.querySelector("#go").addEventListener("click", () => { ${FIRED} });`);
}

/** A page with markup of which the parser itself asks for the target. */
function marked(markup: string): string {
  return page(markup);
}

const text = (value: string) => JSON.stringify(value).replaceAll("<", "\\u003c");
const attribute = (value: string) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const script = (body: string): ChannelFile => ({ type: "text/javascript", body });
const document = (body: string): ChannelFile => ({ type: "text/html", body: `<!doctype html><title>inner</title>${body}` });
const redirect = (status: 302 | 307, location: string): ChannelFile => ({ type: "text/plain", body: "", status, headers: { location } });
const nextPage = (): ChannelFile => ({ type: "text/html", body: `<!doctype html><title>fired</title><p>next</p>` });

const sendsOnLeaving = (target: string, how: "beacon" | "keepalive") =>
  `addEventListener("pagehide", () => { ${how === "beacon" ? `navigator.sendBeacon(${text(target)}, "closing")` : `fetch(${text(target)}, { method: "POST", body: "closing", keepalive: true, mode: "no-cors" })`}; });`;

const requests: readonly Channel[] = [
  { name: "fetch", page: (to) => loaded(`fetch(${text(to)}).catch(() => {})`) },
  { name: "fetch no-cors", page: (to) => loaded(`fetch(${text(to)}, { mode: "no-cors" }).catch(() => {})`) },
  { name: "fetch keepalive", page: (to) => loaded(`fetch(${text(to)}, { keepalive: true, mode: "no-cors" }).catch(() => {})`) },
  { name: "fetch with preflight", page: (to) => loaded(`fetch(${text(to)}, { method: "PUT", headers: { "x-own": "1" } }).catch(() => {})`) },
  { name: "XHR", page: (to) => loaded(`const request = new XMLHttpRequest(); request.open("GET", ${text(to)}); request.send()`) },
  {
    name: "XHR synchronous",
    page: (to) => loaded(`const request = new XMLHttpRequest(); request.open("GET", ${text(to)}, false); try { request.send() } catch {}`),
  },
  { name: "sendBeacon", page: (to) => loaded(`navigator.sendBeacon(${text(to)}, "beacon")`) },
  { name: "EventSource", page: (to) => loaded(`new EventSource(${text(to)})`) },
  { name: "WebSocket", page: (to) => loaded(`new WebSocket(${text(to.replace(/^http/, "ws"))})`) },
];

/** Seldom used doors, some of which never pass Chromium's request interception. */
const seldom: readonly Channel[] = [
  { name: "fetchLater", page: (to) => loaded(`fetchLater(${text(to)}, { method: "POST", body: "later", activateAfter: 0 })`) },
  { name: "cache add", page: (to) => loaded(`(await caches.open("own")).add(new Request(${text(to)}, { mode: "no-cors" })).catch(() => {})`) },
  {
    name: "background fetch",
    needs: "click",
    page: (to) =>
      pressed(
        `const registration = await navigator.serviceWorker.register("/worker.js"); await navigator.serviceWorker.ready; registration.backgroundFetch.fetch("a", [${text(to)}]).catch(() => {})`,
      ),
    files: () => ({ "/worker.js": script(`addEventListener("fetch", () => {});`) }),
  },
  { name: "navigation API", page: (to) => page("", `addEventListener("load", () => { ${FIRED} navigation.navigate(${text(to)}); });`) },
  {
    name: "payment manifest",
    needs: "click",
    page: (to) =>
      pressed(
        `new PaymentRequest([{ supportedMethods: ${text(to)} }], { total: { label: "a", amount: { currency: "EUR", value: "1" } } }).canMakePayment().catch(() => {})`,
      ),
  },
  {
    name: "federated sign-in",
    needs: "click",
    page: (to) => pressed(`navigator.credentials.get({ identity: { providers: [{ configURL: ${text(to)}, clientId: "a" }] } }).catch(() => {})`),
  },
  { name: "compression dictionary", page: (to) => marked(`<link rel="compression-dictionary" href="${attribute(to)}" crossorigin>`) },
  { name: "style cursor", page: (to) => marked(`<style>h1 { cursor: url(${text(to)}), auto }</style>`) },
  { name: "style content", page: (to) => marked(`<style>h1::before { content: url(${text(to)}) }</style>`) },
  { name: "style list marker", page: (to) => marked(`<style>li { list-style: url(${text(to)}) }</style><ul><li>item</li></ul>`) },
  { name: "json import", page: (to) => loaded(`import(${text(to)}, { with: { type: "json" } }).catch(() => {})`) },
  { name: "paint worklet module", page: (to) => loaded(`CSS.paintWorklet.addModule(${text(to)}).catch(() => {})`) },
  {
    name: "frameset",
    page: (to) => `<!doctype html><html lang="en"><head><title>fired</title></head><frameset><frame src="${attribute(to)}"></frameset></html>`,
  },
  {
    name: "XML style sheet",
    page: () => marked(`<iframe src="/own.xml"></iframe>`),
    files: (to) => ({ "/own.xml": { type: "application/xml", body: `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="${attribute(to)}"?><a/>` } }),
  },
  {
    name: "WebRTC by TURN over TCP",
    arrives: "connection",
    page: (to) =>
      loaded(
        `const peer = new RTCPeerConnection({ iceServers: [{ urls: ${text(`turn:${new URL(to).host}?transport=tcp`)}, username: "a", credential: "b" }] }); peer.createDataChannel("a"); await peer.setLocalDescription()`,
      ),
  },
];

const subresources: readonly Channel[] = [
  { name: "image", page: (to) => loaded(`new Image().src = ${text(to)}`) },
  { name: "image in markup", page: (to) => marked(`<img alt="" src="${attribute(to)}">`) },
  { name: "image srcset", page: (to) => marked(`<img alt="" srcset="${attribute(to)} 1x">`) },
  { name: "image in SVG", page: (to) => marked(`<svg><image href="${attribute(to)}" width="9" height="9"/></svg>`) },
  { name: "input image", page: (to) => marked(`<input type="image" alt="" src="${attribute(to)}">`) },
  { name: "background attribute", page: (to) => marked(`<table background="${attribute(to)}"><tr><td>cell</td></tr></table>`) },
  { name: "style sheet", page: (to) => marked(`<link rel="stylesheet" href="${attribute(to)}">`) },
  {
    name: "style import chain",
    page: () => marked(`<link rel="stylesheet" href="/first.css">`),
    files: (to) => ({
      "/first.css": { type: "text/css", body: `@import url("/second.css");` },
      "/second.css": { type: "text/css", body: `@import url(${text(to)});` },
    }),
  },
  { name: "style background", page: (to) => marked(`<style>h1 { background: url(${text(to)}) }</style>`) },
  { name: "style mask", page: (to) => marked(`<style>h1 { mask-image: url(${text(to)}) }</style>`) },
  { name: "style by attribute selector", page: (to) => marked(`<input value="s3cret"><style>input[value^="s"] { background: url(${text(to)}) }</style>`) },
  { name: "font", page: (to) => marked(`<style>@font-face { font-family: far; src: url(${text(to)}) } h1 { font-family: far }</style>`) },
  { name: "script", page: (to) => marked(`<script async src="${attribute(to)}"></script>`) },
  { name: "module import", page: (to) => loaded(`import(${text(to)}).catch(() => {})`) },
  { name: "audio worklet module", page: (to) => loaded(`new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule(${text(to)}).catch(() => {})`) },
  { name: "video", page: (to) => marked(`<video src="${attribute(to)}" preload="auto"></video>`) },
  { name: "video poster", page: (to) => marked(`<video poster="${attribute(to)}"></video>`) },
  { name: "audio", page: (to) => marked(`<audio src="${attribute(to)}" preload="auto"></audio>`) },
  {
    name: "video track",
    page: (to) =>
      loaded(
        `document.querySelector("video").textTracks[0].mode = "showing"`,
        `<video crossorigin src="data:video/mp4;base64,AAAA"><track default src="${attribute(to)}"></video>`,
      ),
  },
];

const hints: readonly Channel[] = [
  { name: "link prefetch", page: (to) => marked(`<link rel="prefetch" href="${attribute(to)}">`) },
  { name: "link preload", page: (to) => marked(`<link rel="preload" as="image" href="${attribute(to)}">`) },
  { name: "link modulepreload", page: (to) => marked(`<link rel="modulepreload" href="${attribute(to)}">`) },
  { name: "link preconnect", arrives: "connection", page: (to) => marked(`<link rel="preconnect" href="${attribute(to)}">`) },
  { name: "link icon", page: (to) => loaded(`document.querySelector("link[rel=icon]").href = ${text(to)}`) },
  { name: "preload by header", headers: (to) => ({ link: `<${to}>; rel=preload; as=script` }), page: () => marked("") },
  {
    name: "speculation rules prefetch",
    page: (to) => marked(`<script type="speculationrules">${JSON.stringify({ prefetch: [{ source: "list", urls: [to] }] })}</script>`),
  },
  {
    name: "speculation rules prerender",
    page: (to) => marked(`<script type="speculationrules">${JSON.stringify({ prerender: [{ source: "list", urls: [to] }] })}</script>`),
  },
  {
    name: "CSP report",
    headers: (to) => ({ "content-security-policy": `img-src 'none'; report-uri ${to}` }),
    page: () => marked(`<img alt="" src="/own.png">`),
  },
];

const frames: readonly Channel[] = [
  { name: "iframe", page: (to) => marked(`<iframe src="${attribute(to)}"></iframe>`) },
  { name: "iframe by script", page: (to) => loaded(`const frame = document.createElement("iframe"); frame.src = ${text(to)}; document.body.append(frame)`) },
  {
    name: "iframe moved later",
    page: (to) => loaded(`document.querySelector("iframe").contentWindow.location = ${text(to)}`, `<iframe src="/inner.html"></iframe>`),
    files: () => ({ "/inner.html": document("own") }),
  },
  { name: "srcdoc frame with image", page: (to) => marked(`<iframe srcdoc="${attribute(`<img alt="" src="${attribute(to)}">`)}"></iframe>`) },
  { name: "data frame with image", page: (to) => marked(`<iframe src="data:text/html,${encodeURIComponent(`<img src="${attribute(to)}">`)}"></iframe>`) },
  {
    name: "blob frame with fetch",
    page: (to) =>
      loaded(
        `const code = new Blob(["<script>fetch(" + ${text(JSON.stringify(to))} + ", { mode: 'no-cors' })<" + "/script>"], { type: "text/html" }); document.querySelector("iframe").src = URL.createObjectURL(code)`,
        `<iframe></iframe>`,
      ),
  },
  {
    name: "nested iframe",
    page: () => marked(`<iframe src="/outer.html"></iframe>`),
    files: (to) => ({ "/outer.html": document(`<iframe src="/inner.html"></iframe>`), "/inner.html": document(`<iframe src="${attribute(to)}"></iframe>`) }),
  },
  {
    name: "sandboxed frame with fetch",
    page: () => marked(`<iframe sandbox="allow-scripts" src="/inner.html"></iframe>`),
    files: (to) => ({ "/inner.html": document(`<script>fetch(${text(to)}, { mode: "no-cors" })</script>`) }),
  },
  { name: "object", page: (to) => marked(`<object data="${attribute(to)}"></object>`) },
  { name: "embed", page: (to) => marked(`<embed src="${attribute(to)}">`) },
];

const workers: readonly Channel[] = [
  {
    name: "worker's fetch",
    page: () => loaded(`new Worker("/worker.js")`),
    files: (to) => ({ "/worker.js": script(`fetch(${text(to)}, { mode: "no-cors" })`) }),
  },
  {
    name: "worker's XHR",
    page: () => loaded(`new Worker("/worker.js")`),
    files: (to) => ({ "/worker.js": script(`const request = new XMLHttpRequest(); request.open("GET", ${text(to)}); request.send()`) }),
  },
  { name: "worker's EventSource", page: () => loaded(`new Worker("/worker.js")`), files: (to) => ({ "/worker.js": script(`new EventSource(${text(to)})`) }) },
  {
    name: "worker's WebSocket",
    page: () => loaded(`new Worker("/worker.js")`),
    files: (to) => ({ "/worker.js": script(`new WebSocket(${text(to.replace(/^http/, "ws"))})`) }),
  },
  { name: "worker's importScripts", page: () => loaded(`new Worker("/worker.js")`), files: (to) => ({ "/worker.js": script(`importScripts(${text(to)})`) }) },
  {
    name: "module worker's import",
    page: () => loaded(`new Worker("/worker.js", { type: "module" })`),
    files: (to) => ({ "/worker.js": script(`import ${text(to)}`) }),
  },
  {
    name: "blob worker's fetch",
    page: (to) => loaded(`new Worker(URL.createObjectURL(new Blob(["fetch(" + ${text(JSON.stringify(to))} + ", { mode: 'no-cors' })"])))`),
  },
  {
    name: "nested worker's fetch",
    page: () => loaded(`new Worker("/outer.js")`),
    files: (to) => ({ "/outer.js": script(`new Worker("/worker.js")`), "/worker.js": script(`fetch(${text(to)}, { mode: "no-cors" })`) }),
  },
  {
    name: "shared worker's fetch",
    page: () => loaded(`new SharedWorker("/worker.js")`),
    files: (to) => ({ "/worker.js": script(`fetch(${text(to)}, { mode: "no-cors" })`) }),
  },
  {
    name: "service worker's fetch",
    page: () => loaded(`await navigator.serviceWorker.register("/worker.js").catch(() => {})`),
    files: (to) => ({
      "/worker.js": script(`addEventListener("install", (event) => event.waitUntil(fetch(${text(to)}, { mode: "no-cors" }).catch(() => {})))`),
    }),
  },
  {
    name: "service worker's importScripts",
    page: () => loaded(`await navigator.serviceWorker.register("/worker.js").catch(() => {})`),
    files: (to) => ({ "/worker.js": script(`importScripts(${text(to)})`) }),
  },
];

const navigations: readonly Channel[] = [
  { name: "location", page: (to) => page("", `addEventListener("load", () => { ${FIRED} location = ${text(to)}; });`) },
  { name: "meta refresh", page: (to) => page(`<meta http-equiv="refresh" content="0;url=${attribute(to)}">`) },
  { name: "refresh by header", headers: (to) => ({ refresh: `0;url=${to}` }), page: () => marked("") },
  { name: "link click", needs: "click", role: "link", page: (to) => clicked(`<a id="go" href="${attribute(to)}">Go</a>`) },
  { name: "link click into a new tab", needs: "click", role: "link", page: (to) => clicked(`<a id="go" target="_blank" href="${attribute(to)}">Go</a>`) },
  {
    name: "link click noopener",
    needs: "click",
    role: "link",
    page: (to) => clicked(`<a id="go" target="_blank" rel="noopener noreferrer" href="${attribute(to)}">Go</a>`),
  },
  { name: "link ping", needs: "click", role: "link", page: (to) => clicked(`<a id="go" href="#here" ping="${attribute(to)}">Go</a>`) },
  { name: "link download", needs: "click", role: "link", page: (to) => clicked(`<a id="go" download href="${attribute(to)}">Go</a>`) },
  { name: "popup", needs: "click", page: (to) => pressed(`open(${text(to)})`) },
  { name: "popup noopener", needs: "click", page: (to) => pressed(`open(${text(to)}, "_blank", "noopener")`) },
  { name: "popup moved later", needs: "click", page: (to) => pressed(`const popup = open("about:blank"); popup.location = ${text(to)}`) },
  {
    name: "form post top",
    needs: "click",
    page: (to) => clicked(`<form action="${attribute(to)}" method="post"><input name="a" value="1"><button id="go">Go</button></form>`),
  },
  {
    name: "form post into a new tab",
    needs: "click",
    page: (to) => clicked(`<form action="${attribute(to)}" method="post" target="_blank"><input name="a" value="1"><button id="go">Go</button></form>`),
  },
  {
    name: "form action of the button",
    needs: "click",
    page: (to) => clicked(`<form action="/own" method="post"><input name="a" value="1"><button id="go" formaction="${attribute(to)}">Go</button></form>`),
  },
  {
    name: "form get into a frame",
    page: (to) =>
      loaded(
        `document.querySelector("form").submit()`,
        `<iframe name="inner"></iframe><form action="${attribute(to)}" target="inner"><input name="a" value="1"></form>`,
      ),
  },
  {
    name: "form post into a frame",
    page: (to) =>
      loaded(
        `document.querySelector("form").submit()`,
        `<iframe name="inner"></iframe><form action="${attribute(to)}" method="post" target="inner"><input name="a" value="1"></form>`,
      ),
  },
];

function leavingFrame(how: "beacon" | "keepalive"): Channel {
  return {
    name: `removed frame's ${how}`,
    page: () => loaded(`document.querySelector("iframe").remove()`, `<iframe src="/inner.html"></iframe>`),
    files: (to) => ({ "/inner.html": document(`<script>${sendsOnLeaving(to, how)}</script>`) }),
  };
}

function closedPopup(how: "beacon" | "keepalive"): Channel {
  return {
    name: `closed popup's ${how}`,
    needs: "click",
    page: () =>
      pressed(
        `const ready = new Promise((resolve) => addEventListener("message", resolve, { once: true })); const popup = open("/popup.html"); await ready; popup.close()`,
      ),
    files: (to) => ({
      "/popup.html": document(`<script>${sendsOnLeaving(to, how)} addEventListener("load", () => opener.postMessage("ready", "*"));</script>`),
    }),
  };
}

function leavingPage(how: "beacon" | "keepalive"): Channel {
  return {
    name: `left page's ${how}`,
    page: (to) => page("", `${sendsOnLeaving(to, how)} addEventListener("load", () => setTimeout(() => { location = "/next.html"; }));`),
    files: () => ({ "/next.html": nextPage() }),
  };
}

const closing: readonly Channel[] = (["beacon", "keepalive"] as const).flatMap((how) => [leavingFrame(how), closedPopup(how), leavingPage(how)]);

/** Each goes to the page's own `/hop`, which redirects. */
const redirected: readonly Channel[] = ([302, 307] as const).flatMap((status) => {
  const hop = (to: string) => ({ "/hop": redirect(status, to) });
  const chain = (to: string) => ({ "/first": redirect(status, "/hop"), "/hop": redirect(status, to) });
  const channels: readonly Channel[] = [
    { name: "location", page: () => page("", `addEventListener("load", () => { ${FIRED} location = "/hop"; });`), files: hop },
    { name: "location by two hops", page: () => page("", `addEventListener("load", () => { ${FIRED} location = "/first"; });`), files: chain },
    { name: "fetch", page: () => loaded(`fetch("/hop", { mode: "no-cors" }).catch(() => {})`), files: hop },
    { name: "fetch post", page: () => loaded(`fetch("/hop", { method: "POST", body: "a=1" }).catch(() => {})`), files: hop },
    { name: "beacon", page: () => loaded(`navigator.sendBeacon("/hop", "beacon")`), files: hop },
    { name: "image", page: () => marked(`<img alt="" src="/hop">`), files: hop },
    { name: "script", page: () => marked(`<script async src="/hop"></script>`), files: hop },
    { name: "style sheet", page: () => marked(`<link rel="stylesheet" href="/hop">`), files: hop },
    { name: "iframe", page: () => marked(`<iframe src="/hop"></iframe>`), files: hop },
    {
      name: "worker's fetch",
      page: () => loaded(`new Worker("/worker.js")`),
      files: (to) => ({ ...hop(to), "/worker.js": script(`fetch("/hop", { mode: "no-cors" })`) }),
    },
    { name: "EventSource", page: () => loaded(`new EventSource("/hop")`), files: hop },
    {
      name: "form post",
      needs: "click",
      page: () => clicked(`<form action="/hop" method="post"><input name="a" value="1"><button id="go">Go</button></form>`),
      files: hop,
    },
    { name: "link click", needs: "click", role: "link", page: () => clicked(`<a id="go" href="/hop">Go</a>`), files: hop },
    { name: "popup", needs: "click", page: () => pressed(`open("/hop")`), files: hop },
    { name: "popup noopener", needs: "click", page: () => pressed(`open("/hop", "_blank", "noopener")`), files: hop },
  ];
  return channels.map((channel) => ({ ...channel, name: `${channel.name}, redirected by ${status}` }));
});

export const channels: readonly Channel[] = [
  ...requests,
  ...seldom,
  ...subresources,
  ...hints,
  ...frames,
  ...workers,
  ...navigations,
  ...closing,
  ...redirected,
];
