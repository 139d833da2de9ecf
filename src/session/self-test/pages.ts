import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { channelsOver, type Scheme } from "./channels.ts";

/** Long enough for a try that has no end of its own, on a slow machine. */
const TRY_MS = 1_500;
/**
 * From the last step of WebRTC's own to what it sends: this long, or so many times what the steps took, because it goes
 * on at the pace of the machine.
 */
const ICE_MS = 500;
const ICE_PACE = 10;
const LONGEST_ICE_MS = 5_000;

/** What the scripts of channels may use. */
const HELPERS = `
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const ended = (source) => new Promise((resolve) => { for (const name of ["load", "error", "close"]) source.addEventListener(name, resolve, { once: true }); });
  const heard = (port, worker) => new Promise((resolve) => { port.addEventListener("message", resolve); worker.addEventListener("error", resolve); });
  const linked = (attributes) => { const link = Object.assign(document.createElement("link"), attributes); document.head.append(link); return link; };
  const framed = async (fill) => { const frame = document.createElement("iframe"); const loaded = ended(frame); document.body.append(frame); fill(frame); await Promise.race([loaded, wait(200)]); };
  const speculate = (rules) => { const script = document.createElement("script"); script.type = "speculationrules"; script.textContent = JSON.stringify(rules); document.head.append(script); };
  const iceSince = (began) => wait(Math.min(Math.max(${ICE_PACE} * (performance.now() - began), ${ICE_MS}), ${LONGEST_ICE_MS}));
  const gather = async (server) => {
    const began = performance.now();
    const peer = new RTCPeerConnection({ iceServers: [server] });
    const complete = new Promise((resolve) => { peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === "complete") resolve(); }; });
    peer.createDataChannel("a");
    await peer.setLocalDescription();
    await Promise.race([complete, iceSince(began)]);
    peer.close();
  };
  const connected = async (host, port) => {
    const began = performance.now();
    const [here, there] = [new RTCPeerConnection(), new RTCPeerConnection()];
    here.createDataChannel("a");
    await here.setLocalDescription();
    await there.setRemoteDescription(here.localDescription);
    await there.setLocalDescription();
    await here.setRemoteDescription(there.localDescription);
    for (const line of ["1 udp 2113937151 " + host + " " + port + " typ host", "1 tcp 2113937151 " + host + " " + port + " typ host tcptype passive"])
      await here.addIceCandidate({ candidate: "candidate:1 " + line, sdpMid: "0", sdpMLineIndex: 0 });
    await iceSince(began);
    here.close();
    there.close();
  };
`;

/** What pages are made with. */
export interface PageOptions {
  readonly scheme: Scheme;
  /** Each channel's own, in the order of the list. */
  readonly ports: readonly number[];
  /** Is in every address. */
  readonly token: string;
  /** Of the image that must arrive. */
  readonly control: string;
}

function testPage({ scheme, ports, token, control }: PageOptions): string {
  const channels = channelsOver(scheme).map(
    ({ name, script, longestMs = TRY_MS }, index) =>
      `${JSON.stringify(name)}: [${JSON.stringify(ports[index])}, async (to, port) => { ${script} }, ${JSON.stringify(longestMs)}]`,
  );
  return document_(`<body><img alt="" src="${control}"><script>
    ${HELPERS}
    const channels = { ${channels.join(",\n")} };
    globalThis.tryChannels = (names) => Promise.all(names.map(async (name) => {
      const [port, run, longestMs] = channels[name];
      try { await Promise.race([run("${scheme}://127.0.0.1:" + port + "/${token}", port), wait(longestMs)]); } catch {}
    }));
  </script></body>`);
}

const NEXT_PAGE = document_("<body></body>");
const TARGET = "const to = decodeURIComponent(location.search.slice(1));";

const scripts: Readonly<Record<string, string>> = {
  "/worker.js": `${TARGET} fetch(to, { mode: "no-cors" }).catch(() => {}).finally(() => postMessage("done"));`,
  "/shared-worker.js": `${TARGET} onconnect = ({ ports: [port] }) => { fetch(to, { mode: "no-cors" }).catch(() => {}).finally(() => port.postMessage("done")); };`,
  "/service-worker.js": `${TARGET} oninstall = (event) => event.waitUntil(fetch(to, { mode: "no-cors" }).catch(() => {}));`,
  "/socket-worker.js": `${TARGET} const socket = new WebSocket(to.replace(/^http/, "ws")); socket.onclose = () => postMessage("done");`,
};

/** Hints are for the time until the answer comes: right before it they may be passed over. */
const AFTER_HINTS_MS = 600;

/** What the page's server says before its answer, and in it, for the channels that need that. */
function saidBeside({ scheme, ports, token }: PageOptions): {
  readonly hints: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
} {
  const hints: string[] = [];
  const headers: Record<string, string> = {};
  for (const [at, { said }] of channelsOver(scheme).entries()) {
    if (said === undefined) continue;
    const here = (text: string): string => text.replace("TO", `${scheme}://127.0.0.1:${ports[at]}/${token}`);
    if ("hint" in said) hints.push(here(said.hint));
    else
      for (const [name, value] of Object.entries(said.headers))
        headers[name] = headers[name] === undefined ? here(value) : `${headers[name]}, ${here(value)}`;
  }
  return { hints, headers };
}

/** Answers what the test's own page asks for. */
export function servePages(
  options: PageOptions,
): (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) => void {
  const page = testPage(options);
  const { hints, headers } = saidBeside(options);
  return (request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const answer = (type: string, body: string, more = {}): void => {
      response.writeHead(200, { "content-type": type, "cache-control": "no-store", ...more });
      response.end(body);
    };
    const script = scripts[path];
    if (script !== undefined) answer("text/javascript", script);
    else if (path === `/${options.token}` && hints.length > 0) {
      response.writeEarlyHints({ link: [...hints] });
      setTimeout(() => answer("text/html", page, headers), AFTER_HINTS_MS);
    } else if (path === `/${options.token}`) answer("text/html", page);
    else if (path === "/next") answer("text/html", NEXT_PAGE);
    else {
      response.writeHead(path === "/hop" ? 302 : 404, path === "/hop" ? { location: decodeURIComponent(query) } : {});
      response.end();
    }
  };
}

function document_(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>self-test</title><link rel="icon" href="data:,"></head>${body}</html>`;
}
