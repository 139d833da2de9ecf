/**
 * The shop: pages drawn by a script in the browser (`assets/shop.js`), data by fetch, checkout by an ordinary form.
 *
 * @typedef {import("./router.mjs").SiteRequest} SiteRequest
 * @typedef {import("./router.mjs").Response} Response
 * @typedef {import("./products.mjs").Product} Product
 * @typedef {{ id: string, size: string, quantity: number }} CartLine
 * @typedef {{ number: string, name: string, totalCents: number }} ShopOrder
 *
 * @typedef {object} ShopState
 * @property {{ partner: string }} links
 * @property {Map<string, CartLine[]>} carts by cookie value
 * @property {{ number: string, owner: string, name: string, totalCents: number }[]} orders
 * @property {{ cartAdds: number, cartChanges: number, orders: number, subscriptions: number }} effects
 */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { layout, sendStyle } from "./page.mjs";
import { PRODUCTS, searchProducts } from "./products.mjs";
import {
  createRouter,
  formFields,
  HttpError,
  html,
  jsonObject,
  redirect,
  send,
  sendHtml,
  sendJson,
} from "./router.mjs";

const SITE = "Hearth & Table";
const CART_COOKIE = "shop_cart";
const MAX_QUANTITY = 99;
const FIRST_ORDER_NUMBER = 2001;
const SCRIPT = readFileSync(new URL("./assets/shop.js", import.meta.url), "utf8");

/**
 * @param {{ partner: string }} links addresses of the other sites, read when a page is made
 * @returns {ShopState}
 */
export function createShopState(links) {
  return { links, carts: new Map(), orders: [], effects: { cartAdds: 0, cartChanges: 0, orders: 0, subscriptions: 0 } };
}

/** @type {(request: SiteRequest, response: Response, state: ShopState) => void} */
export const shop = createRouter({
  "GET /": (request, response, state) => sendShell(request, response, state, "Shop", 200),
  "GET /cart": (request, response, state) => sendShell(request, response, state, "Cart", 200),
  "GET /stores": (request, response, state) => sendShell(request, response, state, "Stores", 200),
  "GET /product/:id": (request, response, state, { id }) => {
    const product = PRODUCTS.find((candidate) => candidate.id === id);
    sendShell(request, response, state, product?.name ?? "No such product", product === undefined ? 404 : 200);
  },
  "GET /delivery": showDelivery,
  "GET /checkout": showCheckout,
  "POST /checkout": placeOrder,
  "GET /orders/:number": showOrder,
  "GET /shop.js": (_request, response) => send(response, 200, "text/javascript; charset=utf-8", SCRIPT),
  "GET /style.css": sendStyle,
  "GET /__effects": (_request, response, state) => sendJson(response, state.effects),
  "GET /api/products": (request, response) =>
    sendJson(response, searchProducts(request.url.searchParams.get("q") ?? "")),
  "GET /api/cart": (request, response, state) => sendJson(response, cartView(cartOf(request, state).lines)),
  "POST /api/cart": addToCart,
  "DELETE /api/cart": emptyCart,
  "POST /api/cart/line": changeLine,
  "POST /api/newsletter": subscribe,
});

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {ShopState} state
 * @param {string} title
 * @param {number} status
 */
function sendShell(request, response, state, title, status) {
  const { headers } = cartOf(request, state);
  const main = html`<div id="view" data-map="${state.links.partner}/map"></div>
<dialog id="newsletter" aria-labelledby="newsletter-title">
<h2 id="newsletter-title">Newsletter</h2>
<form class="stack"><label>E-mail <input type="email" name="email" required></label> <button class="main">Subscribe</button> <button type="button" name="close">Close</button></form>
<p role="status"></p>
</dialog>`;
  sendHtml(
    response,
    layout({ title, site: SITE, header: navigation(request), main, scripts: ["/shop.js"] }),
    status,
    headers,
  );
}

/** @param {SiteRequest} request */
function navigation(request) {
  return html`<nav><a href="/">Products</a> <a href="/cart">Cart</a> <a href="/stores">Stores</a> <a href="/delivery" target="_blank" rel="noopener">Delivery terms</a> <button type="button" id="open-newsletter">Newsletter</button></nav>
<form action="/" method="get" role="search"><label>Search <input type="search" name="q" value="${request.url.searchParams.get("q") ?? ""}"></label> <button>Search</button></form>`;
}

/**
 * @param {SiteRequest} _request
 * @param {Response} response
 */
