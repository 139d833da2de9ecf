/**
 * The pages that are measured, served on a free loopback port by a thread of their own: what drives a browser here must
 * not wait for the server. The demo sites (sites/) give the back office and the shop.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { crc32, deflateSync } from "node:zlib";
import { randomFrom } from "./statistics.mjs";

export const PAGE_SEED = 7;
const LONG_POLL_MS = 1_000;
const OFTEN_POLL_MS = 150;
/** What a server that is not next door takes for each file, at the least. */
const DISTANT_MS = 20;
const ARTICLE_SECTIONS = 24;
const ARTICLE_PARAGRAPHS = 6;
const IMAGE_PIXELS = 24;
const WORDS =
  "the house of old trees stands near a river where boats carry salt and wool from one town to another every spring when water is high and roads are dry enough for carts".split(
    " ",
  );
const NAMES = ["Ada Berg", "Noor Haas", "Ilse Vogt", "Tom Lund", "Mia Sand", "Jon Reed", "Eva Holm", "Kai Moor"];

/** @returns {Promise<{ url: string, close: () => Promise<number> }>} */
export async function startBenchSite() {
  const thread = new Worker(new URL(import.meta.url));
  const [port] = await once(thread, "message");
  return { url: `http://127.0.0.1:${port}`, close: () => thread.terminate() };
}

async function serve() {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://this-site.invalid");
    const route = routes.find(({ path }) => path.test(url.pathname));
    if (route === undefined) response.writeHead(404).end();
    else if (url.pathname.startsWith("/file/distant/")) setTimeout(() => route.answer(url, response), DISTANT_MS);
    else route.answer(url, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  parentPort?.postMessage(address.port);
}

/** @type {readonly { path: RegExp, answer: (url: URL, response: import("node:http").ServerResponse) => void }[]} */
const routes = [
  { path: /^\/empty$/, answer: (_url, response) => sendPage(response, "Empty", "<p>Nothing here.</p>") },
  { path: /^\/table$/, answer: (url, response) => sendPage(response, "Orders", table(countIn(url, "rows"))) },
  { path: /^\/article$/, answer: (_url, response) => sendPage(response, "The river towns", article()) },
  { path: /^\/button$/, answer: (_url, response) => sendPage(response, "Counter", COUNTER) },
  {
    path: /^\/polls-long$/,
    answer: (_url, response) => sendPage(response, "Counter", `${COUNTER}${poller("/poll-long", 0)}`),
  },
  {
    path: /^\/polls-often$/,
    answer: (_url, response) => sendPage(response, "Counter", `${COUNTER}${poller("/poll", OFTEN_POLL_MS)}`),
  },
  { path: /^\/poll$/, answer: (_url, response) => send(response, "application/json", "{}", NEVER) },
  {
    path: /^\/poll-long$/,
    answer: (_url, response) => void setTimeout(() => send(response, "application/json", "{}", NEVER), LONG_POLL_MS),
  },
  { path: /^\/images$/, answer: (url, response) => sendPage(response, "Images", images(countIn(url, "count"))) },
  { path: /^\/resources$/, answer: (url, response) => sendPage(response, "Resources", resources(url)) },
  {
    path: /^\/file\/(cached|fresh|distant)\/.*\.png$/,
    answer: (url, response) =>
      send(response, "image/png", picture(url.pathname.split("/").at(-1) ?? ""), cachingOf(url)),
  },
  {
    path: /^\/file\/(cached|fresh|distant)\/.*\.js$/,
    answer: (url, response) => send(response, "text/javascript", "globalThis.loaded = 1;", cachingOf(url)),
  },
  {
    path: /^\/file\/(cached|fresh|distant)\/.*\.css$/,
    answer: (url, response) => send(response, "text/css", "p { color: #222 }", cachingOf(url)),
  },
];

const NEVER = "no-store";
const FOR_EVER = "public, max-age=31536000, immutable";
const COUNTER = `<h1>Counter</h1><p id="count">0</p><button type="button">Count</button><button type="button">Idle</button>
<script>document.querySelector("button").addEventListener("click", () => { const count = document.querySelector("#count"); count.textContent = String(Number(count.textContent) + 1); });</script>`;

/** @param {URL} url */
const cachingOf = (url) => (url.pathname.startsWith("/file/cached/") ? FOR_EVER : NEVER);

/**
 * @param {URL} url
 * @param {string} name
 */
const countIn = (url, name) => Number(url.searchParams.get(name));

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string} type
 * @param {string | Buffer} body
 * @param {string} caching
 */
function send(response, type, body, caching) {
  response.writeHead(200, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": caching,
  });
  response.end(body);
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {string} title
 * @param {string} body
 */
