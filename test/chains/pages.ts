import { document, type Hit, type Served } from "../../arena/effects/sites.ts";
import type { Chain, Input, Sent } from "./chain.ts";
import { sentOf } from "./chain.ts";

/** In scope, and holds nothing of a person. */
export const OTHER = "elsewhere.test";

export function hostOf({ seed }: Chain, to: Sent["to"] = "own"): string {
  return to === "other" ? OTHER : `${to === "corner" ? "corner." : ""}chain${seed}.test`;
}

export function urlOf(chain: Chain, { to, path }: Pick<Sent, "to" | "path">): string {
  return `http://${hostOf(chain, to)}${path}`;
}

/** The path that a document asks for when all that the n-th input of the visit caused is over; its load is input 0. */
export function overPath(visit: number, input: number): string {
  return `/over-${visit}-${input}`;
}

export function labelOf(input: Input, at: number): string {
  return input.is === "press" ? `Press ${at}` : `${input.field.label} ${at}`;
}

/** All of a chain's sites: documents that send what it says. */
export function pagesOf(chain: Chain): Served {
  const answers = sentOf(chain).flatMap((sent): (readonly [string, Served[string]])[] => {
    const { redirect } = sent;
    const answer = (hit: Hit) => ({
      body: sent.from === "navigation" ? landing(chain, sent) : "{}",
      ...(redirect !== null && { status: redirect.status }),
      headers: { ...corsFor(hit), ...(redirect !== null && { location: redirect.path }) },
    });
    return [[`${hostOf(chain, sent.to)}${sent.path.split("?")[0]}`, answer]];
  });
  const documents = chain.visits.map(
    ({ path }, at) => [`${hostOf(chain)}${path.split(/[?#]/)[0]}`, visitPage(chain, at)] as const,
  );
  return Object.fromEntries([...answers, ...documents]);
}

function corsFor({ headers }: Hit): Readonly<Record<string, string>> {
  return {
    "access-control-allow-origin": headers.origin ?? "*",
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, PROPFIND, REPORT",
    "access-control-allow-headers": String(headers["access-control-request-headers"] ?? "content-type"),
  };
}

function linkTo(chain: Chain, visit: number): string {
  const next = chain.visits[visit];
  return next === undefined ? "<p>The end</p>" : `<a href="${next.path.replaceAll("&", "&amp;")}">Next</a>`;
}

/** Where an input's navigation ends: with it, the input is over. */
function landing(chain: Chain, sent: Sent): string {
  const visit = chain.visits.findIndex(({ inputs }) => inputs.some(({ sends }) => sends.includes(sent)));
  const input = chain.visits[visit]?.inputs.findIndex(({ sends }) => sends.includes(sent)) ?? 0;
  return document(linkTo(chain, visit + 1), `fetch(${JSON.stringify(overPath(visit, input + 1))})`);
}

function visitPage(chain: Chain, at: number): string {
  const visit = chain.visits[at];
  if (visit === undefined) return "";
  const fields = visit.inputs.map((input, n) =>
    input.is === "press"
      ? `<button id="i${n + 1}">${labelOf(input, n + 1)}</button>`
      : `<label>${labelOf(input, n + 1)} <input id="i${n + 1}" type="${input.field.type}" name="${input.field.name}"></label>`,
  );
  const plans = [visit.loads, ...visit.inputs.map(({ sends }) => sends)].map((sends) =>
    sends.map((sent) => ({ ...sent, url: urlOf(chain, sent) })),
  );
  return document(
    `${linkTo(chain, at + 1)}${fields.join("")}<iframe id="inner"></iframe>`,
    `const PLANS = ${JSON.stringify(plans).replaceAll("<", "\\u003c")}; const VISIT = ${at};
${SENDING}
const REPORTS = fetch;
const begun = new Set();
const begin = (n) => { if (begun.has(n)) return; begun.add(n); void run(PLANS[n]).finally(() => REPORTS("/over-" + VISIT + "-" + n)) };
PLANS.forEach((_, n) => { if (n === 0) return; const it = document.getElementById("i" + n); it.addEventListener(it.tagName === "INPUT" ? "input" : "click", () => begin(n)); });
begin(0);`,
  );
}

/** In the page: sends what a plan says. */
const SENDING = `
function sendIt(sent) {
  const headers = { ...sent.headers };
  let body;
  const { is, text, fields, bytes } = sent.body;
  if (is === "json") { headers["content-type"] = "application/json"; body = text }
  if (is === "text") body = text;
  if (is === "form") body = new URLSearchParams(fields);
  if (is === "parts" || is === "file") { body = new FormData(); for (const [name, value] of fields) body.append(name, value) }
  if (is === "file") body.append("file", new Blob(["some words"], { type: "text/plain" }), "words.txt");
  if (is === "bytes") { headers["content-type"] = "application/octet-stream"; body = new Uint8Array(bytes) }
  return [sent.url, { method: sent.method, headers, body }];
}
const ways = {
  page: (sent) => fetch(...sendIt(sent)),
  frame: (sent) => inner.contentWindow.fetch(...sendIt(sent)),
  worker: (sent) => new Promise((resolve, reject) => {
    const source = sendIt + "; onmessage = ({ data }) => fetch(...sendIt(data)).then((answer) => answer.text()).then(() => postMessage(true), () => postMessage(false))";
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    worker.onmessage = ({ data }) => data ? resolve(new Response("")) : reject(new Error("failed"));
    worker.postMessage(sent);
  }),
  navigation: (sent) => { location.href = sent.url; return new Promise(() => {}) },
};
const one = async (sent) => {
  if (sent.delayMs > 0) await new Promise((done) => setTimeout(done, sent.delayMs));
  try { await (await ways[sent.from](sent)).text(); return true } catch { return false }
};
/** As many as go at once; those after one of them go when it was answered. */
const run = async (sends) => {
  let isGone = true;
  for (let at = 0; at < sends.length;) {
    const found = sends.findIndex(({ isAfter }, n) => n > at && isAfter);
    const end = found === -1 ? sends.length : found;
    const together = sends.slice(at, end);
    const isLeft = together[0].isAfter && !isGone;
    const sent = isLeft ? together.slice(1) : together;
    const gone = await Promise.all(sent.map(one));
    isGone = sent.length === 0 ? false : gone.at(-1);
    at = end;
  }
};`;
