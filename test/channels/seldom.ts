/** Channels that are easily forgotten. */

import { attribute, type Channel, FIRED, loaded, marked, page, pressed, script, text } from "./pages.ts";

export const seldom: readonly Channel[] = [
  {
    name: "fetchLater",
    page: (to) => loaded(`fetchLater(${text(to)}, { method: "POST", body: "later", activateAfter: 0 })`),
  },
  {
    name: "cache add",
    page: (to) =>
      loaded(`(await caches.open("own")).add(new Request(${text(to)}, { mode: "no-cors" })).catch(() => {})`),
  },
  {
    name: "background fetch",
    needs: "click",
    page: (to) =>
      pressed(
        `const registration = await navigator.serviceWorker.register("/worker.js"); await navigator.serviceWorker.ready; registration.backgroundFetch.fetch("a", [${text(to)}]).catch(() => {})`,
      ),
    files: () => ({ "/worker.js": script(`addEventListener("fetch", () => {});`) }),
  },
  {
    name: "navigation API",
    page: (to) => page("", `addEventListener("load", () => { ${FIRED} navigation.navigate(${text(to)}); });`),
  },
  {
    name: "payment manifest",
    uninterceptable: true,
    needs: "click",
    page: (to) =>
      pressed(
        `new PaymentRequest([{ supportedMethods: ${text(to)} }], { total: { label: "a", amount: { currency: "EUR", value: "1" } } }).canMakePayment().catch(() => {})`,
      ),
  },
  {
    name: "federated sign-in",
    uninterceptable: true,
    needs: "click",
    page: (to) =>
      pressed(
        `navigator.credentials.get({ identity: { providers: [{ configURL: ${text(to)}, clientId: "a" }] } }).catch(() => {})`,
      ),
  },
  {
    name: "compression dictionary",
    page: (to) => marked(`<link rel="compression-dictionary" href="${attribute(to)}" crossorigin>`),
  },
  { name: "style cursor", page: (to) => marked(`<style>h1 { cursor: url(${text(to)}), auto }</style>`) },
  { name: "style content", page: (to) => marked(`<style>h1::before { content: url(${text(to)}) }</style>`) },
  {
    name: "style list marker",
    page: (to) => marked(`<style>li { list-style: url(${text(to)}) }</style><ul><li>item</li></ul>`),
  },
  { name: "json import", page: (to) => loaded(`import(${text(to)}, { with: { type: "json" } }).catch(() => {})`) },
  { name: "paint worklet module", page: (to) => loaded(`CSS.paintWorklet.addModule(${text(to)}).catch(() => {})`) },
  {
    name: "frameset",
    page: (to) =>
      `<!doctype html><html lang="en"><head><title>fired</title></head><frameset><frame src="${attribute(to)}"></frameset></html>`,
  },
  {
    name: "XML style sheet",
    page: () => marked(`<iframe src="/own.xml"></iframe>`),
    files: (to) => ({
      "/own.xml": {
        type: "application/xml",
        body: `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="${attribute(to)}"?><a/>`,
      },
    }),
  },
  {
    name: "WebRTC by TURN over TCP",
    uninterceptable: true,
    arrives: "connection",
    page: (to) =>
      loaded(
        `const peer = new RTCPeerConnection({ iceServers: [{ urls: ${text(`turn:${new URL(to).host}?transport=tcp`)}, username: "a", credential: "b" }] }); peer.createDataChannel("a"); await peer.setLocalDescription()`,
      ),
  },
];
