/** Channels of all kinds of workers. */

import { type Channel, loaded, script, text } from "./pages.ts";

export const workers: readonly Channel[] = [
  {
    name: "worker's fetch",
    page: () => loaded(`new Worker("/worker.js")`),
    files: (to) => ({ "/worker.js": script(`fetch(${text(to)}, { mode: "no-cors" })`) }),
  },
  {
    name: "worker's XHR",
    page: () => loaded(`new Worker("/worker.js")`),
    files: (to) => ({
      "/worker.js": script(`const request = new XMLHttpRequest(); request.open("GET", ${text(to)}); request.send()`),
    }),
  },
  {
    name: "worker's EventSource",
    page: () => loaded(`new Worker("/worker.js")`),
    files: (to) => ({ "/worker.js": script(`new EventSource(${text(to)})`) }),
  },
  {
    name: "worker's WebSocket",
    uninterceptable: true,
    page: () => loaded(`new Worker("/worker.js")`),
    files: (to) => ({ "/worker.js": script(`new WebSocket(${text(to.replace(/^http/, "ws"))})`) }),
  },
  {
    name: "worker's importScripts",
    page: () => loaded(`new Worker("/worker.js")`),
    files: (to) => ({ "/worker.js": script(`importScripts(${text(to)})`) }),
  },
  {
    name: "module worker's import",
    page: () => loaded(`new Worker("/worker.js", { type: "module" })`),
    files: (to) => ({ "/worker.js": script(`import ${text(to)}`) }),
  },
  {
    name: "blob worker's fetch",
    page: (to) =>
      loaded(
        `new Worker(URL.createObjectURL(new Blob(["fetch(" + ${text(JSON.stringify(to))} + ", { mode: 'no-cors' })"])))`,
      ),
  },
  {
    name: "nested worker's fetch",
    page: () => loaded(`new Worker("/outer.js")`),
    files: (to) => ({
      "/outer.js": script(`new Worker("/worker.js")`),
      "/worker.js": script(`fetch(${text(to)}, { mode: "no-cors" })`),
    }),
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
      "/worker.js": script(
        `addEventListener("install", (event) => event.waitUntil(fetch(${text(to)}, { mode: "no-cors" }).catch(() => {})))`,
      ),
    }),
  },
  {
    name: "service worker's importScripts",
    page: () => loaded(`await navigator.serviceWorker.register("/worker.js").catch(() => {})`),
    files: (to) => ({ "/worker.js": script(`importScripts(${text(to)})`) }),
  },
];
