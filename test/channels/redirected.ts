/** Channels that ask the page's own origin, which sends them on. */

import { type Channel, clicked, FIRED, loaded, marked, page, pressed, redirect, script } from "./pages.ts";

/** Each goes to the page's own `/hop`, which redirects. */
export const redirected: readonly Channel[] = ([302, 307] as const).flatMap((status) => {
  const hop = (to: string) => ({ "/hop": redirect(status, to) });
  const chain = (to: string) => ({ "/first": redirect(status, "/hop"), "/hop": redirect(status, to) });
  const channels: readonly Channel[] = [
    {
      name: "location",
      page: () => page("", `addEventListener("load", () => { ${FIRED} location = "/hop"; });`),
      files: hop,
    },
    {
      name: "location by two hops",
      page: () => page("", `addEventListener("load", () => { ${FIRED} location = "/first"; });`),
      files: chain,
    },
    { name: "fetch", page: () => loaded(`fetch("/hop", { mode: "no-cors" }).catch(() => {})`), files: hop },
    {
      name: "fetch post",
      page: () => loaded(`fetch("/hop", { method: "POST", body: "a=1" }).catch(() => {})`),
      files: hop,
    },
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
      page: () =>
        clicked(`<form action="/hop" method="post"><input name="a" value="1"><button id="go">Go</button></form>`),
      files: hop,
    },
    {
      name: "link click",
      needs: "click",
      role: "link",
      page: () => clicked(`<a id="go" href="/hop">Go</a>`),
      files: hop,
    },
    { name: "popup", needs: "click", page: () => pressed(`open("/hop")`), files: hop },
    { name: "popup noopener", needs: "click", page: () => pressed(`open("/hop", "_blank", "noopener")`), files: hop },
  ];
  return channels.map((channel) => ({ ...channel, name: `${channel.name}, redirected by ${status}` }));
});
