import type { IncomingMessage, ServerResponse } from "node:http";
import { selfTestChannels } from "./channels.ts";

/** Long enough for a try that has no end of its own, on a slow machine. */
const TRY_MS = 1_500;
/** From the last step of WebRTC's own to what it sends: this long, or so many times what the steps took, because it goes on at the pace of the machine. */
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

/** `ports`: each channel's own, in the order of the list. `token` is in every address. */
function testPage(ports: readonly number[], token: string, controlPort: number): string {
  const channels = selfTestChannels.map(
    ({ name, script, longestMs = TRY_MS }, index) =>
      `${JSON.stringify(name)}: [${JSON.stringify(ports[index])}, async (to, port) => { ${script} }, ${JSON.stringify(longestMs)}]`,
  );
  return document_(`<body><img alt="" src="http://127.0.0.1:${controlPort}/${token}"><script>
    ${HELPERS}
    const channels = { ${channels.join(",\n")} };
    globalThis.tryChannels = (names) => Promise.all(names.map(async (name) => {
      const [port, run, longestMs] = channels[name];
      try { await Promise.race([run("http://127.0.0.1:" + port + "/${token}", port), wait(longestMs)]); } catch {}
    }));
  </script></body>`);
}

const NEXT_PAGE = document_("<body></body>");
const TARGET = "const to = decodeURIComponent(location.search.slice(1));";

const scripts: Readonly<Record<string, string>> = {
  "/worker.js": `${TARGET} fetch(to, { mode: "no-cors" }).catch(() => {}).finally(() => postMessage("done"));`,
  "/shared-worker.js": `${TARGET} onconnect = ({ ports: [port] }) => { fetch(to, { mode: "no-cors" }).catch(() => {}).finally(() => port.postMessage("done")); };`,
  "/service-worker.js": `${TARGET} oninstall = (event) => event.waitUntil(fetch(to, { mode: "no-cors" }).catch(() => {}));`,
  "/socket-worker.js": `${TARGET} const socket = new WebSocket(to.replace("http:", "ws:")); socket.onclose = () => postMessage("done");`,
};

/** Answers what the test's own page asks for. */
export function servePages(ports: readonly number[], token: string, controlPort: number): (request: IncomingMessage, response: ServerResponse) => void {
  const page = testPage(ports, token, controlPort);
  return (request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const answer = (type: string, body: string) => response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(body);
    const script = scripts[path];
    if (script !== undefined) answer("text/javascript", script);
    else if (path === `/${token}`) answer("text/html", page);
    else if (path === "/next") answer("text/html", NEXT_PAGE);
    else if (path === "/hop") response.writeHead(302, { location: decodeURIComponent(query) }).end();
    else response.writeHead(404).end();
  };
}

function document_(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>self-test</title><link rel="icon" href="data:,"></head>${body}</html>`;
}
