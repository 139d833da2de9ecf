/** Channels by which a document loads something. */

import { attribute, type Channel, loaded, marked, text } from "./pages.ts";

export const requests: readonly Channel[] = [
  { name: "fetch", page: (to) => loaded(`fetch(${text(to)}).catch(() => {})`) },
  { name: "fetch no-cors", page: (to) => loaded(`fetch(${text(to)}, { mode: "no-cors" }).catch(() => {})`) },
  {
    name: "fetch keepalive",
    page: (to) => loaded(`fetch(${text(to)}, { keepalive: true, mode: "no-cors" }).catch(() => {})`),
  },
  {
    name: "fetch with preflight",
    page: (to) => loaded(`fetch(${text(to)}, { method: "PUT", headers: { "x-own": "1" } }).catch(() => {})`),
  },
  {
    name: "XHR",
    page: (to) => loaded(`const request = new XMLHttpRequest(); request.open("GET", ${text(to)}); request.send()`),
  },
  {
    name: "XHR synchronous",
    page: (to) =>
      loaded(
        `const request = new XMLHttpRequest(); request.open("GET", ${text(to)}, false); try { request.send() } catch {}`,
      ),
  },
  { name: "sendBeacon", page: (to) => loaded(`navigator.sendBeacon(${text(to)}, "beacon")`) },
  { name: "EventSource", page: (to) => loaded(`new EventSource(${text(to)})`) },
  {
    name: "WebSocket",
    uninterceptable: true,
    page: (to) => loaded(`new WebSocket(${text(to.replace(/^http/, "ws"))})`),
  },
];

export const subresources: readonly Channel[] = [
  { name: "image", page: (to) => loaded(`new Image().src = ${text(to)}`) },
  { name: "image in markup", page: (to) => marked(`<img alt="" src="${attribute(to)}">`) },
  { name: "image srcset", page: (to) => marked(`<img alt="" srcset="${attribute(to)} 1x">`) },
  { name: "image in SVG", page: (to) => marked(`<svg><image href="${attribute(to)}" width="9" height="9"/></svg>`) },
  { name: "input image", page: (to) => marked(`<input type="image" alt="" src="${attribute(to)}">`) },
  {
    name: "background attribute",
    page: (to) => marked(`<table background="${attribute(to)}"><tr><td>cell</td></tr></table>`),
  },
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
  {
    name: "style by attribute selector",
    page: (to) => marked(`<input value="s3cret"><style>input[value^="s"] { background: url(${text(to)}) }</style>`),
  },
  {
    name: "font",
    page: (to) =>
      marked(`<style>@font-face { font-family: far; src: url(${text(to)}) } h1 { font-family: far }</style>`),
  },
  { name: "script", page: (to) => marked(`<script async src="${attribute(to)}"></script>`) },
  { name: "module import", page: (to) => loaded(`import(${text(to)}).catch(() => {})`) },
  {
    name: "audio worklet module",
    page: (to) => loaded(`new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule(${text(to)}).catch(() => {})`),
  },
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

export const hints: readonly Channel[] = [
  { name: "link prefetch", page: (to) => marked(`<link rel="prefetch" href="${attribute(to)}">`) },
  { name: "link preload", page: (to) => marked(`<link rel="preload" as="image" href="${attribute(to)}">`) },
  { name: "link modulepreload", page: (to) => marked(`<link rel="modulepreload" href="${attribute(to)}">`) },
  {
    name: "link preconnect",
    uninterceptable: true,
    arrives: "connection",
    page: (to) => marked(`<link rel="preconnect" href="${attribute(to)}">`),
  },
  { name: "link icon", page: (to) => loaded(`document.querySelector("link[rel=icon]").href = ${text(to)}`) },
  { name: "preload by header", headers: (to) => ({ link: `<${to}>; rel=preload; as=script` }), page: () => marked("") },
  {
    name: "speculation rules prefetch",
    uninterceptable: true,
    page: (to) =>
      marked(
        `<script type="speculationrules">${JSON.stringify({ prefetch: [{ source: "list", urls: [to] }] })}</script>`,
      ),
  },
  {
    name: "speculation rules prerender",
    uninterceptable: true,
    page: (to) =>
      marked(
        `<script type="speculationrules">${JSON.stringify({ prerender: [{ source: "list", urls: [to] }] })}</script>`,
      ),
  },
  {
    name: "CSP report",
    headers: (to) => ({ "content-security-policy": `img-src 'none'; report-uri ${to}` }),
    page: () => marked(`<img alt="" src="/own.png">`),
  },
];
