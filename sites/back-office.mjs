/**
 * The back office: sign-in, a list of orders, one order with a status form.
 *
 * @typedef {import("./router.mjs").SiteRequest} SiteRequest
 * @typedef {import("./router.mjs").Response} Response
 * @typedef {import("./orders.mjs").Order} Order
 *
 * @typedef {object} BackOfficeState
 * @property {Order[]} orders
 * @property {Map<string, { user: string, notice: { number: string, text: string } | null }>} sessions by cookie value
 * @property {{ signIns: number, statusChanges: number }} effects
 */

import { randomUUID } from "node:crypto";
import { createOrders, money, ordersAsCsv, STATUSES, selectOrders } from "./orders.mjs";
import { layout, sendStyle } from "./page.mjs";
import { createRouter, formFields, HttpError, html, redirect, send, sendHtml, sendJson } from "./router.mjs";

/** The one account of the demo. */
export const BACK_OFFICE_USER = { name: "ada", password: "correct-horse" };

const SITE = "Back office";
const SESSION_COOKIE = "back_office_session";

/** @returns {BackOfficeState} */
export function createBackOfficeState() {
  return { orders: createOrders(), sessions: new Map(), effects: { signIns: 0, statusChanges: 0 } };
}

/** @type {(request: SiteRequest, response: Response, state: BackOfficeState) => void} */
export const backOffice = createRouter({
  "GET /": (_request, response) => redirect(response, 302, "/orders"),
  "GET /style.css": sendStyle,
  "GET /__effects": (_request, response, state) => sendJson(response, state.effects),
  "GET /login": showLogin,
  "POST /login": signIn,
  "POST /logout": signOut,
  "GET /orders": signedIn(showOrders),
  "GET /orders.csv": signedIn(exportOrders),
  "GET /orders/:number": signedIn(showOrder),
  "POST /orders/:number/status": signedIn(saveStatus),
});

/**
 * @param {SiteRequest} request
 * @param {Response} response
 */
