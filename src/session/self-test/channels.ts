/**
 * Where a channel ends. `wire`: its request is refused before it leaves the page; `browser`: a flag or a preference
 * keeps Chromium from trying; both never get as far as the proxy. `proxy`: the interception does not see it, so it
 * comes to the proxy and finds no way there.
 */
export type StoppedBy = "wire" | "browser" | "proxy";

/** One way in which a page can make Chromium send something. */
export interface SelfTestChannel {
  /** Fixed words: they stand in failures. */
  readonly name: string;
  readonly stoppedBy: StoppedBy;
  readonly over: "tcp" | "udp";
  /** It must come to the proxy by the door for sockets: by the other one it could share a connection with requests. */
  readonly socket?: true;
  /**
   * The body of an async function of the page. It has `to` (an address of this channel's own listener), `port` (its
   * number) and the page's helpers, and is done when the try has ended. A missing programming interface throws, which
   * is as good as stopped.
   */
  readonly script: string;
  /** The longest that it may take, where that is another one than for most. */
  readonly longestMs?: number;
  /** Default `together`. */
  readonly turn?: Exclude<Turn, "together">;
  /** It is the same whatever the page came by: over TLS it is not tried once more. */
  readonly once?: true;
  /** What the page's own server says beside it, with `TO` for the address; only over TLS does Chromium listen to it. */
  readonly said?: { readonly hint: string } | { readonly headers: Readonly<Record<string, string>> };
}

/**
 * When it is tried, in this order. `frames`: after the rest, because a page whose frames load does not speculate.
 * `pressed`: one after another, each as if a person had pressed something. `last`, one after another: makes the page
 * leave, or is sent when it is left.
 */
export type Turn = "together" | "frames" | "pressed" | "last";

/** WebRTC takes many steps before anything is sent, each at the pace of the machine. */
const WEBRTC_MS = 8_000;
/** Reports leave a moment after what they tell of, as `--short-reporting-delay` has it. */
const REPORTED = "await wait(500);";
const ICE_SERVER = (before: string, behind = "") =>
  `await gather({ urls: "${before}:127.0.0.1:" + port + "${behind}", username: "a", credential: "b" });`;

/** Over it everything is tried once more, and what servers say is tried there alone. */
export type Scheme = "http" | "https";

export function channelsOver(scheme: Scheme): readonly SelfTestChannel[] {
  return selfTestChannels.filter(({ said, once }) => (scheme === "http" ? said === undefined : once !== true));
}

/**
 * What the self-test tries: at least one channel for each thing that keeps something back, not every page feature
 * (requests of the wire are all held in one place).
 */