function sendPage(response, title, body) {
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;
  send(response, "text/html; charset=utf-8", text, NEVER);
}

/**
 * Seven elements a row; the button changes one cell.
 * @param {number} count
 */
function table(count) {
  const random = randomFrom(PAGE_SEED);
  const rows = Array.from({ length: count }, (_, row) => {
    const number = `CMD-${10_000 + row}`;
    const day = String(1 + Math.floor(random() * 28)).padStart(2, "0");
    const name = NAMES[Math.floor(random() * NAMES.length)];
    return `<tr><td>${number}</td><td>${name}</td><td>2026-03-${day}</td><td>${(10 + random() * 900).toFixed(2)}</td><td><a href="/order/${number}">View</a></td></tr>`;
  });
  return `<h1>Orders</h1><button type="button">Reprice</button><table><thead><tr><th>Number</th><th>Customer</th><th>Date</th><th>Total</th><th>Actions</th></tr></thead><tbody>${rows.join("\n")}</tbody></table>
<script>let price = 1; document.querySelector("button").addEventListener("click", () => { document.querySelectorAll("tbody tr")[2].cells[3].textContent = (price++).toFixed(2); });</script>`;
}

function article() {
  const random = randomFrom(PAGE_SEED);
  const word = () => WORDS[Math.floor(random() * WORDS.length)];
  const sentence = () => {
    const text = Array.from({ length: 8 + Math.floor(random() * 14) }, word).join(" ");
    return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  };
  const paragraph = () => {
    const sentences = Array.from({ length: 3 + Math.floor(random() * 3) }, sentence);
    const place = word();
    return `<p>${sentences.join(" ")} See <a href="/town/${place}">the town of ${place}</a>, <em>${word()}</em> and <strong>${word()}</strong>.</p>`;
  };
  const section = (/** @type {number} */ index) =>
    `<section><h2 id="s${index}">Part ${index + 1}: ${word()} and ${word()}</h2>${Array.from({ length: ARTICLE_PARAGRAPHS }, paragraph).join("\n")}</section>`;
  const contents = Array.from(
    { length: ARTICLE_SECTIONS },
    (_, index) => `<li><a href="#s${index}">Part ${index + 1}</a></li>`,
  ).join("");
  return `<header><nav><a href="/">Home</a> <a href="/towns">Towns</a> <a href="/maps">Maps</a></nav><form role="search"><label>Search <input type="search"></label><button>Search</button></form></header>
<main><h1>The river towns</h1><ul>${contents}</ul><article>${Array.from({ length: ARTICLE_SECTIONS }, (_, index) => section(index)).join("\n")}</article></main>
<footer><a href="/about">About</a> <a href="/terms">Terms</a></footer>`;
}

/**
 * @param {string} path
 * @param {number} pauseMs
 */
function poller(path, pauseMs) {
  return `<script>(async () => { for (;;) { await (await fetch("${path}")).text(); await new Promise((resolve) => setTimeout(resolve, ${pauseMs})); } })();</script>`;
}

/** @param {number} count */
function images(count) {
  return Array.from(
    { length: count },
    (_, index) => `<img alt="" width="24" height="24" src="/file/cached/i${index}.png">`,
  ).join("\n");
}

/**
 * A third each of scripts, styles and images; `run` makes their addresses new.
 * @param {URL} url
 */
function resources(url) {
  const at = (/** @type {string} */ name) =>
    `/file/${url.searchParams.get("kind")}/${url.searchParams.get("run")}/${name}`;
  const one = (/** @type {number} */ index) => {
    if (index % 3 === 0) return `<link rel="stylesheet" href="${at(`${index}.css`)}">`;
    if (index % 3 === 1) return `<script async src="${at(`${index}.js`)}"></script>`;
    return `<img alt="" width="24" height="24" src="${at(`${index}.png`)}">`;
  };
  return `<p>Resources</p>${Array.from({ length: countIn(url, "count") }, (_, index) => one(index)).join("\n")}`;
}

/** @type {Map<string, Buffer>} */
const pictures = new Map();

/**
 * A small PNG, another one for every name.
 * @param {string} name
 */
function picture(name) {
  const made = pictures.get(name) ?? makePicture(name);
  pictures.set(name, made);
  return made;
}

/** @param {string} name */
function makePicture(name) {
  const random = randomFrom(crc32(name));
  const rows = Array.from({ length: IMAGE_PIXELS }, () => [
    0,
    ...Array.from({ length: IMAGE_PIXELS * 3 }, () => Math.floor(random() * 256)),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(IMAGE_PIXELS, 0);
  header.writeUInt32BE(IMAGE_PIXELS, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function chunk(type, data) {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

// Last: the routes must be there.
if (!isMainThread) await serve();
