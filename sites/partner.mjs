/**
 * A second origin: the map that the shop embeds, a page that links back, an open API.
 *
 * @typedef {import("./router.mjs").SiteRequest} SiteRequest
 * @typedef {import("./router.mjs").Response} Response
 *
 * @typedef {object} PartnerState
 * @property {{ shop: string }} links
 * @property {{ pings: number, directions: number }} effects
 */

import { layout, sendStyle } from "./page.mjs";
import { createRouter, html, send, sendHtml, sendJson } from "./router.mjs";

const SITE = "Town maps";
const ANY_ORIGIN = { "access-control-allow-origin": "*" };

const MAP_SCRIPT = `
const output = document.querySelector("output");
document.querySelector("button").addEventListener("click", async () => {
  const answer = await fetch("/api/directions", { method: "POST" });
  output.textContent = (await answer.json()).text;
});
`;

/**
 * @param {{ shop: string }} links addresses of the other sites, read when a page is made
 * @returns {PartnerState}
 */
export function createPartnerState(links) {
  return { links, effects: { pings: 0, directions: 0 } };
}

/** @type {(request: SiteRequest, response: Response, state: PartnerState) => void} */
export const partner = createRouter({
  "GET /": (_request, response, state) => {
    const main = html`<h1>Maps for shops</h1>
<p>We draw the map of your nearest store.</p>
<p><a href="/map">Store map</a> <a href="${state.links.shop}/">Back to the shop</a></p>`;
    sendHtml(response, layout({ title: "Maps", site: SITE, main }));
  },
  "GET /map": (_request, response) => {
    const main = html`<h1>Store map</h1>
<svg viewBox="0 0 200 80" width="200" height="80" role="img" aria-label="Map of Mill Lane"><path d="M0 60 H200 M90 0 V80" stroke="#9aa7b4" stroke-width="6"/><circle cx="120" cy="50" r="7" fill="#1f5fbf"/></svg>
<p>12 Mill Lane, open 9 to 18.</p>
<p><button type="button">Show directions</button></p>
<p><output></output></p>`;
    sendHtml(response, layout({ title: "Store map", site: SITE, main, scripts: ["/map.js"] }));
  },
  "GET /style.css": sendStyle,
  "GET /map.js": (_request, response) => send(response, 200, "text/javascript; charset=utf-8", MAP_SCRIPT),
  "GET /__effects": (_request, response, state) => sendJson(response, state.effects),
  "GET /api/ping": (_request, response, state) => {
    state.effects.pings += 1;
    sendJson(response, { ok: true }, ANY_ORIGIN);
  },
  "OPTIONS /api/ping": (_request, response) => {
    response.writeHead(204, {
      ...ANY_ORIGIN,
      "access-control-allow-methods": "GET",
      "access-control-allow-headers": "*",
      "content-length": 0,
    });
    response.end();
  },
  "POST /api/directions": (_request, response, state) => {
    state.effects.directions += 1;
    sendJson(response, { text: "From the station: left into Mill Lane, 200 metres." });
  },
});