export const selfTestChannels: readonly SelfTestChannel[] = [
  { name: "fetch", stoppedBy: "wire", over: "tcp", script: `await fetch(to, { mode: "no-cors" });` },
  {
    name: "fetch over https",
    stoppedBy: "wire",
    over: "tcp",
    script: `await fetch(to.replace(/^http:/, "https:"), { mode: "no-cors" });`,
  },
  { name: "image", stoppedBy: "wire", over: "tcp", script: `await ended(Object.assign(new Image(), { src: to }));` },
  { name: "beacon", stoppedBy: "wire", over: "tcp", script: `navigator.sendBeacon(to, "a");` },
  {
    name: "EventSource",
    stoppedBy: "wire",
    over: "tcp",
    script: `const source = new EventSource(to); await ended(source); source.close();`,
  },
  {
    name: "redirected fetch",
    stoppedBy: "wire",
    over: "tcp",
    script: `await fetch("/hop?" + encodeURIComponent(to), { mode: "no-cors" });`,
  },
  {
    name: "iframe",
    stoppedBy: "wire",
    over: "tcp",
    turn: "frames",
    script: `await framed((frame) => { frame.src = to; });`,
  },
  {
    name: "redirected iframe",
    stoppedBy: "wire",
    over: "tcp",
    turn: "frames",
    script: `await framed((frame) => { frame.src = "/hop?" + encodeURIComponent(to); });`,
  },
  {
    name: "form post",
    stoppedBy: "wire",
    over: "tcp",
    turn: "frames",
    script: `await framed((frame) => {
      frame.name = "posted";
      const form = Object.assign(document.createElement("form"), { method: "post", action: to, target: "posted" });
      document.body.append(form);
      form.submit();
    });`,
  },
  {
    name: "worker's fetch",
    stoppedBy: "wire",
    over: "tcp",
    script: `const worker = new Worker("/worker.js?" + encodeURIComponent(to)); await heard(worker, worker);`,
  },
  {
    name: "shared worker's fetch",
    stoppedBy: "wire",
    over: "tcp",
    script: `const worker = new SharedWorker("/shared-worker.js?" + encodeURIComponent(to)); worker.port.start(); await heard(worker.port, worker);`,
  },
  {
    name: "service worker's fetch",
    stoppedBy: "wire",
    over: "tcp",
    script: `const registration = await navigator.serviceWorker.register("/service-worker.js?" + encodeURIComponent(to), { scope: "/none/" });
      const worker = registration.installing;
      if (worker !== null) await new Promise((resolve) => { worker.onstatechange = resolve; });
      await registration.unregister();`,
  },
  {
    name: "prefetch link",
    stoppedBy: "wire",
    over: "tcp",
    script: `await ended(linked({ rel: "prefetch", href: to }));`,
  },
  { name: "preconnect link", stoppedBy: "browser", over: "tcp", script: `linked({ rel: "preconnect", href: to });` },
  {
    name: "speculation prefetch",
    stoppedBy: "browser",
    over: "tcp",
    script: `speculate({ prefetch: [{ source: "list", urls: [to], eagerness: "immediate" }] });`,
  },
  {
    name: "speculation prerender",
    stoppedBy: "browser",
    over: "tcp",
    script: `speculate({ prerender: [{ source: "list", urls: [to], eagerness: "immediate" }] });`,
  },
  {
    name: "late fetch",
    stoppedBy: "browser",
    over: "tcp",
    script: `fetchLater(to, { method: "POST", body: "a", activateAfter: 0 });`,
  },
  {
    name: "payment manifest",
    stoppedBy: "browser",
    over: "tcp",
    turn: "pressed",
    script: `await new PaymentRequest([{ supportedMethods: to }], { total: { label: "a", amount: { currency: "EUR", value: "1" } } }).canMakePayment();`,
  },
  {
    name: "federated sign-in",
    stoppedBy: "browser",
    over: "tcp",
    turn: "pressed",
    script: `await navigator.credentials.get({ identity: { providers: [{ configURL: to, clientId: "a" }] } });`,
  },
  { name: "popup", stoppedBy: "wire", over: "tcp", turn: "pressed", script: `open(to);` },
  {
    name: "WebSocket",
    stoppedBy: "proxy",
    over: "tcp",
    socket: true,
    script: `await ended(new WebSocket(to.replace(/^http/, "ws")));`,
  },
  {
    name: "WebSocket over TLS",
    stoppedBy: "proxy",
    over: "tcp",
    socket: true,
    script: `await ended(new WebSocket(to.replace(/^https?/, "wss")));`,
  },
  {
    name: "worker's WebSocket",
    stoppedBy: "proxy",
    over: "tcp",
    socket: true,
    script: `const worker = new Worker("/socket-worker.js?" + encodeURIComponent(to)); await heard(worker, worker);`,
  },
  {
    name: "WebTransport",
    once: true,
    stoppedBy: "browser",
    over: "udp",
    script: `await new WebTransport("https://127.0.0.1:" + port).ready;`,
  },
  {
    name: "WebRTC by STUN over UDP",
    once: true,
    longestMs: WEBRTC_MS,
    stoppedBy: "browser",
    over: "udp",
    script: ICE_SERVER("stun"),
  },
  {
    name: "WebRTC by TURN over UDP",
    once: true,
    longestMs: WEBRTC_MS,
    stoppedBy: "browser",
    over: "udp",
    script: ICE_SERVER("turn", "?transport=udp"),
  },
  {
    name: "WebRTC by TURN over TCP",
    once: true,
    longestMs: WEBRTC_MS,
    stoppedBy: "proxy",
    over: "tcp",
    script: ICE_SERVER("turn", "?transport=tcp"),
  },
  {
    name: "WebRTC to a candidate over TCP",
    once: true,
    longestMs: WEBRTC_MS,
    stoppedBy: "proxy",
    over: "tcp",
    script: `await connected("127.0.0.1", port);`,
  },
  // Where the name is looked up, the connection is tried; where not, there is nothing to connect to.
  {
    name: "name look-up by WebRTC",
    once: true,
    longestMs: WEBRTC_MS,
    stoppedBy: "browser",
    over: "tcp",
    script: `await connected("localhost", port);`,
  },
  {
    name: "early hint",
    stoppedBy: "browser",
    over: "tcp",
    said: { hint: "<TO>; rel=preload; as=script; crossorigin" },
    script: "",
  },
  {
    name: "preconnect by a header",
    stoppedBy: "browser",
    over: "tcp",
    said: { headers: { link: "<TO>; rel=preconnect" } },
    script: "",
  },
  {
    name: "report of a content policy",
    stoppedBy: "browser",
    over: "tcp",
    said: {
      headers: {
        "reporting-endpoints": 'content="TO"',
        "content-security-policy-report-only": "script-src 'none'; report-to content",
      },
    },
    script: REPORTED,
  },
  {
    name: "report of a permission",
    stoppedBy: "browser",
    over: "tcp",
    said: { headers: { "reporting-endpoints": 'default="TO"', "permissions-policy": "geolocation=()" } },
    script: `navigator.geolocation.getCurrentPosition(() => {}, () => {}); ${REPORTED}`,
  },
  { name: "navigation", stoppedBy: "wire", over: "tcp", turn: "last", script: `location.href = to;` },
  {
    name: "closing beacon",
    stoppedBy: "wire",
    over: "tcp",
    turn: "last",
    script: `addEventListener("pagehide", () => { navigator.sendBeacon(to, "a"); });`,
  },
];

/** Stands among the channels in reports: the page itself must come by the proxy. */
export const BESIDE_PROXY = "page beside the proxy";
