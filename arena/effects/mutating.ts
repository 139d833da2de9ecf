import { document } from "./sites.ts";

/** Requests that one click sends; more would not fit into one question. */
export const TOGETHER = 9;
/** Ways that replace the document, or make another: one at a time. */
export const ALONE = ["form", "form-multipart", "form-text", "frame-form", "popup-form", "form-again"] as const;

/**
 * A page that at a click of "Go" sends requests of random kinds and contents, and, told "mutate" over its socket while
 * a question about them is open, changes all that it still holds of them; then it says so. Everything follows from the
 * seed. Paths are `/f/ROUND-NUMBER`.
 */
export function mutatingPage(seed: number, round: number): string {
  return document(
    `<button id="go">Go</button><iframe name="inner"></iframe><div id="place"></div>`,
    `
const ROUND = ${round}, ALONE = ${JSON.stringify(ALONE)};
let state = ${seed >>> 0} + ROUND * 7919;
const random = () => { state = (state + 0x6d2b79f5) | 0; let t = Math.imul(state ^ (state >>> 15), 1 | state); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
const pick = (list) => list[Math.floor(random() * list.length)];
const SIGNS = ["a", "Z", "7", " ", "  ", "&", "=", "+", "%", ";", '"', "\\\\", "\\n", "\\u202e", "\\u200b", "é", "가", "😀", "<", ">", ",", ":", "field: ", "request 2 of 2: POST ", "(secret)"];
const words = (most = 12) => Array.from({ length: Math.floor(random() * most) }, () => pick(SIGNS)).join("");
const name = (at) => pick(["amount", "to", "note", "ids", "role", "q"]) + at;
const fields = () => Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => [name(at), words()]);
const bytes = () => Uint8Array.from({ length: 1 + Math.floor(random() * 40) }, () => Math.floor(random() * 256));
const other = (text) => text.split("").reverse().join("") + "9000";
const json = () => Object.fromEntries(fields().map(([key, value]) => [key, pick([value, 12, true, null, [value, 3], { inner: value }])]));

// Each sends, and returns what changes all that is left of it.
const KINDS = {
  urlencoded: (path) => { const body = new URLSearchParams(fields()); fetch(path, { method: "POST", body }).catch(() => {}); return () => { for (const key of [...body.keys()]) body.set(key, other(key)); body.append("role", "owner"); }; },
  multipart: (path) => { const body = new FormData(); for (const [key, value] of fields()) body.append(key, value); fetch(path, { method: "POST", body }).catch(() => {}); return () => { for (const key of [...body.keys()]) body.set(key, other(key)); body.append("role", "owner"); }; },
  file: (path) => { const body = new FormData(); body.append("note", words()); body.append("file", new Blob([bytes()]), "plan.bin"); fetch(path, { method: "POST", body }).catch(() => {}); return () => body.delete("file"); },
  json: (path) => { const value = json(); const headers = new Headers({ "content-type": "application/json" }); fetch(path, { method: pick(["POST", "PUT", "PATCH"]), headers, body: JSON.stringify(value) }).catch(() => {}); return () => { value.amount0 = 9000; headers.set("X-HTTP-Method-Override", "DELETE"); }; },
  text: (path) => { const options = { method: "POST", body: words(40) || "text" }; fetch(path, options).catch(() => {}); return () => { options.body = "other"; options.method = "DELETE"; }; },
  blob: (path) => { let body = new Blob([bytes()]); fetch(path, { method: "POST", body }).catch(() => {}); return () => { body = new Blob(["other"]); }; },
  buffer: (path) => { const body = bytes().buffer; fetch(path, { method: "POST", body }).catch(() => {}); return () => { new Uint8Array(body).fill(65); structuredClone(body, { transfer: [body] }); }; },
  view: (path) => { const body = bytes(); fetch(path, { method: "POST", body }).catch(() => {}); return () => { body.fill(66); }; },
  xhr: (path) => { const body = new URLSearchParams(fields()); const x = new XMLHttpRequest(); x.open("POST", path); x.send(body); return () => { body.append("role", "owner"); try { x.setRequestHeader("X-HTTP-Method-Override", "DELETE"); } catch {} }; },
  "xhr-view": (path) => { const body = bytes(); const x = new XMLHttpRequest(); x.open("PUT", path); x.setRequestHeader("content-type", "text/plain"); x.send(body); return () => { body.fill(67); }; },
  keepalive: (path) => { const body = new URLSearchParams(fields()); fetch(path, { method: "POST", body, keepalive: true }).catch(() => {}); return () => body.set("amount0", "9000"); },
  request: (path) => { const asked = new Request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(json()) }); const twin = asked.clone(); fetch(asked).catch(() => {}); return () => { fetch(twin).catch(() => {}); }; },
  "given-up": (path) => { const stop = new AbortController(); const body = new URLSearchParams(fields()); fetch(path, { method: "POST", body, signal: stop.signal }).catch(() => {}); return () => { stop.abort(); if (random() < 0.5) body.append("role", "owner"); fetch(path, { method: "POST", body, headers: random() < 0.5 ? { "X-HTTP-Method-Override": "DELETE" } : {} }).catch(() => {}); }; },
  twice: (path) => { const body = new URLSearchParams(fields()); fetch(path, { method: "POST", body }).catch(() => {}); fetch(path, { method: "POST", body, headers: { "X-HTTP-Method-Override": "DELETE" } }).catch(() => {}); return () => { fetch(path, { method: "POST", body, headers: { "X-Amount": "9000" } }).catch(() => {}); }; },
};
const sendForm = (path, { enctype, target, again }) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: path, ...(enctype && { enctype }), ...(target && { target }) });
  for (const [key, value] of fields()) { const input = document.createElement("textarea"); input.name = key; input.value = value; form.append(input); }
  place.append(form);
  if (target === "popup") open("about:blank", "popup");
  form.submit();
  return () => { for (const input of form.querySelectorAll("textarea")) { input.value = other(input.value); input.name += "x"; } form.action = "/f/elsewhere"; form.enctype = "text/plain"; if (again) form.submit(); else form.remove(); };
};
const FORMS = {
  form: {}, "form-multipart": { enctype: "multipart/form-data" }, "form-text": { enctype: "text/plain" }, "frame-form": { target: "inner" }, "popup-form": { target: "popup" }, "form-again": { again: true },
};

let changes = [];
const signal = new WebSocket("ws://shop.test/signal");
signal.onmessage = () => { for (const change of changes) change(); changes = []; signal.send("mutated " + ROUND); };
signal.onopen = () => fetch("/ready?" + ROUND);
go.onclick = () => {
  const alone = ROUND % 4 === 3 ? ALONE[(ROUND >> 2) % ALONE.length] : null;
  if (alone !== null) changes = [sendForm("/f/" + ROUND + "-0", FORMS[alone])];
  else changes = Array.from({ length: ${TOGETHER} }, (_, at) => KINDS[pick(Object.keys(KINDS))]("/f/" + ROUND + "-" + at));
};`,
  );
}