function showLogin(request, response) {
  sendHtml(response, loginPage(request.url.searchParams.get("next") ?? "", "", null));
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {BackOfficeState} state
 */
function signIn(request, response, state) {
  const fields = formFields(request);
  const user = fields.get("user") ?? "";
  const next = fields.get("next") ?? "";
  if (user !== BACK_OFFICE_USER.name || fields.get("password") !== BACK_OFFICE_USER.password) {
    sendHtml(response, loginPage(next, user, "Wrong user or password."), 403);
    return;
  }
  const token = randomUUID();
  state.sessions.set(token, { user, notice: null });
  state.effects.signIns += 1;
  redirect(response, 303, localPath(next), {
    "set-cookie": `${SESSION_COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax`,
  });
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {BackOfficeState} state
 */
function signOut(request, response, state) {
  state.sessions.delete(request.cookies[SESSION_COOKIE] ?? "");
  redirect(response, 303, "/login", { "set-cookie": `${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax` });
}

/**
 * Only this site's own paths: sign-in must not forward to another site.
 * @param {string} next
 */
function localPath(next) {
  const base = "http://this-site.invalid";
  if (!next.startsWith("/") || !URL.canParse(next, base)) return "/orders";
  const url = new URL(next, base);
  return url.origin === base && !url.pathname.startsWith("//") ? `${url.pathname}${url.search}` : "/orders";
}

/**
 * @typedef {{ user: string, notice: { number: string, text: string } | null }} Session
 * @param {(request: SiteRequest, response: Response, state: BackOfficeState, parameters: Record<string, string>,
 * session: Session) => void} handler
 * @returns {import("./router.mjs").Handler<BackOfficeState>}
 */
function signedIn(handler) {
  return (request, response, state, parameters) => {
    const session = state.sessions.get(request.cookies[SESSION_COOKIE] ?? "");
    if (session !== undefined) {
      handler(request, response, state, parameters, session);
      return;
    }
    const next = request.method === "POST" ? "/orders" : request.path;
    redirect(response, 302, `/login?next=${encodeURIComponent(next)}`);
  };
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {BackOfficeState} state
 * @param {Record<string, string>} _parameters
 * @param {Session} session
 */
function showOrders(request, response, state, _parameters, session) {
  const words = request.url.searchParams.get("q") ?? "";
  const status = request.url.searchParams.get("status") ?? "";
  const orders = selectOrders(state.orders, words, status);
  const found = words === "" ? `${orders.length} orders` : `${orders.length} orders for “${words}”`;
  const main = html`<h1>Orders</h1>
<form class="bar" action="/orders" method="get" role="search">
<label>Search <input type="search" name="q" value="${words}"></label>
<label>Status <select name="status"><option value="">All</option>${STATUSES.map((name) => option(name, status))}</select></label>
<button>Filter</button>
<a href="/orders.csv">Export CSV</a>
</form>
<p>${found}</p>
<table>
<thead><tr><th>Number</th><th>Date</th><th>Customer</th><th class="number">Total €</th><th>Status</th><th>Details</th></tr></thead>
<tbody>
${orders.map(
  (
    order,
  ) => html`<tr><td>${order.number}</td><td>${order.date}</td><td>${order.customer}</td><td class="number">${money(order.totalCents)}</td><td>${order.status}</td><td><a href="/orders/${order.number}">View</a></td></tr>
`,
)}</tbody>
</table>`;
  sendHtml(response, layout({ title: "Orders", site: SITE, header: account(session), main }));
}

/**
 * @param {SiteRequest} _request
 * @param {Response} response
 * @param {BackOfficeState} state
 */
function exportOrders(_request, response, state) {
  send(response, 200, "text/csv; charset=utf-8", ordersAsCsv(state.orders), {
    "content-disposition": 'attachment; filename="orders.csv"',
  });
}

/**
 * @param {SiteRequest} _request
 * @param {Response} response
 * @param {BackOfficeState} state
 * @param {Record<string, string>} parameters
 * @param {Session} session
 */
function showOrder(_request, response, state, parameters, session) {
  const order = findOrder(state, parameters);
  const notice = session.notice?.number === order.number ? session.notice.text : null;
  if (notice !== null) session.notice = null;
  const main = html`<p><a href="/orders">Back to orders</a></p>
<h1>Order ${order.number}</h1>
${notice === null ? null : html`<p class="notice" role="status">${notice}</p>`}
<section class="card"><dl>
<dt>Date</dt><dd>${order.date}</dd>
<dt>Customer</dt><dd>${order.customer}</dd>
<dt>E-mail</dt><dd>${order.email}</dd>
<dt>Town</dt><dd>${order.town}</dd>
<dt>Total</dt><dd>€ ${money(order.totalCents)}</dd>
<dt>Status</dt><dd>${order.status}</dd>
</dl></section>
<section class="card"><table>
<thead><tr><th>Article</th><th class="number">Quantity</th><th class="number">Price €</th></tr></thead>
<tbody>${order.lines.map((line) => html`<tr><td>${line.article}</td><td class="number">${line.quantity}</td><td class="number">${money(line.cents)}</td></tr>`)}</tbody>
</table></section>
<form class="card bar" action="/orders/${order.number}/status" method="post">
<label>Status <select name="status">${STATUSES.map((name) => option(name, order.status))}</select></label>
<button class="main">Save status</button>
</form>`;
  sendHtml(response, layout({ title: `Order ${order.number}`, site: SITE, header: account(session), main }));
}

/**
 * @param {SiteRequest} request
 * @param {Response} response
 * @param {BackOfficeState} state
 * @param {Record<string, string>} parameters
 * @param {Session} session
 */
function saveStatus(request, response, state, parameters, session) {
  const order = findOrder(state, parameters);
  const wanted = formFields(request).get("status");
  const status = STATUSES.find((name) => name === wanted);
  if (status === undefined) throw new HttpError(400, "Unknown status.");
  order.status = status;
  state.effects.statusChanges += 1;
  session.notice = { number: order.number, text: "Status saved." };
  redirect(response, 303, `/orders/${order.number}`);
}

/**
 * @param {BackOfficeState} state
 * @param {Record<string, string>} parameters
 */
function findOrder(state, parameters) {
  const order = state.orders.find((candidate) => candidate.number === parameters.number);
  if (order === undefined) throw new HttpError(404, "No such order.");
  return order;
}

/**
 * @param {string} name
 * @param {string} selected
 */
function option(name, selected) {
  return name === selected ? html`<option selected>${name}</option>` : html`<option>${name}</option>`;
}

/** @param {Session} session */
function account(session) {
  return html`<form action="/logout" method="post">Signed in as ${session.user} <button>Sign out</button></form>`;
}

/**
 * @param {string} next
 * @param {string} user
 * @param {string | null} error
 */
function loginPage(next, user, error) {
  const main = html`<form class="card narrow stack" action="/login" method="post">
<h1>Sign in</h1>
${error === null ? null : html`<p class="error" role="alert">${error}</p>`}
<label for="user">User</label>
<input id="user" name="user" autocomplete="username" required value="${user}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<input type="hidden" name="next" value="${next}">
<p><button class="main">Sign in</button></p>
</form>`;
  return layout({ title: "Sign in", site: SITE, main });
}
