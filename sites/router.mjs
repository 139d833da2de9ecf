/**
 * The little that the demo sites need of a web framework: routes, cookies, bounded bodies, escaped HTML.
 *
 * @typedef {object} SiteRequest
 * @property {string} method upper case
 * @property {string} path path and query as they came
 * @property {URL} url
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {Record<string, string>} cookies
 * @property {string} body UTF-8 text
 *
 * @typedef {import("node:http").ServerResponse} Response
 */

/** Larger bodies are answered 413. */
export const MAX_BODY_BYTES = 65_536;

/** What a handler throws when the request itself is wrong. */
export class HttpError extends Error {
  /**
   * @param {number} status
   * @param {string} message plain text shown to the visitor
   * @param {Record<string, string>} [headers]
   */
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * @template State
 * @typedef {(request: SiteRequest, response: Response, state: State, parameters: Record<string, string>) => void}
 * Handler
 */

/**
 * A site from routes like `"POST /orders/:number/status"`. An unknown path is 404, a known path with another method
 * 405. HEAD is served by the route for GET.
 * @template State
 * @param {Record<string, Handler<State>>} table
 * @returns {(request: SiteRequest, response: Response, state: State) => void} throws HttpError
 */
export function createRouter(table) {
  const routes = Object.entries(table).map(([name, handler]) => {
    const [method = "", pattern = ""] = name.split(" ");
    return { method, segments: pattern.split("/"), handler };
  });
  return (request, response, state) => {
    const segments = request.url.pathname.split("/");
    const method = request.method === "HEAD" ? "GET" : request.method;
    /** @type {Set<string>} */
    const allowed = new Set();
    for (const route of routes) {
      const parameters = matchSegments(route.segments, segments);
      if (parameters === null) continue;
      if (route.method === method) return route.handler(request, response, state, parameters);
      allowed.add(route.method);
    }
    if (allowed.size === 0) throw new HttpError(404, "Page not found.");
    throw new HttpError(405, "Method not allowed.", { allow: [...allowed].sort().join(", ") });
  };
}

/**
 * @param {readonly string[]} pattern
 * @param {readonly string[]} segments
 * @returns {Record<string, string> | null}
 */
function matchSegments(pattern, segments) {
  if (pattern.length !== segments.length) return null;
  /** @type {Record<string, string>} */
  const parameters = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== segment) return null;
      continue;
    }
    const value = decodeOrNull(segment);
    if (value === null || value === "") return null;
    parameters[part.slice(1)] = value;
  }
  return parameters;
}

/** @param {string} text */
function decodeOrNull(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * @param {string | undefined} header
 * @returns {Record<string, string>}
 */
export function parseCookies(header) {
  /** @type {Record<string, string>} */
  const cookies = Object.create(null);
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0) cookies[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim();
  }
  return cookies;
}

/**
 * The fields of an urlencoded body; other types are 415.
 * @param {SiteRequest} request
 */
export function formFields(request) {
  requireType(request, "application/x-www-form-urlencoded");
  return new URLSearchParams(request.body);
}

/**
 * The object in a JSON body; other types are 415, anything else than an object 400.
 * @param {SiteRequest} request
 * @returns {Record<string, unknown>}
 */
export function jsonObject(request) {
  requireType(request, "application/json");
  /** @type {unknown} */
  let parsed;
  try {
    parsed = JSON.parse(request.body);
  } catch {
    throw new HttpError(400, "The body is not JSON.");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new HttpError(400, "The body is not a JSON object.");
  return { ...parsed };
}

/**
 * @param {SiteRequest} request
 * @param {string} type
 */
function requireType(request, type) {
  const sent = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (sent !== type) throw new HttpError(415, `Send ${type}.`);
}

/** Markup that may be put into a page as it is. */
class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** @param {string} text */
export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/**
 * Template tag: every value is escaped unless it came from `html` itself; lists are joined, null and false are nothing.
 * @param {TemplateStringsArray} strings
 * @param {...unknown} values
 * @returns {Markup}
 */
export function html(strings, ...values) {
  return new Markup(strings.reduce((text, string, index) => text + render(values[index - 1]) + string));
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function render(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(render).join("");
  if (value === null || value === undefined || value === false) return "";
  return escapeHtml(String(value));
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} type
 * @param {string} body
 * @param {Record<string, string>} [headers]
 */
export function send(response, status, type, body, headers = {}) {
  const bytes = Buffer.from(body, "utf8");
  response.writeHead(status, {
    "content-type": type,
    "content-length": bytes.length,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(bytes);
}

/**
 * @param {Response} response
 * @param {Markup} markup
 * @param {number} [status]
 * @param {Record<string, string>} [headers]
 */
export function sendHtml(response, markup, status = 200, headers = {}) {
  send(response, status, "text/html; charset=utf-8", markup.text, headers);
}

/**
 * @param {Response} response
 * @param {unknown} value
 * @param {Record<string, string>} [headers]
 */
export function sendJson(response, value, headers = {}) {
  send(response, 200, "application/json; charset=utf-8", JSON.stringify(value), headers);
}

/**
 * @param {Response} response
 * @param {302 | 303} status
 * @param {string} location
 * @param {Record<string, string>} [headers]
 */
export function redirect(response, status, location, headers = {}) {
  response.writeHead(status, { location, "content-length": 0, "cache-control": "no-store", ...headers });
  response.end();
}
