/**
 * One runner for all demo sites. `node sites/server.mjs` serves them and prints their addresses.
 *
 * @typedef {object} RecordedRequest
 * @property {string} method
 * @property {string} path path and query
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {string} body UTF-8 text, empty when it was too large to be read
 *
 * @typedef {object} Site
 * @property {string} url origin without a slash at the end
 * @property {RecordedRequest[]} requests what arrived, oldest first; the oldest are dropped beyond
 * MAX_RECORDED_REQUESTS; style sheets and counters are in it, `/__effects` is not
 * @property {Record<string, number>} effects what visitors changed; the object stays the same after `reset`
 * @property {() => void} reset back to the first state: data, sign-ins, counters, recorded requests
 *
 * @typedef {{ backOffice: Site, shop: Site, partner: Site, close: () => Promise<void> }} Sites
 */

import { once } from "node:events";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { backOffice, createBackOfficeState } from "./back-office.mjs";
import { layout } from "./page.mjs";
import { createPartnerState, partner } from "./partner.mjs";
import { HttpError, html, MAX_BODY_BYTES, parseCookies, sendHtml } from "./router.mjs";
import { createShopState, shop } from "./shop.mjs";

/** More requests than this are not kept. */
export const MAX_RECORDED_REQUESTS = 10_000;

/**
 * Serves all sites; each on a port of its own, so each is another origin.
 * @param {{ host?: string, ports?: { backOffice?: number, shop?: number, partner?: number } }} [options] ports default
 * to free ones
 * @returns {Promise<Sites>} rejects with the system's error when a port is taken
 */
export async function startSites({ host = "127.0.0.1", ports = {} } = {}) {
  /** @type {import("node:http").Server[]} */
  const servers = [];
  const links = { shop: "", partner: "" };
  const close = async () => {
    await Promise.all(servers.map(closeServer));
  };
  try {
    const sites = {
      backOffice: await serve(servers, host, ports.backOffice, backOffice, createBackOfficeState),
      shop: await serve(servers, host, ports.shop, shop, () => createShopState(links)),
      partner: await serve(servers, host, ports.partner, partner, () => createPartnerState(links)),
    };
    links.shop = sites.shop.url;
    links.partner = sites.partner.url;
    return { ...sites, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * @template {{ effects: Record<string, number> }} State
 * @param {import("node:http").Server[]} servers
 * @param {string} host
 * @param {number | undefined} port
 * @param {(request: import("./router.mjs").SiteRequest, response: import("./router.mjs").Response, state: State) =>
 * void} site
 * @param {() => State} createState
 * @returns {Promise<Site>}
 */
async function serve(servers, host, port, site, createState) {
  let state = createState();
  const effects = state.effects;
  /** @type {RecordedRequest[]} */
  const requests = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response, requests, (request) => site(request, response, state)).catch(() => response.destroy());
  });
  server.listen(port ?? 0, host);
  await once(server, "listening");
  servers.push(server);
  return {
    url: originOf(server),
    requests,
    effects,
    reset: () => {
      state = createState();
      state.effects = Object.assign(effects, state.effects);
      requests.length = 0;
    },
  };
}

/**
 * @param {import("node:http").IncomingMessage} incoming
 * @param {import("./router.mjs").Response} response
 * @param {RecordedRequest[]} requests
 * @param {(request: import("./router.mjs").SiteRequest) => void} site
 */
async function answer(incoming, response, requests, site) {
  const { method = "GET", url: path = "/", headers } = incoming;
  /** @type {RecordedRequest} */
  const recorded = { method, path, headers, body: "" };
  if (path !== "/__effects") requests.push(recorded);
  if (requests.length > MAX_RECORDED_REQUESTS) requests.shift();
  try {
    recorded.body = await readBody(incoming);
    const target = path.startsWith("/") ? `http://this-site.invalid${path}` : path;
    if (!URL.canParse(target)) throw new HttpError(400, "Bad address.");
    site({ ...recorded, url: new URL(target), cookies: parseCookies(headers.cookie) });
  } catch (error) {
    sendError(response, error);
  }
}

/**
 * @param {import("node:http").IncomingMessage} incoming
 * @returns {Promise<string>} rejects with 413 without reading what is beyond the limit
 */
async function readBody(incoming) {
  const tooLarge = new HttpError(413, "The body is too large.", { connection: "close" });
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge;
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    incoming.on("data", (/** @type {Buffer} */ chunk) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        incoming.pause();
        reject(tooLarge);
      } else {
        chunks.push(chunk);
      }
    });
    incoming.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    incoming.on("error", reject);
    incoming.on("close", () => reject(new HttpError(400, "The request broke off.")));
  });
}

/**
 * @param {import("./router.mjs").Response} response
 * @param {unknown} error
 */
function sendError(response, error) {
  const known = error instanceof HttpError ? error : new HttpError(500, "Something went wrong.");
  if (!(error instanceof HttpError)) console.error(error);
  const main = html`<h1>${known.message}</h1><p><a href="/">Start page</a></p>`;
  sendHtml(
    response,
    layout({ title: known.message, site: `Error ${known.status}`, main }),
    known.status,
    known.headers,
  );
}

/** @param {import("node:http").Server} server */
function originOf(server) {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** @param {import("node:http").Server} server */
async function closeServer(server) {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

const program = process.argv[1];
if (program !== undefined && import.meta.url === pathToFileURL(program).href) {
  const sites = await startSites();
  console.log(
    `Back office  ${sites.backOffice.url}\nShop         ${sites.shop.url}\nPartner      ${sites.partner.url}`,
  );
}