function showDelivery(_request, response) {
  const main = html`<h1>Delivery terms</h1>
<p>Standard delivery takes 3 to 5 working days and costs nothing.</p>
<p>You may send goods back within 30 days.</p>`;
  sendHtml(response, layout({ title: "Delivery terms", site: SITE, main }));
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {ShopState} state
 */
function showCheckout(request, response, state) {
  const { lines } = cartOf(request, state);
  if (lines.length === 0) {
    redirect(response, 302, "/cart");
    return;
  }
  const view = cartView(lines);
  const main = html`<h1>Checkout</h1>
<ul>${view.lines.map((line) => html`<li>${line.quantity} × ${line.name} ${line.size}</li>`)}</ul>
<p>Total € ${(view.totalCents / 100).toFixed(2)}</p>
<form class="card narrow stack" action="/checkout" method="post">
<label>Name <input name="name" autocomplete="name" required></label>
<label>Street and number <input name="street" autocomplete="street-address" required></label>
<label>Town <input name="town" autocomplete="address-level2" required></label>
<label>Delivery <select name="delivery"><option value="standard">Standard</option><option value="pickup">Pick up in the store</option></select></label>
<button class="main">Place order</button>
</form>`;
  sendHtml(response, layout({ title: "Checkout", site: SITE, main }));
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {ShopState} state
 */
function placeOrder(request, response, state) {
  const fields = formFields(request);
  const { token, lines } = cartOf(request, state);
  if (lines.length === 0) throw new HttpError(400, "The cart is empty.");
  const missing = ["name", "street", "town"].filter((name) => (fields.get(name) ?? "").trim() === "");
  if (missing.length > 0) throw new HttpError(400, `Please fill in: ${missing.join(", ")}.`);
  const number = `S-${FIRST_ORDER_NUMBER + state.orders.length}`;
  state.orders.push({ number, owner: token, name: fields.get("name") ?? "", totalCents: cartView(lines).totalCents });
  state.carts.set(token, []);
  state.effects.orders += 1;
  redirect(response, 303, `/orders/${number}`);
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {ShopState} state
 * @param {Record<string, string>} parameters
 */
function showOrder(request, response, state, parameters) {
  const order = state.orders.find(
    (candidate) => candidate.number === parameters.number && candidate.owner === request.cookies[CART_COOKIE],
  );
  if (order === undefined) throw new HttpError(404, "No such order.");
  const main = html`<h1>Thank you, ${order.name}</h1>
<p>Your order ${order.number} over € ${(order.totalCents / 100).toFixed(2)} is placed.</p>
<p><a href="/">Back to the shop</a></p>`;
  sendHtml(response, layout({ title: `Order ${order.number}`, site: SITE, main }));
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {ShopState} state
 */
function addToCart(request, response, state) {
  const { id, size = "", quantity = 1 } = jsonObject(request);
  const product = PRODUCTS.find((candidate) => candidate.id === id);
  if (product === undefined) throw new HttpError(404, "No such product.");
  const sizes = product.sizes.length === 0 ? [""] : product.sizes;
  const chosen = sizes.find((candidate) => candidate === size);
  if (chosen === undefined) throw new HttpError(400, "No such size.");
  const count = wholeNumber(quantity, 1);
  const { lines, headers } = cartOf(request, state);
  const line = lines.find((candidate) => candidate.id === product.id && candidate.size === chosen);
  if (line === undefined) lines.push({ id: product.id, size: chosen, quantity: count });
  else line.quantity = wholeNumber(line.quantity + count, 1);
  state.effects.cartAdds += 1;
  sendJson(response, cartView(lines), headers);
}

/**
 * Sets a line's quantity; 0 takes it out.
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {ShopState} state
 */
function changeLine(request, response, state) {
  const { id, size, quantity } = jsonObject(request);
  const { lines } = cartOf(request, state);
  const index = lines.findIndex((line) => line.id === id && line.size === size);
  const line = lines[index];
  if (line === undefined) throw new HttpError(404, "Not in the cart.");
  line.quantity = wholeNumber(quantity, 0);
  if (line.quantity === 0) lines.splice(index, 1);
  state.effects.cartChanges += 1;
  sendJson(response, cartView(lines));
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {ShopState} state
 */
function emptyCart(request, response, state) {
  const { lines } = cartOf(request, state);
  lines.length = 0;
  state.effects.cartChanges += 1;
  sendJson(response, cartView(lines));
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {ShopState} state
 */
function subscribe(request, response, state) {
  const { email } = jsonObject(request);
  if (typeof email !== "string" || !email.includes("@")) throw new HttpError(400, "No e-mail address.");
  state.effects.subscriptions += 1;
  sendJson(response, { ok: true });
}

/**
 * @param {unknown} value
 * @param {number} minimum
 */
function wholeNumber(value, minimum) {
  if (typeof value !== "number" || !Number.isInteger(value) || value < minimum || value > MAX_QUANTITY)
    throw new HttpError(400, "Bad quantity.");
  return value;
}

/**
 * The visitor's cart, a new one with its cookie in `headers` when there is none.
 * @param {SiteRequest} request
 * @param {ShopState} state
 * @returns {{ token: string, lines: CartLine[], headers: Record<string, string> }}
 */
function cartOf(request, state) {
  const known = request.cookies[CART_COOKIE] ?? "";
  const lines = state.carts.get(known);
  if (lines !== undefined) return { token: known, lines, headers: {} };
  const token = randomUUID();
  /** @type {CartLine[]} */
  const fresh = [];
  state.carts.set(token, fresh);
  return { token, lines: fresh, headers: { "set-cookie": `${CART_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax` } };
}

/** @param {readonly CartLine[]} lines */
function cartView(lines) {
  const view = lines.flatMap((line) => {
    const product = PRODUCTS.find((candidate) => candidate.id === line.id);
    return product === undefined ? [] : [{ ...line, name: product.name, cents: product.cents }];
  });
  return { lines: view, totalCents: view.reduce((sum, line) => sum + line.quantity * line.cents, 0) };
}
