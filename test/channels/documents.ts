/** Channels by which documents are opened, left or closed. */

import {
  attribute,
  type Channel,
  clicked,
  document,
  FIRED,
  loaded,
  marked,
  nextPage,
  page,
  pressed,
  sendsOnLeaving,
  text,
} from "./pages.ts";

export const frames: readonly Channel[] = [
  { name: "iframe", page: (to) => marked(`<iframe src="${attribute(to)}"></iframe>`) },
  {
    name: "iframe by script",
    page: (to) =>
      loaded(`const frame = document.createElement("iframe"); frame.src = ${text(to)}; document.body.append(frame)`),
  },
  {
    name: "iframe moved later",
    page: (to) =>
      loaded(
        `document.querySelector("iframe").contentWindow.location = ${text(to)}`,
        `<iframe src="/inner.html"></iframe>`,
      ),
    files: () => ({ "/inner.html": document("own") }),
  },
  {
    name: "srcdoc frame with image",
    page: (to) => marked(`<iframe srcdoc="${attribute(`<img alt="" src="${attribute(to)}">`)}"></iframe>`),
  },
  {
    name: "data frame with image",
    page: (to) =>
      marked(`<iframe src="data:text/html,${encodeURIComponent(`<img src="${attribute(to)}">`)}"></iframe>`),
  },
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
    files: (to) => ({
      "/outer.html": document(`<iframe src="/inner.html"></iframe>`),
      "/inner.html": document(`<iframe src="${attribute(to)}"></iframe>`),
    }),
  },
  {
    name: "sandboxed frame with fetch",
    page: () => marked(`<iframe sandbox="allow-scripts" src="/inner.html"></iframe>`),
    files: (to) => ({ "/inner.html": document(`<script>fetch(${text(to)}, { mode: "no-cors" })</script>`) }),
  },
  { name: "object", page: (to) => marked(`<object data="${attribute(to)}"></object>`) },
  { name: "embed", page: (to) => marked(`<embed src="${attribute(to)}">`) },
];

export const navigations: readonly Channel[] = [
  { name: "location", page: (to) => page("", `addEventListener("load", () => { ${FIRED} location = ${text(to)}; });`) },
  { name: "meta refresh", page: (to) => page(`<meta http-equiv="refresh" content="0;url=${attribute(to)}">`) },
  { name: "refresh by header", headers: (to) => ({ refresh: `0;url=${to}` }), page: () => marked("") },
  {
    name: "link click",
    needs: "click",
    role: "link",
    page: (to) => clicked(`<a id="go" href="${attribute(to)}">Go</a>`),
  },
  {
    name: "link click into a new tab",
    needs: "click",
    role: "link",
    page: (to) => clicked(`<a id="go" target="_blank" href="${attribute(to)}">Go</a>`),
  },
  {
    name: "link click noopener",
    needs: "click",
    role: "link",
    page: (to) => clicked(`<a id="go" target="_blank" rel="noopener noreferrer" href="${attribute(to)}">Go</a>`),
  },
  {
    name: "link ping",
    needs: "click",
    role: "link",
    page: (to) => clicked(`<a id="go" href="#here" ping="${attribute(to)}">Go</a>`),
  },
  {
    name: "link download",
    needs: "click",
    role: "link",
    page: (to) => clicked(`<a id="go" download href="${attribute(to)}">Go</a>`),
  },
  { name: "popup", needs: "click", page: (to) => pressed(`open(${text(to)})`) },
  { name: "popup noopener", needs: "click", page: (to) => pressed(`open(${text(to)}, "_blank", "noopener")`) },
  {
    name: "popup moved later",
    needs: "click",
    page: (to) => pressed(`const popup = open("about:blank"); popup.location = ${text(to)}`),
  },
  {
    name: "form post top",
    needs: "click",
    page: (to) =>
      clicked(
        `<form action="${attribute(to)}" method="post"><input name="a" value="1"><button id="go">Go</button></form>`,
      ),
  },
  {
    name: "form post into a new tab",
    needs: "click",
    page: (to) =>
      clicked(
        `<form action="${attribute(to)}" method="post" target="_blank"><input name="a" value="1"><button id="go">Go</button></form>`,
      ),
  },
  {
    name: "form action of the button",
    needs: "click",
    page: (to) =>
      clicked(
        `<form action="/own" method="post"><input name="a" value="1"><button id="go" formaction="${attribute(to)}">Go</button></form>`,
      ),
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
      "/popup.html": document(
        `<script>${sendsOnLeaving(to, how)} addEventListener("load", () => opener.postMessage("ready", "*"));</script>`,
      ),
    }),
  };
}

function leavingPage(how: "beacon" | "keepalive"): Channel {
  return {
    name: `left page's ${how}`,
    page: (to) =>
      page(
        "",
        `${sendsOnLeaving(to, how)} addEventListener("load", () => setTimeout(() => { location = "/next.html"; }));`,
      ),
    files: () => ({ "/next.html": nextPage() }),
  };
}

export const closing: readonly Channel[] = (["beacon", "keepalive"] as const).flatMap((how) => [
  leavingFrame(how),
  closedPopup(how),
  leavingPage(how),
]);
